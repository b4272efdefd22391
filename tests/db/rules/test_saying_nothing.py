"""What stands in the place of an answer and says nothing is none: not in answers, not on the map, not compared."""

import pytest
from django.conf import LazySettings

from rules.answers.answer import RulesAnswered, RulesAsked, answer_rules
from rules.answers.compare import RulesComparison, compare_rules
from rules.answers.coverage import codes_known, coverage_for, rules_of
from rules.search.search import RulesRAG, RulesSearch, find_rules
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import _question, load_desk, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
FUEL = "Which fuel is sold at small airfields?"


@pytest.fixture(autouse=True)
def _fuel(rules_desk: HashingEmbedding, settings: LazySettings) -> None:
    settings.RULES = {
        "query_reformulation": {"enabled": False},
        "rag": {"retrieval": {"similarity_threshold": 0.2}},
    }
    load_desk(
        _question(
            FUEL,
            "Airfields",
            "tools",
            FR="Avgas",
            IT="no experience",
            GR="Refer AIP",
            GG="as above",
            MT="n/a",
        ),
        model=rules_desk,
    )


def answered(*countries: str) -> RulesAnswered:
    return answer_rules(RulesAsked(message=FUEL, countries=countries))


def test_no_experience_is_said_to_be_no_answer() -> None:
    told = answered("FR", "IT")
    assert "France: Avgas [1]" in told.answer
    assert "Italy: no answer to this question (“no experience”)." in told.answer
    assert [one.country for one in told.citations] == ["FR"]


def test_a_pointer_is_shown_as_one_with_its_link() -> None:
    told = answered("FR", "GR", "GG")
    assert "Greece: points elsewhere: “Refer AIP”" in told.answer
    assert "Guernsey: points elsewhere: “as above”" in told.answer
    assert {one.country: bool(one.url) for one in told.citations} == {"FR": True, "GG": True, "GR": True}


def test_where_nobody_says_anything_there_is_no_strong_answer() -> None:
    told = answered("IT", "GR")
    assert told.answer.startswith(f"Italy and Greece: no answer to this question: {FUEL}")
    assert "Greece: points elsewhere: “Refer AIP”" in told.answer
    assert FUEL not in [
        one.question for one in find_rules(RulesSearch(question=FUEL, countries=("IT",))).results
    ]
    assert "GR" not in [row["country_code"] for row in RulesRAG().retrieve(FUEL, ("FR", "GR"))]


def test_the_map_counts_as_answers_what_a_comparison_compares() -> None:
    shares = {one.country: one.whole.answered for one in coverage_for(None).countries}
    assert "IT" not in shares
    assert "GR" not in shares
    assert (shares["FR"], shares["MT"]) == (1, 1)
    assert codes_known(None)["IT"] == 0
    assert rules_of("IT", None)["Airfields"][0].answer.missing
    unstated = compare_rules(RulesComparison(countries=("FR", "MT", "IT", "GR"))).unstated
    assert {gap.country for gap in unstated} == {"IT", "GR"}
