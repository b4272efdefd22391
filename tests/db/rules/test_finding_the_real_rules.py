"""The rules that pilots collected, loaded, and searched by the model that ships with the application in the words of
pilots."""

import json
from collections import Counter
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from desk.evaluation.rule_queries import RuleQuery
from desk.evaluation.rules import judge_queries, precision_at_5
from rules.answers.answer import RulesAsked, answer_rules, ask_rules
from rules.answers.compare import RulesComparison, compare_rules
from rules.search.search import RulesSearch, find_rules
from tests.sampling import WHOLE, sample_of

ROOT = Path(__file__).resolve().parents[3]
FILE = ROOT.parent / "shared" / "data" / "rules" / "rules.json"
DEVELOPMENT = ROOT / "tests" / "data" / "rules" / "development_questions.jsonl"
pytestmark = [
    pytest.mark.long,
    pytest.mark.django_db,
    pytest.mark.shared,
    pytest.mark.skipif(not FILE.is_file(), reason="../shared/data/rules is not here"),
]


@pytest.fixture(scope="module", autouse=True)
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Any]]:
    """The file's rules, loaded once in a transaction that is rolled back; what the command said."""
    out = StringIO()
    with django_db_blocker.unblock(), transaction.atomic():
        call_command("load_rules", str(FILE), "--json", stdout=out)
        yield json.loads(out.getvalue())
        transaction.set_rollback(True)


def test_all_that_says_something_is_loaded_and_the_rest_told(loaded: dict[str, Any]) -> None:
    """58 questions by 19 countries, one of them junk, 206 answers empty."""
    refused = Counter(one["what"] for one in loaded["refused"])
    assert (loaded["questions"], loaded["countries"], loaded["answers"]) == (57, 19, 877)
    assert (refused["an empty answer"], refused["a junk question"]) == (206, 1)
    assert {(one["said"], one["became"]) for one in loaded["mended"] if "tag" in one["what"]} == {
        ("prior permision", "prior permission")
    }


def test_what_was_found_in_development_is_still_found() -> None:
    """Every eighth paraphrase, or fewer: all of them are measured by `python -m benchmarks.rules_retrieval`."""
    rows = [json.loads(line) for line in DEVELOPMENT.read_text(encoding="utf-8").splitlines()]
    queries = [RuleQuery.model_validate(row) for row in rows if row["questions"]][:: 8 if WHOLE else 24]
    found = [precision_at_5(one) for one in judge_queries(queries)]
    assert sum(found) / len(found) >= 0.95


def test_the_seeds_customs_in_france_are_found_and_are_of_france() -> None:
    found = find_rules(RulesSearch(question="customs requirements", countries=("FR",)))
    assert found.results
    assert all(set(one.answers) == {"FR"} for one in found.results)
    assert "Non-Schengen" in found.results[0].question


def test_what_france_leaves_open_is_said_to_be_open() -> None:
    asked = "If military airfields are available, what permissions are needed?"
    told = answer_rules(RulesAsked(message=asked, countries=("FR",)))
    assert told.answer.startswith(f"France: no answer to this question: {asked}")


def test_a_comparison_of_the_real_rules_keeps_its_limits() -> None:
    compared = compare_rules(RulesComparison(countries=("FR", "DE")))
    widths = [one.difference for one in compared.differences]
    assert len(widths) == 15
    assert min(widths) >= 0.1
    assert widths == sorted(widths, reverse=True)
    assert all(not answer.missing for one in compared.differences for answer in one.answers.values())
    assert [gap.country for gap in compared.missing].count("DE") == 5


@pytest.mark.parametrize(
    "message",
    sample_of(
        [
            "Do I need a flight plan to fly from the UK to France?",
            "Do I need a flight plan from France to Germany?",
            "EGKB to LFAT: do I need to file a flight plan?",
            "BE→DE, do I have to file a flight plan?",
        ],
        4,
    ),
)
def test_a_flight_plan_across_a_border_is_answered_by_the_rule_on_borders(message: str) -> None:
    _, told = ask_rules(message)
    assert "international boundary" in told.sections[0].question
    assert "Is an FPL required for a VFR flight?" not in [one.question for one in told.sections]
