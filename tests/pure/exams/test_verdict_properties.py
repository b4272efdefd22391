"""What no set of points may ever lead to."""

from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from exams.domain.values import Point
from exams.domain.verdicts import decide_verdict

RANK = {"unsatisfactory": 0, "partial": 1, "satisfactory": 2}
MET_RANK = ["contradicted", "missing", "half", "met"]


@st.composite
def found(draw: st.DrawFn) -> tuple[Point, ...]:
    count = draw(st.integers(1, 5))
    return tuple(
        Point(
            expectation=f"Statement {key}.",
            key=str(key),
            importance=draw(st.sampled_from(["must", "should"])),
            met=draw(st.sampled_from(MET_RANK)),  # type: ignore[arg-type]
            p0=draw(st.booleans()),
        )
        for key in range(count)
    )


circumstances = st.fixed_dictionaries(
    {
        "attempt": st.sampled_from(["opening", "probe"]),
        "hint_used": st.booleans(),
        "unsafe_held": st.booleans(),
        "may_probe": st.booleans(),
    }
)


@given(found(), circumstances, st.data())
def test_a_better_point_never_lowers_verdict_or_score(
    points: tuple[Point, ...], how: dict[str, Any], data: st.DataObject
) -> None:
    place = data.draw(st.integers(0, len(points) - 1))
    above = MET_RANK[MET_RANK.index(points[place].met) :]
    better = replace(points[place], met=data.draw(st.sampled_from(above)))
    improved = (*points[:place], better, *points[place + 1 :])
    before, after = decide_verdict(points, **how), decide_verdict(improved, **how)
    assert RANK[after.verdict] >= RANK[before.verdict]
    assert after.fails_task <= before.fails_task


@given(found(), circumstances)
def test_score_and_verdict_do_not_disagree_at_the_ends(
    points: tuple[Point, ...], how: dict[str, Any]
) -> None:
    decision = decide_verdict(points, **how)
    assert 0 <= decision.score <= 1
    if decision.verdict == "satisfactory":
        assert decision.score == 1
        assert not decision.points_with("contradicted")


@given(found(), circumstances)
def test_what_fails_a_task_is_final_and_unsatisfactory(
    points: tuple[Point, ...], how: dict[str, Any]
) -> None:
    decision = decide_verdict(points, **how)
    if decision.fails_task:
        assert decision.final
        assert decision.verdict == "unsatisfactory"
