"""The points of an answer become one decision, and the decision becomes what is stored and what is said.

There is one decision object. The grade, the next step and the feedback are all read from it, so they cannot
contradict each other. The standard is the same for everyone: how hard the questions are, who plays the
examiner and in what manner do not reach this module. Pure: it compares nothing and calls no model; whether a
point is met was judged before.

* satisfactory: every must is met, nothing is contradicted, no hint was needed.
* partial: a must is half met, or a hint was needed, or something not required was contradicted.
* unsatisfactory: a must is missing or contradicted, a P0 fact is wrong, or an unsafe decision was held to.
* ungraded: there are no points to decide on. That is a failure of ours and counts for nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from exams.conf import PARTIAL_WEIGHT
from exams.domain.serialization import from_stored, to_stored
from exams.domain.values import Met, Point, Verdict

Attempt = Literal["opening", "probe"]
NextStep = Literal["probe", "move_on", "ask_again", "repeat"]

_CREDIT: Final[Mapping[Met, float]] = {
    "met": 1.0,
    "half": PARTIAL_WEIGHT,
    "missing": 0.0,
    "contradicted": 0.0,
}
_WORST_FIRST: Final[tuple[Met, ...]] = ("contradicted", "missing", "half", "met")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What is decided about an answer. `reasons` are complete sentences about why; `fails_task` is true for a
    wrong P0 fact or an unsafe decision that survived a follow-up."""

    verdict: Verdict
    score: float
    final: bool
    next_step: NextStep
    reasons: tuple[str, ...]
    points: tuple[Point, ...] = ()
    hint_used: bool = False
    unsafe_held: bool = False
    fails_task: bool = False

    @property
    def strengths(self) -> tuple[Point, ...]:
        return self._points("met")

    @property
    def half(self) -> tuple[Point, ...]:
        return self._points("half")

    @property
    def missing(self) -> tuple[Point, ...]:
        return self._points("missing")

    @property
    def contradicted(self) -> tuple[Point, ...]:
        return self._points("contradicted")

    @property
    def omitted(self) -> int:
        """Expectations left out that are not required."""
        return sum(point.met != "met" for point in self.points if point.importance == "should")

    def _points(self, met: Met) -> tuple[Point, ...]:
        return tuple(point for point in self.points if point.met == met)

    def to_dict(self) -> dict[str, Any]:
        return to_stored(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Decision":
        return from_stored(cls, data)


def decide(
    points: Iterable[Point],
    *,
    attempt: Attempt = "opening",
    hint_used: bool = False,
    unsafe_held: bool = False,
    may_probe: bool = True,
) -> Decision:
    """The decision on an answer from its points, judged over the whole ladder so far.

    `may_probe` is the planner's word (`planner.may_probe`): without a probe left the first answer is final.
    """
    found = tuple(points)
    if not found:
        return _ungraded()
    verdict = _verdict(found, hint_used=hint_used, unsafe_held=unsafe_held)
    followed_up = attempt == "probe" or hint_used
    final = verdict == "satisfactory" or followed_up or not may_probe
    return Decision(
        verdict=verdict,
        score=score_of(found, hint_used=hint_used),
        final=final,
        next_step="move_on" if final else "probe",
        reasons=_reasons(found, hint_used=hint_used, unsafe_held=unsafe_held),
        points=found,
        hint_used=hint_used,
        unsafe_held=unsafe_held,
        fails_task=followed_up and (unsafe_held or any(_wrong_p0(point) for point in found)),
    )


def score_of(points: Sequence[Point], *, hint_used: bool = False) -> float:
    """The share of what is required that was conveyed, 0 to 1. It decides nothing."""
    counted = [point for point in points if point in _binding(points) or point.met == "contradicted"]
    weight = PARTIAL_WEIGHT if hint_used else 1.0
    credit = sum(min(_CREDIT[point.met], weight) for point in counted)
    return round(credit / len(counted), 4) if counted else 0.0


def non_answer() -> Decision:
    """Nothing was said: the same question is asked again, and that is no failure of ours."""
    return Decision(
        verdict="unsatisfactory",
        score=0.0,
        final=False,
        next_step="repeat",
        reasons=("There was no word of an answer.",),
    )


def weakest_point(points: Iterable[Point]) -> Point | None:
    """What a probe aims at: the most serious point that is not met, P0 facts first, in order of asking."""
    open_points = [point for point in points if point.met != "met"]
    return min(open_points, key=_seriousness, default=None)


def asked_again() -> Decision:
    """The student wants to hear the question once more, which is free."""
    return Decision(
        verdict="ungraded",
        score=0.0,
        final=False,
        next_step="repeat",
        reasons=("The question was to be said again.",),
    )


def _ungraded() -> Decision:
    return Decision(
        verdict="ungraded",
        score=0.0,
        final=False,
        next_step="ask_again",
        reasons=("There was nothing to judge the answer by.",),
    )


def _verdict(points: Sequence[Point], *, hint_used: bool, unsafe_held: bool) -> Verdict:
    musts = _binding(points)
    short = any(point.met in ("missing", "contradicted") for point in musts)
    if unsafe_held or short or any(_wrong_p0(point) for point in points):
        return "unsatisfactory"
    half = any(point.met == "half" for point in musts)
    contradicted = any(point.met == "contradicted" for point in points)
    return "partial" if half or contradicted or hint_used else "satisfactory"


def _binding(points: Sequence[Point]) -> tuple[Point, ...]:
    """The musts; where none is marked, everything expected is required."""
    musts = tuple(point for point in points if point.importance == "must")
    return musts or tuple(points)


def _wrong_p0(point: Point) -> bool:
    return point.p0 and point.met == "contradicted"


def _seriousness(point: Point) -> tuple[bool, bool, int]:
    return point.importance != "must", not point.p0, _WORST_FIRST.index(point.met)


def _reasons(points: Sequence[Point], *, hint_used: bool, unsafe_held: bool) -> tuple[str, ...]:
    musts = _binding(points)
    counts = {met: sum(point.met == met for point in musts) for met in _WORST_FIRST}
    others = sum(point.met == "contradicted" for point in points) - counts["contradicted"]
    lines = (
        ("An unsafe decision was held to.", unsafe_held),
        (f"Required and said otherwise: {counts['contradicted']}.", counts["contradicted"]),
        (f"Required and left out: {counts['missing']}.", counts["missing"]),
        (f"Required and half said: {counts['half']}.", counts["half"]),
        (f"Not required and said otherwise: {others}.", others),
        ("A hint was needed.", hint_used),
    )
    return tuple(line for line, holds in lines if holds) or ("Everything required was said.",)
