"""Places claims in the cells of a decision table by what they say, and reads what each cell tells. Pure.

A claim stands in a cell only if it agrees with each of the cell's values and tells each of its facts; a fact that it
tells in two ways is not told. Nothing is filled in: a cell without a claim is empty.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from knowledge.decision_tables.table_data import (
    Cell,
    ChangingRule,
    Dimension,
    Fact,
    QuantityWanted,
    Table,
    Value,
)
from knowledge.grounding.applicability import kinds_in
from knowledge.text.conditions import conditions_in
from knowledge.text.quantities import (
    Quantity,
    cloud_clearance_of,
    format_quantity,
    quantities_in,
)

Amount = float | int | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A claim as a table reads it: its statement, and the paragraph that it is cited by, "14 CFR 91.155(a)"."""

    id: str
    statement: str
    reference: str
    exceptions: tuple[str, ...] = ()

    def stands_under(self, reference: str) -> bool:
        """Whether it is cited by this section or paragraph, or by one within it."""
        return self.reference == reference or self.reference.startswith(f"{reference}(")


@dataclass(frozen=True, slots=True)
class FactValue:
    """A fact as a value for programs and in words."""

    value: Amount
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FilledCell:
    """A cell with the claims that stand in it, and each fact in every way in which they tell it."""

    cell: Cell
    claims: tuple[Claim, ...] = ()
    values: dict[str, tuple[FactValue, ...]]

    @property
    def conflicts(self) -> tuple[str, ...]:
        """The facts that two claims tell differently."""
        return tuple(name for name, ways in self.values.items() if len(ways) > 1)


def fill_cells(table: Table, claims: Sequence[Claim]) -> list[FilledCell]:
    """Every cell of the table, in its order."""
    own = [
        claim
        for claim in claims
        if table.admits(claim.statement) and not any(changes_cells(rule, claim) for rule in table.exceptions)
    ]
    return [_fill_cell(table, cell, own) for cell in table.cells]


def changes_cells(rule: ChangingRule, claim: Claim) -> bool:
    """Whether the claim says this exception."""
    return claim.stands_under(rule.reference) and rule.fits(claim.statement)


def _fill_cell(table: Table, cell: Cell, claims: Sequence[Claim]) -> FilledCell:
    values: dict[str, tuple[FactValue, ...]] = {}
    placed = []
    for claim in claims:
        if not any(claim.stands_under(reference) for reference in cell.references) or not all(
            _fits_value(table.dimensions[name], value, claim.statement) for name, value in cell.where.items()
        ):
            continue
        facts = {name: read_fact(table.facts[name], claim.statement) for name in cell.facts}
        if any(found is None and not table.facts[name].optional for name, found in facts.items()):
            continue
        if not any(facts.values()):
            continue
        placed.append(claim)
        for name, found in facts.items():
            ways = values.get(name, ())
            if found and found.value not in {way.value for way in ways}:
                values[name] = (*ways, found)
    for name, ways in values.items():
        choices = table.facts[name].choices
        told_whole = {choices[way.value].adds_to for way in ways if way.value in choices}
        values[name] = tuple(way for way in ways if way.value not in told_whole)
    return FilledCell(cell=cell, claims=tuple(placed), values=values)


def _fits_value(dimension: Dimension, key: str, statement: str) -> bool:
    value: Value = dimension.values[key]
    if not value.fits(statement):
        return False
    if dimension.reads == "words":
        return True
    names = _names_read(dimension, statement)
    return key in names if names else value.silent


def _names_read(dimension: Dimension, statement: str) -> frozenset[str]:
    """The values of the dimension that the statement names."""
    said = conditions_in(statement)
    match dimension.reads:
        case "airspace":
            return frozenset(letter for letter in said.airspace if len(letter) == 1)
        case "band":
            keys = [band.key for band in said.bands if band.low_datum or band.high_datum]
            return frozenset(filter(None, ["_".join(keys)]))
        case "time":
            return said.times
        case "rules":
            return said.rules
        case _:
            return frozenset(
                kind.name
                for kind in kinds_in(statement)
                if kind.dimension == "category" and kind.name != "aircraft"
            )


def read_fact(fact: Fact, statement: str) -> FactValue | None:
    """What the statement tells of the fact; None where it tells nothing, or two things."""
    for key, choice in fact.choices.items():
        if choice.fits(statement):
            return FactValue(key, choice.title)
    found: list[FactValue] = []
    if fact.quantity:
        found = [_amount_as_value(one) for one in _quantities_wanted(fact.quantity, statement)]
    if fact.ordinal and not found:
        ordinals = re.findall(rf"\b(\d+)(?:st|nd|rd|th) (?:calendar )?{fact.ordinal}\b", statement)
        found = [FactValue(int(number), f"{number} {fact.ordinal}s") for number in ordinals]
    if fact.clearance and (clearance := cloud_clearance_of(statement)):
        found = [FactValue(*clearance)]
    if fact.rest_after and (phrase := fact.before_rest.find(statement)):
        rest = re.split(r"[;.](?:\s|$)|, (?:except|but|and of)\b", statement[phrase.end() :])[0].strip(" ,")
        found = [FactValue(rest, rest)] if rest else []
    values = {one.value for one in found}
    return found[0] if len(values) == 1 else None


def _quantities_wanted(wanted: QuantityWanted, statement: str) -> list[Quantity]:
    return [
        one
        for one in quantities_in(statement)
        if one.unit == wanted.unit
        and one.high is None
        and one.comparator in wanted.compare.split()
        and wanted.datum in ("", one.datum or "none")
        and wanted.side in ("", one.direction or "none")
        and (wanted.below is None or one.value < wanted.below)
        and (not wanted.next or wanted.following.begins(statement[one.span[1] :]))
    ]


def _amount_as_value(quantity: Quantity) -> FactValue:
    """The amount without its comparator: the fact's title says in which sense it is meant."""
    whole = int(quantity.value) if quantity.value == int(quantity.value) else quantity.value
    return FactValue(whole, format_quantity(replace(quantity, comparator="=")))
