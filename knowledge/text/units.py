"""Canonical units, the spellings of each, and conversion between them. The units stand in `units.csv`.

Statute and nautical miles are different amounts. A bare "mile" is left open: a rule about visibility means the statute
mile, and a rule about distance flown usually the nautical mile.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from knowledge.text.word_tables import read_rows

# Relative difference below which two converted amounts are one: pilots round (1 NM = 1.15 SM, 3 SM = 4.8 km).
SAME_AMOUNT = 0.006


@dataclass(frozen=True, slots=True)
class Unit:
    """A canonical unit: its dimension and the factor to that dimension's base. Factors are the legal definitions (foot
    0.3048 m, statute mile 5,280 ft, nautical mile 1,852 m, inHg at 0 °C).
    """

    name: str
    dimension: str
    factor: float


_ROWS = read_rows(Path(__file__).with_name("units.csv"))

UNITS: dict[str, Unit] = {
    row["unit"]: Unit(row["unit"], row["dimension"], float(row["factor"]))
    for row in _ROWS
    if row["dimension"] != "count"
}
COUNTED = frozenset(row["unit"] for row in _ROWS if row["dimension"] == "count")
"""What is counted and not measured. The word is the unit, and two words never agree."""

CANONICAL: dict[str, str] = {
    spelling: row["unit"] for row in _ROWS for spelling in row["spellings"].split("|")
}
"""The unit of each spelling."""

_WRITTEN = {row["unit"]: (row["singular"], row["plural"]) for row in _ROWS}


def unit_words(unit: str, value: float) -> str:
    """The unit as it is written out after the value."""
    singular, plural = _WRITTEN.get(unit, ("", ""))
    return (singular if value == 1 else plural) or unit


def dimension_of(unit: str) -> str:
    """What the unit measures. A counted word is a dimension of its own, and so is "", a bare number."""
    return UNITS[unit].dimension if unit in UNITS else unit


def are_convertible(one: str, other: str) -> bool:
    """Whether an amount in one unit can be said in the other. A bare mile can be either kind of mile."""
    if one in COUNTED or other in COUNTED:
        return one == other
    if "mile" in (one, other):
        return {one, other} <= {"mile", "sm", "nm"}
    return dimension_of(one) == dimension_of(other)


def convert_amount(value: float, unit: str, to: str) -> float:
    """The amount in another unit. Raises ValueError where no conversion exists."""
    if not are_convertible(unit, to):
        raise ValueError(f"{unit or 'a bare number'} cannot be converted to {to or 'a bare number'}.")
    if unit == to or "mile" in (unit, to):
        return value
    if (unit, to) == ("C", "F"):
        return value * 9 / 5 + 32
    if (unit, to) == ("F", "C"):
        return (value - 32) * 5 / 9
    return value * UNITS[unit].factor / UNITS[to].factor


def same_amount(one: float, other: float, tolerance: float = SAME_AMOUNT) -> bool:
    """Whether two amounts in one unit are the same but for rounding. `tolerance` is relative."""
    return abs(one - other) <= tolerance * max(abs(one), abs(other)) + 1e-9
