"""An answer and its key points become one finding a point: met, half, missing or contradicted, with the reason in
plain words and the student's own words for it.

What holds whatever a model says is decided first: an answer with nothing in it is missing, going on in spite of a risk
mitigates nothing, and a key point or an accepted wording said as it stands is met. The classifier decides the rest;
what rules saw of figures and denials is among what it reads (`features.py`). Deterministic.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from numpy.typing import NDArray

from exams import conf
from exams.domain.values import Met
from exams.offline.amounts import Amount, amounts_of
from exams.offline.answer_filter import AnswerText, filter_answer, why_nothing
from exams.offline.classifier import FINDINGS, Classifier
from exams.offline.features import PointText, described
from exams.offline.wording import idea_set
from knowledge.text.quantities import format_quantity
from knowledge.text.sentences import sentences_in

_PRESSES_ON: Final = re.compile(
    r"(?<!not )(?<!n't )(?<!never )(?<!than )(?<!instead of )(?<!tempted to )(?<!temptation to )"
    r"(?<!pressure to )(?<!urge to )\b(?:press(?:es|ing)? on|go(?:ing)? (?:anyway|regardless)|"
    r"carry on (?:anyway|as planned)|continue (?:anyway|as planned|to (?:my|the) destination|the flight|on to)|"
    r"keep (?:going|flying) (?:anyway|to|on)|take (?:the|my) chances?|take off anyway|without checking)\b|"
    r"\b(?:nothing|not much) (?:concerns|worries) me\b|\bno (?:real |big )?(?:concern|deal|problem|risk)\b|"
    r"\b(?:would|will) ?(?:not|n't) (?:declare|divert|turn back|cancel|delay)\b",
    re.IGNORECASE,
)
_UNSAYS: Final = re.compile(
    r"\b(?:not|false|untrue|wrong|never|no|nope|don't|doesn't|isn't|aren't|can't|won't|whether|or|either)\b"
)
"""Words beside an accepted wording that may take it back; whoever says them is judged by the rest."""
_TAKES_ALL_BACK: Final = re.compile(
    r"\b(?:this|that|it|all) (?:is|was|'s)(?: all)? (?:false|wrong|untrue|not true|not so)\b|\bnot true that\b|"
    r"\b(?:know|sure|tell) (?:whether|if)\b"
)
_DISOWNED_AT_THE_START: Final = re.compile(
    r"\W*(?:(?:it is|it's|that's) (?:not |un)true|it isn't true) that\b[^.!?]*|"
    r"\W*i (?:do not|don't|dont) know (?:whether|if)\b[^.!?]*",
    re.IGNORECASE,
)
_DISOWNED_AT_THE_END: Final = re.compile(
    r"[.!?]\s+(?:this|(?:all|none) of (?:this|that|it)) (?:is|was)(?: all)? "
    r"(?:false|wrong|untrue|not true|not so)\W*$",
    re.IGNORECASE,
)
_DISOWNED: Final = "You said this and took it back, or did not say which it is."
_DENIES: Final = ("not", "never", "isn't", "aren't")
_DENIED: Final = "You deny what was expected."
_TOO_LONG: Final = "Too long to be heard: say it in your own words, in three minutes at most."
_NOT_SAID: Final = "Not said."
_LEAVES_IT_OPEN: Final = re.compile(r"\W*either\b.*\bor\b", re.DOTALL)
_OR: Final = re.compile(r"\bor\b(?: (?:else|maybe|perhaps)\b)?", re.IGNORECASE)
_SENTENCE_END: Final = re.compile(r"[.!?;]\s|\n")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What an answer did with one key point. `said` stands verbatim in the answer, empty where nothing was said of
    it."""

    met: Met
    why: str
    said: str = ""


def find_points(
    points: Sequence[PointText], question: str, answer: str, classifier: Classifier, *, answers: int = 1
) -> tuple[Finding, ...]:
    """One finding a point, in their order. `answers` is how many answers of a ladder stand in the text."""
    kept = filter_answer(answer, question)
    if kept.nothing:
        return tuple(Finding(met="missing", why=why_nothing(kept.nothing)) for _ in points)
    if answers == 1 and not can_be_heard(answer):
        return tuple(Finding(met="missing", why=_TOO_LONG) for _ in points)
    if _DISOWNED_AT_THE_END.search(answer):
        said = sentences_in(answer)[-1].text
        return tuple(Finding(met="contradicted", why=_DISOWNED, said=said) for _ in points)
    if (opening := _DISOWNED_AT_THE_START.match(answer)) and "but" not in opening[0].lower().split():
        return tuple(Finding(met="missing", why=_DISOWNED) for _ in points)
    decided = {place: found for place, one in enumerate(points) if (found := _by_rule(one, answer, kept))}
    left = [place for place in range(len(points)) if place not in decided]
    if left:
        read = []
        for part in parts_of(kept.text, conf.PARTS_MOST * answers):
            told = [described(points[place], _others(points, place), question, part) for place in left]
            read.append(classifier.probabilities(question, part, told))
        for at, place in enumerate(left):
            row = min((rows[at] for rows in read), key=lambda one: float(one[FINDINGS.index("missing")]))
            amounts = amounts_of(points[place].text, question, kept.text, others=_others(points, place))
            met = decide_met(row)
            decided[place] = Finding(met=met, why=why_of(met, amounts))
    if _LEAVES_IT_OPEN.match(answer.lower()):  # an "or" without "either" mostly joins two cases of a rule
        as_met = [place for place, found in decided.items() if found.met == "met"]
        for place in _undecided(points, as_met, question, kept.text, classifier):
            decided[place] = Finding(met="missing", why=_DISOWNED)
    return tuple(decided[place] for place in range(len(points)))


def with_own_words(
    points: Sequence[PointText], found: Sequence[Finding], question: str, answer: str, classifier: Classifier
) -> tuple[Finding, ...]:
    """Findings on an answer, each with the sentence that by itself says most of what was found of the point; those that
    have words already, or nothing to show, stay as they are."""
    places = [at for at, one in enumerate(found) if one.met != "missing" and not one.said]
    if not places:
        return tuple(found)
    sentences = _nearest_sentences(answer, " ".join(points[place].text for place in places))
    shown = {}
    if len(sentences) > 1:
        read = [_read_alone(points, places, question, one, classifier) for one in sentences]
        for at, place in enumerate(places):
            told = ("contradicted",) if found[place].met == "contradicted" else ("met", "half")
            chances = [sum(rows[at][FINDINGS.index(one)] for one in told) for rows in read]
            shown[place] = sentences[chances.index(max(chances))]
    return tuple(
        replace(one, said=shown.get(at, answer)) if at in places else one for at, one in enumerate(found)
    )


def _nearest_sentences(answer: str, text: str) -> list[str]:
    """The sentences of an answer, in their order; of a long one those that share most ideas with a text."""
    sentences = [one.text for one in sentences_in(answer)]
    wanted = idea_set(text)
    near = sorted(sentences, key=lambda one: -len(idea_set(one) & wanted))[: conf.SENTENCES_MOST]
    return [one for one in sentences if one in near]


def _undecided(
    points: Sequence[PointText], places: Sequence[int], question: str, answer: str, classifier: Classifier
) -> set[int]:
    """The places of the points that another alternative of the answer contradicts: "either A or B" says neither."""
    after = (one.text[at.end() :] for one in sentences_in(answer) for at in _OR.finditer(one.text))
    others = [one for one in after if len(one.split()) > 1][: conf.ALTERNATIVES_MOST] if places else []
    return {
        place
        for other in others
        for place, row in zip(places, _read_alone(points, places, question, other, classifier), strict=True)
        if row[FINDINGS.index("contradicted")] >= conf.ALTERNATIVE_SURE
        or any(states_belief(other, one) for one in points[place].against)
    }


def states_belief(said: str, belief: str) -> bool:
    """Whether the words hold half of the ideas of a wrong belief."""
    ideas = idea_set(belief)
    return bool(ideas) and 2 * len(ideas & idea_set(said)) >= len(ideas)


def _read_alone(
    points: Sequence[PointText], places: Sequence[int], question: str, said: str, classifier: Classifier
) -> NDArray[Any]:
    """The probabilities of each of the points by a part of an answer alone."""
    told = [described(points[place], _others(points, place), question, said) for place in places]
    return classifier.probabilities(question, said, told)


def can_be_heard(answer: str) -> bool:
    """Whether one answer is no longer than what is listened to."""
    return len(answer.split()) <= conf.PART_WORDS * conf.PARTS_MOST


def parts_of(answer: str, most: int = conf.PARTS_MOST) -> list[str]:
    """An answer of ordinary length as it is; a longer one in as many parts as are listened to, of whole sentences."""
    parts: list[list[str]] = [[]]
    for sentence in sentences_in(answer):
        words = sentence.text.split()
        if parts[-1] and len(parts[-1]) + len(words) > conf.PART_WORDS:
            parts.append([])
        parts[-1] += words
    return [" ".join(part) for part in parts[:most]]


def decide_met(row: NDArray[Any]) -> Met:
    """The finding by its probabilities: met and contradicted want to be sure, half is what is mostly said."""
    chances = dict(zip(FINDINGS, row.tolist(), strict=True))
    if chances["met"] >= conf.MET_SURE:
        return "met"
    if chances["contradicted"] >= conf.CONTRADICTED_SURE:
        return "contradicted"
    return "half" if chances["met"] + chances["half"] >= conf.HALF_SURE else "missing"


def _others(points: Sequence[PointText], place: int) -> str:
    return " ".join(one.text for at, one in enumerate(points) if at != place)


def _by_rule(point: PointText, answer: str, kept: AnswerText) -> Finding | None:
    if point.role == "mitigate" and (said := presses_on(kept.text)):
        return Finding(met="contradicted", why="This holds to going on in spite of the risk.", said=said)
    return _said_as_accepted((point.text, *point.wordings), answer)


def presses_on(answer: str) -> str:
    """The words in which the answer means to go on in spite of a risk, "" where it does not."""
    return next((one.text for one in sentences_in(answer) if _PRESSES_ON.search(one.text)), "")


def _said_as_accepted(wordings: Sequence[str], answer: str) -> Finding | None:
    """The finding on an answer in which an accepted wording stands word for word: denied by the word before it, or met
    where nothing in its sentence or about the whole answer takes it back."""
    if _TAKES_ALL_BACK.search(answer.lower()) or _LEAVES_IT_OPEN.match(answer.lower()):
        return None
    for wording in filter(None, map(_plain, wordings)):
        for sentence in _SENTENCE_END.split(f"{answer} "):
            told = _plain(sentence)
            place = f" {told} ".find(f" {wording} ")
            if place > 0 and told[:place].split()[-1] in _DENIES:
                return Finding(met="contradicted", why=_DENIED, said=sentence.strip())
            if place >= 0 and not _UNSAYS.search(told[:place] + told[place + len(wording) :]):
                return Finding(met="met", why="Said in your own words.", said=sentence.strip())
    return None


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[\w'.]*\w", text.lower().replace("’", "'")))


def why_of(met: Met, amounts: Sequence[Amount]) -> str:
    wrong = next((one for one in amounts if one.standing == "wrong"), None)
    absent = next((one for one in amounts if one.standing == "absent"), None)
    if met == "met":
        given = amounts and all(one.standing == "given" for one in amounts)
        return "Said, with its figures." if given else "Said in your own words."
    if met == "contradicted":
        if wrong:
            return f"You said “{wrong.said.strip()}”; expected was {format_quantity(wrong.demanded)}."
        return "This says something else than what was expected."
    if met == "half":
        named = f"not said: {format_quantity(absent.demanded)}" if absent else "not all of it"
        return f"Said in part; {named}."
    return _NOT_SAID
