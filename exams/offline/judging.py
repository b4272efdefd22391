"""One expectation and one answer become a finding: met, half, missing or contradicted, with the reason in
plain words.

The order matters: an answer with nothing to judge is missing; a wrong number or a denial is contradicted,
however near the rest comes; only then is it asked how much of the statement was carried. Deterministic:
the same words give the same finding. Difficulty, manner and persona never reach this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from exams import conf
from exams.offline.amounts import Amount, amounts_of
from exams.offline.facets import Facet, facets_of, limit_missed, pieces_of, share_carried
from exams.offline.matching import SHORTEST_WORD, Embed, Stretch
from exams.offline.meaning import Meaning, meaning_of, stretches_of
from exams.offline.opposition import Denial, denials_in
from exams.offline.triage import Worth, why_nothing, worth_judging
from exams.offline.wording import terms_in
from exams.values import ExpectationKind, Met
from knowledge.grounding.quantities import format_quantity

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
    share: float = 0.0
    reasons: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What is expected: its text, its kind, and the other statements expected of the same answer."""

    text: str
    kind: ExpectationKind = "rule"
    others: str = ""


def findings_for(
    statements: Sequence[tuple[str, ExpectationKind]], question: str, answer: str, embed: Embed
) -> tuple[Finding, ...]:
    """One finding a statement, in their order."""
    worth = worth_judging(answer, question)
    texts = [text for text, _ in statements]
    return tuple(
        find(
            Statement(text=text, kind=kind, others=" ".join(texts[:place] + texts[place + 1 :])),
            question,
            worth,
            embed,
        )
        for place, (text, kind) in enumerate(statements)
    )


def texts_compared(statements: Sequence[str], question: str, answer: str) -> tuple[str, ...]:
    """Every text whose vector a finding may want, so that they can be made in one go."""
    worth = worth_judging(answer, question)
    if worth.nothing:
        return ()
    pieces = [piece for statement in statements for piece in pieces_of(statement)]
    stretches = stretches_of(worth.text)
    words = {
        word
        for text in (*statements, worth.text)
        for word in terms_in(text).values()
        if len(word) >= SHORTEST_WORD
    }
    return tuple(dict.fromkeys((*statements, *pieces, *stretches, *sorted(words))))


def find(statement: Statement, question: str, worth: Worth, embed: Embed) -> Finding:
    """The finding for one statement."""
    if worth.nothing:
        return Finding(met="missing", why=why_nothing(worth.nothing))
    amounts = amounts_of(statement.text, question, worth.text, others=statement.others)
    denials = denials_in(statement.text, question, worth.text, others=statement.others)
    meaning = meaning_of(statement.text, worth.text, embed)
    if wrong := _wrong(amounts, denials, meaning):
        return wrong
    facets = facets_of(
        statement.text,
        question,
        [Stretch.of(one, embed) for one in stretches_of(worth.text)],
        amounts,
        embed,
        others=statement.others,
        applies=statement.kind in APPLIED,
    )
    return _carried(statement, worth, amounts, facets, meaning)


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
        met = "half" if met == "met" and statement.kind not in RISKS and limit_missed(facets) else met
    return Finding(
        met=met, why=_why(met, amounts, facets), said=meaning.stretch if met != "missing" else "", share=share
    )


def _share(facets: Sequence[Facet], meaning: Meaning) -> float:
    """The carried share, raised where the whole answer comes near the whole statement."""
    raised = share_carried(facets) + conf.NEARNESS_WEIGHT * max(0.0, meaning.nearness - conf.NEARNESS_FLOOR)
    return min(1.0, raised)


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
    elif sum(facet.kind == "main" for facet in facets) == 2:
        enough = conf.WORDS_MET_OF_TWO
    if vague:
        enough, some = conf.VAGUE_MET, conf.VAGUE_HALF
    if share >= enough:
        return "met"
    return "half" if share >= some else "missing"


def _why(met: Met, amounts: Sequence[Amount], facets: Sequence[Facet]) -> str:
    if met == "met":
        return "Said, with its figures." if amounts else "Said in your own words."
    absent = [format_quantity(one.demanded) for one in amounts if one.standing == "absent"]
    if met == "half":
        return f"Said in part; not said: {absent[0]}." if absent else "Said in part; not all of it."
    return "Not said."
