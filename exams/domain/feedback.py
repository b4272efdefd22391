"""A decision becomes what the examiner says about the answer, in plain words.

Everything is read from the decision: what was right, what was missing or wrong, and the source. Neutral and
varied, no praise, no lecture; before a verdict is final nothing is taught and nothing is given away. The same
decision and turn always read the same. Pure: no model words these sentences.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from exams.domain.values import Manner, Point, Verdict
from exams.domain.verdicts import Decision

TAKEN: Final = ("Noted.", "Thank you.", "Okay, I have that.", "I have that down.")
"""Said when nothing may be said yet: the answer was taken."""

OPENERS: Final[Mapping[Verdict, tuple[str, ...]]] = {
    "satisfactory": ("That covers it.", "That answers the question.", "That is complete."),
    "partial": ("That answers part of it.", "Part of the answer is there.", "That gets part of the way."),
    "unsatisfactory": (
        "That doesn't answer it.",
        "That isn't enough for this one.",
        "That falls short of the standard here.",
    ),
    "ungraded": (
        "I couldn't assess that answer, and it doesn't count against you. The question stands; please send your"
        " answer again.",
    ),
}

NON_ANSWER = "I didn't catch an answer. Take your time; “I don't know” is fine too. The question again:"
REPEATED = "Of course. The question again:"


def feedback_for(
    decision: Decision,
    *,
    sources: Mapping[int, str] | None = None,
    turn: int = 0,
    manner: Manner = "coach",
    near: Sequence[tuple[str, str]] = (),
    why: str = "",
    mixups: Sequence[str] = (),
) -> str:
    """What is said about this decision. `sources` are the labels of the citations by n ("14 CFR 91.155(a)"); `near` are
    sentences with their labels that come near to what was said; `why` is what the rule protects against, `mixups` set
    right the wrong beliefs that were recognized; `turn` varies the wording."""
    if decision.next_step == "repeat":
        return REPEATED if decision.verdict == "ungraded" else NON_ANSWER
    if decision.verdict == "ungraded":
        return OPENERS["ungraded"][0]
    if not decision.final or manner == "checkride":
        return _vary(TAKEN, turn)
    lead = " ".join(_lead(decision, turn))
    learned = () if decision.verdict == "satisfactory" else _taught(why, mixups)
    return "\n".join((lead, *_sections(decision, sources or {}), *learned, *_beside(near)))


def _taught(why: str, mixups: Sequence[str]) -> Iterable[str]:
    yield from (f"A common mix-up: {one}" for one in mixups)
    if why:
        yield f"Why it matters: {why}"


def _beside(near: Sequence[tuple[str, str]]) -> Iterable[str]:
    if near:
        yield f"Close to what you said: {'; '.join(f'“{quote}” ({label})' for quote, label in near)}."


def _lead(decision: Decision, turn: int) -> Iterable[str]:
    """The first line: the verdict in words. The lines after it say what it rests on."""
    yield _vary(OPENERS[decision.verdict], turn)
    if decision.hint_used and decision.verdict == "partial":
        yield "It took a hint, so it counts as partly answered."
    if decision.unsafe_held:
        yield "You held to a decision that is not safe."


def _sections(decision: Decision, sources: Mapping[int, str]) -> Iterable[str]:
    yield from _section("You covered", decision.strengths, sources)
    yield from _section("Partly covered", decision.half, sources)
    yield from _section("Missing", _required(decision.missing), sources)
    yield from _section("Not what the source says; it says", decision.contradicted, sources)
    yield from _section("Worth adding next time", _not_required(decision.missing), sources)


def _section(title: str, points: Sequence[Point], sources: Mapping[int, str]) -> Iterable[str]:
    if points:
        yield f"{title}: {'; '.join(_with_source(point, sources) for point in points)}."


def _with_source(point: Point, sources: Mapping[int, str]) -> str:
    """The expectation with its source; what is read off an artifact of the question has none but the artifact."""
    source = next((sources[n] for n in point.citations if n in sources), "")
    if not source:
        source = (
            "from what is on the table"
            if point.kind in ("read", "decide")
            else "not supported by the sources"
        )
    return f"{point.expectation.strip().rstrip('.;')} ({source})"


def _required(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(point for point in points if point.importance == "must")


def _not_required(points: Sequence[Point]) -> tuple[Point, ...]:
    return tuple(point for point in points if point.importance != "must")


def _vary(wordings: Sequence[str], turn: int) -> str:
    return wordings[turn % len(wordings)]
