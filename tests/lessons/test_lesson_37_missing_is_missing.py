"""37. A country with no answer compared as "no difference". Missing data is said to be missing."""

import pytest

from rules.answers.answer import RulesAsked, answer_rules
from rules.answers.compare import RulesComparison, compare_rules
from rules.search.search import RulesSearch, find_rules
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import CIRCUIT, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
ASKED = "What are the rules for joining a visual circuit?"


def test_missing_answer_is_missing_in_a_comparison(rules_desk: HashingEmbedding) -> None:
    compared = compare_rules(RulesComparison(countries=("FR", "DE"), tags=("join",), least=0.0))
    assert [(gap.question, gap.country) for gap in compared.missing] == [(CIRCUIT, "DE")]
    assert (compared.differences, compared.compared, compared.alike) == ((), 0, 0)


def test_missing_answer_is_missing_in_a_search(rules_desk: HashingEmbedding) -> None:
    found = find_rules(RulesSearch(question=ASKED, countries=("FR", "DE")))
    assert found.results[0].answers["DE"].missing


def test_missing_answer_is_missing_in_an_answer(rules_desk: HashingEmbedding) -> None:
    told = answer_rules(RulesAsked(message=ASKED, countries=("FR", "DE")))
    assert "Germany: no answer to this question." in told.answer
    assert "Germany" not in told.sections[0].why


def test_country_without_rules_is_missing(rules_desk: HashingEmbedding) -> None:
    told = answer_rules(RulesAsked(message=ASKED, countries=("ES",)))
    assert told.missing_countries == ("ES",)
    assert told.answer == "There are no rules for Spain in the data."
