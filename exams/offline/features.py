"""Describes in words, for the classifier, what rules find in an answer: the classifier judges figures poorly, rules
well.

Each feature is a plain word in front of the key point, so that training decides how much it counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exams.offline.amounts import amounts_of
from knowledge.text.synonyms import idea_set

WORDINGS_SHOWN = 2
"""How many accepted wordings the classifier sees beside a key point: those nearest to the answer."""


@dataclass(frozen=True, slots=True)
class PointText:
    """A key point to compare an answer with: its text, its role, other wordings of it, common wrong beliefs (`against`)
    that contradict it, and two things that the classifier does not see: phrases of those who have it wrong (`reject`)
    and groups of words of which whoever says it uses one each (`keywords`)."""

    text: str
    role: str = "rule"
    wordings: tuple[str, ...] = ()
    against: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    keywords: tuple[tuple[str, ...], ...] = ()


def describe_point(point: PointText, others: str, question: str, answer: str) -> str:
    """The key point as the classifier reads it. `others` are the further points expected of the same answer."""
    signs = " ".join(signs_for_point(point, others, question, answer))
    return " ".join(
        filter(None, (f"{signs} :", point.text, text_beside_point(point.wordings, point.against, answer)))
    )


def text_beside_point(wordings: Sequence[str], against: Sequence[str], answer: str) -> str:
    """The text beside a key point: the accepted wordings and the wrong belief that are nearest to the answer."""
    same, wrong = nearest_texts(wordings, answer)[:WORDINGS_SHOWN], nearest_texts(against, answer)[:1]
    shown = [f"or : {' or '.join(same)}"] if same else []
    return " ".join([*shown, *(f"not : {belief}" for belief in wrong)])


def signs_for_point(point: PointText, others: str, question: str, answer: str) -> list[str]:
    """The role, and then the finding on the figures: right, partial, absent, or wrong."""
    outcomes = {one.outcome for one in amounts_of(point.text, question, answer, others=others)}
    if not outcomes:
        return [point.role]
    if "wrong" in outcomes:
        figures = "wrong"
    elif len(outcomes) > 1:
        figures = "partial"
    else:
        figures = "right" if "given" in outcomes else "absent"
    return [point.role, f"figure {figures}"]


def nearest_texts(texts: Sequence[str], answer: str) -> list[str]:
    """The texts that share ideas with the answer, those that share most of their own first."""
    said = idea_set(answer)
    shared = [(len(ideas & said) / len(ideas), one) for one in texts if (ideas := idea_set(one))]
    return [one for share, one in sorted(shared, key=lambda pair: -pair[0]) if share > 0]
