"""What pilots abbreviate and the FAA spells out: either may stand in a question or in a passage. Pure.

`SPELLED_OUT` is what every library begins with; a table (`glossary.py`) adds what documents spell out themselves and
what operators write, and says what no longer counts.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

SPELLED_OUT: Mapping[str, str] = {
    "ad": "airworthiness directive",
    "adiz": "air defense identification zone",
    "adm": "aeronautical decision making",
    "ads-b": "automatic dependent surveillance",
    "afm": "airplane flight manual",
    "agl": "above ground level",
    "airmet": "airmen's meteorological information",
    "ame": "aviation medical examiner",
    "artcc": "air route traffic control center",
    "asos": "automated surface observing system",
    "atc": "air traffic control",
    "atis": "automatic terminal information service",
    "awos": "automated weather observing system",
    "cas": "calibrated airspeed",
    "cfi": "flight instructor",
    "cfit": "controlled flight into terrain",
    "cg": "center of gravity",
    "crm": "crew resource management",
    "ctaf": "common traffic advisory frequency",
    "dme": "distance measuring equipment",
    "elt": "emergency locator transmitter",
    "fss": "flight service station",
    "gps": "global positioning system",
    "ias": "indicated airspeed",
    "ifr": "instrument flight rules",
    "ils": "instrument landing system",
    "imc": "instrument meteorological conditions",
    "lahso": "land and hold short",
    "mel": "minimum equipment list",
    "metar": "aviation routine weather report",
    "moa": "military operations area",
    "msl": "mean sea level",
    "mtr": "military training route",
    "nm": "nautical miles",
    "nordo": "no radio",
    "nas": "national airspace system",
    "notam": "notice to air missions",
    "papi": "precision approach path indicator",
    "pic": "pilot in command",
    "pirep": "pilot report",
    "poh": "pilot's operating handbook",
    "rnav": "area navigation",
    "sfra": "special flight rules area",
    "sigmet": "significant meteorological information",
    "sm": "statute miles",
    "srm": "single pilot resource management",
    "sua": "special use airspace",
    "svfr": "special vfr",
    "taf": "terminal aerodrome forecast",
    "tas": "true airspeed",
    "tfr": "temporary flight restriction",
    "trsa": "terminal radar service area",
    "vasi": "visual approach slope indicator",
    "vfr": "visual flight rules",
    "vmc": "visual meteorological conditions",
    "vor": "vhf omnidirectional range",
}


@dataclass(frozen=True)
class Glossary:
    """What short forms stand for, in small letters; a short form may stand for several things."""

    names: Mapping[str, tuple[str, ...]]
    _longest_first: tuple[tuple[str, str], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        pairs = [(name, short) for short, names in self.names.items() for name in names]
        ordered = tuple(sorted(pairs, key=lambda pair: (-len(pair[0]), pair)))
        object.__setattr__(self, "_longest_first", ordered)

    def wordings(self, short: str) -> tuple[str, ...]:
        """The short form and all that it stands for."""
        return (short, *self.names[short])

    def known(self, word: str) -> str:
        """The short form that a word in small letters is, its plural being one, too; "" for any other."""
        if word in self.names:
            return word
        single = word.removesuffix("s")
        return single if len(single) > 2 and single in self.names else ""

    def named_in(self, text: str) -> list[tuple[str, str]]:
        """The names that stand in a text of small letters, each with its short form; the longest first."""
        return [pair for pair in self._longest_first if pair[0] in text]


def glossary_of(pairs: Iterable[tuple[str, str]]) -> Glossary:
    """From short forms and what they stand for, in any letters; the same twice, or in the plural, counts once."""
    names: dict[str, list[str]] = {}
    for short, long in pairs:
        known = names.setdefault(short.lower(), [])
        if long.lower().removesuffix("s") not in {name.removesuffix("s") for name in known}:
            known.append(long.lower())
    return Glossary({short: tuple(some) for short, some in names.items()})


BUILT_IN = glossary_of(SPELLED_OUT.items())
