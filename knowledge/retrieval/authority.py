"""Decides which source prevails, and finds sources that contradict each other. Pure.

The order is regulation, the airplane's own handbook, the AIM, FAA handbooks, advisory circulars. Two sentences conflict
if they are about the same subject under the same conditions and set different limits in the same direction. Anything
less certain is not flagged. Between equal sources there is no winner.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeVar

from knowledge import conf
from knowledge.text.conditions import Conditions, conditions_in
from knowledge.text.modality import is_negative
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words

_AUTHORITY: Mapping[str, int] = {"cfr": 5, "poh": 4, "aim": 3, "handbook": 2, "ac": 1}

One = TypeVar("One")


def authority_of(doc_type: str) -> int:
    """The higher prevails; 0 for documents without authority (an ACS, a school's own)."""
    return _AUTHORITY.get(doc_type, 0)


def sort_by_authority(
    ranked: Sequence[One], value: Callable[[One], float], doc_type: Callable[[One], str]
) -> list[One]:
    """Move each one before its neighbors of less authority whose value is hardly higher."""
    ordered: list[One] = []
    for one in ranked:
        at = len(ordered)
        while (
            at
            and value(ordered[at - 1]) - value(one) <= conf.NEAR_EQUAL
            and authority_of(doc_type(one)) > authority_of(doc_type(ordered[at - 1]))
        ):
            at -= 1
        ordered.insert(at, one)
    return ordered


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceText:
    """A passage and where it comes from, as conflicts are looked for."""

    chunk_id: str
    document: str
    label: str
    doc_type: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two passages, what each says, and the one that prevails ("" if neither has more authority)."""

    chunks: tuple[str, str]
    quotes: tuple[str, str]
    what: str
    holds: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "chunks": list(self.chunks),
            "quotes": list(self.quotes),
            "what": self.what,
            "holds": self.holds or None,
        }


@dataclass(frozen=True, slots=True)
class _LimitSentence:
    """A sentence that sets limits."""

    text: str
    amounts: tuple[Quantity, ...]
    words: frozenset[str]
    conditions: Conditions
    is_negated: bool


def conflicts_between(passages: Sequence[SourceText]) -> tuple[Conflict, ...]:
    """At most one conflict for each pair of passages, in their order. Passages of one document are not compared."""
    limits = {one.chunk_id: tuple(_limit_sentences(one)) for one in passages}
    pairs = ((one, other) for one, other in combinations(passages, 2) if one.document != other.document)
    found = (_find_conflict(one, other, limits[one.chunk_id], limits[other.chunk_id]) for one, other in pairs)
    return tuple(one for one in found if one)


def _limit_sentences(passage: SourceText) -> Iterator[_LimitSentence]:
    heading = conditions_in(passage.heading)
    for sentence in sentences_in(passage.text):
        amounts = tuple(one for one in quantities_in(sentence.text) if one.unit)
        if not 1 <= len(amounts) <= conf.CONFLICT_AMOUNTS or not any(map(_is_limit, amounts)):
            continue
        words = frozenset(content_words(sentence.text))
        own = conditions_in(sentence.text)
        if len(words) < conf.CONFLICT_WORDS or own.exceptions:
            continue
        conditions = Conditions(  # a heading's conditions hold for each sentence that names none of that kind
            times=own.times or heading.times,
            airspace=own.airspace or heading.airspace,
            rules=own.rules or heading.rules,
            airports=own.airports or heading.airports,
            aircraft=own.aircraft or heading.aircraft,
            persons=own.persons or heading.persons,
            carrying_passengers=own.carrying_passengers,
        )
        is_negated = is_negative(sentence.text)
        yield _LimitSentence(sentence.text, amounts, words, conditions, is_negated)


def _is_limit(amount: Quantity) -> bool:
    return amount.comparator != "=" and amount.high is None


def _find_conflict(
    one: SourceText, other: SourceText, ours: Sequence[_LimitSentence], theirs: Sequence[_LimitSentence]
) -> Conflict | None:
    for sentence in ours:
        alike = []
        for against in theirs:
            shared = len(sentence.words & against.words)
            if (
                shared >= conf.CONFLICT_WORDS
                and shared >= conf.CONFLICT_SHARE * len(sentence.words | against.words)
                and sentence.conditions == against.conditions
                and sentence.is_negated == against.is_negated
            ):
                alike.append((against, _differing_limits(sentence, against)))
        if any(differing == () for _, differing in alike):
            continue  # the other passage says the same, too
        for against, differing in alike:
            if differing:
                return _conflict_of(one, other, (sentence.text, against.text), differing)
    return None


def _differing_limits(
    one: _LimitSentence, other: _LimitSentence
) -> tuple[Quantity, Quantity] | tuple[()] | None:
    """The only two limits that differ; () if all agree; None if more than one differs or their kinds do."""
    ours = [amount for amount in one.amounts if not any(map(amount.same_as, other.amounts))]
    theirs = [amount for amount in other.amounts if not any(map(amount.same_as, one.amounts))]
    if not ours and not theirs:
        return ()
    if len(ours) != 1 or len(theirs) != 1:
        return None
    (our,), (their,) = ours, theirs
    is_same_kind = (our.unit, our.datum, our.direction) == (their.unit, their.datum, their.direction)
    if is_same_kind and _is_limit(our) and _is_limit(their) and our.comparator[0] == their.comparator[0]:
        return our, their
    return None


def _conflict_of(
    one: SourceText, other: SourceText, quotes: tuple[str, str], differing: tuple[Quantity, Quantity]
) -> Conflict:
    limits = zip((one, other), differing, strict=True)
    what = "; ".join(f"{source.label or source.document}: {limit.text.strip()}" for source, limit in limits)
    prevailing = max(one, other, key=lambda source: authority_of(source.doc_type))
    is_decided = authority_of(one.doc_type) != authority_of(other.doc_type)
    if is_decided:
        what = f"{what}; {prevailing.label or prevailing.document} holds"
    return Conflict(
        chunks=(one.chunk_id, other.chunk_id),
        quotes=quotes,
        what=what,
        holds=prevailing.chunk_id if is_decided else "",
    )
