"""Element, Task, Area, test: the rules, case by case."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from exams.domain.exam_request import ExamOrder
from exams.domain.grading import Grade, Need, Outcome, TaskResult, grade_oral, grade_task
from exams.domain.sampling import task_scope
from exams.domain.scope import Scope, scope_for
from exams.domain.values import ElementKind, Verdict
from tests.doubles.orals import always, fact, facts_for, take

KINDS: dict[str, ElementKind] = {"K": "knowledge", "R": "risk", "S": "skill"}
VERDICTS: dict[str, Verdict] = {"s": "satisfactory", "p": "partial", "u": "unsatisfactory", "x": "ungraded"}


def outcomes(told: str, task: str = "PA.I.A") -> list[Outcome]:
    """ "K1s R1u!" in the order of asking; ! marks one that fails its Task at once."""
    return [
        Outcome(
            code=f"{task}.{word[:2]}",
            task=task,
            kind=KINDS[word[0]],
            verdict=VERDICTS[word[2]],
            fatal=word.endswith("!"),
            order=place,
        )
        for place, word in enumerate(told.split())
    ]


@pytest.mark.parametrize(
    ("told", "result"),
    [
        ("K1s R1s", "satisfactory"),
        ("", "incomplete"),
        ("K1s", "incomplete"),  # short of its least
        ("R1s R2s", "incomplete"),
        ("K1s R1x", "incomplete"),  # a failure of ours is no grade
        ("K1p R1s", "incomplete"),  # the doubt stays open
        ("K1u R1s", "incomplete"),
        ("K1p K2s R1s", "satisfactory"),  # closed: a weak spot
        ("K1u K2s R1s", "satisfactory"),
        ("K1s K2p R1s", "incomplete"),  # the one before the doubt does not close it
        ("K1u R1s R2s", "incomplete"),  # another kind does not close it
        ("K1p K2p R1s", "unsatisfactory"),
        ("K1p K2u R1s", "unsatisfactory"),
        ("K1p K2s R1p", "unsatisfactory"),  # only the first is a doubt
        ("K1p R1p", "unsatisfactory"),  # all-partial does not pass
        ("K1u! K2s R1s", "unsatisfactory"),
        ("K1s R1u!", "unsatisfactory"),
        ("K1p! K2s R1s", "satisfactory"),  # only what is wrong fails at once
        ("K1s R1s S1p", "incomplete"),  # a table skill can be in doubt
        ("K1s R1s S1p S2s", "satisfactory"),
    ],
)
def test_a_task(told: str, result: TaskResult) -> None:
    task = task_scope(facts_for("PA.I.A", elements=("K1", "K2", "R1", "R2", "S1", "S2")), [], "s")
    graded = grade_task(task, outcomes(told))
    assert graded.result == result
    doubted = any(mark in told for mark in "pu")
    assert bool(graded.why) == (result != "satisfactory" or doubted)


def test_a_named_element_has_to_be_asked() -> None:
    task = task_scope(facts_for("PA.I.A"), ["PA.I.A.K1"], "s")
    assert grade_task(task, outcomes("K2s R1s")).drill == ("PA.I.A.K1",)


def test_a_closed_doubt_names_what_closed_it_and_what_is_left_to_study() -> None:
    task = task_scope(facts_for("PA.I.A", elements=("K1", "K2", "K4", "R1")), [], "s")
    why = grade_task(task, outcomes("K1s K2u R1s K4s")).why
    assert why.startswith(
        "PA.I.A.K2 was not satisfactory. PA.I.A.K4, a knowledge element covered later, was,"
    )
    assert why.endswith("PA.I.A.K2: study it")


@pytest.mark.parametrize(
    ("told", "result"),
    [
        (
            "K1p K2s R1s",
            "satisfactory",
        ),  # the part closes the doubt, and the element that was missed is a weak spot
        ("K2s R1s", "incomplete"),  # one part of three alone is no element
        ("K2s K1p R1s", "incomplete"),  # nothing after the doubt
    ],
)
def test_a_part_of_another_element_closes_a_doubt(told: str, result: TaskResult) -> None:
    facts = [fact(f"PA.I.C.{name}") for name in ("K1", "K2", "K2a", "K2b", "K2c", "R1")]
    asked = [
        replace(one, code="PA.I.C.K2a") if one.code == "PA.I.C.K2" else one
        for one in outcomes(told, "PA.I.C")
    ]
    assert grade_task(task_scope(facts, [], "s"), asked).result == result


def test_three_sub_elements_make_one_where_the_standard_says_three() -> None:
    facts = [fact(f"PA.I.C.{name}") for name in ("K2", "K2a", "K2b", "K2c", "R1")]
    task = task_scope(facts, [], "s")
    asked = [
        Outcome(
            code=f"PA.I.C.K2{letter}", task="PA.I.C", kind="knowledge", verdict="satisfactory", order=place
        )
        for place, letter in enumerate("abc")
    ]
    risk = Outcome(code="PA.I.C.R1", task="PA.I.C", kind="risk", verdict="satisfactory", order=9)
    assert grade_task(task, [*asked[:2], risk]).result == "incomplete"
    assert grade_task(task, [*asked, risk]).result == "satisfactory"


def two_areas() -> Scope:
    return scope_for(facts_for("PA.I.A", "PA.I.B", "PA.II.A"), ExamOrder(questions=6), seed="g")


def graded(first: str, second: str, third: str) -> Grade:
    all_outcomes: Sequence[Outcome] = [
        *outcomes(first, "PA.I.A"),
        *outcomes(second, "PA.I.B"),
        *outcomes(third, "PA.II.A"),
    ]
    return grade_oral(two_areas(), all_outcomes)


def test_an_area_is_the_worst_of_its_tasks_and_the_test_the_worst_of_its_areas() -> None:
    result = graded("K1s R1s", "K1p R1p", "K1s R1s")
    assert [(area.area, area.result) for area in result.areas] == [
        ("I", "unsatisfactory"),
        ("II", "satisfactory"),
    ]
    assert result.result == "fail"


def test_fail_comes_before_incomplete_and_incomplete_before_pass() -> None:
    assert graded("K1s R1s", "K1s", "K1p R1p").result == "fail"
    assert graded("K1s R1s", "K1s", "K1s R1s").result == "incomplete"
    assert graded("K1s R1s", "K1s R1s", "K1s R1s").result == "pass"


def test_outcomes_of_a_task_outside_the_scope_change_nothing() -> None:
    scope = two_areas()
    inside = outcomes("K1s R1s")
    assert grade_oral(scope, [*inside, *outcomes("K1u R1u", "PA.XI.A")]) == grade_oral(scope, inside)


def test_the_sentence_names_the_scope_and_never_a_percentage() -> None:
    scope = scope_for(facts_for("PA.I.A", "PA.I.B", "PA.II.A", "PA.XI.A"), ExamOrder(questions=5), seed="g")
    passed = grade_oral(scope, take(scope, always("satisfactory")).outcomes)
    failed = grade_oral(scope, take(scope, always("unsatisfactory")).outcomes)
    assert passed.scope == "2 of 4 Tasks asked: satisfactory; 2 not tested"
    assert failed.scope == "2 of 4 Tasks asked: not satisfactory; 2 not tested"
    assert "%" not in json_of(passed) + json_of(failed)


def json_of(result: Grade) -> str:
    return str(result.to_dict())


def test_the_whole_ground_portion_is_said_in_words() -> None:
    assert graded("K1s R1s", "K1s R1s", "K1s R1s").scope == (
        "All 3 Tasks of the ground portion asked: satisfactory"
    )


def test_an_oral_that_was_ended_early_says_what_was_not_tested() -> None:
    result = graded("K1s R1s", "", "")
    assert result.scope == "1 of 3 Tasks asked: not completed; 2 not tested"
    assert result.not_tested == ("PA.I.B", "PA.II.A")


def test_three_things_to_study_first_worst_first() -> None:
    study = graded("K1s R1s", "K1p R1p", "K1u! R1u").study
    assert [(item.code, item.reason) for item in study[:3]] == [
        ("PA.II.A.K1", "failed the Task"),
        ("PA.II.A.R1", "not satisfactory"),
        ("PA.I.B.K1", "partly answered"),
    ]


def test_all_that_was_not_known_is_listed_and_nothing_unasked_beside_it() -> None:
    study = graded("K1u R1u", "K1p R1p", "K1u! R1u").study
    assert len(study) == 6
    assert "not asked" not in [item.reason for item in study]


def test_what_is_needed_most_comes_first_whatever_its_kind() -> None:
    told = [
        *outcomes("K1u R1u K2s", "PA.I.A"),
        *outcomes("K1p K2s R1s", "PA.I.B"),
        *outcomes("K1u", "PA.II.A"),
    ]
    needs = {
        "PA.I.B.K1": Need(p0=True),
        "PA.I.A.R1": Need(missed_before=2),
        "PA.II.A.K1": Need(missed_before=9),
        "PA.I.A.K1": Need(missed_before=2, due="2026-11-29"),
    }
    study = grade_oral(two_areas(), told, needs).study
    assert [(item.code, item.p0, item.missed) for item in study] == [
        ("PA.I.B.K1", True, 1),  # a safety fact
        ("PA.I.A.K1", False, 3),  # of a failed Task, due the earlier
        ("PA.I.A.R1", False, 3),
        ("PA.II.A.K1", False, 10),  # missed often, in a Task that is only in doubt
    ]


def test_what_orders_the_study_list_touches_no_result() -> None:
    told = outcomes("K1u R1s K2s", "PA.I.A")
    needs = {"PA.I.A.K1": Need(p0=True, missed_before=5, due="2026-01-01")}
    with_needs, without = grade_oral(two_areas(), told, needs), grade_oral(two_areas(), told)
    assert replace(with_needs, study=()) == replace(without, study=())


def test_what_was_corrected_only_after_a_follow_up_is_a_weak_spot_after_what_was_not_known() -> None:
    told = [*outcomes("K1s R1s K2p", "PA.I.A"), *outcomes("K1s", "PA.I.B")]
    needs = {"PA.I.A.R1": Need(missed_before=3, unsure=True), "PA.I.B.K1": Need(corrected=True)}
    grade = grade_oral(two_areas(), told, needs)
    assert grade.weak == ("PA.I.A.K2", "PA.I.B.K1")
    assert [(one.code, one.reason, one.missed) for one in grade.study] == [
        ("PA.I.A.K2", "partly answered", 1),
        ("PA.I.B.K1", "corrected after a follow-up", 0),
        ("PA.I.A.R1", "you were not sure", 3),
    ]
    assert grade.areas == grade_oral(two_areas(), told).areas


def test_what_came_only_after_a_follow_up_is_studied_before_what_was_not_asked() -> None:
    needs = {"PA.I.A.R1": Need(prompted=True), "PA.I.A.K2": Need(prompted=True, unsure=True)}
    study = grade_oral(two_areas(), outcomes("K1s R1s K2s", "PA.I.A"), needs).study
    assert [(one.code, one.reason) for one in study[:2]] == [
        ("PA.I.A.K2", "you were not sure"),
        ("PA.I.A.R1", "complete after a follow-up"),
    ]
    assert [one.reason for one in study[2:]] == ["not asked"]


def test_a_paper_that_was_misjudged_is_studied_once_though_nothing_asked_about_it() -> None:
    needs = {"PA.I.A.K3": Need(misjudged=True), "PA.I.A.K1": Need(misjudged=True)}
    grade = grade_oral(two_areas(), outcomes("K1s R1s K2p", "PA.I.A"), needs)
    first, *rest = [(one.code, one.reason) for one in grade.study]
    assert first == ("PA.I.A.K2", "partly answered")
    assert sorted(rest) == [
        ("PA.I.A.K1", "wrong about the papers"),
        ("PA.I.A.K3", "wrong about the papers"),
    ]
    assert grade.weak == ("PA.I.A.K2",)


def test_of_what_was_not_asked_the_first_due_comes_first() -> None:
    last = two_areas().plan[-1].code
    study = grade_oral(two_areas(), [], {last: Need(due="2026-11-29")}).study
    assert study[0].code == last
    assert len(study) == 3


def test_a_flawless_oral_still_names_three_things_to_study() -> None:
    study = graded("K1s R1s", "K1s R1s", "K1s R1s").study
    assert [item.reason for item in study] == ["not asked"] * 3


def test_a_grade_survives_storage() -> None:
    result = graded("K1s R1s", "K1p R1p", "K1s")
    assert Grade.from_dict(result.to_dict()) == result
