"""Passages become those that say something new: what another passage has said already is left out. Pure.

A passage is a repetition where nearly all its runs of words stand in one that is given, and all its numbers, and no
other word of day, night or denial: a paragraph for the night that has the words of the one for the day is none. Of two
that say the same the better stays, or the one of more authority in its place. Of two neighbours of one document one
is enough where most of it was carried over from the other.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse
from typing import TypeVar

from knowledge import conf
from knowledge.retrieval.authority import standing

_WORD = re.compile(r"[a-z0-9]+(?:[.,'’/-][a-z0-9]+)*")
_TURNING = frozenset({"day", "night", "not", "no", "never", "except", "unless"})

One = TypeVar("One")
Run = int  # the hash of some words in order, alike where they are: a text has hundreds, and most are never compared


@dataclass(frozen=True)
class Words:
    """A text as it is compared. What decides is asked first: most texts differ in it, and their runs are never made."""

    words: Sequence[str]

    @cached_property
    def different(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def deciding(self) -> frozenset[str]:
        """Numbers, and words that turn what is said."""
        marked = filterfalse(str.isalpha, self.different)
        return frozenset(word for word in marked if any(map(str.isdigit, word))) | self.different & _TURNING

    @cached_property
    def in_order(self) -> tuple[Run, ...]:
        """Runs of words, each beginning a word later."""
        size = min(conf.REPEATED_RUN, max(1, len(self.words)))
        return tuple(map(hash, zip(*(self.words[at:] for at in range(size)), strict=False)))

    @cached_property
    def runs(self) -> frozenset[Run]:
        return frozenset(self.in_order)


@dataclass(frozen=True, slots=True)
class Source:
    """Of a passage: its text, its document and that one's kind."""

    text: str
    document: str
    doc_type: str


def words_of(text: str) -> Words:
    return Words(_WORD.findall(text.lower()))


def without_repeats(
    passages: Sequence[One], source: Callable[[One], Source], said: Sequence[str] = ()
) -> list[One]:
    """The passages that say something new, in their order; nothing of what `said` says is given again."""
    known = [words_of(text) for text in said]
    kept: list[One] = []
    given: list[tuple[Words, Source]] = []
    for one in passages:
        from_ = source(one)
        own = words_of(from_.text)
        if any(repeats(own, other) for other in known):
            continue
        place = next((at for at, (other, of) in enumerate(given) if _is_one(own, other, from_, of)), None)
        if place is None:
            kept.append(one)
            given.append((own, from_))
        elif _has_more_authority(from_, given[place][1]) and repeats(given[place][0], own):
            kept[place], given[place] = one, (own, from_)
    return kept


def _is_one(own: Words, other: Words, one: Source, given: Source) -> bool:
    if one.document == given.document and _is_carried_over(own, other):
        return True
    return repeats(own, other) or (_has_more_authority(one, given) and repeats(other, own))


def _has_more_authority(one: Source, other: Source) -> bool:
    return standing(one.doc_type) > standing(other.doc_type)


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
    if not own.words:
        return True
    if not own.deciding <= other.deciding or _lacks_too_much(own, other):
        return False
    return len(own.runs & other.runs) >= conf.REPEATED_SHARE * len(own.runs)


def _lacks_too_much(own: Words, other: Words) -> bool:
    """Whether the words alone say that too few runs are shared: for each different word that the other lacks there is
    a run that it lacks, too, as long as there are so many."""
    return len(own.different - other.different) > (1 - conf.REPEATED_SHARE) * len(own.words)
