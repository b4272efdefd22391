"""The comparison table and the overview: widest first, differing words marked, missing is missing."""

import re
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from llm import registry
from llm.offline import OfflineChatModel
from rules.answers.coverage import TILES, coverage_for, tiles_of
from rules.models import RuleAnswer
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import make_tenant
from tests.doubles.rules_desk import CIRCUIT, DANGER, FIS, NOTICE, _question, load_desk, rules_desk
from tests.sampling import sample_of

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
COMPARE = "/rules/compare/?countries=FR&countries=DE&countries=IE"


@pytest.fixture
def reader(client: Client, rules_desk: HashingEmbedding) -> Client:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    client.force_login(get_user_model().objects.create_user("ruth"))
    return client


def text_of(response: Any) -> str:
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(plain.split())


def questions_of(response: Any) -> list[str]:
    return [part.question for _, _, part in response.context["rows"]]


def test_differing_words_are_marked_and_why_is_said(reader: Client) -> None:
    shown = reader.get(COMPARE)
    assert b"<mark>24</mark>" in shown.content
    assert "2 hours in France and Ireland; 24 hours in Germany" in text_of(shown)
    differences = [one.difference for one, _, _ in shown.context["rows"]]
    assert differences == sorted(differences, reverse=True)


def test_missing_is_missing(reader: Client) -> None:
    shown = text_of(reader.get(COMPARE))
    assert "no answer" in shown
    assert re.search(rf"Germany: \d+ questions? without an answer .*{re.escape(CIRCUIT)}", shown)
    assert "There are no rules for Spain in the data." in text_of(reader.get(f"{COMPARE}&more=Spain"))


def test_what_says_nothing_is_told_apart(reader: Client) -> None:
    shown = text_of(reader.get(COMPARE))
    assert f"{FIS} Ireland: “no experience”" in shown


def test_a_category_or_a_tag_narrows_it(reader: Client) -> None:
    assert questions_of(reader.get(f"{COMPARE}&category=Airspace")) == [DANGER]
    assert questions_of(reader.get(f"{COMPARE}&tag=prior+permission")) == [NOTICE]


def test_how_many_and_how_different_can_be_set(reader: Client) -> None:
    assert len(questions_of(reader.get(f"{COMPARE}&most=1"))) == 1
    every, wide = reader.get(f"{COMPARE}&least=0"), reader.get(f"{COMPARE}&least=0.9")
    assert len(questions_of(wide)) < len(questions_of(every))
    assert "No difference of 1 or more" in text_of(reader.get(f"{COMPARE}&least=1&category=VFR"))


@pytest.mark.parametrize(
    "wrong",
    sample_of(
        [
            "most=0",
            "most=x",
            "most=101",
            "least=7",
            "least=nan",
            "least=x",
            "category=Cakes",
            "tag=cakes",
            "more=Atlantis",
        ],
        3,
    ),
)
def test_what_cannot_be_compared_is_said_on_the_page(reader: Client, wrong: str) -> None:
    shown = reader.get(f"{COMPARE}&{wrong}")
    assert shown.status_code == 400
    assert 'role="alert"' in shown.content.decode()


def test_one_country_is_too_few(reader: Client) -> None:
    shown = reader.get("/rules/compare/?countries=FR")
    assert shown.status_code == 400
    assert "two different countries" in text_of(shown)


def test_the_overview_counts_answers_by_country_and_category(reader: Client) -> None:
    coverage = coverage_for(None)
    germany = next(one for one in coverage.countries if one.country == "DE")
    shares = {share.category: (share.answered, share.asked) for share in germany.shares}
    assert shares == {"Airfields": (1, 2), "Airspace": (1, 1), "International": (0, 1), "VFR": (1, 2)}
    assert (germany.whole.answered, germany.whole.missing, germany.whole.percent) == (3, 3, 50)
    shown = reader.get("/rules/overview/").content.decode()
    assert 'aria-label="Germany, Airfields: 1 of 2"' in shown
    assert 'aria-label="Germany: 3 of 6 answered"' in shown


def test_the_map_can_be_of_one_category(reader: Client) -> None:
    shown = reader.get("/rules/overview/?category=Airspace").content.decode()
    assert 'aria-label="Germany: 1 of 1 answered"' in shown
    assert 'aria-label="Ireland: 0 of 1 answered"' in shown


def test_every_square_of_the_map_is_one_countrys(reader: Client) -> None:
    assert len(set(TILES.values())) == len(TILES)
    assert {tile.country for tile in tiles_of(coverage_for(None)) if tile.share} == {
        "BE",
        "DE",
        "FR",
        "IE",
        "MT",
    }


def test_a_countrys_page_has_every_question_and_says_what_is_missing(reader: Client) -> None:
    shown = text_of(reader.get("/rules/countries/DE/"))
    assert "3 of 6 questions are answered, 3 are not." in shown
    assert f"{CIRCUIT} No answer." in shown
    assert "There are no rules for Spain in the data." in text_of(reader.get("/rules/countries/ES/"))


def test_a_schools_own_rules_are_its_own(reader: Client, rules_desk: HashingEmbedding) -> None:
    own = _question("May the club's aircraft be flown at night?", "Club", "tools", FR="no")
    load_desk(own, tenant=make_tenant(), model=rules_desk)
    assert "Club" not in text_of(reader.get("/rules/overview/"))
    assert "club's" not in text_of(reader.get("/rules/countries/FR/"))
    answer = RuleAnswer.objects.get(question__key=own.key)
    assert reader.get(f"/rules/answers/{answer.pk}/").status_code == 404
