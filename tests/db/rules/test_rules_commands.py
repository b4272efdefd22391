"""`manage.py search_rules` and `compare_rules`: one JSON document, or one line that says what is wrong."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from rules.models import RuleQuestion
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import DANGER, PLAN, rules_desk

__all__ = ["rules_desk"]

pytestmark = [pytest.mark.long, pytest.mark.django_db]


def output(*arguments: str) -> Any:
    stdout = io.StringIO()
    call_command(*arguments, "--json", stdout=stdout)
    return json.loads(stdout.getvalue())


def shown(*arguments: str) -> str:
    stdout = io.StringIO()
    call_command(*arguments, stdout=stdout)
    return stdout.getvalue()


def test_countries_come_from_the_question(rules_desk: HashingEmbedding) -> None:
    told = output("search_rules", "Is a flight plan required for VFR in France and Ireland?")
    assert told["countries"] == ["FR", "IE"]
    assert told["results"][0]["question"] == PLAN
    assert set(told["results"][0]["answers"]) == {"FR", "IE"}


def test_countries_that_are_given_win_over_those_named(rules_desk: HashingEmbedding) -> None:
    asked = "Is a flight plan required for VFR in France?"
    assert output("search_rules", asked, "--country", "DE")["countries"] == ["DE"]
    assert output("search_rules", asked, "--country", "de", "Ireland", "--country", "UK")["countries"] == [
        "DE",
        "IE",
        "GB",
    ]


def test_filters_and_the_number_of_results(rules_desk: HashingEmbedding) -> None:
    assert len(output("search_rules", "rules", "-k", "2", "--threshold", "0")["results"]) == 2
    told = output("search_rules", "entering", "--category", "airspace", "--threshold", "0")
    assert [one["question"] for one in told["results"]] == [DANGER]


def test_nothing_found_is_no_error(rules_desk: HashingEmbedding) -> None:
    told = output("search_rules", "chocolate cake recipe")
    assert (told["results"], told["quality"]) == ([], {"verdict": "none", "top": None})


def test_a_comparison(rules_desk: HashingEmbedding) -> None:
    told = output("compare_rules", "FR", "Germany", "--tag", "penetration")
    assert told["countries"] == ["FR", "DE"]
    assert [one["question"] for one in told["differences"]] == [DANGER]


def test_a_comparison_of_what_speaks_of_a_question(rules_desk: HashingEmbedding) -> None:
    told = output("compare_rules", "FR", "DE", "--question", "may I cross danger areas?")
    assert told["differences"][0]["question"] == DANGER


def test_what_a_person_reads_names_what_is_missing(rules_desk: HashingEmbedding) -> None:
    assert "DE: no answer" in shown("search_rules", "joining a visual circuit in France and Germany")
    assert "no rules for ES" in shown("search_rules", "joining a visual circuit in Spain")
    assert "answers are missing" in shown("compare_rules", "FR", "DE")


@pytest.mark.parametrize(
    "arguments",
    [
        ("search_rules", ""),
        ("search_rules", " \t "),
        ("search_rules", "x" * 100_000),
        ("search_rules", "fuel", "--country", "ZZ"),
        ("search_rules", "fuel", "--category", "Cooking"),
        ("search_rules", "fuel", "--tag", "cakes"),
        ("search_rules", "fuel", "--tenant", "nobody"),
        ("search_rules", "fuel", "-k", "0"),
        ("search_rules", "fuel", "--threshold", "7"),
        ("compare_rules", "FR"),
        ("compare_rules", "FR", "XQ"),
        ("compare_rules", "FR", "DE", "--max", "0"),
        ("compare_rules", "FR", "DE", "--min-difference", "2"),
        ("compare_rules", "FR", "DE", "--tag", "cakes"),
    ],
)
def test_a_wrong_argument_is_status_2_and_one_line(
    rules_desk: HashingEmbedding, arguments: tuple[str, ...]
) -> None:
    with pytest.raises(CommandError) as refused:
        output(*arguments)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("arguments", [("search_rules", "fuel"), ("compare_rules", "FR", "DE")])
def test_without_rules_it_is_said_how_they_are_loaded(
    rules_desk: HashingEmbedding, arguments: tuple[str, ...]
) -> None:
    RuleQuestion.objects.all().delete()
    with pytest.raises(CommandError, match=r"manage\.py load_rules"):
        output(*arguments)
