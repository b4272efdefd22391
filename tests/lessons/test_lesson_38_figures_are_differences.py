"""38. Comparison by embedding alone was blind to numbers. "2 hours" against "24 hours" is a difference."""

import pytest

from rules.answers.compare import RulesComparison, compare_rules
from rules.models import AnswerVector
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import NOTICE, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


def test_figures_differ_even_if_vectors_are_close(rules_desk: HashingEmbedding) -> None:
    same = [1.0] + [0.0] * 383
    AnswerVector.objects.update(vector=same)
    compared = compare_rules(RulesComparison(countries=("FR", "DE")))
    notice = next(one for one in compared.differences if one.key == NOTICE)
    assert notice.pairs[0].distance == 0
    assert notice.difference >= 0.8
    assert notice.why == "Time: 2 hours in France; 24 hours in Germany."


def test_same_figure_in_two_countries_is_no_difference(rules_desk: HashingEmbedding) -> None:
    compared = compare_rules(RulesComparison(countries=("FR", "IE"), tags=("prior permission",)))
    assert (compared.differences, compared.alike) == ((), 1)
