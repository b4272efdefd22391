"""What rules see in an answer, told to the classifier in words: it is weak at figures, and they are good at them.

Each feature becomes a plain word in front of the key point, so that fitting decides how far it is believed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exams.offline.amounts import amounts_of
from exams.offline.negation import denials_in
from exams.offline.swapped_pairs import are_swapped
from exams.offline.wording import idea_set

WORDINGS_SHOWN = 2
"""Accepted wordings that the classifier sees beside a key point: those nearest to the answer."""


@dataclass(frozen=True, slots=True)
class PointText:
    """A key point that an answer is held against: its text, its role, and other wordings that say the same."""

    text: str
    role: str = "rule"
    wordings: tuple[str, ...] = ()


def described(point: PointText, others: str, question: str, answer: str) -> str:
    """The key point as the classifier reads it. `others` are the further points expected of the same answer."""
    signs = " ".join(signs_of(point, others, question, answer))
    shown = " or ".join(wordings_nearest(point.wordings, answer))
    return f"{signs} : {point.text}" + (f" or : {shown}" if shown else "")


def signs_of(point: PointText, others: str, question: str, answer: str) -> list[str]:
    """The role, then what was found of the figures, a denial, and a swapped pair."""
    signs = [point.role]
    standings = [one.standing for one in amounts_of(point.text, question, answer, others=others)]
    if standings:
        signs.append(f"figure {_figures(standings)}")
    if denials_in(point.text, question, answer, others=others):
        signs.append("denied")
    if are_swapped(point.text, answer):
        signs.append("swapped")
    return signs


def _figures(standings: Sequence[str]) -> str:
    if "wrong" in standings:
        return "wrong"
    if "absent" not in standings:
        return "right"
    return "partial" if "given" in standings else "absent"


def wordings_nearest(wordings: Sequence[str], answer: str) -> list[str]:
    """Those that share most of their ideas with the answer, the nearest first; none that shares nothing."""
    said = idea_set(answer)
    shared = [(len(ideas & said) / len(ideas), one) for one in wordings if (ideas := idea_set(one))]
    near = sorted((pair for pair in shared if pair[0] > 0), key=lambda pair: -pair[0])
    return [one for _, one in near[:WORDINGS_SHOWN]]
