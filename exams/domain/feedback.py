"""Writes the feedback on an answer from its decision.

Everything is read from the decision: what was right, what was missing or wrong, and the source. Before a verdict is
final, the feedback teaches nothing and gives nothing away. The same decision and turn always give the same words; no
model writes them.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from exams.domain.values import Manner, Point, Verdict
from exams.domain.verdicts import Decision

TAKEN: Final = ("Noted.", "Thank you.", "Okay, I have that.", "I have that down.")
"""Confirms an answer when nothing may be said about it yet."""

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
    """The feedback on this decision.

    `sources` are the labels of the citations by n ("14 CFR 91.155(a)"); `near` are sentences of the library close to
    what was said, with their labels; `why` is what the rule protects against; `mixups` correct the wrong beliefs that
    were recognized; `turn` varies the wording.
    """
    if decision.next_step == "repeat":
        return REPEATED if decision.verdict == "ungraded" else NON_ANSWER
    if decision.verdict == "ungraded":
        return OPENERS["ungraded"][0]
    if not decision.final or manner == "checkride":
        return TAKEN[turn % len(TAKEN)]
    openers = OPENERS[decision.verdict]
    opening = [openers[turn % len(openers)]]
    if decision.hint_used and decision.verdict == "partial":
        opening.append("It took a hint, so it counts as partly answered.")
    if decision.unsafe_held:
        opening.append("You held to a decision that is not safe.")
    lines = [" ".join(opening)]
    missing = decision.points_with("missing")
    sections = (
        ("You covered", decision.points_with("met")),
        ("Partly covered", decision.points_with("half")),
        ("Missing", [point for point in missing if point.importance == "must"]),
        ("Not what the source says; it says", decision.points_with("contradicted")),
        ("Worth adding next time", [point for point in missing if point.importance != "must"]),
    )
    for title, points in sections:
        if points:
            lines.append(f"{title}: {'; '.join(_with_source(point, sources or {}) for point in points)}.")
    if decision.verdict != "satisfactory":
        lines += [f"A common mix-up: {mixup}" for mixup in mixups]
        if why:
            lines.append(f"Why it matters: {why}")
    if near:
        quotes = "; ".join(f"“{quote}” ({label})" for quote, label in near)
        lines.append(f"Close to what you said: {quotes}.")
    return "\n".join(lines)


def _with_source(point: Point, sources: Mapping[int, str]) -> str:
    """The expectation with its source; a point that is read from an artifact of the question has only the artifact."""
    source = next((sources[n] for n in point.citations if n in sources), "")
    if not source:
        source = "from what is on the table"
    return f"{point.expectation.strip().rstrip('.;')} ({source})"
