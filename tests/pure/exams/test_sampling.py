"""Sub-elements and their parents: how many of them make one element of the least."""

from collections import Counter

from exams.domain.exam_request import ExamOrder
from exams.domain.sampling import task_scope
from exams.domain.scope import scope_for
from tests.doubles.orals import fact, facts_for


def with_subs(parent: str, letters: str, *rest: str) -> tuple:  # type: ignore[type-arg]
    return (fact(parent), *(fact(f"{parent}{letter}") for letter in letters), *map(fact, rest))


def test_one_sub_element_satisfies_its_parent() -> None:
    task = task_scope(with_subs("PA.I.B.K1", "abcd", "PA.I.B.R1"), ["PA.I.B.K1"], "s")
    assert sum(item.unit == "PA.I.B.K1" for item in task.planned) == 1
    assert "PA.I.B.K1" not in {item.code for item in task.planned}


def test_three_sub_elements_satisfy_the_parents_that_need_three() -> None:
    for parent in ("PA.I.C.K2", "PA.I.C.K3", "PA.I.G.K1"):
        task = task_scope(with_subs(parent, "abcde", f"{parent[:6]}.R1"), [parent], "s")
        assert sum(item.unit == parent for item in task.planned) == 3


def test_a_parent_that_needs_three_is_not_sampled_where_one_question_does() -> None:
    task = task_scope(with_subs("PA.I.C.K2", "abcde", "PA.I.C.K1", "PA.I.C.R1"), [], "s")
    assert {item.code for item in task.planned} == {"PA.I.C.K1", "PA.I.C.R1"}


def test_two_of_three_needed_sub_elements_cannot_complete_a_task() -> None:
    task = task_scope(with_subs("PA.I.C.K2", "ab", "PA.I.C.R1"), [], "s")
    assert task.lacks == ("knowledge",)


def test_a_named_sub_element_counts_for_its_kind() -> None:
    task = task_scope(with_subs("PA.I.B.K1", "abcd", "PA.I.B.K2", "PA.I.B.R1"), ["PA.I.B.K1c"], "s")
    assert {item.code for item in task.planned} == {"PA.I.B.K1c", "PA.I.B.R1"}


def test_a_parent_whose_sub_elements_lack_support_is_asked_itself() -> None:
    facts = (fact("PA.I.B.K1"), fact("PA.I.B.K1a", askable=False), fact("PA.I.B.R1"))
    assert {item.code for item in task_scope(facts, [], "s").planned} == {"PA.I.B.K1", "PA.I.B.R1"}


def test_the_reserve_says_something_new_before_it_asks_siblings() -> None:
    task = task_scope(with_subs("PA.I.B.K1", "ab", "PA.I.B.K2", "PA.I.B.R1"), ["PA.I.B.K1a"], "s")
    assert [item.code for item in task.reserve] == ["PA.I.B.K2", "PA.I.B.K1b"]


def test_a_named_task_too_large_for_the_number_is_said() -> None:
    facts = (*with_subs("PA.I.C.K2", "abc", "PA.I.C.R1"), *facts_for("PA.I.A"))
    scope = scope_for(facts, ExamOrder(questions=2, codes=["PA.I.C.K2"]), seed="s")
    assert scope.task_codes == ("PA.I.A",)
    assert "needs 4 questions" in scope.notices[0]


def test_what_must_not_be_wrong_is_drawn_more_often_and_not_always() -> None:
    facts = [
        fact(f"PA.I.A.{code}", critical=2 * (code == "K2b")) for code in ("K1", "K2a", "K2b", "K3", "R1")
    ]
    drawn = Counter(
        item.code
        for number in range(300)
        for item in task_scope(facts, (), seed=str(number)).planned
        if item.kind == "knowledge"
    )
    assert 150 < drawn["PA.I.A.K2a"] + drawn["PA.I.A.K2b"] < 220  # three lots of five, by chance 180
    assert drawn["PA.I.A.K2b"] > 2 * drawn["PA.I.A.K2a"]
    assert min(drawn["PA.I.A.K1"], drawn["PA.I.A.K3"]) > 30


def test_what_fits_the_flight_better_is_drawn_more_often_and_not_always() -> None:
    facts = [fact(f"PA.I.A.{code}") for code in ("K1", "K2", "K3", "K4", "R1")]
    preferred = {"PA.I.A.K1": 1, "PA.I.A.K2": 2, "PA.I.A.K3": 3}
    drawn = Counter(
        item.code
        for number in range(300)
        for item in task_scope(facts, (), seed=str(number), preferred=preferred).planned
        if item.kind == "knowledge"
    )
    assert drawn["PA.I.A.K1"] > 1.3 * drawn["PA.I.A.K2"]
    assert drawn["PA.I.A.K2"] > 2 * drawn["PA.I.A.K3"]
    assert drawn["PA.I.A.K3"] > 10
    assert not drawn["PA.I.A.K4"]
    events = {"PA.I.A.K3": 0, "PA.I.A.K1": 1}
    asked = [
        task_scope(facts, (), seed=str(number), preferred=events).planned[0].code for number in range(20)
    ]
    assert set(asked) == {"PA.I.A.K3"}
