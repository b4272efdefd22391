"""What countries answer differently: facts before words, and what is missing is missing."""

from typing import Any

import pytest
from django.conf import LazySettings

from rules.answers.compare import RulesCompared, RulesComparison, compare_rules
from rules.models import AnswerVector, RuleAnswer
from rules.query.query_preparation import Unanswerable
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import CIRCUIT, DANGER, FIS, NOTICE, PLAN, SCHENGEN, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


def compared(*countries: str, **asked: Any) -> RulesCompared:
    return compare_rules(RulesComparison(countries=countries, **asked))


def differing(response: RulesCompared) -> list[str]:
    return [one.key for one in response.differences]


def test_the_widest_difference_comes_first_with_its_reason(rules_desk: HashingEmbedding) -> None:
    response = compared("FR", "DE")
    assert differing(response)[0] == DANGER
    assert response.differences[0].why == "Not permitted in France; permitted in Germany."
    widths = [one.difference for one in response.differences]
    assert widths == sorted(widths, reverse=True)


def test_the_same_answer_is_no_difference(rules_desk: HashingEmbedding) -> None:
    response = compared("FR", "IE", tags=("prior permission",))
    assert response.differences == ()
    assert (response.compared, response.alike) == (1, 1)


def test_missing_is_missing_and_never_the_same(rules_desk: HashingEmbedding) -> None:
    response = compared("FR", "DE")
    assert (CIRCUIT, "DE") in [(gap.question, gap.country) for gap in response.missing]
    assert CIRCUIT not in differing(response)
    assert response.compared == 3


def test_no_experience_is_unstated(rules_desk: HashingEmbedding) -> None:
    response = compared("FR", "IE")
    assert [(gap.question, gap.country, gap.said) for gap in response.unstated] == [
        (FIS, "IE", "no experience")
    ]
    assert FIS not in differing(response)


def test_a_country_without_any_rules_is_named(rules_desk: HashingEmbedding) -> None:
    response = compared("FR", "ES")
    assert response.missing_countries == ("ES",)
    assert (response.differences, response.compared) == ((), 0)
    assert len([gap for gap in response.missing if gap.country == "ES"]) == 6


def test_differing_words_are_marked(rules_desk: HashingEmbedding) -> None:
    notice = next(one for one in compared("FR", "DE").differences if one.key == NOTICE)
    assert notice.to_dict()["answers"]["DE"]["marks"] == [[0, 2]]


def test_by_category_tag_or_question(rules_desk: HashingEmbedding) -> None:
    assert set(differing(compared("FR", "DE", category="Airspace"))) == {DANGER}
    assert set(differing(compared("FR", "DE", tags=("flight_plan", "penetration")))) == {DANGER, PLAN}
    only = RuleAnswer.objects.filter(question__key=NOTICE).values_list("question_id", flat=True)[0]
    assert differing(compared("FR", "DE", questions=(str(only),))) == [NOTICE]
    assert compared("FR", "DE", questions=()).compared == 0


def test_three_countries_are_compared_by_the_widest_pair(rules_desk: HashingEmbedding) -> None:
    notice = next(one for one in compared("FR", "IE", "DE").differences if one.key == NOTICE)
    assert len(notice.pairs) == 3
    assert notice.difference == max(pair.difference for pair in notice.pairs)


def test_limits_are_the_configurations_and_can_be_given(
    rules_desk: HashingEmbedding, settings: LazySettings
) -> None:
    assert len(compared("FR", "DE", most=1).differences) == 1
    assert (
        compared("FR", "DE", most=1).left_out
        == compared("FR", "DE").compared - 1 - compared("FR", "DE").alike
    )
    assert compared("FR", "DE", least=1.0).differences == ()
    settings.RULES = {"comparison": {"max_questions": 1}}
    assert len(compared("FR", "DE").differences) == 1


def test_stored_vectors_are_compared_and_nothing_is_embedded(rules_desk: HashingEmbedding) -> None:
    rules_desk.queries.clear()
    compared("FR", "BE")
    assert rules_desk.queries == []


def test_without_vectors_words_are_compared_and_it_is_said(rules_desk: HashingEmbedding) -> None:
    AnswerVector.objects.all().delete()
    response = compared("FR", "BE")
    assert "by their words" in response.degraded
    assert SCHENGEN in differing(response)


@pytest.mark.parametrize(
    ("countries", "asked", "field"),
    [
        (("FR",), {}, "countries"),
        (("FR", "FR"), {}, "countries"),
        (tuple(f"{a}{b}" for a in "ABCDE" for b in "ABCDEFGH"), {}, "countries"),
        (("FR", "DE"), {"most": 0}, "max"),
        (("FR", "DE"), {"least": 1.5}, "max"),
        (("FR", "DE"), {"least": float("nan")}, "max"),
        (("FR", "DE"), {"category": "Cooking"}, "category"),
        (("FR", "DE"), {"tags": ("cakes",)}, "tags"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    rules_desk: HashingEmbedding, countries: tuple[str, ...], asked: dict[str, Any], field: str
) -> None:
    with pytest.raises(Unanswerable) as refused:
        compared(*countries, **asked)
    assert refused.value.field == field


def test_the_shape_is_the_contracts(rules_desk: HashingEmbedding) -> None:
    told = compared("FR", "DE").to_dict()
    assert set(told) >= {"countries", "differences", "missing"}
    assert set(told["differences"][0]) >= {"question", "difference", "why", "answers"}
    assert all(set(gap) == {"question", "country"} for gap in told["missing"])
