"""A school's own answer to a shared question stands in that question's row, marked, and for its people alone."""

import pytest
from django.conf import LazySettings

from knowledge.models import Tenant
from rules.answers.answer import RulesAnswered, RulesAsked, answer_rules
from rules.answers.compare import RulesComparison, compare_rules
from rules.answers.coverage import coverage_for, rules_of
from rules.search.search import RulesSearch, find_rules
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import CIRCUIT, PLAN, _question, load_desk, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def school(rules_desk: HashingEmbedding, settings: LazySettings) -> int:
    settings.RULES = {
        "query_reformulation": {"enabled": False},
        "rag": {"retrieval": {"similarity_threshold": 0.2}},
    }
    owner = Tenant.objects.create(name="Aero Club", slug="aero-club")
    load_desk(
        _question(PLAN, "VFR", "flight plan", FR="Yes, the club wants one"),
        _question(CIRCUIT, "Airfields", "join", DE="Join downwind at our field"),
        tenant=owner,
        model=rules_desk,
    )
    return owner.pk


def answered(message: str, *countries: str, tenant: int | None = None) -> RulesAnswered:
    return answer_rules(RulesAsked(message=message, countries=countries, tenant=tenant))


def test_the_question_stands_there_once_with_both_answers(school: int) -> None:
    told = answered(PLAN, "FR", "DE", tenant=school)
    assert [one.question for one in told.sections].count(PLAN) == 1
    lines = told.sections[0].lines
    assert [(line.name, line.text) for line in lines[:2]] == [
        ("France (your school)", "Yes, the club wants one"),
        ("France (shared)", "no"),
    ]
    assert "Germany: No, but at night" in told.answer
    assert "Germany: no answer" not in told.answer
    assert [one.quote for one in told.citations[:2]] == ["Yes, the club wants one", "no"]
    assert len({one.answer_id for one in told.citations}) == len(told.citations)


def test_what_only_the_school_answers_is_found_in_the_shared_row(school: int) -> None:
    assert (
        "Germany (your school): Join downwind at our field" in answered(CIRCUIT, "DE", tenant=school).answer
    )


def test_others_see_nothing_of_it(school: int) -> None:
    other = Tenant.objects.create(name="Another", slug="another").pk
    for tenant in (None, other):
        assert "club" not in answered(PLAN, "FR", tenant=tenant).answer
        assert answered(CIRCUIT, "DE", tenant=tenant).unanswered == {CIRCUIT: ("DE",)}


def test_maps_and_comparisons_count_each_question_once(school: int) -> None:
    shared, own = coverage_for(None), coverage_for(school)
    assert own.questions == shared.questions
    germany = {one.country: one.whole.answered for one in own.countries}["DE"]
    assert germany == {one.country: one.whole.answered for one in shared.countries}["DE"] + 1
    answer = rules_of("FR", school)["VFR"][0].answer
    assert answer.shared is not None
    assert (answer.own, answer.text, answer.shared.text) == (True, "Yes, the club wants one", "no")
    compared = compare_rules(RulesComparison(countries=("FR", "DE"), tenant=school))
    assert [one.question for one in compared.differences].count(PLAN) == 1
    assert PLAN not in [gap.question for gap in compared.missing]
    assert next(one for one in compared.differences if one.question == PLAN).answers["FR"].own


def test_what_is_found_can_be_told_as_json(school: int) -> None:
    found = find_rules(RulesSearch(question=PLAN, countries=("FR",), tenant=school)).results[0].to_dict()
    assert found["answers"]["FR"]["shared"]["text"] == "no"


def test_a_school_without_experience_hides_no_shared_answer(
    school: int, rules_desk: HashingEmbedding
) -> None:
    load_desk(
        _question(PLAN, "VFR", "flight plan", FR="no experience"),
        tenant=Tenant.objects.get(pk=school),
        model=rules_desk,
    )
    told = answered(PLAN, "FR", tenant=school)
    assert "France: no [1]" in told.answer
