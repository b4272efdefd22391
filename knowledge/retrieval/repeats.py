"""Passages become those that say something new: what another passage has said already is left out. Pure.

A passage is a repetition where nearly all its runs of words stand in one that is given, and all its numbers, and no
other word of day, night or denial: a paragraph for the night that has the words of the one for the day is none. Of two
that say the same the better stays, or the one of more authority in its place. Of two neighbours of one document one
is enough where most of it was carried over from the other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from knowledge import conf

from .authority import standing

_WORD = re.compile(r"[a-z0-9]+(?:[.,'’/-][a-z0-9]+)*")
_TURNING = frozenset({"day", "night", "not", "no", "never", "except", "unless"})

One = TypeVar("One")
Run = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """A text as it is compared: runs of words in a row, in their order and each once, and the words that decide what it
    says."""

    in_order: tuple[Run, ...]
    runs: frozenset[Run]
    deciding: frozenset[str]


@dataclass(frozen=True, slots=True)
class Source:
    """Of a passage: its text, its document and that one's kind."""

    text: str
    document: str
    doc_type: str


def words_of(text: str) -> Words:
    words = _WORD.findall(text.lower())
    size = min(conf.REPEATED_RUN, max(1, len(words)))
    runs = tuple(tuple(words[at : at + size]) for at in range(len(words) - size + 1))
    deciding = frozenset(word for word in words if word in _TURNING or any(map(str.isdigit, word)))
    return Words(runs, frozenset(runs), deciding)


def without_repeats(
    passages: Sequence[One], source: Callable[[One], Source], said: Sequence[str] = ()
) -> list[One]:
    """The passages that say something new, in their order; nothing of what `said` says is given again."""
    known = [words_of(text) for text in said]
    kept: list[One] = []
    words: list[Words] = []
    for one in passages:
        own, from_ = words_of(source(one).text), source(one)
        if any(repeats(own, other) for other in known):
            continue
        place = next(
            (at for at, other in enumerate(words) if _is_one(own, other, from_, source(kept[at]))), None
        )
        if place is None:
            kept.append(one)
            words.append(own)
        elif standing(from_.doc_type) > standing(source(kept[place]).doc_type) and repeats(words[place], own):
            kept[place], words[place] = one, own
    return kept


def _is_one(own: Words, other: Words, one: Source, given: Source) -> bool:
    if one.document == given.document and _is_carried_over(own, other):
        return True
    return repeats(own, other) or (repeats(other, own) and standing(one.doc_type) > standing(given.doc_type))


def _is_carried_over(own: Words, other: Words) -> bool:
    """Whether most of it is the end of the other, or its beginning, as where a text was cut and some of it repeated."""
    least = conf.OVERLAP_SHARE * len(own.in_order)
    return max(_overlap(other.in_order, own.in_order), _overlap(own.in_order, other.in_order)) >= least


def _overlap(before: Sequence[Run], behind: Sequence[Run]) -> int:
    """How many runs the one ends with and the other begins with."""
    ends = (at + 1 for at, run in enumerate(behind) if before and run == before[-1])
    return max((size for size in ends if before[-size:] == behind[:size]), default=0)


def repeats(own: Words, other: Words) -> bool:
    """Whether the other has said nearly all of it."""
    if not own.runs:
        return True
    shared = len(own.runs & other.runs)
    return own.deciding <= other.deciding and shared >= conf.REPEATED_SHARE * len(own.runs)
