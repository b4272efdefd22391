"""A decision becomes what the examiner says about the answer, in plain words.

Everything is read from the decision: what was right, what was missing or wrong, and the source. Neutral and
varied, no praise, no lecture; before a verdict is final nothing is taught and nothing is given away. The same
decision and turn always read the same. Pure: no model words these sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from exams.values import Manner, Point, Verdict
from exams.verdicts import Decision

TAKEN: Final = ("Noted.", "Thank you, I have that.", "I have written that down.", "That is recorded.")
"""Said when nothing may be said yet: the answer was taken."""

OPENERS: Final[Mapping[Verdict, tuple[str, ...]]] = {
    "satisfactory": (
        "That meets what is asked here.",
        "What was required has been said.",
        "This element is satisfactory.",
    ),
    "partial": (
        "This element is partly answered.",
        "That meets in part what is asked here.",
        "The answer stands in part.",
    ),
    "unsatisfactory": (
        "That does not meet what is asked here.",
        "This element is not satisfactory.",
        "That falls short of what is required here.",
    ),
    "ungraded": (
        "That answer could not be judged, and nothing is held against you. The question stands; please send"
        " your answer again.",
    ),
}

NON_ANSWER = (
    "I did not hear an answer in that. Tell me in your own words; “I don't know” is fine. The question again:"
)
REPEATED = "Of course, and at no cost. The question again:"


def feedback_for(
    decision: Decision,
    *,
    sources: Mapping[int, str] | None = None,
    turn: int = 0,
    manner: Manner = "coach",
    near: Sequence[tuple[str, str]] = (),
) -> str:
    """What is said about this decision. `sources` are the labels of the citations by n ("14 CFR 91.155(a)"); `near` are
    sentences with their labels that come near to what was said; `turn` varies the wording."""
    if decision.next_step == "repeat":
        return REPEATED if decision.verdict == "ungraded" else NON_ANSWER
    if decision.verdict == "ungraded":
        return OPENERS["ungraded"][0]
    if not decision.final or manner == "checkride":
        return _vary(TAKEN, turn)
    lead = " ".join(_lead(decision, turn))
    return "\n".join((lead, *_sections(decision, sources or {}), *_beside(near)))


def _beside(near: Sequence[tuple[str, str]]) -> Iterable[str]:
    if near:
        yield f"Near to your words stands: {'; '.join(f'“{quote}” ({label})' for quote, label in near)}."


def _lead(decision: Decision, turn: int) -> Iterable[str]:
    """The first line: the verdict in words. The lines after it say what it rests on."""
    yield _vary(OPENERS[decision.verdict], turn)
    if decision.hint_used and decision.verdict == "partial":
        yield "It took a hint, so it counts as partly answered."
    if decision.unsafe_held:
        yield "It holds to a decision that is not safe."


def _sections(decision: Decision, sources: Mapping[int, str]) -> Iterable[str]:
    yield from _section("You said", decision.strengths, sources)
    yield from _section("Half said", decision.half, sources)
    yield from _section("Left out", _required(decision.missing), sources)
    yield from _section("You said otherwise", decision.contradicted, sources)
    yield from _section("It could also have had", _not_required(decision.missing), sources)


def _section(title: str, points: Sequence[Point], sources: Mapping[int, str]) -> Iterable[str]:
    if points:
        yield f"{title}: {'; '.join(_with_source(point, sources) for point in points)}."


def _with_source(point: Point, sources: Mapping[int, str]) -> str:
    labels = [sources[n] for n in point.citations if n in sources]
    source = ", ".join(dict.fromkeys(labels)) or "not supported by the sources"
    return f"{point.expectation.strip().rstrip('.;')} ({source})"


def _required(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(point for point in points if point.importance == "must")


def _not_required(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(point for point in points if point.importance != "must")


def _vary(wordings: Sequence[str], turn: int) -> str:
    return wordings[turn % len(wordings)]
