"""Writes the feedback on an answer from its decision.

Everything is read from the decision: the right points, the missing or wrong ones, and the source. Before a verdict is
final, the feedback teaches nothing; a coach only says that a part is right, not which one. The same decision and turn
always give the same words; no model writes them.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Final

from exams.conf import HALF_HEARD, SURELY_SAID
from exams.domain.asides import REPEATED
from exams.domain.values import Manner, Point, Verdict
from exams.domain.verdicts import FIGURE_WRONG, NOT_SAID, SAID_OTHERWISE, SAYS_ELSE, TURNED_ROUND, Decision
from knowledge.text.numbers import has_figure
from knowledge.text.opposites import denies, is_opposed, is_turned_round
from knowledge.text.quantities import format_quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import idea_set
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)

TAKEN: Final = (
    "Okay.", "I see.", "Thank you.", "Got it.", "Okay, thank you.", "Thanks.", "Okay, got it.", "Understood.",
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
        "That answers it.",
        "That's what I was looking for.",
        "That's what I needed to hear.",
        "Okay, I have what I need.",
        "That settles it.",
        "That takes care of it.",
        "Okay, that's it.",
        "That does it.",
        "That's the answer.",
        "That's covered.",
        "That's everything I asked for.",
        "Okay, I'm satisfied on that.",
        "That completes it.",
        "You've covered that.",
        "Okay, that's all I needed on that.",
        "That'll do it.",
        "Okay, that's what I was after.",
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
    "That's some of what this one takes.",
    "You have some of what this one takes, not all of it.",
    "This one takes more than that.",
    "There's more to this one than you told me.",
)
"""Opens the feedback on an unsatisfactory answer of which something required stands and nothing was said wrongly."""
CONFLICTING: Final = (
    "There the source says something else.",
    "What you said differs from the source.",
    "One part of that isn't what the source says.",
)
"""Opens the feedback on an unsatisfactory answer that plainly contradicts the source; with `LACKING` before it where
something required stands."""
STANDS: Final = (
    "You said “{said}”, and that stands.",
    "“{said}” stands.",
    "Keep this: “{said}”.",
)
"""Says back words of the student that convey a point."""
WAS_MISSING: Final = (
    "What was missing: {source}.",
    "What I didn't hear: {source}.",
    "One thing that was missing: {source}.",
    "The source has this: {source}.",
)
"""Teaches a required point that was left out, in one sentence with its source."""
NOT_CLEAR: Final = (
    "What I didn't hear clearly: {source}.",
    "This part wasn't clear to me: {source}.",
)
"""The same of a point that may have been said and misheard."""
HEARD_IN_PART: Final = (
    "In full: {source}.",
    "The whole of it: {source}.",
)
"""The same of a point that was heard in part, where the words can't be said back."""
SET_RIGHT: Final = (
    "One thing to set right: you said “{said}”. {told}",
    "But not this: “{said}”. {told}",
    "Before we leave it, you said “{said}”. {told}",
)
"""Sets right something false that no point of the question is about."""
UNQUOTED: Final = "One thing to set right: {told}"
"""The same of words that are too many to be said back."""
TAKEN_BACK: Final = (
    "And you took back what wasn't so.",
    "The rest you put straight yourself.",
    "And what wasn't so, you put straight.",
)
"""Confirms that what was asked about has been taken back."""
ASKED_AND_TOLD: Final = "You asked “{said}” {told}"
"""The same where the student asked whether it is so."""
FIGURE_CORRECTED: Final = "You said “{said}”; it's {expected}: {source}."
"""Sets right a figure that was said."""
HELD_TO: Final = "You held to a decision that isn't safe."

AT_FIRST: Final = "At first you said “{said}”; the source says: {source}."
"""Said of words that were taken for wrong at first, where the point is met now, so that nobody goes home with them."""
HEARD: Final = "At first I heard “{said}”; the source says: {source}."
"""The same where some of the words may turn the point round: true either way."""

NON_ANSWER = "I didn't catch an answer. Take your time; “I don't know” is fine too. The question again:"
_KEPT_IN_ORDER: Final = 3
"""Wordings up to which a list is said in its order."""
OWN_WORDS_LEAST, OWN_WORDS_MOST = 4, 30
"""Words of the student that are said back; longer ones are left to the list of the points, and fewer are no more than a
scrap, which nobody is told to keep."""
ABOUT_IT: Final = 1 / 3
"""Share of a point's ideas from which a sentence is about it."""
FIRST_WORDS_MOST: Final = 2
"""Points beside which the words before a follow-up are said back, wrong ones first."""
TAUGHT_MOST: Final = 2
"""Points left out that are taught in the spoken part; all of them are in the list below it."""
_COVERED: Final = "You covered"
_COVERED_LATER: Final = "You covered after the follow-up"
_PARTLY: Final = "Partly covered"
_MISSING: Final = "Missing"
_WRONG: Final = "Not what the source says; it says"
_COMPARE: Final = "Compare with the source"
"""Heads the points that the judge has an impression about, and no reason, that something else was said."""
_ADD: Final = "Worth adding next time"
_FIGURE_WRONG: Final = re.escape(FIGURE_WRONG).replace(r"\{said\}", "(.+)").replace(r"\{expected\}", "(.+)")


def feedback_for(
    decision: Decision,
    *,
    sources: Mapping[int, str] | None = None,
    turn: int = 0,
    manner: Manner = "coach",
    near: Sequence[tuple[str, str]] = (),
    why: str = "",
    mixups: Sequence[str] = (),
    corrected: Sequence[tuple[str, str]] = (),
    taken_back: bool = False,
    before: Sequence[Point] = (),
    answers: Sequence[str] = (),
) -> str:
    """The feedback on this decision: what the examiner says, a line each; then, after an empty line, the points.

    `sources` are the labels of the citations by n ("14 CFR 91.155(a)"); `near` are sentences of the library close to
    what was said, with their labels; `why` is what the rule protects against; `mixups` correct the wrong beliefs that
    were recognized; `corrected` are false things that were said beside the points, each with what is told about it,
    unless the student has `taken_back` what was asked about;
    `before` are the points that answers before a follow-up left open (`Ladder.open`), and `answers`
    all answers about the element, the last one with them; `turn` varies the wording.
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
    spoken = _spoken_lines(decision, sources or {}, turn, answers)
    if decision.verdict != "satisfactory":
        spoken += [f"A common mix-up: {mixup}" for mixup in mixups]
    spoken += _about_first_words(decision, before, sources or {}, answers)
    if taken_back:
        spoken.append(vary(TAKEN_BACK, turn))
    for place, (said, told) in enumerate(corrected):
        wording = ASKED_AND_TOLD if said.endswith("?") else vary(SET_RIGHT, turn + place)
        if not said:
            wording = UNQUOTED
        spoken.append(wording.format(said=said.strip().rstrip(".!,;"), told=told))
    if why:
        spoken.append(f"Why it matters: {why}")
    open_before = {point.key for point in before}
    wrong = [one for one in decision.points if _says_opposite(one)]
    denied = [one for one in decision.points_with("met") if _is_denied_beside(one, decision, answers)]
    denied_before = {point.key for point in before if point.met == "contradicted"}
    found: dict[str, list[Point]] = defaultdict(list)
    for point in filter(_is_listed, decision.points):
        if point.met == "contradicted" or point in wrong:
            title = _COMPARE if point.met == "contradicted" and point.why == SAYS_ELSE else _WRONG
        elif point.met == "half" or point in denied:
            title = _PARTLY
        elif point.met == "missing":
            title = _MISSING if point.importance == "must" else _ADD
        else:
            later = point.key in open_before and (
                point.key in denied_before or not was_said_at_once(point, answers)
            )
            title = _COVERED_LATER if later else _COVERED
        found[title].append(point)
    lines = [
        f"{title}: {'; '.join(with_source(point, sources or {}) for point in found[title])}."
        for title in (_COVERED, _COVERED_LATER, _PARTLY, _MISSING, _WRONG, _COMPARE, _ADD)
        if title in found
    ]
    if near:
        quotes = "; ".join(f"“{quote}” ({label})" for quote, label in near)
        lines.append(f"Close to what you said: {quotes}.")
    return "\n".join((*spoken, "", *lines))


def with_reply(feedback: str, reply: str) -> str:
    """The feedback with the reply to what the student asked within the answer. The reply acknowledges the answer as
    well; a word that closes it comes before it."""
    first, line_end, rest = feedback.partition("\n")
    if not reply:
        return feedback
    if first in NOTHING_SAID:  # it leads to the follow-up
        return f"{reply} {feedback}"
    said = reply if first in TAKEN else f"{first} {reply}"
    return f"{said}{line_end}{rest}"


def was_said_at_once(point: Point, answers: Sequence[str]) -> bool:
    """Whether the words that meet a point stand in the first of the answers, or say no more of it than that did: who
    says it again because of a follow-up had said it at once."""
    said, first = point.said.strip(), next(iter(answers), "")
    if not said or not first:
        return False
    wanted = _ideas_and_figures(point.expectation) & _ideas_and_figures(said)
    agrees = denies(said) == denies(first) and not is_turned_round(point.expectation, first)
    return said in first or (agrees and bool(wanted) and wanted <= _ideas_and_figures(first))


def _ideas_and_figures(text: str) -> set[str]:
    return {*idea_set(text), *(format_quantity(one) for one in quantities_in(text))}


def _says_opposite(point: Point) -> bool:
    """Whether a point that was heard in part was said with the opposite of one of its words ("more stable")."""
    return point.met == "half" and is_turned_round(point.expectation, point.said)


def _is_denied_beside(point: Point, decision: Decision, answers: Sequence[str]) -> bool:
    """Whether the sentence that meets a point also holds what plainly contradicts another."""
    return any(
        one.why != SAYS_ELSE and _share_a_sentence(point.said, one.said, answers)
        for one in decision.points_with("contradicted")
    )


def _share_a_sentence(one: str, other: str, answers: Sequence[str]) -> bool:
    """Whether two quotes of a student stand, in part, in one sentence."""
    if not one or not other:
        return False
    if one in other or other in one:
        return True
    sentences = (sentence.text for answer in answers for sentence in sentences_in(answer))
    return any(_overlap(one, text) and _overlap(other, text) for text in sentences)


def _overlap(quote: str, sentence: str) -> bool:
    return quote in sentence or sentence in quote


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


def _about_first_words(
    decision: Decision, before: Sequence[Point], sources: Mapping[int, str], answers: Sequence[str]
) -> list[str]:
    """A sentence on points that are met now and were wrong or short of something before, if the words can be said back
    and are not those that meet them, or another point, now; the same words are said back once, and none that the
    student has put right."""
    met = {point.key: point for point in decision.points_with("met")}
    told: dict[str, str] = {}
    for one in sorted(before, key=lambda point: point.met != "contradicted"):
        elsewhere = any(other.said == one.said for other in met.values())
        put_right = any(was_put_right(one, answer) for answer in answers[1:])
        if one.key in met and not (elsewhere or put_right) and _can_be_said_back(one):
            told.setdefault(one.said, about_first_words(one, with_source(met[one.key], sources)))
    return list(filter(None, told.values()))[:FIRST_WORDS_MOST]


def was_put_right(point: Point, answer: str) -> bool:
    """Whether an answer that meets a point puts right the words that left it open before: another figure, the opposite
    word, or a word that takes back or denies what was said."""
    if re.match(_FIGURE_WRONG, point.why) or is_opposed(point.said, answer):
        return True
    if _PHRASES["puts right"].search(answer):
        return True
    ideas = idea_set(point.said) - idea_set(point.expectation)
    clauses = re.split(r"[,.;:!?—–]", answer)
    return any(denies(one) and ideas & idea_set(one) for one in clauses)


def about_first_words(point: Point, source: str) -> str:
    """What is told of the words that left this point open before a follow-up, beside what the source says; "" where
    nothing definite was wrong with them: a wrong figure, a stated opposite, a wording of those who have it wrong. Of
    others, too many had said it all."""
    wording = ""
    if (point.met == "contradicted" and point.why != SAYS_ELSE) or re.match(_FIGURE_WRONG, point.why):
        wording = AT_FIRST
    elif point.why in (TURNED_ROUND, SAID_OTHERWISE):
        wording = HEARD
    return wording.format(said=_said_back(point), source=source)


def _part_stands(decision: Decision) -> bool:
    """Whether a must is met and others are plainly left out: none is wrong, and none may have been misheard."""
    musts = [point for point in decision.points if point.importance == "must"]
    left_out = [
        point
        for point in decision.points
        if point.met == "missing" and point.conveyed < HALF_HEARD and point.why != SAID_OTHERWISE
    ]
    met = [one for one in musts if one.met == "met"]
    return 0 < len(met) < len(musts) and all(one in met or one in left_out for one in musts)


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


def _spoken_lines(
    decision: Decision, sources: Mapping[int, str], turn: int, answers: Sequence[str]
) -> list[str]:
    """The verdict and what stands; then, a line each, what was said otherwise, in part, or not, with the source."""
    kept, wrong = decision.points_with("met"), decision.points_with("contradicted")
    opening = [_opener_for(decision, turn)]
    if decision.hint_used and decision.verdict == "partial":
        opening.append("It took a hint, so it counts as partly answered.")
    if decision.verdict == "satisfactory":
        return [" ".join(opening)]
    stands = next((one for one in kept if _is_sure_to_stand(one, decision, answers)), None)
    if stands:
        opening.append(vary(STANDS, turn).format(said=_said_back(stands)))
    lines = []
    said_back = {stands.said} if stands else set()
    left_out = [one for one in decision.points_with("missing") if one.importance == "must"]
    otherwise = [one for one in left_out if one.why == SAID_OTHERWISE][:TAUGHT_MOST]
    for point in (*wrong, *decision.points_with("half"), *otherwise):
        leads = "The source says"
        if _says_opposite(point):
            leads = "It's the other way round"
        elif point.met == "half" and point.why != TURNED_ROUND:
            leads = "In full"
        taught = f"{leads}: {with_source(point, sources)}."
        if (figure := re.match(_FIGURE_WRONG, point.why)) and figure[1] in point.said:
            said_back.add(point.said)
            wording = FIGURE_CORRECTED.format(
                said=figure[1], expected=figure[2], source=with_source(point, sources)
            )
            lines.append(wording)
        elif _can_be_said_back(point) and point.said not in said_back and _is_about(point):
            said_back.add(point.said)
            lines.append(f"You said “{_said_back(point)}”. {taught}")
            left_out = [one for one in left_out if one is not point]
        elif point in wrong or (point.met == "half" and (point.why == TURNED_ROUND or _says_opposite(point))):
            lines.append(taught)
        elif point.met == "half" and point.importance == "must":
            left_out.append(point)
    for place, point in enumerate(left_out[:TAUGHT_MOST]):
        wording = vary(WAS_MISSING, turn + place)
        if point.met == "half":
            wording = vary(HEARD_IN_PART, turn + place)
        elif point.conveyed >= HALF_HEARD:
            wording = vary(NOT_CLEAR, place)
        lines.append(wording.format(source=with_source(point, sources)))
    return [" ".join(opening), *lines]


def _opener_for(decision: Decision, turn: int) -> str:
    """The first words on a verdict. Of an answer that is short of it, what stands comes first."""
    if decision.unsafe_held:
        return HELD_TO
    if decision.verdict != "unsatisfactory":
        return vary(OPENERS[decision.verdict], turn)
    required = [one for one in decision.points if one.importance == "must"] or decision.points
    said = []
    if any(one.met == "met" for one in required):
        said.append(vary(LACKING, turn))
    if any(one.why != SAYS_ELSE for one in decision.points_with("contradicted")):
        said.append(vary(CONFLICTING, turn))
    return " ".join(said) or vary(OPENERS["unsatisfactory"], turn)


def _is_sure_to_stand(point: Point, decision: Decision, answers: Sequence[str]) -> bool:
    """Whether these words can be confirmed: a sentence that conveys one point may hold a wrong figure, an unsafe
    decision, or the words of another point that is still open; and nobody keeps what they were not sure of."""
    still_open = [one for one in decision.points if one.met != "met"]
    figures = any(has_figure(one.expectation) for one in still_open)
    shared = any(_share_a_sentence(point.said, one.said, answers) for one in still_open)
    unsure = bool(_PHRASES["hedges"].search(point.said)) or len(point.said.split()) < OWN_WORDS_LEAST
    return _can_be_said_back(point) and not (figures or shared or unsure or decision.unsafe_held)


def _can_be_said_back(point: Point) -> bool:
    """Whether the words are short, and hold what the finding quotes of them."""
    quoted = re.search("“(.+?)”", point.why)
    return 0 < len(point.said.split()) <= OWN_WORDS_MOST and (not quoted or quoted[1] in point.said)


def _is_about(point: Point) -> bool:
    """Whether the words share enough ideas with the point. Of one that is half heard in an answer as a whole they may
    be any sentence, and a sentence set beside the point would look like the fault."""
    explained = point.why == TURNED_ROUND or point.why.startswith(NOT_SAID) or _says_opposite(point)
    wanted = idea_set(point.expectation)
    return point.met != "half" or explained or len(idea_set(point.said) & wanted) >= ABOUT_IT * len(wanted)


def _said_back(point: Point) -> str:
    return point.said.strip().rstrip(".!?,;")


def with_source(point: Point, sources: Mapping[int, str]) -> str:
    """The expectation with its source; a point that is read from an artifact of the question has only the artifact."""
    source = next((sources[n] for n in point.citations if n in sources), "")
    if not source:
        source = "from what is on the table"
    return f"{point.expectation.strip().rstrip('.;')} ({source})"
