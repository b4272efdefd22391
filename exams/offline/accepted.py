"""An answer is held against other wordings of the same statement, where a reviewer has accepted some.

A claim may carry the ways in which pilots say it ("one mile and stay out of the clouds"). An answer that carries one of
them whole has conveyed the claim, if no figure and no denial in it speaks against that wording. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from exams import conf
from exams.offline.judging import Finding, Statement, find
from exams.offline.matching import Embed, cosine
from exams.offline.meaning import stretches_of
from exams.offline.triage import Worth, worth_judging
from exams.values import ExpectationKind
from knowledge.grounding.facts import compare

SAID = "Said in your own words."


@dataclass(frozen=True, slots=True)
class Expected:
    """A statement that an answer is held against, with the other wordings that say the same."""

    text: str
    kind: ExpectationKind = "rule"
    wordings: tuple[str, ...] = ()


def findings_for(
    statements: Sequence[Expected], question: str, answer: str, embed: Embed
) -> tuple[Finding, ...]:
    """One finding a statement, in their order."""
    worth = worth_judging(answer, question)
    texts = [one.text for one in statements]
    return tuple(
        find_with_wordings(
            Statement(text=one.text, kind=one.kind, others=" ".join(texts[:place] + texts[place + 1 :])),
            one.wordings,
            question,
            worth,
            embed,
        )
        for place, one in enumerate(statements)
    )


def find_with_wordings(
    statement: Statement, wordings: Sequence[str], question: str, worth: Worth, embed: Embed
) -> Finding:
    """The finding for a statement, or a better one where the answer carries a wording of it."""
    plain = find(statement, question, worth, embed)
    if plain.met in ("met", "contradicted") or worth.nothing or not wordings:
        return plain
    found = [_by_wording(one, statement, question, worth, embed) for one in _nearest(wordings, worth, embed)]
    if any(one is not None and one.met == "met" for one in found):
        best = next(one for one in found if one is not None and one.met == "met")
        return replace(best, why=SAID)
    if plain.met == "missing" and any(one is not None and one.met == "half" for one in found):
        return replace(plain, met="half", why="Said in part; not all of it.", said=worth.text)
    return plain


def _by_wording(
    wording: str, statement: Statement, question: str, worth: Worth, embed: Embed
) -> Finding | None:
    """None where figures or denials speak against it."""
    facts = compare(worth.text, wording)
    if facts.contradictions or facts.missing:
        return None
    found = find(replace(statement, text=wording), question, worth, embed)
    whole = found.share >= conf.WORDING_SHARE and not facts.extra
    return found if found.met != "met" or whole else replace(found, met="half")


def _nearest(wordings: Sequence[str], worth: Worth, embed: Embed) -> tuple[str, ...]:
    """The few wordings that the answer could be, the nearest first; none if it is about something else."""
    heard = [embed(stretch) for stretch in (*stretches_of(worth.text), worth.text)]
    near = {one: max(cosine(embed(one), vector) for vector in heard) for one in wordings}
    ranked = sorted((one for one in wordings if near[one] >= conf.WORDING_NEAR), key=lambda one: -near[one])
    return tuple(ranked[: conf.WORDINGS_TRIED])
