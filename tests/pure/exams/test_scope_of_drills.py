"""Weak elements alone, and drills with what they rest on."""

import pytest

from exams.domain.exam_request import ExamOrder, Mode, OrderRefused
from exams.domain.grading import grade_oral
from exams.domain.scope import Scope, scope_for
from tests.doubles.orals import always, fact, facts_for, take

FACTS = facts_for("PA.I.A", "PA.I.B", "PA.I.E", "PA.II.A", elements=("K1", "K2", "K3", "K4", "R1", "R2"))
WEAK = tuple(item.code for item in FACTS[::2])


def drawn(mode: Mode, questions: int | None = 10, weak: tuple[str, ...] = WEAK) -> Scope:
    return scope_for(FACTS, ExamOrder(mode=mode, questions=questions), seed="d", weak=weak)


def test_weak_asks_only_weak_elements_weakest_first() -> None:
    assert {item.code for item in drawn("weak", 5).plan} == set(WEAK[:5])


@pytest.mark.parametrize("questions", [*range(1, 16), 66])
def test_at_least_eighty_percent_of_a_drill_is_weak(questions: int) -> None:
    plan = [item.code for item in drawn("drill", questions).plan]
    assert sum(code in WEAK for code in plan) >= 0.8 * len(plan)


def test_a_drill_of_ten_has_two_elements_that_the_weak_ones_rest_on() -> None:
    others = [item for item in drawn("drill").plan if item.code not in WEAK]
    assert [item.kind for item in others] == ["knowledge", "knowledge"]


@pytest.mark.parametrize("mode", ["weak", "drill"])
def test_with_nothing_weak_it_is_a_standard_oral_and_says_so(mode: Mode) -> None:
    scope = drawn(mode, None, weak=())
    assert scope.questions == 10
    assert "Nothing is weak yet" in scope.notices[0]


@pytest.mark.parametrize("mode", ["weak", "drill"])
def test_a_flawless_drill_passes_and_speaks_of_its_elements(mode: Mode) -> None:
    scope = drawn(mode)
    result = grade_oral(scope, take(scope, always("satisfactory")).outcomes)
    assert result.result == "pass"
    assert result.scope.startswith("10 chosen elements from")


def test_what_is_not_in_reach_is_no_weak_element() -> None:
    assert {item.code for item in drawn("weak", 5, weak=("PA.IV.A.K1", "PA.I.A.K2")).plan} == {"PA.I.A.K2"}


def test_a_drill_of_named_elements_asks_those_and_no_other_weak_ones() -> None:
    named = ("PA.I.B.K2a", "PA.I.A.R1")
    order = ExamOrder(mode="drill", codes=["PA.I.B.K2A", "PA.I.A.R1"])
    facts = facts_for("PA.I.A", "PA.I.B", "PA.I.E", elements=("K1", "K2a", "R1"))
    scope = scope_for(facts, order, seed="a", weak=("PA.I.E.K1", "PA.I.A.K1"))
    assert {item.code for item in scope.plan} == set(named)


def test_a_drill_of_named_elements_asks_nothing_else() -> None:
    named = [item.code for item in FACTS if item.task == "PA.I.A"]
    order = ExamOrder(mode="drill", codes=named[:5], questions=5)
    assert {item.code for item in scope_for(FACTS, order, seed="a").plan} == set(named[:5])


def test_whoever_names_an_element_of_a_flown_task_is_asked_it_and_not_a_standard_oral() -> None:
    facts = (*FACTS, *facts_for("PA.VIII.A", elements=("K1", "R1", "S1")))
    scope = scope_for(facts, ExamOrder(mode="drill", codes=["PA.VIII.A.K1"]), seed="a")
    assert [item.code for item in scope.plan] == ["PA.VIII.A.K1"]


@pytest.mark.parametrize(
    ("code", "why"), [("PA.VIII.A.S1", "is tested in the airplane"), ("PA.I.A.K9", "cannot be asked")]
)
def test_a_drill_of_nothing_that_can_be_asked_is_refused_with_the_reason(code: str, why: str) -> None:
    facts = (*FACTS, fact("PA.I.A.K9", askable=False), *facts_for("PA.VIII.A", elements=("K1", "S1")))
    with pytest.raises(OrderRefused) as refused:
        scope_for(facts, ExamOrder(mode="drill", codes=[code]), seed="a")
    assert why in refused.value.fields["codes"][0]
