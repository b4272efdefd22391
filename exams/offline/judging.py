"""One expectation and one answer become what is to be seen in them, and the finding that rules alone would make:
met, half, missing or contradicted, with the reason in plain words.

The order matters: a wrong number or a denial is contradicted, however near the rest comes; only then is it asked how
much of the statement was carried. Deterministic: the same words give the same finding. Difficulty, manner and persona
never reach this module.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from exams import conf
from exams.offline.amounts import Amount, amounts_of
from exams.offline.facets import Facet, facets_of, limit_missed, pieces_of, share_carried
from exams.offline.matching import SHORTEST_WORD, Embed, Stretch, words_for_nearness
from exams.offline.meaning import Meaning, meaning_of, stretches_of
from exams.offline.opposition import Denial, denials_in
from exams.offline.triage import Worth, worth_judging
from exams.offline.wording import terms_in
from exams.values import ExpectationKind, Met
from knowledge.grounding.quantities import format_quantity
from knowledge.grounding.sentences import sentences_in

_OTHER_CASE: Final = re.compile(
    r"\b(?:if|unless|except|when|otherwise|at night|by day|after dark|above|below|other|different|in class|outside|"
    r"only|exception|some|for (?:a|the|other))\b",
    re.IGNORECASE,
)
_PRESSES_ON: Final = re.compile(
    r"(?<!not )(?<!n't )(?<!never )(?<!than )\b(?:press(?:es|ing)? on|go(?:ing)? (?:anyway|regardless)|"
    r"carry on (?:anyway|as planned)|continue (?:anyway|as planned|to (?:my|the) destination|the flight|on to)|"
    r"keep (?:going|flying) (?:anyway|to|on)|take (?:the|my) chances?|take off anyway|without checking)\b|"
    r"\b(?:nothing|not much) (?:concerns|worries) me\b|\bno (?:real )?(?:concern|problem|risk)\b|"
    r"\b(?:would|will|do) ?(?:not|n't) (?:declare|divert|turn back|cancel|delay|wait|stop|tell)\b",
    re.IGNORECASE,
)
APPLIED: Final = frozenset(("hazard", "assess", "mitigate"))
RISKS: Final = frozenset(("hazard", "assess", "mitigate"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What an answer did with one expectation. `said` stands verbatim in the answer, empty where nothing was
    said of it.
    """

    met: Met
    why: str
    said: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What is expected: its text, its kind, and the other statements expected of the same answer."""

    text: str
    kind: ExpectationKind = "rule"
    others: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What was seen in one answer, for one statement."""

    finding: Finding
    share: float
    beside_an_extra: bool
    amounts: tuple[Amount, ...]
    denials: tuple[Denial, ...]
    facets: tuple[Facet, ...]
    meaning: Meaning


def texts_compared(statements: Sequence[str], question: str, answer: str) -> tuple[str, ...]:
    """Every text whose vector a finding may want, so that they can be made in one go."""
    worth = worth_judging(answer, question)
    if worth.nothing:
        return ()
    parts = [part for statement in statements for part in texts_of_statement(statement)]
    near = words_for_nearness(worth.text)
    words = (word for word in _words_of(worth.text) if word in near)
    return tuple(dict.fromkeys((*parts, *stretches_of(worth.text), *words)))


def texts_of_statement(statement: str) -> tuple[str, ...]:
    """Those of them that the statement alone decides: it, its pieces, and its words."""
    return (statement, *pieces_of(statement), *_words_of(statement))


def _words_of(text: str) -> list[str]:
    return sorted(word for word in terms_in(text).values() if len(word) >= SHORTEST_WORD)


def look(statement: Statement, question: str, worth: Worth, embed: Embed) -> Looked:
    """What is to be seen in an answer that has something worth judging, and the finding that rules alone would make."""
    amounts = amounts_of(statement.text, question, worth.text, others=statement.others)
    denials = _denials(statement, question, worth.text)
    meaning = meaning_of(statement.text, question, worth.text, embed)
    near = words_for_nearness(worth.text)
    facets = facets_of(
        statement.text,
        question,
        [Stretch.of(one, embed, near) for one in stretches_of(worth.text)],
        amounts,
        embed,
        others=statement.others,
        applies=statement.kind in APPLIED,
    )
    pressing = presses(statement, worth)
    wrong = None if pressing else _wrong(amounts, denials, meaning)
    beside = _beside_an_extra(statement, question, worth, denials, embed) if wrong else None
    return Looked(
        finding=pressing or beside or wrong or _carried(statement, worth, amounts, facets, meaning),
        share=_share(facets, meaning),
        beside_an_extra=beside is not None,
        amounts=tuple(amounts),
        denials=denials,
        facets=tuple(facets),
        meaning=meaning,
    )


def presses(statement: Statement, worth: Worth) -> Finding | None:
    """The finding on a mitigation that means to go on in spite of the risk."""
    if statement.kind == "mitigate" and (said := presses_on(worth.text)):
        return Finding(met="contradicted", why="This holds to going on in spite of the risk.", said=said)
    return None


def _denials(statement: Statement, question: str, answer: str) -> tuple[Denial, ...]:
    """A risk is told, not ruled: there a stance denies nothing."""
    found = denials_in(statement.text, question, answer, others=statement.others)
    return tuple(one for one in found if one.kind != "stance" or statement.kind not in RISKS)


def presses_on(answer: str) -> str:
    """The words in which the answer means to go on in spite of a risk, "" where it does not."""
    return next((sentence.text for sentence in sentences_in(answer) if _PRESSES_ON.search(sentence.text)), "")


def _beside_an_extra(
    statement: Statement, question: str, worth: Worth, denials: Sequence[Denial], embed: Embed
) -> Finding | None:
    """The finding without the sentences that seem to deny, if those speak of other circumstances and the rest is
    a whole answer: "One mile and clear of clouds. At night you may not."
    """
    sentences = [sentence.text for sentence in sentences_in(worth.text)]
    denying = [one for one in sentences if any(denial.said in one for denial in denials)]
    rest = " ".join(one for one in sentences if one not in denying)
    if not denying or not rest or not all(_OTHER_CASE.search(one) for one in denying):
        return None
    found = look(statement, question, replace(worth, text=rest), embed).finding
    return found if found.met == "met" else None


def _wrong(amounts: Sequence[Amount], denials: Sequence[Denial], meaning: Meaning) -> Finding | None:
    for one in amounts:
        if one.standing == "wrong":
            why = f"You said “{one.said.strip()}”; expected was {format_quantity(one.demanded)}."
            return Finding(met="contradicted", why=why, said=meaning.stretch)
    if denials:
        said = denials[0].said
        return Finding(met="contradicted", why="This says the opposite of what was expected.", said=said)
    return None


def _carried(
    statement: Statement, worth: Worth, amounts: Sequence[Amount], facets: Sequence[Facet], meaning: Meaning
) -> Finding:
    share = _share(facets, meaning)
    if amounts and statement.kind not in RISKS:
        met = _met_with_amounts(amounts, facets, vague=worth.vague)
    else:
        met = _met_by_words(statement.kind, share, facets, vague=worth.vague)
        lacking = statement.kind not in RISKS and _lacks_an_essential(facets, share)
        met = "half" if met == "met" and lacking else met
    return Finding(met=met, why=why_of(met, amounts), said=meaning.stretch if met != "missing" else "")


def _lacks_an_essential(facets: Sequence[Facet], share: float) -> bool:
    """One of two facets was not said, and no more than half of the whole; or one that sets a limit was not."""
    main = [facet for facet in facets if facet.kind == "main"]
    one_of_two = (
        len(main) == 2 and any(facet.carried == 0 for facet in main) and any(f.carried == 1 for f in main)
    )
    return (one_of_two and share <= conf.WORDS_ONE_OF_TWO) or limit_missed(facets)


def _share(facets: Sequence[Facet], meaning: Meaning) -> float:
    """How much was carried: facet by facet, and of all ideas together."""
    return conf.FACETS_WEIGHT * share_carried(facets) + (1 - conf.FACETS_WEIGHT) * meaning.coverage


def _met_with_amounts(amounts: Sequence[Amount], facets: Sequence[Facet], *, vague: bool) -> Met:
    given = sum(one.standing == "given" for one in amounts) / len(amounts)
    main = [facet for facet in facets if facet.kind == "main"]
    words = share_carried(main)
    if given == 1:
        return "met" if words >= conf.WORDS_BESIDE_AMOUNTS else "half"
    spoken = bool(main) and words >= conf.WORDS_WITHOUT_AMOUNTS and not vague
    return "half" if given > 0 or spoken else "missing"


def _met_by_words(kind: ExpectationKind, share: float, facets: Sequence[Facet], *, vague: bool) -> Met:
    enough, some = conf.WORDS_MET, conf.WORDS_HALF
    if kind in RISKS:
        enough, some = conf.RISK_MET, conf.RISK_HALF
    if vague:
        enough, some = conf.VAGUE_MET, conf.VAGUE_HALF
    if share >= enough:
        return "met"
    return "half" if share >= some else "missing"


def why_of(met: Met, amounts: Sequence[Amount]) -> str:
    """The reason in plain words."""
    if met == "met":
        given = amounts and all(one.standing == "given" for one in amounts)
        return "Said, with its figures." if given else "Said in your own words."
    absent = [format_quantity(one.demanded) for one in amounts if one.standing == "absent"]
    if met == "half":
        return f"Said in part; not said: {absent[0]}." if absent else "Said in part; not all of it."
    return "Not said." if met == "missing" else "This says something else than what was expected."
