"""Writes the feedback on an answer from its decision.

Everything is read from the decision: the right points, the missing or wrong ones, and the source. Before a verdict is
final, the feedback teaches nothing; a coach only says that a part is right, not which one. The same decision and turn
always give the same words; no model writes them.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Final

from exams.conf import HALF_HEARD, SURELY_SAID
from exams.domain.asides import REPEATED
from exams.domain.values import Manner, Point, Verdict
from exams.domain.verdicts import NOT_SAID, SAYS_ELSE, TURNED_ROUND, Decision
from knowledge.text.numbers import has_figure

TAKEN: Final = (
    "Okay.", "I see.", "Thank you.", "Mm-hm.", "Okay, thank you.", "Thanks.", "I hear you.", "Understood.",
    "Okay, I see.",
)  # fmt: skip
"""Confirms an answer when nothing may be said about it yet."""
PART_STANDS: Final = (
    "That's part of it.",
    "Okay, that's one part.",
    "Okay, that's a start.",
    "That's some of it.",
)
"""Confirms, to be coached, an answer of which a required point stands and the rest is plainly left out."""
NOTHING_SAID: Final = (
    "That's fine. Let me narrow it down.",
    "That's okay. Let me break that down.",
    "No problem. Let me come at it another way.",
)
"""Leads from "I don't know" to the follow-up."""

OPENERS: Final[Mapping[Verdict, tuple[str, ...]]] = {
    "satisfactory": (
        "That covers it.",
        "Okay, that answers it.",
        "That's what I was looking for.",
        "That's what I needed to hear.",
        "Okay, I have what I need.",
        "That settles it.",
        "That takes care of it.",
        "Okay, that's it.",
        "Okay, that does it.",
        "That's the answer.",
    ),
    "partial": (
        "That answers part of it.",
        "Part of the answer is there.",
        "That gets part of the way.",
        "You're part of the way there.",
    ),
    "unsatisfactory": (
        "Let's go through what this one takes.",
        "This one goes on your list to study.",
        "Here's what this one takes.",
        "You'll want to read up on this one.",
    ),
    "ungraded": (
        "I couldn't assess that answer, and it doesn't count against you. The question stands; please send your"
        " answer again.",
    ),
}
LACKING: Final = (
    "You have {met} of the {all} points that this takes.",
    "That's {met} of the {all} points I needed.",
    "You gave me {met} of the {all} points here.",
    "So you have {met} of {all} points.",
)
"""Opens the feedback on an unsatisfactory answer of which something required stands and nothing was said wrongly."""
CONFLICTING: Final = (
    "There the source says something else.",
    "What you said differs from the source.",
    "Something has to be set straight with the source.",
)
"""Opens the feedback on an unsatisfactory answer that contradicts the source; with `LACKING` before it where something
required stands."""
STANDS: Final = (
    "You said “{said}”, and that stands.",
    "“{said}” stands.",
    "Keep this: “{said}”.",
)
"""Says back words of the student that convey a point."""
WAS_MISSING: Final = (
    "What was missing: {source}.",
    "What I didn't hear: {source}.",
    "Here's what it takes: {source}.",
    "The source has this: {source}.",
)
"""Teaches a required point that was left out, in one sentence with its source."""
NOT_CLEAR: Final = "What I didn't hear clearly: {source}."
"""The same of a point that may have been said and misheard."""
HELD_TO: Final = "You held to a decision that isn't safe."

AT_FIRST: Final = "At first you said “{said}”; the source says: {source}."
"""Said of words that were taken for wrong at first, where the point is met now, so that nobody goes home with them."""
HEARD: Final = "At first I heard “{said}”; the source says: {source}."
"""The same where the judge has an impression alone, or where some words turn something round: true either way."""
IN_FULL: Final = "At first you said “{said}”. In full: {source}."
"""The same of words that lacked a figure. Of others that were heard as a part, too many had said it all."""

NON_ANSWER = "I didn't catch an answer. Take your time; “I don't know” is fine too. The question again:"
_KEPT_IN_ORDER: Final = 3
"""Wordings up to which a list is said in its order."""
OWN_WORDS_MOST: Final = 30
"""Words of the student that are said back; longer ones are left to the list of the points."""
FIRST_WORDS_MOST: Final = 2
"""Points beside which the words before a follow-up are said back, wrong ones first."""
TAUGHT_MOST: Final = 2
"""Points left out that are taught in the spoken part; all of them are in the list below it."""
_COUNTS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


def feedback_for(
    decision: Decision,
    *,
    sources: Mapping[int, str] | None = None,
    turn: int = 0,
    manner: Manner = "coach",
    near: Sequence[tuple[str, str]] = (),
    why: str = "",
    mixups: Sequence[str] = (),
    before: Sequence[Point] = (),
) -> str:
    """The feedback on this decision: what the examiner says, a line each; then, after an empty line, the points.

    `sources` are the labels of the citations by n ("14 CFR 91.155(a)"); `near` are sentences of the library close to
    what was said, with their labels; `why` is what the rule protects against; `mixups` correct the wrong beliefs that
    were recognized; `before` are the points that answers before a follow-up left open (`Ladder.open`); `turn` varies
    the wording.
    """
    if decision.next_step == "repeat":
        return REPEATED if decision.verdict == "ungraded" else NON_ANSWER
    if decision.verdict == "ungraded":
        return OPENERS["ungraded"][0]
    if not decision.final or manner == "checkride":
        silent = all(point.met == "missing" and not point.conveyed for point in decision.points)
        if silent and decision.next_step == "probe":
            return vary(NOTHING_SAID, turn)
        return vary(PART_STANDS if manner == "coach" and _part_stands(decision) else TAKEN, turn)
    spoken = _spoken_lines(decision, sources or {}, turn)
    if decision.verdict != "satisfactory":
        spoken += [f"A common mix-up: {mixup}" for mixup in mixups]
    spoken += _about_first_words(decision, before, sources or {})
    if why:
        spoken.append(f"Why it matters: {why}")
    open_before = {point.key for point in before}
    met, half, missing, contradicted = (
        [point for point in decision.points_with(found) if _is_listed(point)]
        for found in ("met", "half", "missing", "contradicted")
    )
    sections = (
        ("You covered", [point for point in met if point.key not in open_before]),
        ("You covered after the follow-up", [point for point in met if point.key in open_before]),
        ("Partly covered", half),
        ("Missing", [point for point in missing if point.importance == "must"]),
        ("Not what the source says; it says", contradicted),
        ("Worth adding next time", [point for point in missing if point.importance != "must"]),
    )
    lines = [
        f"{title}: {'; '.join(_with_source(point, sources or {}) for point in points)}."
        for title, points in sections
        if points
    ]
    if near:
        quotes = "; ".join(f"“{quote}” ({label})" for quote, label in near)
        lines.append(f"Close to what you said: {quotes}.")
    return "\n".join((*spoken, "", *lines))


def _is_listed(point: Point) -> bool:
    """Whether the student is told what was found of a point. A required one always; another one only if the finding is
    sure, since nothing hangs on it, and nobody should be credited with, or reminded of, what the judge misheard."""
    sure = {
        "met": point.conveyed >= SURELY_SAID,
        "half": False,
        "missing": point.conveyed < HALF_HEARD,
        "contradicted": True,
    }
    return point.importance == "must" or sure[point.met]


def _about_first_words(decision: Decision, before: Sequence[Point], sources: Mapping[int, str]) -> list[str]:
    """A sentence on points that are met now and were wrong or short of something before, if the words can be said back
    and are not those that meet them, or another point, now; the same words are said back once."""
    met = {point.key: point for point in decision.points_with("met")}
    told: dict[str, str] = {}
    for one in sorted(before, key=lambda point: point.met != "contradicted"):
        elsewhere = any(other.said == one.said for other in met.values())
        if one.key in met and not elsewhere and _can_be_said_back(one):
            told.setdefault(one.said, about_first_words(one, _with_source(met[one.key], sources)))
    return list(filter(None, told.values()))[:FIRST_WORDS_MOST]


def about_first_words(point: Point, source: str) -> str:
    """What is told of the words that left this point open before a follow-up, beside what the source says; "" where
    too many who said such words had said it all."""
    wording = ""
    if point.met == "contradicted":
        wording = AT_FIRST
    elif point.met == "half" and point.why in (TURNED_ROUND, SAYS_ELSE):
        wording = HEARD
    elif point.met == "half" and point.why.startswith(NOT_SAID):
        wording = IN_FULL
    return wording.format(said=_said_back(point), source=source)


def _part_stands(decision: Decision) -> bool:
    """Whether a must is met and the others are plainly left out: none is wrong, and none may have been misheard."""
    musts = [point for point in decision.points if point.importance == "must"]
    left_out = [point for point in decision.points if point.met == "missing" and point.conveyed < HALF_HEARD]
    return any(one.met == "met" for one in musts) and all(
        one.met == "met" or one in left_out for one in musts
    )


def vary(wordings: Sequence[str], turn: int) -> str:
    """Another one for the next turn and the one after it, all of them before any comes again, in no fixed order."""
    block, place = divmod(turn, len(wordings))
    return wordings[_shuffled(len(wordings), block)[place]]


@cache
def _shuffled(count: int, block: int) -> tuple[int, ...]:
    """The places of so many wordings in the order of one block of turns. None of the last two of the block before comes
    within two turns; that takes four, and fewer keep their order."""
    order = list(range(count))
    if count > _KEPT_IN_ORDER:
        order = Random(f"{count}/{block}").sample(order, count)
        last = _shuffled(count, block - 1)[-2:] if block else ()
        while order[0] in last or order[1:2] == list(last[-1:]):
            order = [*order[1:], order[0]]
    return tuple(order)


def _spoken_lines(decision: Decision, sources: Mapping[int, str], turn: int) -> list[str]:
    """The verdict and what stands; then, a line each, what was said otherwise, in part, or not, with the source."""
    kept, wrong = decision.points_with("met"), decision.points_with("contradicted")
    opening = [_opener_for(decision, turn)]
    if decision.hint_used and decision.verdict == "partial":
        opening.append("It took a hint, so it counts as partly answered.")
    if decision.verdict == "satisfactory":
        return [" ".join(opening)]
    stands = next((one for one in kept if _is_sure_to_stand(one, decision)), None)
    if stands:
        opening.append(vary(STANDS, turn).format(said=_said_back(stands)))
    lines = []
    said_back = {stands.said} if stands else set()
    for point in (*wrong, *decision.points_with("half")):
        in_part = point.met == "half" and point.why != TURNED_ROUND
        taught = f"{'In full' if in_part else 'The source says'}: {_with_source(point, sources)}."
        if _can_be_said_back(point) and point.said not in said_back:
            said_back.add(point.said)
            lines.append(f"You said “{_said_back(point)}”. {taught}")
        elif point in wrong:
            lines.append(taught)
    left_out = [one for one in decision.points_with("missing") if one.importance == "must"]
    for place, point in enumerate(left_out[:TAUGHT_MOST]):
        wording = NOT_CLEAR if point.conveyed >= HALF_HEARD else vary(WAS_MISSING, turn + place)
        lines.append(wording.format(source=_with_source(point, sources)))
    return [" ".join(opening), *lines]


def _opener_for(decision: Decision, turn: int) -> str:
    """The first words on a verdict. Of an answer that is short of it, what stands comes first."""
    if decision.unsafe_held:
        return HELD_TO
    if decision.verdict != "unsatisfactory":
        return vary(OPENERS[decision.verdict], turn)
    required = [one for one in decision.points if one.importance == "must"] or decision.points
    met = sum(one.met == "met" for one in required)
    said = []
    if 0 < met < len(required) < len(_COUNTS):
        said.append(vary(LACKING, turn).format(met=_COUNTS[met], all=_COUNTS[len(required)]))
    if decision.points_with("contradicted"):
        said.append(vary(CONFLICTING, turn))
    return " ".join(said) or vary(OPENERS["unsatisfactory"], turn)


def _is_sure_to_stand(point: Point, decision: Decision) -> bool:
    """Whether these words can be confirmed: a sentence that conveys one point may hold a wrong figure, an unsafe
    decision, or the words of another point that is still open."""
    still_open = [one for one in decision.points if one.met != "met"]
    figures = any(has_figure(one.expectation) for one in still_open)
    shared = any(one.said in point.said or point.said in one.said for one in still_open if one.said)
    return _can_be_said_back(point) and not (figures or shared or decision.unsafe_held)


def _can_be_said_back(point: Point) -> bool:
    """Whether the words are short, and hold what the finding quotes of them."""
    quoted = re.search("“(.+?)”", point.why)
    return 0 < len(point.said.split()) <= OWN_WORDS_MOST and (not quoted or quoted[1] in point.said)


def _said_back(point: Point) -> str:
    return point.said.strip().rstrip(".!?,;")


def _with_source(point: Point, sources: Mapping[int, str]) -> str:
    """The expectation with its source; a point that is read from an artifact of the question has only the artifact."""
    source = next((sources[n] for n in point.citations if n in sources), "")
    if not source:
        source = "from what is on the table"
    return f"{point.expectation.strip().rstrip('.;')} ({source})"
