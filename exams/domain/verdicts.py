"""Decides on an answer from its points. Grade, next step, and feedback all come from this one decision.

* satisfactory: every must is met, nothing is contradicted, no hint was needed.
* partial: a must is half met, or a hint was needed, or something not required was contradicted.
* unsatisfactory: a must is missing or contradicted, a P0 fact is wrong, or the student held to an unsafe decision.
* ungraded: there are no points to decide on. That is our failure and does not count.

The standard is the same for everyone: difficulty, persona, and manner do not reach this module. It calls no model.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from exams.conf import HALF_HEARD, PARTIAL_WEIGHT, SAID_UNASKED
from exams.domain.values import Met, Point, StoredValue, Verdict

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
class Decision(StoredValue):
    """The decision on an answer. `reasons` are complete sentences.

    `fails_task` is true for a wrong P0 fact or an unsafe decision that survived a follow-up.
    """

    verdict: Verdict
    score: float
    final: bool
    next_step: NextStep
    reasons: tuple[str, ...]
    points: tuple[Point, ...] = ()
    hint_used: bool = False
    unsafe_held: bool = False
    fails_task: bool = False

    def points_with(self, met: Met) -> tuple[Point, ...]:
        return tuple(point for point in self.points if point.met == met)


NOT_ASKED_YET: Final = "Not asked for yet."
"""The finding on a point that the item asks about next, where an answer before that may have been about it."""
SAYS_ELSE: Final = "This says something else than what was expected."
"""The finding on a contradicted point for which the judge has no reason but its impression."""
NOT_SAID: Final = "Said in part; not said: "
"""Begins the finding on a point of which something that can be named is lacking."""
FIGURE_WRONG: Final = "You said “{said}”; expected was {expected}."
"""The finding on a point of which a figure is wrong."""
TURNED_ROUND: Final = "You said this, but some of your words may say the opposite."
"""The finding on a point that is said with words of those who have it wrong: half met, so that it is asked about."""
SAID_OTHERWISE: Final = "Not said, and some of your words may say otherwise."
"""The finding on a missing point beside words of those who have it wrong, which are set beside the source."""


def _nothing_judged(verdict: Verdict, next_step: NextStep, reason: str) -> Decision:
    return Decision(verdict=verdict, score=0.0, final=False, next_step=next_step, reasons=(reason,))


UNGRADED: Final = _nothing_judged("ungraded", "ask_again", "There was nothing to judge the answer by.")
NON_ANSWER: Final = _nothing_judged("unsatisfactory", "repeat", "There was no word of an answer.")
"""The same question is asked again; this is not our failure."""
ASKED_AGAIN: Final = _nothing_judged("ungraded", "repeat", "The question was to be said again.")
"""The student asks to hear the question again, which is free."""
GIVEN_ASKED: Final = _nothing_judged("ungraded", "repeat", "A given of the flight was asked for.")
"""The student asks about the flight of a mock oral, which is free as well."""


def decide_verdict(
    points: Iterable[Point],
    *,
    attempt: Attempt = "opening",
    hint_used: bool = False,
    unsafe_held: bool = False,
    may_probe: bool = True,
    asked_about: Collection[str] | None = None,
    then: Collection[str] = (),
) -> Decision:
    """The decision on an answer from its points, judged over all answers about the element so far.

    Without a probe left (`planner.may_probe`) the answer is final. A probe's answer is final, too, unless all that is
    open was never asked about, or one of the points that the item asks about `then`: `asked_about` are the keys of the
    points that were asked about (None: all were). Such a point counts in an opening answer only if it was plainly
    said there: else it is asked about, not credited.
    """
    found = tuple(points)
    if not found:
        return UNGRADED
    if attempt == "opening" and may_probe and not hint_used:
        found = tuple(
            replace(point, met="missing", said="", why=NOT_ASKED_YET, conveyed=HALF_HEARD / 2)
            if point.key in then and point.met == "met" and point.conveyed < SAID_UNASKED
            else point
            for point in found
        )
    required = _required_points(found)
    wrong_p0 = any(point.p0 and point.met == "contradicted" for point in found)
    verdict: Verdict = "satisfactory"
    if unsafe_held or wrong_p0 or any(point.met in ("missing", "contradicted") for point in required):
        verdict = "unsatisfactory"
    elif (
        hint_used
        or any(point.met == "half" for point in required)
        or any(point.met == "contradicted" for point in found)
    ):
        verdict = "partial"
    followed_up = attempt == "probe" or hint_used
    fails_task = followed_up and (unsafe_held or wrong_p0)
    still_open = {point.key for point in required if point.met != "met"}
    unasked = asked_about is not None and bool(
        (still_open and still_open.isdisjoint(asked_about)) or still_open.intersection(then) - {*asked_about}
    )
    may_probe = may_probe and not hint_used and not fails_task and (attempt == "opening" or unasked)
    final = verdict == "satisfactory" or not may_probe
    return Decision(
        verdict=verdict,
        score=score_of(found, hint_used=hint_used),
        final=final,
        next_step="move_on" if final else "probe",
        reasons=_reasons_for(found, hint_used=hint_used, unsafe_held=unsafe_held),
        points=found,
        hint_used=hint_used,
        unsafe_held=unsafe_held,
        fails_task=fails_task,
    )


def score_of(points: Sequence[Point], *, hint_used: bool = False) -> float:
    """The share of required points that were conveyed, 0 to 1. It decides nothing."""
    required = _required_points(points)
    counted = [point for point in points if point in required or point.met == "contradicted"]
    weight = PARTIAL_WEIGHT if hint_used else 1.0
    credit = sum(min(_CREDIT[point.met], weight) for point in counted)
    return round(credit / len(counted), 4) if counted else 0.0


def open_points(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points that are not met, the one to probe first: musts before others, then P0 facts, then the worst finding;
    of several that are missing, the one furthest from what was said."""

    def rank_of(point: Point) -> tuple[bool, bool, int, float]:
        return point.importance != "must", not point.p0, _WORST_FIRST.index(point.met), point.conveyed

    return tuple(sorted((point for point in points if point.met != "met"), key=rank_of))


def _required_points(points: Sequence[Point]) -> tuple[Point, ...]:
    """The musts; where none is marked, everything expected is required."""
    return tuple(point for point in points if point.importance == "must") or tuple(points)


def _reasons_for(points: Sequence[Point], *, hint_used: bool, unsafe_held: bool) -> tuple[str, ...]:
    required = _required_points(points)
    counts = {met: sum(point.met == met for point in required) for met in _WORST_FIRST}
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
