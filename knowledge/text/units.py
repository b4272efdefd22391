"""Names of units become canonical units, and amounts in one unit become amounts in another.

Knows the units that rules for pilots are written in. Knows nothing of sentences, sources or verdicts.
Length in statute miles and in nautical miles are different amounts; a bare "mile" is left open, since a
rule about visibility means the statute and a rule about distance flown usually the nautical one.
"""

from __future__ import annotations

from dataclasses import dataclass

# Relative difference below which two converted amounts are one: pilots round (1 NM = 1.15 SM, 3 SM =
# 4.8 km).
SAME_AMOUNT = 0.006


@dataclass(frozen=True, slots=True)
class Unit:
    """A canonical unit: its dimension and the factor to that dimension's base."""

    name: str
    dimension: str
    factor: float


def _units(dimension: str, factors: dict[str, float]) -> dict[str, Unit]:
    return {name: Unit(name, dimension, factor) for name, factor in factors.items()}


# Factors are the legal definitions (foot 0.3048 m, statute mile 5280 ft, nautical mile 1852 m, inHg at 0
# degrees Celsius).
UNITS: dict[str, Unit] = (
    _units(
        "length",
        {"ft": 0.3048, "m": 1.0, "sm": 1609.344, "nm": 1852.0, "km": 1000.0, "in": 0.0254, "yd": 0.9144},
    )
    | _units("length?", {"mile": 1.0})
    | _units("time", {"second": 1 / 60, "min": 1.0, "hour": 60.0, "day": 1440.0, "week": 10080.0})
    | _units("calendar", {"month": 1.0, "calendar month": 1.0, "year": 12.0, "calendar year": 12.0})
    | _units("speed", {"kt": 1.852, "mph": 1.609344, "km/h": 1.0})
    | _units("climb", {"fpm": 1.0})
    | _units("pressure", {"inHg": 33.8639, "hPa": 1.0})
    | _units("frequency", {"MHz": 1.0, "kHz": 0.001})
    | _units("angle", {"deg": 1.0})
    | _units("temperature", {"C": 1.0, "F": 1.0})
    | _units("share", {"percent": 1.0})
    | _units("weight", {"lb": 0.45359237, "kg": 1.0})
    | _units("volume", {"gal": 3.785411784, "litre": 1.0, "qt": 0.946352946})
    | _units("load", {"g": 1.0})
    | _units("power", {"hp": 1.0})
)

# What is counted rather than measured: the word itself is the unit, and two different words never agree.
COUNTED = (
    "takeoff",
    "landing",
    "approach",
    "passenger",
    "person",
    "seat",
    "pilot",
    "crewmember",
    "flight",
    "engine",
    "turn",
    "occupant",
    "attendant",
    "copy",
    "observer",
    "instructor",
    "attempt",
    "task",
    "event",
    "bottle",
    "time",
    "degree of bank",
)

_SPELLINGS: dict[str, tuple[str, ...]] = {
    "ft": ("ft", "ft.", "foot", "feet", "'"),
    "m": ("meter", "meters", "metre", "metres"),
    "sm": ("sm", "statute mile", "statute miles", "statute mi", "statute-mile", "s.m."),
    "nm": ("nm", "nmi", "nautical mile", "nautical miles", "nautical mi", "nautical-mile", "n.m."),
    "mile": ("mile", "miles", "mi", "mi."),
    "km": ("km", "kilometer", "kilometers", "kilometre", "kilometres"),
    "in": ("inch", "inches"),
    "yd": ("yard", "yards"),
    "second": ("second", "seconds", "sec", "secs", "sec."),
    "min": ("minute", "minutes", "min", "mins", "min."),
    "hour": ("hour", "hours", "hr", "hrs", "hr.", "hrs."),
    "day": ("day", "days", "calendar day", "calendar days"),
    "week": ("week", "weeks"),
    "month": ("month", "months"),
    "calendar month": ("calendar month", "calendar months", "calendar-month", "calendar-months"),
    "year": ("year", "years"),
    "calendar year": ("calendar year", "calendar years"),
    "kt": ("kt", "kts", "knot", "knots", "kias", "ktas", "kcas"),
    "mph": ("mph", "m.p.h.", "miles per hour", "statute miles per hour"),
    "km/h": ("km/h", "kph", "kilometers per hour"),
    "fpm": ("fpm", "feet per minute", "ft/min"),
    "inHg": ("inhg", "in hg", "in. hg", "inches of mercury", "inches hg", "inches mercury", '" hg', "in-hg"),
    "hPa": ("hpa", "hectopascal", "hectopascals", "mb", "millibar", "millibars"),
    "MHz": ("mhz", "megahertz"),
    "kHz": ("khz", "kilohertz"),
    "deg": ("degree", "degrees", "deg", "°"),
    "C": ("°c", "° c", "degrees c", "degrees celsius", "degrees centigrade", "degree celsius", "celsius"),
    "F": ("°f", "° f", "degrees f", "degrees fahrenheit", "degree fahrenheit", "fahrenheit"),
    "percent": ("percent", "%", "per cent", "percentage points"),
    "lb": ("lb", "lbs", "lb.", "lbs.", "pound", "pounds"),
    "kg": ("kg", "kilogram", "kilograms"),
    "gal": ("gal", "gals", "gallon", "gallons"),
    "litre": ("liter", "liters", "litre", "litres"),
    "qt": ("quart", "quarts", "qt", "qts"),
    "g": ("g's", "gs", "g"),
    "hp": ("horsepower", "hp"),
}


def _plural(word: str) -> str:
    if word.endswith("copy"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith("ch") else "s")


CANONICAL: dict[str, str] = (
    {spelling: name for name, spellings in _SPELLINGS.items() for spelling in spellings}
    | {spelling: word for word in COUNTED for spelling in (word, _plural(word))}
    | {
        "people": "person",
        "take-off": "takeoff",
        "take-offs": "takeoff",
        "passenger seat": "seat",
        "passenger seats": "seat",
    }
)


def dimension_of(unit: str) -> str:
    """What is measured by the unit; a counted word is a dimension of its own, "" a bare number."""
    return UNITS[unit].dimension if unit in UNITS else unit


def convertible(one: str, other: str) -> bool:
    """Whether an amount in one unit can be said in the other. A bare mile can be either kind of mile."""
    if one in COUNTED or other in COUNTED:
        return one == other
    if "mile" in (one, other):
        return {one, other} <= {"mile", "sm", "nm"}
    if {one, other} == {"C", "F"}:
        return True
    return dimension_of(one) == dimension_of(other)


def convert(value: float, unit: str, to: str) -> float:
    """The amount in another unit. Raises ValueError where no conversion exists."""
    if unit == to or (convertible(unit, to) and "mile" in (unit, to)):
        return value
    if not convertible(unit, to):
        raise ValueError(f"{unit or 'a bare number'} cannot be said in {to or 'a bare number'}")
    if (unit, to) == ("C", "F"):
        return value * 9 / 5 + 32
    if (unit, to) == ("F", "C"):
        return (value - 32) * 5 / 9
    return value * UNITS[unit].factor / UNITS[to].factor


def same_amount(one: float, other: float, tolerance: float = SAME_AMOUNT) -> bool:
    """Whether two amounts in one unit are the same but for rounding."""
    return abs(one - other) <= tolerance * max(abs(one), abs(other)) + 1e-9
