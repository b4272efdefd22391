"""Scores passages: BM25 over posting lists, the blend of similarity and words, and the quality of a result. Pure.

A posting list says which passages contain a word, how often, whether in the heading, and how long each passage is
(`knowledge.library_version` writes it), so BM25 does not read the passages. Candidates are then scored by similarity
and words together, and thresholds of the embedding model judge the scores.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from math import log
from operator import itemgetter
from typing import Any, Self
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from knowledge import conf
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.values import Arm, Quality, Ranked

Numbers = NDArray[np.signedinteger[Any]]
Shares = NDArray[np.float32]
Values = NDArray[np.float64]
Flags = NDArray[np.bool_]

BLOCK = conf.WORDS_BLOCK


# --- Posting lists -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PostingList:
    """The passages of one word in the order of their numbers. `share` is the word's BM25 saturation there, 0 to 1: it
    grows less with each repetition, and less in a long passage."""

    numbers: Numbers
    share: Shares

    def __len__(self) -> int:
        return len(self.numbers)

    @property
    def strength(self) -> Shares:
        """How often the word stands there, relative to what is usual for that length. Strengths of wordings add up."""
        return _strength_of(self.share)


EMPTY = PostingList(np.empty(0, np.int32), np.empty(0, np.float32))


def _share_of(strength: Shares) -> Shares:
    return strength / (1 + strength)


def _strength_of(share: Shares) -> Shares:
    return share / (1 - share)


def decode_postings(blocks: Iterable[tuple[int, bytes]]) -> PostingList:
    """A word's list from its packed blocks, in any order. Blocks of two owners may have passages between each
    other's."""
    rows = sorted(blocks)
    if not rows:
        return EMPTY
    packed = np.frombuffer(b"".join(data for _, data in rows), ">u4").astype(np.int32)
    starts = np.array([block * BLOCK for block, _ in rows], np.int32)
    numbers = packed // conf.WORDS_PLACE + np.repeat(starts, [len(data) // 4 for _, data in rows])
    often = packed // conf.WORDS_OFTEN % 64 + conf.HEADING_TIMES * (packed // conf.WORDS_HEADED % 2)
    share = (often / (often + _half_saturation()[packed % conf.WORDS_LONG])).astype(np.float32)
    if len({block for block, _ in rows}) == len(rows):
        return PostingList(numbers, share)
    order = np.argsort(numbers, kind="stable")
    return PostingList(numbers[order], share[order])


@cache
def _half_saturation() -> Shares:
    """By the length of a passage, the number of repetitions that gives half of the most a word can give."""
    length = np.arange(conf.WORDS_LONG) / conf.BM25_USUAL_LENGTH
    usual = 1 - conf.BM25_LENGTH_SHARE + conf.BM25_LENGTH_SHARE * length
    return (conf.BM25_SATURATION * usual).astype(np.float32)


def intersect_postings(lists: Sequence[PostingList]) -> PostingList:
    """The passages that have all of these words; a run of words stands there at most as often as its rarest word."""

    def intersect(one: PostingList, other: PostingList) -> PostingList:
        if not len(one) or not len(other):
            return EMPTY
        at, common = _find_numbers(other, one.numbers)
        return PostingList(one.numbers[common], np.minimum(one.share[common], other.share[at[common]]))

    return reduce(intersect, sorted(lists, key=len)) if lists else EMPTY


def unite_postings(lists: Sequence[PostingList]) -> PostingList:
    """The passages that have one of these wordings; two wordings in one passage count together."""
    some = [one for one in lists if len(one)]
    if len(some) < 2:
        return some[0] if some else EMPTY
    numbers = np.concatenate([one.numbers for one in some])
    order = np.argsort(numbers, kind="stable")  # merges what is in order by itself
    ordered = numbers[order]
    first = np.flatnonzero(np.diff(ordered, prepend=-1))
    strength = np.concatenate([one.strength for one in some])[order]
    return PostingList(ordered[first], _share_of(np.add.reduceat(strength, first)))


def _find_numbers(found: PostingList, numbers: Numbers) -> tuple[NDArray[np.intp], Flags]:
    """The place of each number in a list that is not empty, and whether it stands there at all."""
    wanted = numbers.astype(found.numbers.dtype, copy=False)  # else the whole list would be converted
    at = np.minimum(np.searchsorted(found.numbers, wanted), len(found) - 1)
    return at, found.numbers[at] == wanted


def shares_at(numbers: Numbers, found: PostingList) -> Shares:
    """The share of each of these passages; 0 for one that the list does not have."""
    if not len(found):
        return np.zeros(len(numbers), np.float32)
    at, there = _find_numbers(found, numbers)
    return found.share[at] * there


def affordable_terms(passages: Mapping[str, int], wanted: Sequence[Sequence[str]]) -> list[bool]:
    """Which of several terms, each given by its words, can be read: the rarest first, as long as all lists together
    stay within `conf.LEXICAL_POSTINGS`. The rarest always can."""
    cost = [sum(passages.get(word, 0) for word in words) for words in wanted]
    read, kept = 0, [False] * len(wanted)
    for at in sorted(range(len(wanted)), key=lambda at: cost[at]):
        read += cost[at]
        kept[at] = read <= conf.LEXICAL_POSTINGS or not any(kept)
    return kept


# --- BM25 ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WordingPostings:
    """Where a wording stands. For a `run` of words the list only says where all of them stand."""

    found: PostingList
    run: str = ""


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A term with its weight (the rarer, the heavier) and the passages that have any of its wordings. `form` is the
    word as it was asked: the lists hold stems."""

    weight: float
    found: PostingList
    wordings: tuple[WordingPostings, ...]
    form: str = ""


def weigh_terms(
    terms: Sequence[tuple[Term, tuple[WordingPostings, ...]]],
    passages: int,
    shares: Sequence[float] = (1.0,),
) -> tuple[WeightedTerm, ...]:
    """Terms weighed by BM25's rarity among so many passages. The words of each fused search weigh its share together.

    A word that stands everywhere weighs nothing. One that stands nowhere weighs most, so that no passage looks like a
    full answer.
    """
    found = [unite_postings([one.found for one in wordings]) for _, wordings in terms]
    rarities = [log((max(1, passages) + 1) / (len(one) + 0.5)) for one in found]
    sums = [
        sum(term.weights[at] * rarity for (term, _), rarity in zip(terms, rarities, strict=True))
        for at in range(len(shares))
    ]

    def part_of(weights: Sequence[float]) -> float:
        fused = zip(weights, shares, sums, strict=True)
        return sum(share * weight / whole for weight, share, whole in fused if whole > 0)

    return tuple(
        WeightedTerm(rarity * part_of(term.weights), one, wordings, term.form)
        for (term, wordings), rarity, one in zip(terms, rarities, found, strict=True)
    )


def score_words(terms: Sequence[WeightedTerm], numbers: Numbers, runs: Mapping[str, Flags]) -> Shares:
    """BM25 of these passages as a share of the most it can be. `runs` says for each run of words and each form of a
    word which of the passages really have it; a word in another form counts for less."""
    scores = np.zeros(len(numbers), np.float32)
    whole = sum(one.weight for one in terms)
    for one in terms if whole > 0 else ():
        if any(wording.run in runs for wording in one.wordings):
            strength = np.zeros(len(numbers), np.float32)
            for wording in one.wordings:
                there = _strength_of(shares_at(numbers, wording.found))
                strength += there * runs[wording.run] if wording.run in runs else there
            shares = _share_of(strength)
        else:
            shares = shares_at(numbers, one.found)
        if one.form in runs:
            shares = np.where(runs[one.form], shares, np.float32(conf.OTHER_FORM) * shares)
        scores += np.float32(one.weight / whole) * shares
    return scores


def find_best_passages(terms: Sequence[WeightedTerm], most: int) -> Numbers:
    """The numbers of the passages with the highest scores, best first; on a tie the lower number.

    The shortest lists are summed first. Once `most` passages have more than all remaining lists could add, only the
    passages that can still reach that are looked up in the long lists ("max score", Turtle and Flood 1995; no word
    gives more than its weight).
    """
    told = sorted((one for one in terms if len(one.found) and one.weight > 0), key=lambda one: len(one.found))
    if not told or most < 1:
        return EMPTY.numbers
    space = _Space.over(told)
    to_come = [sum(one.weight for one in told[at:]) for at in range(1, len(told) + 1)]
    sums, summed, reached = _sum_short_lists(told, to_come, space, most)
    places = np.flatnonzero(sums > _least_to_keep(reached, to_come[summed - 1]))
    scores = sums[places]
    for one, rest in zip(told[summed:], to_come[summed:], strict=True):
        scores += np.float32(one.weight) * space.shares(one.found, places, scratch=sums)
        can = scores > _least_to_keep(_score_of_place(scores, most), rest)
        places, scores = places[can], scores[can]
    least = np.partition(scores, -most)[-most] if len(scores) > most else 0
    best = np.flatnonzero(scores >= least)
    order: Numbers = np.argsort(-scores[best], kind="stable")[:most]
    return space.numbers(places[best[order]])


def _sum_short_lists(
    told: Sequence[WeightedTerm], to_come: Sequence[float], space: "_Space", most: int
) -> tuple[Shares, int, float]:
    """The sums of the first lists, how many these are, and what `most` passages have reached at least."""
    sums = np.zeros(space.size, np.float32)
    whole, reached, summed = sum(one.weight for one in told), 0.0, 0
    for one, rest in zip(told, to_come, strict=True):
        summed += 1
        places = space.places(one.found.numbers)
        sums[places] += np.float32(one.weight) * one.found.share
        if whole - rest > rest:  # else it cannot be enough yet
            # The best of these alone; the best of all have no less.
            reached = max(reached, _score_of_place(sums[places], most))
            if reached > rest:
                break
    return sums, summed, reached


def _score_of_place(scores: Shares, most: int) -> float:
    """What the best `most` have at least."""
    return float(np.partition(scores, -most)[-most]) if len(scores) > most else 0.0


def _least_to_keep(reached: float, rest: float) -> float:
    """What a passage must have that can still be among the best. Sums in another order differ by a little."""
    return max(0.0, reached * (1 - 1e-5) - rest)


_CLOSE = 50  # empty places for each passage that stands in a list
_FEW = 8  # to look one passage up in a list costs what writing so many of its entries does


@dataclass(frozen=True, slots=True)
class _Space:
    """The blocks in which some lists have passages, laid side by side in one array."""

    blocks: Numbers

    @classmethod
    def over(cls, terms: Sequence[WeightedTerm]) -> Self:
        """All blocks from the first to the last if they lie close together, as they usually do."""
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

    def numbers(self, places: Numbers) -> Numbers:
        return self.blocks[places // BLOCK] * BLOCK + places % BLOCK

    def shares(self, found: PostingList, places: Numbers, *, scratch: Shares) -> Shares:
        """The shares at these places. A few are looked up; for many the list is spread out over `scratch`."""
        if len(places) * _FEW < len(found):
            return shares_at(self.numbers(places), found)
        scratch[places] = 0
        scratch[self.places(found.numbers)] = found.share
        return scratch[places]


# --- Similarity and words together ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """Passages to be scored, one row of `vectors` each. `lexical` is BM25 as a share; `exact` marks a section that was
    asked for by its number."""

    ids: tuple[UUID, ...]
    vectors: Values
    lexical: Values
    exact: Flags


Blend = tuple[float, float]
"""Shares of similarity and words."""


def rank_candidates(
    candidates: Candidates, query: Values, *, arm: Arm, blend: Blend, company: bool, floor: float, k: int
) -> tuple[Ranked, ...]:
    """The best first; ties by the words, then by id, so that the same search gives the same order."""
    if not candidates.ids or k < 1:
        return ()
    directions = unit_vectors(candidates.vectors)
    similarity = cosine_with(directions, query)
    words = np.minimum(1, conf.LEXICAL_SCALE * candidates.lexical)
    plain = similarity if arm == "vector" else words
    if arm not in ("vector", "lexical"):
        trust = trust_in_vectors(similarity, words, blend)
        plain = trust * similarity + (1 - trust) * words
        plain = _favor_lookalikes(plain, directions, candidates.ids) if company else plain
    scores = plain
    if candidates.exact.any():
        # Passages of a section that was asked for by number score from EXACT_SCORE on, and all others so far below it
        # that authority brings none of them to the front.
        most = np.minimum(plain, conf.EXACT_SCORE - 2 * conf.NEAR_EQUAL)
        scores = np.where(candidates.exact, conf.EXACT_SCORE + (1 - conf.EXACT_SCORE) * plain, most)
    contenders = np.flatnonzero(candidates.exact | (plain >= _least_of_best(plain, k))).tolist()
    columns = [
        values[contenders].tolist()
        for values in (candidates.exact, plain, scores, similarity, candidates.lexical)
    ]
    found = [
        ((not exact, -value, -worded, candidates.ids[at]), Ranked(candidates.ids[at], score, near, worded))
        for at, exact, value, score, near, worded in zip(contenders, *columns, strict=True)
    ]
    ordered = (one for _, one in sorted(found, key=itemgetter(0)))
    return tuple(one for one in ordered if one.score >= floor)[:k]


def _least_of_best(values: Values, most: int) -> float:
    """What each of the best `most` has at least."""
    return float(np.partition(values, -most)[-most]) if len(values) > most else -np.inf


def unit_vectors(vectors: Values) -> Values:
    """Each row with a length of one; a row of zeros stays as it is."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    lengths[lengths == 0] = 1
    directions: Values = vectors / lengths[:, np.newaxis]
    return directions


def cosine_with(directions: Values, vector: Values) -> Values:
    """The cosine of each unit vector with `vector`, none below zero; 0 for a vector of zeros."""
    length = float(np.sqrt(vector @ vector))
    return (directions @ (vector / length if length else vector)).clip(0, 1)


def trust_in_vectors(similarity: Values, words: Values, blend: Blend) -> float:
    """The share of the similarity in the score, moved from `blend` by how sure each side is.

    A side is sure if its best passage leads the next ones; if it likes ten passages alike, it knows nothing of the one
    that is asked for.
    """
    vector = blend[0] * (conf.UNSURE + _lead_of_best(similarity) / conf.VECTOR_LEAD)
    lexical = blend[1] * (conf.UNSURE + _lead_of_best(words) / conf.LEXICAL_LEAD)
    return float(vector / (vector + lexical))


def _lead_of_best(values: Values) -> float:
    """The lead of the best over the mean of the next ones, as a share of the best."""
    best, *others = np.sort(values)[: -conf.LEADERS - 1 : -1].tolist()
    return (best - sum(others) / len(others)) / best if others and best > 0 else 0.0


def _favor_lookalikes(plain: Values, directions: Values, ids: Sequence[UUID]) -> Values:
    """Move scores toward the similarity with the middle of the best passages, the first of which count most: what
    answers one question is alike."""
    contenders = np.flatnonzero(plain >= _least_of_best(plain, conf.COMPANY)).tolist()
    best = sorted(contenders, key=lambda at: (-plain[at], ids[at]))[: conf.COMPANY]
    fading = np.exp(-np.arange(len(best)) / conf.COMPANY_FADE)
    alike = cosine_with(directions, fading @ directions[best])
    mixed = (1 - conf.COMPANY_SHARE) * plain + conf.COMPANY_SHARE * alike
    return np.where(plain > 0, conf.COMPANY_SCALE * mixed, 0.0)


# --- Is the result good enough? ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A passage below `floor` is not given. Inferred filters are dropped if the best score is below `poor`."""

    weak: float = conf.QUALITY_WEAK
    strong: float = conf.QUALITY_STRONG
    floor: float = conf.SCORE_FLOOR
    poor: float = conf.FALLBACK_TOP


@dataclass(frozen=True, slots=True)
class ModelThresholds:
    """One embedding model's thresholds, for questions that ask one thing and for those that ask several. No passage
    answers all of a story, so its scores lie lower. `python -m benchmarks.thresholds` measures both."""

    one: Thresholds = Thresholds()
    several: Thresholds = Thresholds()


DEFAULT = ModelThresholds()
BY_MODEL: Mapping[str, ModelThresholds] = {
    "all-MiniLM-L6-v2": ModelThresholds(
        several=Thresholds(
            weak=conf.SEVERAL_WEAK,
            strong=conf.SEVERAL_STRONG,
            floor=conf.SEVERAL_FLOOR,
            poor=conf.SEVERAL_POOR,
        )
    )
}
_QUALITIES: tuple[Quality, ...] = ("none", "weak", "strong")


def thresholds_for(model: str, *, asks_one: bool = True) -> Thresholds:
    """Those measured for the model; for a model that was not measured those of the seeds."""
    measured = BY_MODEL.get(model, DEFAULT)
    return measured.one if asks_one else measured.several


def quality_of(scores: Sequence[float], model: str = "", *, asks_one: bool = True) -> Quality:
    """`scores` best first. Strong if the best reaches `strong`, or the first two reach `weak`."""
    limits = thresholds_for(model, asks_one=asks_one)
    if not scores:
        return "none"
    if scores[0] >= limits.strong:
        return "strong"
    return "strong" if sum(score >= limits.weak for score in scores[:2]) == 2 else "weak"


def is_better_quality(one: Quality, other: Quality) -> bool:
    return _QUALITIES.index(one) > _QUALITIES.index(other)


def is_too_poor(scores: Sequence[float], least: float = conf.FALLBACK_TOP) -> bool:
    """Whether to search again without the inferred filters: there are too few `scores` (best first), or the best is
    below `least`. A section that was asked for by number and found is enough, even alone."""
    if scores and scores[0] >= conf.EXACT_SCORE:
        return False
    return len(scores) < conf.FALLBACK_RESULTS or scores[0] < least
