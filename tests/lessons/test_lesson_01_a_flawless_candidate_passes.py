"""A flawless candidate failed: the score was divided by everything that might have been asked."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from exams.domain.exam_request import ExamOrder, OrderRefused, elements_in_reach
from exams.domain.grading import grade_oral
from exams.domain.sampling import ElementFact
from exams.domain.scope import Scope, scope_for
from tests.doubles.orals import AREAS, CLASSES, always, fact, gold_facts, needs_gold, take_quickly
from tests.sampling import sample_of

NAMES = ("K1", "K1a", "K1b", "K1c", "K2", "K2a", "K2b", "K2c", "K3", "R1", "R2", "S1", "S2")


def make_order(**fields: object) -> ExamOrder:
    return ExamOrder.model_validate(fields)


def assert_flawless_passes(scope: Scope, asked_for: int | None) -> None:
    state = take_quickly(scope, always("satisfactory"))
    asked = {outcome.code for outcome in state.outcomes}
    assert state.asked == len(asked) == scope.questions
    assert state.ended_by == "plan"
    result = grade_oral(scope, state.outcomes)
    assert (result.result, result.weak) == ("pass", ())
    if asked_for is not None and not scope.notices:
        assert scope.questions == asked_for
    assert len(result.not_tested) == len(scope.all_tasks) - len(scope.tasks)


@needs_gold
@pytest.mark.shared
@pytest.mark.parametrize("aircraft_class", CLASSES)
@pytest.mark.parametrize("mode", ["full", "mock", "weak", "drill"])
def test_lesson_01_flawless_candidate_passes_on_the_faas_standard(aircraft_class: str, mode: str) -> None:
    weak = tuple(item.code for item in elements_in_reach(gold_facts(), aircraft_class))[::5]
    for questions in (None, *sample_of(range(1, 67), 20)):
        order = make_order(aircraft_class=aircraft_class, mode=mode, questions=questions)
        scope = scope_for(gold_facts(), order, seed=f"{mode}{questions}", weak=weak)
        assert_flawless_passes(scope, questions)


@needs_gold
@pytest.mark.shared
@pytest.mark.parametrize("aircraft_class", CLASSES)
def test_lesson_01_flawless_candidate_passes_every_area(aircraft_class: str) -> None:
    for area in sample_of(AREAS, 3):
        for questions in (None, 1, 5, 12, 66):
            order = make_order(aircraft_class=aircraft_class, mode="area", areas=[area], questions=questions)
            if not elements_in_reach(gold_facts(), aircraft_class, [area]):
                with pytest.raises(OrderRefused):
                    scope_for(gold_facts(), order, seed="a")
                continue
            assert_flawless_passes(scope_for(gold_facts(), order, seed=area), questions)


@needs_gold
@pytest.mark.shared
def test_lesson_01_the_whole_ground_portion_has_the_tasks_and_questions_of_the_design() -> None:
    sizes = {}
    for aircraft_class in CLASSES:
        scope = scope_for(gold_facts(), make_order(aircraft_class=aircraft_class), seed="w")
        assert scope.whole
        sizes[aircraft_class] = (len(scope.tasks), scope.questions)
    assert sizes["ASEL"] == (28, 66)
    assert all(56 <= questions <= 66 for _, questions in sizes.values())


@st.composite
def standards(draw: st.DrawFn) -> tuple[ElementFact, ...]:
    """Any standard: sub-elements, archived ones, other classes, gaps in the library."""
    tasks = draw(st.lists(st.sampled_from(["I.A", "I.B", "I.C", "I.G", "II.A", "XI.A", "IV.A"]), unique=True))
    return tuple(item for task in tasks for item in _elements(draw, f"PA.{task}"))


def _elements(draw: st.DrawFn, task: str) -> list[ElementFact]:
    classes = draw(st.sampled_from([(), ("ASEL", "AMEL"), ("ASES",)]))
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    return [
        fact(
            f"{task}.{name}",
            classes=classes,
            archived=draw(st.integers(0, 9)) == 0,
            askable=draw(st.integers(0, 3)) > 0,
        )
        for name in names
    ]


@settings(max_examples=300)
@given(
    standards(),
    st.one_of(st.none(), st.integers(1, 66)),
    st.sampled_from(["full", "mock", "drill"]),
    st.data(),
)
def test_lesson_01_flawless_candidate_passes_on_any_standard(
    facts: tuple[ElementFact, ...], questions: int | None, mode: str, data: st.DataObject
) -> None:
    known = [item.code for item in facts] or ["PA.I.A.K1"]
    named = data.draw(st.lists(st.sampled_from(known), max_size=3))
    order = make_order(mode=mode, questions=questions, codes=named)
    try:
        scope = scope_for(facts, order, seed="g", weak=known[::2])
    except OrderRefused:
        return
    if not any(task.lacks for task in scope.tasks):
        assert_flawless_passes(scope, questions)
