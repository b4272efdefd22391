"""Lists of passages become a score by words: BM25 over the lists, with no look at the passages themselves. Pure.

A list says of one word, block by block, in which passages it stands, how often, whether in the heading, and how many
different words each of them has (`knowledge.word_index` writes it). So the weights of BM25 can change without any list
being written anew.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from math import log
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from knowledge import conf
from knowledge.retrieval.query.builder import Term

Numbers = NDArray[np.signedinteger[Any]]
Shares = NDArray[np.float32]

BLOCK = conf.WORDS_BLOCK


@dataclass(frozen=True, slots=True)
class Listed:
    """The passages of one word, in the order of their numbers; `share` is what BM25 makes of how often it stands there,
    of the most that it could: 0 to 1, ever less with each time more, and less in a long passage."""

    numbers: Numbers
    share: Shares

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def strength(self) -> Shares:
        """How often the word stands there, over what is usual for a passage of that length. Of several wordings these
        add up."""
        return _strength(self.share)


NOWHERE = Listed(np.empty(0, np.int32), np.empty(0, np.float32))


def _share(strength: Shares) -> Shares:
    return strength / (1 + strength)


def _strength(share: Shares) -> Shares:
    return share / (1 - share)


def listed(blocks: Iterable[tuple[int, bytes]]) -> Listed:
    """A word's list from its blocks, in any order. Of a block each owner has a list, and their passages lie between
    each other's."""
    rows = sorted(blocks)
    if not rows:
        return NOWHERE
    packed = np.frombuffer(b"".join(data for _, data in rows), ">u4").astype(np.int32)
    starts = np.array([block * BLOCK for block, _ in rows], np.int32)
    numbers = packed // conf.WORDS_PLACE + np.repeat(starts, [len(data) // 4 for _, data in rows])
    often = packed // conf.WORDS_OFTEN % 64 + conf.HEADING_TIMES * (packed // conf.WORDS_HEADED % 2)
    share = (often / (often + _usual()[packed % conf.WORDS_LONG])).astype(np.float32)
    if len({block for block, _ in rows}) == len(rows):
        return Listed(numbers, share)
    order = np.argsort(numbers, kind="stable")
    return Listed(numbers[order], share[order])


@cache
def _usual() -> Shares:
    """By the length of a passage, how often a word stands there that says half of what it could."""
    length = np.arange(conf.WORDS_LONG) / conf.BM25_USUAL_LENGTH
    usual = 1 - conf.BM25_LENGTH_SHARE + conf.BM25_LENGTH_SHARE * length
    return (conf.BM25_SATURATION * usual).astype(np.float32)


def together(lists: Sequence[Listed]) -> Listed:
    """The passages that have all of these words: a run of words stands there at most as often as the rarest of them."""
    return reduce(_both, sorted(lists, key=len)) if lists else NOWHERE


def _both(one: Listed, other: Listed) -> Listed:
    if not len(one) or not len(other):
        return NOWHERE
    at, common = _where(other, one.numbers)
    return Listed(one.numbers[common], np.minimum(one.share[common], other.share[at[common]]))


def _where(found: Listed, numbers: Numbers) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """The place of each number in a list that is not empty, and whether it stands there at all."""
    wanted = numbers.astype(found.numbers.dtype, copy=False)  # else the whole list would be converted
    at = np.minimum(np.searchsorted(found.numbers, wanted), len(found) - 1)
    return at, found.numbers[at] == wanted


def either(lists: Sequence[Listed]) -> Listed:
    """The passages that have one of these wordings; what stands there in two counts twice."""
    some = [one for one in lists if len(one)]
    if len(some) < 2:
        return some[0] if some else NOWHERE
    numbers = np.concatenate([one.numbers for one in some])
    order = np.argsort(numbers, kind="stable")  # merges what is in order by itself
    ordered = numbers[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    strength = np.concatenate([one.strength for one in some])[order]
    return Listed(ordered[first], _share(np.add.reduceat(strength, first)))


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a wording stands; of a `run` of words the lists know only where all of them do."""

    found: Listed
    run: str = ""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A term as the index knows it; one that stands in few passages of the library weighs more."""

    weight: float
    found: Listed
    wordings: tuple[Standing, ...]


def weighed(
    terms: Sequence[tuple[Term, tuple[Standing, ...]]], passages: int, shares: Sequence[float] = (1.0,)
) -> tuple[Weighed, ...]:
    """Rarity is that of BM25: what stands everywhere says nothing, what stands nowhere weighs most and keeps every
    passage from looking like an answer. Of each search that is fused the words together weigh its share."""
    found = [either([one.found for one in wordings]) for _, wordings in terms]
    rarities = [log((max(1, passages) + 1) / (len(one) + 0.5)) for one in found]
    sums = [
        sum(term.weights[at] * rarity for (term, _), rarity in zip(terms, rarities, strict=True))
        for at in range(len(shares))
    ]
    return tuple(
        Weighed(rarity * _part(term.weights, shares, sums), one, wordings)
        for (term, wordings), rarity, one in zip(terms, rarities, found, strict=True)
    )


def _part(weights: Sequence[float], shares: Sequence[float], sums: Sequence[float]) -> float:
    return sum(
        share * weight / whole
        for weight, share, whole in zip(weights, shares, sums, strict=True)
        if whole > 0
    )


def scores_of(terms: Sequence[Weighed], numbers: Numbers, runs: Mapping[str, NDArray[np.bool_]]) -> Shares:
    """BM25 of these passages as a share of the most it can be: each term by its rarity, less with each time more that
    it stands there, and less in a long passage than in a short one. `runs` says of each run of words which of them
    have it."""
    scores = np.zeros(len(numbers), np.float32)
    whole = sum(one.weight for one in terms)
    for one in terms if whole > 0 else ():
        scores += np.float32(one.weight / whole) * _shares_of_term(one, numbers, runs)
    return scores


def _shares_of_term(one: Weighed, numbers: Numbers, runs: Mapping[str, NDArray[np.bool_]]) -> Shares:
    if not any(wording.run in runs for wording in one.wordings):
        return _shares_of(numbers, one.found)
    strength = np.zeros(len(numbers), np.float32)
    for wording in one.wordings:
        there = _strength(_shares_of(numbers, wording.found))
        strength += there * runs[wording.run] if wording.run in runs else there
    return _share(strength)


def _shares_of(numbers: Numbers, found: Listed) -> Shares:
    """Of each of these passages; nothing of one that is not listed."""
    if not len(found):
        return np.zeros(len(numbers), np.float32)
    at, there = _where(found, numbers)
    return found.share[at] * there


def best_of(terms: Sequence[Weighed], most: int) -> Numbers:
    """The numbers of the passages with the highest scores, best first; of two that score alike the lower number.

    The shortest lists are summed first. As soon as `most` passages have more than all other lists together could give,
    no passage that stands in those alone can be among the best: the longest lists are then only asked about the
    passages that still can, fewer with each list (the "max score" of Turtle and Flood, 1995; no word gives more than
    its weight).
    """
    told = sorted((one for one in terms if len(one.found) and one.weight > 0), key=lambda one: len(one.found))
    if not told or most < 1:
        return NOWHERE.numbers
    space = _Space.of(told)
    to_come = [sum(one.weight for one in told[at:]) for at in range(1, len(told) + 1)]
    sums, summed, reached = _summed(told, to_come, space, most)
    places = np.flatnonzero(sums > _least(reached, to_come[summed - 1]))
    scores = sums[places]
    for one, rest in zip(told[summed:], to_come[summed:], strict=True):
        scores += np.float32(one.weight) * space.shares(one.found, places, scratch=sums)
        can = scores > _least(_reached(scores, most), rest)
        places, scores = places[can], scores[can]
    return space.numbers(places[_highest(scores, most)])


def _summed(
    told: Sequence[Weighed], to_come: Sequence[float], space: "_Space", most: int
) -> tuple[Shares, int, float]:
    """The sums of the first lists, how many these are, and what `most` passages have reached at least."""
    sums = np.zeros(space.size, np.float32)
    whole, reached, summed = sum(one.weight for one in told), 0.0, 0
    for one, rest in zip(told, to_come, strict=True):
        summed += 1
        places = space.places(one.found.numbers)
        sums[places] += np.float32(one.weight) * one.found.share
        if whole - rest > rest:  # else it cannot be enough yet
            reached = max(reached, _reached(sums[places], most))  # of these alone: the same of all is no less
            if reached > rest:
                break
    return sums, summed, reached


def _reached(scores: Shares, most: int) -> float:
    """What the best `most` have at least."""
    return float(np.partition(scores, -most)[-most]) if len(scores) > most else 0.0


def _least(reached: float, rest: float) -> float:
    """What a passage must have that can still be among the best. Sums in another order differ by a little."""
    return max(0.0, reached * (1 - 1e-5) - rest)


@dataclass(frozen=True, slots=True)
class _Space:
    """The blocks in which some lists have passages, side by side."""

    blocks: Numbers

    @classmethod
    def of(cls, terms: Sequence[Weighed]) -> Self:
        """All from the first to the last block where they lie close together, as they usually do."""
        first = min(int(one.found.numbers[0]) for one in terms) // BLOCK
        last = max(int(one.found.numbers[-1]) for one in terms) // BLOCK
        if (last - first) * BLOCK <= _CLOSE * sum(len(one.found) for one in terms) + 100 * BLOCK:
            return cls(np.arange(first, last + 1))
        return cls(np.unique(np.concatenate([np.unique(one.found.numbers // BLOCK) for one in terms])))

    @property
    def size(self) -> int:
        return len(self.blocks) * BLOCK

    def places(self, numbers: Numbers) -> Numbers:
        first, last = int(self.blocks[0]), int(self.blocks[-1])
        if len(self.blocks) == last - first + 1:
            return numbers - first * BLOCK
        return np.searchsorted(self.blocks, numbers // BLOCK) * BLOCK + numbers % BLOCK

    def shares(self, found: Listed, places: Numbers, *, scratch: Shares) -> Shares:
        """Of the passages at these places. Few are looked up; for many the list is spread out over `scratch`."""
        if len(places) * _FEW < len(found):
            return _shares_of(self.numbers(places), found)
        scratch[places] = 0
        scratch[self.places(found.numbers)] = found.share
        return scratch[places]

    def numbers(self, places: Numbers) -> Numbers:
        return self.blocks[places // BLOCK] * BLOCK + places % BLOCK


_CLOSE = 50  # empty places for each passage that stands in a list
_FEW = 8  # to look one passage up in a list costs what writing so many of its entries does


def _highest(scores: Shares, most: int) -> Numbers:
    """Where the highest are, the highest first; of two alike the first."""
    least = np.partition(scores, -most)[-most] if len(scores) > most else 0
    some = np.flatnonzero(scores >= least)
    order: Numbers = np.argsort(-scores[some], kind="stable")[:most]
    return some[order]


def affordable(passages: Mapping[str, int], wanted: Sequence[Sequence[str]]) -> list[bool]:
    """Which of several things to look for, each in these words, can be read: the rarest first, as long as their lists
    together are no longer than may be read. The rarest always can."""
    cost = [sum(passages.get(word, 0) for word in words) for words in wanted]
    read, kept = 0, [False] * len(wanted)
    for at in sorted(range(len(wanted)), key=lambda at: cost[at]):
        read += cost[at]
        kept[at] = read <= conf.LEXICAL_POSTINGS or not any(kept)
    return kept
