"""One decision from the points of an answer."""

from dataclasses import replace

import pytest

from exams.domain.values import Importance, Met, Point, Verdict
from exams.domain.verdicts import Attempt, Decision, decide_verdict, open_points, score_of

MET: dict[str, Met] = {"+": "met", "~": "half", "-": "missing", "!": "contradicted"}


def points(told: str) -> tuple[Point, ...]:
    """ "a+ b- c?+": key, what was found; ? marks one that is not required, * a P0 fact."""
    return tuple(_point(word) for word in told.split())


def _point(word: str) -> Point:
    importance: Importance = "should" if "?" in word else "must"
    return Point(
        expectation=f"Statement {word[0]}.",
        key=word[0],
        importance=importance,
        met=MET[word[-1]],
        p0="*" in word,
    )


@pytest.mark.parametrize(
    ("told", "verdict"),
    [
        ("a+", "satisfactory"),
        ("a+ b+ c?-", "satisfactory"),
        ("a+ b~", "partial"),
        ("a+ b-", "unsatisfactory"),
        ("a+ b!", "unsatisfactory"),
        ("a+ c?!", "partial"),
        ("a+ c?~", "satisfactory"),
        ("a+ c?*!", "unsatisfactory"),  # a P0 fact counts whatever it is marked as
        ("a-", "unsatisfactory"),
        ("a?- b?-", "unsatisfactory"),  # with nothing marked as required, all of it is
        ("a?+ b?+", "satisfactory"),
        ("", "ungraded"),
    ],
)
def test_the_verdict(told: str, verdict: Verdict) -> None:
    assert decide_verdict(points(told)).verdict == verdict


def test_a_hint_leaves_at_best_partial() -> None:
    assert decide_verdict(points("a+ b+"), hint_used=True).verdict == "partial"
    assert decide_verdict(points("a+ b-"), hint_used=True).verdict == "unsatisfactory"


def test_an_unsafe_decision_that_is_held_to_is_unsatisfactory_whatever_else_was_said() -> None:
    assert decide_verdict(points("a+ b+"), attempt="probe", unsafe_held=True).verdict == "unsatisfactory"


@pytest.mark.parametrize(
    ("told", "attempt", "hint_used", "may_probe", "final", "next_step"),
    [
        ("a+", "opening", False, True, True, "move_on"),
        ("a~", "opening", False, True, False, "probe"),
        ("a-", "opening", False, True, False, "probe"),
        ("a-", "opening", False, False, True, "move_on"),
        ("a-", "probe", False, False, True, "move_on"),
        ("a-", "opening", True, True, True, "move_on"),
        ("", "opening", False, True, False, "ask_again"),
        ("", "probe", False, False, False, "ask_again"),
    ],
)
def test_the_next_step(
    told: str, attempt: str, hint_used: bool, may_probe: bool, final: bool, next_step: str
) -> None:
    decision = decide_verdict(points(told), attempt=attempt, hint_used=hint_used, may_probe=may_probe)  # type: ignore[arg-type]
    assert (decision.final, decision.next_step) == (final, next_step)


@pytest.mark.parametrize(
    ("told", "asked_about", "next_step"),
    [
        ("a+ b-", ("a",), "probe"),
        ("a+ b~", ("a",), "probe"),
        ("a+ b-", ("a", "b"), "move_on"),
        ("a~ b-", ("a",), "move_on"),
        ("a+ b-", None, "move_on"),
        ("a+ b?!", (), "move_on"),
    ],
)
def test_what_nobody_asked_about_is_probed_once_more(
    told: str, asked_about: tuple[str, ...] | None, next_step: str
) -> None:
    assert decide_verdict(points(told), attempt="probe", asked_about=asked_about).next_step == next_step
    assert (
        decide_verdict(points(told), attempt="probe", asked_about=asked_about, hint_used=True).next_step
        == "move_on"
    )


def test_a_wrong_p0_fact_fails_the_task_only_once_it_survived_a_follow_up() -> None:
    assert not decide_verdict(points("a*!")).fails_task
    assert not decide_verdict(points("a*!"), may_probe=False).fails_task
    assert decide_verdict(points("a*!"), attempt="probe").fails_task
    assert not decide_verdict(points("a*-"), attempt="probe").fails_task
    assert not decide_verdict(points("a!"), attempt="probe").fails_task
    assert decide_verdict(points("a+"), attempt="probe", unsafe_held=True).fails_task


@pytest.mark.parametrize(
    ("told", "hint_used", "score"),
    [
        ("a+ b+", False, 1.0),
        ("a+ b-", False, 0.5),
        ("a~", False, 0.5),
        ("a+ b+", True, 0.5),
        ("a+ c?-", False, 1.0),
    ],
)
def test_the_score_is_the_share_of_what_is_required(told: str, hint_used: bool, score: float) -> None:
    assert score_of(points(told), hint_used=hint_used) == score


def test_a_probe_aims_at_the_gravest_point() -> None:
    assert open_points(points("a~ b- c*! d?!"))[0] == points("c*!")[0]
    assert open_points(points("a~ b- d?!"))[0] == points("b-")[0]
    assert open_points(points("a+")) == ()


def test_of_missing_points_the_one_furthest_from_what_was_said_is_probed_first() -> None:
    near, far = (replace(one, conveyed=share) for one, share in zip(points("a- b-"), (0.4, 0.1), strict=True))
    assert open_points((near, far)) == (far, near)


def test_a_decision_survives_storage() -> None:
    decision = decide_verdict(points("a+ b~ c?-"), attempt="probe", hint_used=True)
    assert Decision.from_dict(decision.to_dict()) == decision


@pytest.mark.parametrize(
    ("conveyed", "attempt", "may_probe", "final"),
    [
        (0.95, "opening", True, True),  # plainly said: not asked for again
        (
            0.6,
            "opening",
            True,
            False,
        ),  # the words may have been about something else: it is asked for, as planned
        (0.6, "opening", False, True),
        (0.6, "probe", True, True),  # it has been asked for
    ],
)
def test_what_comes_next_is_credited_unasked_only_where_it_was_plainly_said(
    conveyed: float, attempt: Attempt, may_probe: bool, final: bool
) -> None:
    first, plan = points("a+ b+")
    found = decide_verdict(
        (first, replace(plan, conveyed=conveyed, said="I would wait.")),
        attempt=attempt,
        may_probe=may_probe,
        asked_about=("b",) if attempt == "probe" else None,
        then=("b",),
    )
    assert found.final == final
    assert [point.met for point in found.points] == ["met", "met" if final else "missing"]
