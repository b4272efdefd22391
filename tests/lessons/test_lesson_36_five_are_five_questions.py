"""36. The index held each question once per country, so the best 15 hits were one question. Top-k counts distinct
questions."""

import pytest

from rules.search.search import RulesSearch, find_rules
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import PLAN, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("k", [1, 3, 5])
def test_the_best_are_so_many_questions_whatever_the_number_of_countries(
    rules_desk: HashingEmbedding, k: int
) -> None:
    countries = ("FR", "DE", "IE", "BE", "MT")
    found = find_rules(RulesSearch(question="rules", countries=countries, k=k, threshold=0.0))
    assert len({one.key for one in found.results}) == len(found.results) == k


def test_a_question_that_all_countries_answer_stands_there_once_with_all_of_them(
    rules_desk: HashingEmbedding,
) -> None:
    found = find_rules(RulesSearch(question="Is an FPL required for a VFR flight?", threshold=0.0))
    assert [one.key for one in found.results].count(PLAN) == 1
    assert set(found.results[0].answers) == {"FR", "DE", "IE", "BE", "MT"}
