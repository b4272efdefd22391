"""Two texts become a comparison of their facts: which numbers, units, datums, comparators, negations agree.

`compare` asks whether what was claimed can stand beside the source. It does not ask whether the claim says
enough in words: that is the business of entailment and of the assessor. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from knowledge import conf
from knowledge.text.conditions import Conditions, conditions_in, local_conditions
from knowledge.text.modality import clauses_of, is_denied_at, modality_of, negations_in
from knowledge.text.numbers import plain
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.text_cache import kept
from knowledge.text.tokens import content_words
from knowledge.text.units import dimension_of

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


_SENTENCES: dict[Fault, str] = {
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
    """`agree` is true where nothing contradicts. `missing` are the source's quantities that the claim does
    not state, `extra` the claim's that the source does not state and does not contradict either, `matched`
    the rest."""

    contradictions: tuple[Contradiction, ...] = ()
    missing: tuple[Quantity, ...] = ()
    extra: tuple[Quantity, ...] = ()
    matched: tuple[Quantity, ...] = ()

    @property
    def agree(self) -> bool:
        return not self.contradictions


@dataclass(frozen=True, slots=True)
class _Stated:
    """A quantity with the comparator it has once the clause's negation is applied."""

    quantity: Quantity
    side: int  # -1 an upper limit, 1 a lower limit, 0 neither
    denied: bool = False  # a negation governs it: no person may fly below 500 feet is a lower limit
    ruled_out: bool = False  # said only to be set aside: "1 mile, not 3 miles"
    times: frozenset[str] = frozenset()  # by day, at night: what its own part of the sentence says
    airspace: frozenset[str] = frozenset()


_Pair = tuple[_Stated, _Stated]
_Rule = Callable[[_Stated, _Stated], bool]


_SIDES = {">=": 1, ">": 1, "<=": -1, "<": -1, "=": 0}


def compare(claimed: str, source: str) -> FactComparison:
    """Compare the facts of a claim (or an answer) with those of its source. The order of either's facts is
    free."""
    ours, theirs = _stated(claimed), _stated(source)
    denied = [item for item in ours if item.ruled_out]
    pairs, rest, open_ = _pair([item for item in ours if not item.ruled_out], theirs, _fully_agree)
    wrong = [*_denied_facts(denied, theirs, [other for _, other in pairs])]
    for fault, kind in _FAULTS:
        faulty, rest, open_ = _pair(rest, open_, fault)
        wrong += [_contradiction(kind, one, other) for one, other in faulty]
    repeats = [item for item in rest if any(_fully_agree(item, other) for other in theirs)]
    wrong += [
        *_wrong_clauses(claimed, source, pairs),
        *_wrong_conditions(claimed, source),
        *_opposites(claimed, source),
    ]
    return FactComparison(
        tuple(wrong),
        missing=tuple(item.quantity for item in open_),
        extra=tuple(item.quantity for item in rest if item not in repeats),
        matched=tuple(one.quantity for one, _ in pairs) + tuple(item.quantity for item in repeats),
    )


def _contradiction(kind: Fault, one: _Stated, other: _Stated) -> Contradiction:
    if kind == "condition":
        return Contradiction(kind, _with_conditions(one), _with_conditions(other))
    return Contradiction(kind, one.quantity.text, other.quantity.text)


def _with_conditions(stated: _Stated) -> str:
    classes = [f"Class {letter}" for letter in sorted(stated.airspace)]
    return f"{stated.quantity.text.strip()} ({', '.join([*sorted(stated.times), *classes])})"


_RULED_OUT = re.compile(r"(?<![a-z])(?:not|rather than|instead of)(?: the| a| just| only)? ?$")


@kept
def _stated(text: str) -> tuple[_Stated, ...]:
    said = plain(text)
    quantities = quantities_in(text)[: conf.AMOUNTS_COMPARED]
    flipped = _flipped(said, quantities)
    return tuple(_state(text, quantity, quantity in flipped) for quantity in quantities)


def _state(text: str, quantity: Quantity, denied: bool) -> _Stated:
    ruled_out = quantity.comparator == "=" and bool(
        _RULED_OUT.search(plain(text[max(0, quantity.span[0] - 40) : quantity.span[0]]))
    )
    side = _SIDES[quantity.comparator]
    near = local_conditions(text, quantity.span)
    return _Stated(quantity, -side if denied else side, denied, ruled_out, near.times, near.airspace)


def _flipped(said: str, quantities: Sequence[Quantity]) -> list[Quantity]:
    """The limits that a negation turns round: "no person may fly below 500 feet" is a lower limit.

    Where one negation governs several limits, bands of height and radii ("within 2,000 feet") only say where.
    """
    governed = [
        q
        for q in quantities
        if _SIDES[q.comparator]
        and not _own_negation(q)
        and is_denied_at(said, q.span[0])
        and not _BUT_FOR.search(_sentence_before(said, q.span[0]))
        and not _in_brackets(said, q.span[0])
    ]
    if len(governed) <= 1:
        return governed
    turned = [q for q in governed if not _is_height(q) and not plain(q.text).startswith("within")]
    return turned or governed[:1]


_BUT_FOR: Final = re.compile(r"\b(?:unless|until)\b")
"""What stands behind it is required: "no person may fly unless within 90 days that person has …"."""


def _in_brackets(said: str, place: int) -> bool:
    """A definition in brackets is denied by nothing around it."""
    return said.rfind("(", 0, place) > said.rfind(")", 0, place)


def _sentence_before(said: str, place: int) -> str:
    return re.split(r"[.;!?]\s", said[:place])[-1]


_CONDITION: Final = re.compile(r"\b(?:unless|until|provided|need not)\b")


def _own_negation(quantity: Quantity) -> bool:
    return bool(re.search(r"\b(?:not?|never|cannot)\b|n't", plain(quantity.text)))


def _pair(
    ours: Sequence[_Stated], theirs: Sequence[_Stated], rule: _Rule
) -> tuple[list[_Pair], list[_Stated], list[_Stated]]:
    """Pairs that the rule accepts, closest first, each side used once; then what is left of either side."""
    candidates = [
        (_closeness(one, other), i, j)
        for i, one in enumerate(ours)
        for j, other in enumerate(theirs)
        if rule(one, other)
    ]
    used_ours: set[int] = set()
    used_theirs: set[int] = set()
    pairs: list[_Pair] = []
    for _, i, j in sorted(candidates, key=lambda item: (-item[0], item[1], item[2])):
        if i not in used_ours and j not in used_theirs:
            used_ours.add(i)
            used_theirs.add(j)
            pairs.append((ours[i], theirs[j]))
    left_ours = [item for i, item in enumerate(ours) if i not in used_ours]
    return pairs, left_ours, [item for j, item in enumerate(theirs) if j not in used_theirs]


def _closeness(one: _Stated, other: _Stated) -> int:
    ours, theirs = one.quantity, other.quantity
    alike = (
        ours.unit == theirs.unit,
        ours.datum == theirs.datum,
        ours.direction == theirs.direction,
        one.side == other.side,
    )
    return sum(alike)


def _fully_agree(one: _Stated, other: _Stated) -> bool:
    same = one.quantity.same_as(other.quantity)
    fits = _datums_fit(one, other) and _sides_fit(one, other) and _directions_fit(one, other)
    return same and fits and _conditions_fit(one, other)


def _conditions_fit(one: _Stated, other: _Stated) -> bool:
    """Thirty minutes by day are not thirty minutes at night."""
    pairs = ((one.times, other.times), (one.airspace, other.airspace))
    return all(not ours or not theirs or ours & theirs for ours, theirs in pairs)


def _other_condition(one: _Stated, other: _Stated) -> bool:
    return one.quantity.same_as(other.quantity) and not _conditions_fit(one, other)


def _datums_fit(one: _Stated, other: _Stated) -> bool:
    pair = {one.quantity.datum, other.quantity.datum}
    return None in pair or len(pair) == 1 or pair <= {"msl", "fl"} or pair <= {"agl", "airport"}


def _sides_fit(one: _Stated, other: _Stated) -> bool:
    return one.side * other.side >= 0


def _directions_fit(one: _Stated, other: _Stated) -> bool:
    pair = {one.quantity.direction, other.quantity.direction}
    return None in pair or len(pair) == 1


def _swapped_direction(one: _Stated, other: _Stated) -> bool:
    return (
        one.quantity.same_as(other.quantity) and _datums_fit(one, other) and not _directions_fit(one, other)
    )


def _turned_limit(one: _Stated, other: _Stated) -> bool:
    return one.quantity.same_as(other.quantity) and _datums_fit(one, other) and not _sides_fit(one, other)


def _other_datum(one: _Stated, other: _Stated) -> bool:
    return one.quantity.same_as(other.quantity) and not _datums_fit(one, other)


def _other_unit(one: _Stated, other: _Stated) -> bool:
    ours, theirs = one.quantity, other.quantity
    both = bool(ours.unit and theirs.unit) and ours.unit != theirs.unit
    return both and ours.value == theirs.value and ours.high == theirs.high


def _other_number(one: _Stated, other: _Stated) -> bool:
    """An amount of the same kind in the same role, or a bare number against a bare number."""
    ours, theirs = one.quantity, other.quantity
    if bool(ours.unit) != bool(theirs.unit):
        return False
    return (
        _kind(ours) == _kind(theirs)
        and _directions_fit(one, other)
        and _is_height(ours) == _is_height(theirs)
    )


def _is_height(quantity: Quantity) -> bool:
    """A height that bounds a band; one without a datum, if it is a limit of 1,000 feet or more."""
    if quantity.datum is None and quantity.unit == "ft" and not quantity.direction:
        return quantity.comparator != "=" and quantity.value >= 1000
    return quantity.datum in ("msl", "agl", "airport", "fl")


def _kind(quantity: Quantity) -> str:
    """Miles and feet are both lengths, but a visibility is no rival of a cloud clearance; days are rivals
    of months."""
    if quantity.unit in ("sm", "nm", "mile", "km"):
        return "distance"
    dimension = dimension_of(quantity.unit)
    return "time" if dimension == "calendar" else dimension


_FAULTS: tuple[tuple[_Rule, Fault], ...] = (
    (_swapped_direction, "direction"),
    (_turned_limit, "comparator"),
    (_other_datum, "datum"),
    (_other_unit, "unit"),
    (_other_condition, "condition"),
    (_other_number, "number"),
)


def _denied_facts(
    denied: Sequence[_Stated], theirs: Sequence[_Stated], met: Sequence[_Stated]
) -> Iterator[Contradiction]:
    """“Not 3 miles” contradicts a source that says 3 miles, unless the claim says it elsewhere."""
    for one in denied:
        for other in theirs:
            if other not in met and one.quantity.same_as(other.quantity):
                yield Contradiction("negation", f"not {one.quantity.text}", other.quantity.text)


_OPPOSED_MODALITIES = ({"must", "not_required"}, {"may", "may_not"}, {"not_required", "may_not"})


def _wrong_clauses(claimed: str, source: str, pairs: list[_Pair]) -> Iterator[Contradiction]:
    """Clauses about the same thing that deny what the other affirms."""
    flipped = [pair for pair in pairs if pair[0].denied != pair[1].denied]
    ruled_out = re.compile(r", (?:and )?not (?:the |a |just )?[\d½¼¾][^,.;]*")
    for ours in clauses_of(ruled_out.sub("", claimed)):
        theirs = _counterpart(ours, source)
        if theirs is None or (not negations_in(ours) and _on_a_condition(theirs, source)):
            continue
        turns = any(one.quantity.text in ours and other.quantity.text in theirs for one, other in flipped)
        if _is_denial(ours, theirs, turns):
            yield Contradiction("negation", ours, theirs)


def _on_a_condition(clause: str, text: str) -> bool:
    """Whether what the clause denies is allowed on a condition that follows: "no person may … unless …". Beside a plain
    statement such a clause decides nothing."""
    end = text.find(clause) + len(clause)
    return bool(_CONDITION.search(clause) or _CONDITION.match(text[end:].lstrip(" ,")))


def _is_denial(ours: str, theirs: str, turns: bool) -> bool:
    modalities = {modality_of(ours), modality_of(theirs)}
    odd = (negations_in(ours) + negations_in(theirs) + turns) % 2 == 1
    if modalities in _OPPOSED_MODALITIES:
        return odd or "not_required" in modalities
    return odd


def _counterpart(clause: str, source: str) -> str | None:
    """The source's clause about the same thing, if there is one."""
    words = set(content_words(clause))
    best: tuple[float, str] = (0.0, "")
    for candidate in clauses_of(source):
        others = set(content_words(candidate))
        smaller = min(len(words), len(others))
        share = len(words & others) / smaller if smaller else 0.0
        best = max(best, (share, candidate)) if len(words & others) >= 2 else best
    return best[1] if best[0] >= SAME_SUBJECT else None


def _wrong_conditions(claimed: str, source: str) -> Iterator[Contradiction]:
    """Conditions of one kind that both texts name and that have nothing in common."""
    ours, theirs = conditions_in(claimed), conditions_in(source)
    kinds = ("times", "airspace", "rules", "airports")
    for kind in kinds:
        said, meant = _named(ours, kind), _named(theirs, kind)
        if said and meant and not said & meant:
            yield Contradiction("condition", " and ".join(sorted(said)), " and ".join(sorted(meant)))


def _named(conditions: Conditions, kind: str) -> frozenset[str]:
    named: frozenset[str] = getattr(conditions, kind)
    if kind == "airspace":
        return named - {"controlled", "uncontrolled"} or named
    return named


_OPPOSITES = (
    ("increas", "decreas"),
    ("higher", "lower"),
    ("left", "right"),
    ("clockwise", "counterclockwise"),
    ("rich", "lean"),
    ("faster", "slower"),
    ("forward", "aft"),
    ("warm", "cold"),
    ("hot", "cold"),
    ("climb", "descend"),
    ("raise", "lower"),
    ("controlled", "uncontrolled"),
    ("valid", "expired"),
    ("before", "after"),
    ("longer", "shorter"),
    ("more dense", "less dense"),
    ("converg", "diverg"),
    ("rise", "fall"),
    ("northern", "southern"),
    ("steady", "flashing"),
    ("red", "green"),
    ("stable", "unstable"),
    ("gain", "lose"),
    ("deteriorat", "improv"),
    ("overestimat", "underestimat"),
)


def _opposites(claimed: str, source: str) -> Iterator[Contradiction]:
    """One member of a pair of opposites in the claim, only the other in the source, about the same thing."""
    ours, theirs = plain(claimed), plain(source)
    shared = set(content_words(claimed)) & set(content_words(source))
    if len(shared) < 2:
        return
    for pair in _OPPOSITES:
        said, meant = _members(pair, ours), _members(pair, theirs)
        if len(said) == len(meant) == 1 and said != meant:
            yield Contradiction("opposite", *said, *meant)


def _members(pair: tuple[str, str], text: str) -> set[str]:
    return {word for word in pair if re.search(rf"\b{word}", text)}
