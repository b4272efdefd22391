"""Elements that are only tested in flight, of another class, or archived were asked."""

import random
from dataclasses import replace

import pytest

from exams.domain.exam_request import ExamOrder, OrderRefused
from exams.domain.planner import EventName, PlannerState
from exams.domain.scope import scope_for
from knowledge.standards.ask_location import TABLE_SKILLS, TASK_SETS
from tests.doubles.orals import AREAS, CLASSES, gold_facts, needs_gold, take_quickly

pytestmark = [needs_gold, pytest.mark.shared]


def everything_that_could_be_asked(weak: tuple[str, ...] = (), **fields: object) -> set[str]:
    """Plan, reserve, and what an oral with failures and left-out elements really asks."""
    scope = scope_for(gold_facts(), ExamOrder.model_validate(fields), seed=str(fields), weak=weak)
    dice = random.Random(str(fields))

    def answer(state: PlannerState) -> EventName:
        return dice.choice(["satisfactory", "partial", "unsatisfactory", "skip"])

    state = take_quickly(scope, answer)
    asked = {outcome.code for outcome in state.outcomes} | {item.code for item in state.left_out}
    possible = {item.code for item in (*scope.plan, *scope.reserve)}
    assert asked <= possible
    return possible


def faults(codes: set[str], aircraft_class: str, *, picked: bool) -> list[str]:
    facts = {fact.code: fact for fact in gold_facts()}
    found = []
    for fact in (facts[code] for code in codes):
        flown = fact.task in TASK_SETS["airplane"]
        if fact.archived or (fact.classes and aircraft_class not in fact.classes):
            found.append(fact.code)
        if fact.kind == "skill" and (flown or fact.code not in TABLE_SKILLS):
            found.append(fact.code)
        if flown and not picked:
            found.append(fact.code)
    return found


@pytest.mark.parametrize("aircraft_class", CLASSES)
@pytest.mark.parametrize("mode", ["full", "mock", "weak", "drill"])
def test_lesson_15_standard_oral_asks_no_flown_element(aircraft_class: str, mode: str) -> None:
    everything = tuple(fact.code for fact in gold_facts())
    for questions in (1, 5, 12, 30, 66):
        codes = everything_that_could_be_asked(
            everything[questions::3], aircraft_class=aircraft_class, mode=mode, questions=questions
        )
        assert faults(codes, aircraft_class, picked=False) == []


@pytest.mark.parametrize("aircraft_class", CLASSES)
def test_lesson_15_picked_flown_area_asks_only_knowledge_and_risk(aircraft_class: str) -> None:
    for area in AREAS:
        try:
            codes = everything_that_could_be_asked(
                aircraft_class=aircraft_class, mode="area", areas=[area], questions=66
            )
        except OrderRefused:
            assert area == "X"  # multiengine: nothing in it for a single-engine class
            continue
        assert faults(codes, aircraft_class, picked=True) == []
        assert {code.split(".")[1] for code in codes} == {area}


def test_lesson_15_what_the_library_does_not_support_is_never_planned_and_is_listed() -> None:
    dice = random.Random(15)
    facts = tuple(
        replace(fact, askable=dice.random() < 0.5, missing_reference="AIM") for fact in gold_facts()
    )
    supported = {fact.code for fact in facts if fact.askable}
    scope = scope_for(facts, ExamOrder(), seed="s")
    assert {item.code for item in (*scope.plan, *scope.reserve)} <= supported
    listed = {code for item in scope.not_askable for code in item.elements}
    assert listed
    assert not listed & supported
    assert {item.reference for item in scope.not_askable} == {"AIM"}
