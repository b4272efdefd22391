"""What rules see in an answer, told to the classifier in words: it is weak at figures, and they are good at them.

Each feature becomes a plain word in front of the key point, so that fitting decides how far it is believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exams.offline.amounts import amounts_of
from exams.offline.wording import idea_set

WORDINGS_SHOWN = 2
"""Accepted wordings that the classifier sees beside a key point: those nearest to the answer."""


@dataclass(frozen=True, slots=True)
class PointText:
    """A key point that an answer is held against: its text, its role, other wordings that say the same, and usual wrong
    beliefs that contradict it."""

    text: str
    role: str = "rule"
    wordings: tuple[str, ...] = ()
    against: tuple[str, ...] = ()


def described(point: PointText, others: str, question: str, answer: str) -> str:
    """The key point as the classifier reads it. `others` are the further points expected of the same answer."""
    signs = " ".join(signs_of(point, others, question, answer))
    return " ".join(filter(None, (f"{signs} :", point.text, beside(point.wordings, point.against, answer))))


def beside(wordings: Sequence[str], against: Sequence[str], answer: str) -> str:
    """What is shown beside a key point: the accepted wordings and the wrong belief that are nearest to the answer."""
    same, other = nearest(wordings, answer)[:WORDINGS_SHOWN], nearest(against, answer)[:1]
    return " ".join([*(["or :", " or ".join(same)] if same else []), *(["not :", *other] if other else [])])


def signs_of(point: PointText, others: str, question: str, answer: str) -> list[str]:
    """The role, then what was found of the figures."""
    standings = [one.standing for one in amounts_of(point.text, question, answer, others=others)]
    return [point.role, f"figure {_figures(standings)}"] if standings else [point.role]


def _figures(standings: Sequence[str]) -> str:
    if "wrong" in standings:
        return "wrong"
    if "absent" not in standings:
        return "right"
    return "partial" if "given" in standings else "absent"


def nearest(texts: Sequence[str], answer: str) -> list[str]:
    """Those that share most of their ideas with the answer, the nearest first; none that shares nothing."""
    said = idea_set(answer)
    shared = [(len(ideas & said) / len(ideas), one) for one in texts if (ideas := idea_set(one))]
    return [one for share, one in sorted(shared, key=lambda pair: -pair[0]) if share > 0]
