"""Compares the facts of two texts: which numbers, units, datums, comparators, negations and conditions agree.

`compare_facts` asks whether a claim can stand beside its source. It does not ask whether the claim says enough in
words; entailment and the assessor do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from knowledge import conf
from knowledge.text.conditions import Conditions, conditions_in, local_conditions
from knowledge.text.modality import clauses_of, is_denied_at, modality_of, negations_in
from knowledge.text.opposites import opposite_beginnings
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.text_cache import cached_by_text
from knowledge.text.tokens import content_words, normalize_text, plain_words
from knowledge.text.units import dimension_of
from knowledge.text.word_tables import read_phrases

Fault = Literal["number", "unit", "datum", "comparator", "direction", "negation", "condition", "opposite"]

# Two clauses are about the same thing when this share of the shorter one's content words stands in the other.
SAME_SUBJECT = 0.6


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One disagreement: what was claimed, what the source says, and which kind of fault it is."""

    kind: Fault
    claimed: str
    source: str

    def __str__(self) -> str:
        return _SENTENCES[self.kind].format(claimed=self.claimed.strip(), source=self.source.strip())


_SENTENCES: Final[dict[Fault, str]] = {
    "number": "“{claimed}” where the source says “{source}”",
    "unit": "“{claimed}” has another unit than “{source}”",
    "datum": "“{claimed}” is measured from elsewhere than “{source}”",
    "comparator": "“{claimed}” turns the limit “{source}” round",
    "direction": "“{claimed}” is on another side than “{source}”",
    "negation": "“{claimed}” denies or affirms what the source, “{source}”, does not",
    "condition": "said of {claimed}, where the source speaks of {source}",
    "opposite": "“{claimed}” is the opposite of “{source}”",
}


@dataclass(frozen=True, slots=True)
class FactComparison:
    """`missing` are the source's quantities that the claim does not state. `extra` are the claim's that the source
    neither states nor contradicts."""

    contradictions: tuple[Contradiction, ...] = ()
    missing: tuple[Quantity, ...] = ()
    extra: tuple[Quantity, ...] = ()

    @property
    def agree(self) -> bool:
        return not self.contradictions


@dataclass(frozen=True, slots=True)
class _Stated:
    """A quantity in its clause. `side` is -1 for an upper limit, 1 for a lower limit, else 0, once the clause's
    negation is applied; `denied` says that a negation governs it. `ruled_out` is one that is only set aside: "1 mile,
    not 3 miles". `times` and `airspace` are what its own part of the sentence says."""

    quantity: Quantity
    side: int
    denied: bool
    ruled_out: bool
    times: frozenset[str]
    airspace: frozenset[str]


_Pair = tuple[_Stated, _Stated]
_Rule = Callable[[_Stated, _Stated], bool]

_PHRASES: Final = read_phrases(Path(__file__).with_name("fact_check.csv"))
_SIDES: Final = {">=": 1, ">": 1, "<=": -1, "<": -1, "=": 0}


def compare_facts(claimed: str, source: str) -> FactComparison:
    """Compare the facts of a claim or an answer with those of its source. The order of either's facts is free."""
    ours, theirs = _stated_in(claimed), _stated_in(source)
    pairs, rest, left = _pair_up([one for one in ours if not one.ruled_out], theirs, _fully_agree)
    # "Not 3 miles" contradicts a source that says 3 miles, unless the claim says it elsewhere.
    met = [other for _, other in pairs]
    wrong = [
        Contradiction("negation", f"not {one.quantity.text}", other.quantity.text)
        for one in ours
        for other in theirs
        if one.ruled_out and other not in met and one.quantity.same_as(other.quantity)
    ]
    for is_fault, kind in _FAULTS:
        faulty, rest, left = _pair_up(rest, left, is_fault)
        wrong += [Contradiction(kind, _words_of(one, kind), _words_of(other, kind)) for one, other in faulty]
    repeats = [one for one in rest if any(_fully_agree(one, other) for other in theirs)]
    wrong += [
        *_opposed_clauses(claimed, source, pairs),
        *_opposed_conditions(claimed, source),
        *_opposite_words(claimed, source),
    ]
    return FactComparison(
        tuple(wrong),
        missing=tuple(one.quantity for one in left),
        extra=tuple(one.quantity for one in rest if one not in repeats),
    )


def _words_of(stated: _Stated, kind: Fault) -> str:
    """The words of a quantity, with its conditions where they are the fault."""
    if kind != "condition":
        return stated.quantity.text
    classes = [f"Class {letter}" for letter in sorted(stated.airspace)]
    return f"{stated.quantity.text.strip()} ({', '.join([*sorted(stated.times), *classes])})"


# --- Quantities in their clauses ---------------------------------------------------------------------------------


@cached_by_text
def _stated_in(text: str) -> tuple[_Stated, ...]:
    said = normalize_text(text)
    quantities = quantities_in(text)[: conf.AMOUNTS_COMPARED]
    # The limits that a negation turns round: "no person may fly below 500 feet" is a lower limit.
    denied = [one for one in quantities if _SIDES[one.comparator] and _is_governed(said, one)]
    if len(denied) > 1:
        # Where one governs several limits, bands of height and radii ("within 2,000 feet") only say where.
        turned = [
            one for one in denied if not _is_height(one) and not normalize_text(one.text).startswith("within")
        ]
        denied = turned or denied[:1]
    stated = []
    for one in quantities:
        before = said[max(0, one.span[0] - 40) : one.span[0]]
        ruled_out = one.comparator == "=" and bool(_PHRASES["sets aside"].search(before))
        side = -_SIDES[one.comparator] if one in denied else _SIDES[one.comparator]
        near = local_conditions(text, one.span)
        stated.append(_Stated(one, side, one in denied, ruled_out, near.times, near.airspace))
    return tuple(stated)


def _is_governed(said: str, limit: Quantity) -> bool:
    """Whether a negation outside the limit's own words governs it. None governs a definition in brackets, or what
    "unless" requires: "no person may fly unless within 90 days that person has …"."""
    place = limit.span[0]
    sentence = re.split(r"[.;!?]\s", said[:place])[-1]
    in_brackets = said.rfind("(", 0, place) > said.rfind(")", 0, place)
    return (
        not in_brackets
        and not _PHRASES["own negation"].search(normalize_text(limit.text))
        and not _PHRASES["required after"].search(sentence)
        and is_denied_at(said, place)
    )


# --- Pairs of quantities -----------------------------------------------------------------------------------------


def _pair_up(
    ours: Sequence[_Stated], theirs: Sequence[_Stated], rule: _Rule
) -> tuple[list[_Pair], list[_Stated], list[_Stated]]:
    """The pairs that the rule accepts, closest first and each side used once; then what is left of either side."""
    candidates = [
        (-_count_alike(one, other), i, j)
        for i, one in enumerate(ours)
        for j, other in enumerate(theirs)
        if rule(one, other)
    ]
    used_ours: set[int] = set()
    used_theirs: set[int] = set()
    pairs: list[_Pair] = []
    for _, i, j in sorted(candidates):
        if i not in used_ours and j not in used_theirs:
            used_ours.add(i)
            used_theirs.add(j)
            pairs.append((ours[i], theirs[j]))
    left_ours = [one for i, one in enumerate(ours) if i not in used_ours]
    return pairs, left_ours, [one for j, one in enumerate(theirs) if j not in used_theirs]


def _count_alike(one: _Stated, other: _Stated) -> int:
    ours, theirs = one.quantity, other.quantity
    return (
        (ours.unit == theirs.unit)
        + (ours.datum == theirs.datum)
        + (ours.direction == theirs.direction)
        + (one.side == other.side)
    )


def _fully_agree(one: _Stated, other: _Stated) -> bool:
    fits = (_datums_fit, _sides_fit, _directions_fit, _conditions_fit)
    return one.quantity.same_as(other.quantity) and all(fit(one, other) for fit in fits)


def _conditions_fit(one: _Stated, other: _Stated) -> bool:
    """Thirty minutes by day are not thirty minutes at night."""
    pairs = ((one.times, other.times), (one.airspace, other.airspace))
    return all(not ours or not theirs or ours & theirs for ours, theirs in pairs)


def _datums_fit(one: _Stated, other: _Stated) -> bool:
    pair = {one.quantity.datum, other.quantity.datum}
    return None in pair or len(pair) == 1 or pair <= {"msl", "fl"} or pair <= {"agl", "airport"}


def _sides_fit(one: _Stated, other: _Stated) -> bool:
    return one.side * other.side >= 0


def _directions_fit(one: _Stated, other: _Stated) -> bool:
    pair = {one.quantity.direction, other.quantity.direction}
    return None in pair or len(pair) == 1


def _is_height(quantity: Quantity) -> bool:
    """A height that bounds a band; without a datum, a limit of 1,000 feet or more."""
    if quantity.datum is None and quantity.unit == "ft" and not quantity.direction:
        return quantity.comparator != "=" and quantity.value >= 1000
    return quantity.datum in ("msl", "agl", "airport", "fl")


def _kind_of(quantity: Quantity) -> str:
    """Miles and feet are both lengths, but a visibility is no rival of a cloud clearance. Days are rivals of months."""
    if quantity.unit in ("sm", "nm", "mile", "km"):
        return "distance"
    dimension = dimension_of(quantity.unit)
    return "time" if dimension == "calendar" else dimension


_FAULTS: Final[tuple[tuple[_Rule, Fault], ...]] = (
    (
        lambda one, other: (
            one.quantity.same_as(other.quantity)
            and _datums_fit(one, other)
            and not _directions_fit(one, other)
        ),
        "direction",
    ),
    (
        lambda one, other: (
            one.quantity.same_as(other.quantity) and _datums_fit(one, other) and not _sides_fit(one, other)
        ),
        "comparator",
    ),
    (
        lambda one, other: one.quantity.same_as(other.quantity) and not _datums_fit(one, other),
        "datum",
    ),
    (
        lambda one, other: (
            bool(one.quantity.unit and other.quantity.unit)
            and one.quantity.unit != other.quantity.unit
            and (one.quantity.value, one.quantity.high) == (other.quantity.value, other.quantity.high)
        ),
        "unit",
    ),
    (
        lambda one, other: one.quantity.same_as(other.quantity) and not _conditions_fit(one, other),
        "condition",
    ),
    (  # an amount of the same kind in the same role, or a bare number against a bare number
        lambda one, other: (
            bool(one.quantity.unit) == bool(other.quantity.unit)
            and _kind_of(one.quantity) == _kind_of(other.quantity)
            and _directions_fit(one, other)
            and _is_height(one.quantity) == _is_height(other.quantity)
        ),
        "number",
    ),
)
"""In this order: a pair that has one fault is not looked at for the next."""

# --- Clauses, conditions and words -------------------------------------------------------------------------------

_OPPOSED_MODALITIES: Final = ({"must", "not_required"}, {"may", "may_not"}, {"not_required", "may_not"})


def _opposed_clauses(claimed: str, source: str, pairs: Sequence[_Pair]) -> Iterator[Contradiction]:
    """Clauses about the same thing that deny what the other affirms."""
    turned = [(one.quantity, other.quantity) for one, other in pairs if one.denied != other.denied]
    for ours in clauses_of(_PHRASES["amount ruled out"].sub("", claimed)):
        theirs = _counterpart_of(ours, source)
        if theirs is None:
            continue
        if not negations_in(ours):
            # "No person may … unless …" allows what it denies; it decides nothing about a plain statement.
            following = source[source.find(theirs) + len(theirs) :].lstrip(" ,")
            if _PHRASES["condition"].search(theirs) or _PHRASES["condition"].match(following):
                continue
        turns = any(one.text in ours and other.text in theirs for one, other in turned)
        modalities = {modality_of(ours), modality_of(theirs)}
        is_waived = modalities in _OPPOSED_MODALITIES and "not_required" in modalities
        if is_waived or (negations_in(ours) + negations_in(theirs) + turns) % 2:
            yield Contradiction("negation", ours, theirs)


def _counterpart_of(clause: str, source: str) -> str | None:
    """The source's clause about the same thing, if there is one."""
    words = set(content_words(clause))
    best: tuple[float, str] = (0.0, "")
    for candidate in clauses_of(source):
        others = set(content_words(candidate))
        shared = len(words & others)
        if shared >= 2:
            best = max(best, (shared / min(len(words), len(others)), candidate))
    return best[1] if best[0] >= SAME_SUBJECT else None


def _opposed_conditions(claimed: str, source: str) -> Iterator[Contradiction]:
    """Conditions of one kind that both texts name and that have nothing in common."""
    for ours, theirs in zip(_named_by_kind(claimed), _named_by_kind(source), strict=True):
        if ours and theirs and not ours & theirs:
            yield Contradiction("condition", " and ".join(sorted(ours)), " and ".join(sorted(theirs)))


def _named_by_kind(text: str) -> tuple[frozenset[str], ...]:
    """Times, airspace, rules and airports. A class of airspace says more than "controlled"."""
    named: Conditions = conditions_in(text)
    airspace = named.airspace - {"controlled", "uncontrolled"} or named.airspace
    return (named.times, airspace, named.rules, named.airports)


def _opposite_words(claimed: str, source: str) -> Iterator[Contradiction]:
    """One member of a pair of opposites in the claim and only the other in the source, about the same thing."""
    if len(set(content_words(claimed)) & set(content_words(source))) < 2:
        return
    ours, theirs = (f" {plain_words(normalize_text(text))}" for text in (claimed, source))
    for pair in opposite_beginnings():
        said = {word for word in pair if f" {word}" in ours}
        meant = {word for word in pair if f" {word}" in theirs}
        if len(said) == len(meant) == 1 and said != meant:
            yield Contradiction("opposite", *said, *meant)
