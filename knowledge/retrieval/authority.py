"""Which source holds where two say nearly the same: regulation before manual before handbook before advice. Pure.

What an airplane's own handbook says of that airplane comes before all but the regulation. Of passages that a search
finds nearly equal the one of more authority goes first; a clearly better one stays better, whoever wrote it.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from knowledge import conf

_STANDING: Mapping[str, int] = {"cfr": 5, "poh": 4, "aim": 3, "handbook": 2, "ac": 1}
ORDER = ("cfr", "poh", "aim", "handbook", "ac", "other")

One = TypeVar("One")


def standing(doc_type: str) -> int:
    """Higher holds; what has no authority of its own (an ACS, a school's papers) is 0."""
    return _STANDING.get(doc_type, 0)


def with_authority(
    ranked: Sequence[One],
    value: Callable[[One], float],
    doc_type: Callable[[One], str],
    equal: float = conf.NEAR_EQUAL,
) -> list[One]:
    """The same, where each goes before its neighbours of less authority whose value is at most `equal` higher."""
    ordered: list[One] = []
    for one in ranked:
        at = len(ordered)
        while at and _yields(ordered[at - 1], one, value, doc_type, equal):
            at -= 1
        ordered.insert(at, one)
    return ordered


def _yields(
    before: One, one: One, value: Callable[[One], float], doc_type: Callable[[One], str], equal: float
) -> bool:
    close = value(before) - value(one) <= equal
    return close and standing(doc_type(one)) > standing(doc_type(before))
