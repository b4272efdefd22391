"""Passages of one answer become the conflicts between them: where two sources set another limit for the same thing.

Two sentences conflict where they speak of the same matter, under the same conditions, for the same people, and each
sets one limit of one kind in the same direction, and the amounts differ. Night and day, classes of airspace, other
aircraft, an exception or a list of amounts are no conflict: what is not certain is not flagged. Which source holds, the
order of authority says; between equals the later edition is told, not chosen. Pure.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from knowledge import conf
from knowledge.retrieval.authority import standing
from knowledge.text.conditions import Conditions, conditions_in
from knowledge.text.modality import negations_in
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A passage as it stands here: where it is from, and what it says."""

    chunk_id: str
    document: str
    label: str
    doc_type: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
    """Two passages, what each says, and the one that holds; empty where neither has more authority."""

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
class _Rule:
    """A sentence that sets limits."""

    sentence: str
    amounts: tuple[Quantity, ...]
    words: frozenset[str]
    conditions: Conditions
    denied: bool


def conflicts_between(passages: Sequence[Said]) -> tuple[Conflict, ...]:
    """One at most for each two passages, in their order; passages of one document are not held against each other."""
    rules = {one.chunk_id: _rules(one) for one in passages}
    pairs = ((one, other) for one, other in combinations(passages, 2) if one.document != other.document)
    found = (_conflict(one, other, rules[one.chunk_id], rules[other.chunk_id]) for one, other in pairs)
    return tuple(one for one in found if one)


def _rules(passage: Said) -> tuple[_Rule, ...]:
    return tuple(_rules_in(passage))


def _rules_in(passage: Said) -> Iterator[_Rule]:
    heading = conditions_in(passage.heading)
    for sentence in sentences_in(passage.text):
        amounts = tuple(one for one in quantities_in(sentence.text) if one.unit)
        if not 1 <= len(amounts) <= conf.CONFLICT_AMOUNTS or not any(map(_is_limit, amounts)):
            continue
        words = frozenset(content_words(sentence.text))
        conditions = conditions_in(sentence.text)
        if len(words) >= conf.CONFLICT_WORDS and not conditions.exceptions:
            denied = negations_in(sentence.text) % 2 == 1
            yield _Rule(sentence.text, amounts, words, _under(conditions, heading), denied)


def _is_limit(amount: Quantity) -> bool:
    return amount.comparator != "=" and amount.high is None


def _under(own: Conditions, heading: Conditions) -> Conditions:
    """What the heading says of a section holds for each sentence that does not say otherwise."""
    return Conditions(
        times=own.times or heading.times,
        airspace=own.airspace or heading.airspace,
        rules=own.rules or heading.rules,
        airports=own.airports or heading.airports,
        aircraft=own.aircraft or heading.aircraft,
        persons=own.persons or heading.persons,
        carrying_passengers=own.carrying_passengers,
    )


def _conflict(one: Said, other: Said, ours: Sequence[_Rule], theirs: Sequence[_Rule]) -> Conflict | None:
    for rule in ours:
        alike = [(against, _differing(rule, against)) for against in theirs if _same_matter(rule, against)]
        if any(differing == () for _, differing in alike):
            continue  # it says the same, too
        for against, differing in alike:
            if differing:
                return _told(one, other, (rule, against), differing)
    return None


def _same_matter(one: _Rule, other: _Rule) -> bool:
    shared = len(one.words & other.words)
    return (
        shared >= conf.CONFLICT_WORDS
        and shared >= conf.CONFLICT_SHARE * len(one.words | other.words)
        and one.conditions == other.conditions
        and one.denied == other.denied
    )


def _differing(one: _Rule, other: _Rule) -> tuple[Quantity, Quantity] | tuple[()] | None:
    """The two limits in which they differ where all else agrees; () where all agrees; None where more differs."""
    ours = [amount for amount in one.amounts if not any(map(amount.same_as, other.amounts))]
    theirs = [amount for amount in other.amounts if not any(map(amount.same_as, one.amounts))]
    if not ours and not theirs:
        return ()
    if len(ours) == len(theirs) == 1 and _same_kind(ours[0], theirs[0]):
        return ours[0], theirs[0]
    return None


def _same_kind(one: Quantity, other: Quantity) -> bool:
    same = (one.unit, one.datum, one.direction) == (other.unit, other.datum, other.direction)
    return same and _is_limit(one) and _is_limit(other) and one.comparator[0] == other.comparator[0]


def _told(
    one: Said, other: Said, rules: tuple[_Rule, _Rule], differing: tuple[Quantity, Quantity]
) -> Conflict:
    higher = [said for said in (one, other) if standing(said.doc_type) > min(_standings(one, other))]
    said = zip((one, other), differing, strict=True)
    what = "; ".join(f"{from_.label or from_.document}: {amount.text.strip()}" for from_, amount in said)
    if len(higher) == 1:
        what = f"{what}; {higher[0].label or higher[0].document} holds"
    return Conflict(
        chunks=(one.chunk_id, other.chunk_id),
        quotes=(rules[0].sentence, rules[1].sentence),
        what=what,
        holds=higher[0].chunk_id if len(higher) == 1 else "",
    )


def _standings(one: Said, other: Said) -> tuple[int, int]:
    return standing(one.doc_type), standing(other.doc_type)
