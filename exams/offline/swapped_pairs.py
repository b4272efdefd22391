"""Two things exchanged: an answer that gives each of two places, codes or states what belongs to the other. Pure.

"Emergency is 7500 and hijack is 7700" has every word and figure of the rule, and is wrong. What belongs to what is read
from the order of the words alone, and only where things and values take turns; nothing is said of any other text.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Kind:
    """Things of one kind, and the values that they may have; each by the words that name it."""

    things: Mapping[str, re.Pattern[str]]
    values: Mapping[str, re.Pattern[str]]


def _named(**patterns: str) -> dict[str, re.Pattern[str]]:
    return {name: re.compile(rf"\b(?:{pattern})\b") for name, pattern in patterns.items()}


_COLOURS: Final = _named(red="red", green="green", white="white", blue="blue", yellow="yellow|amber")
KINDS: Final = (
    Kind(
        _named(c7500="7500", c7600="7600", c7700="7700", c1200="1200"),
        _named(
            emergency="emergency|emergencies|mayday|distress",
            hijack=r"hijack\w*|unlawful(?: interference)?|interference",
            radio=r"radios?(?: \w+)?|lost comm\w*|comm(?:s|unications?)?(?: \w+)?|nordo",
            vfr="vfr",
        ),
    ),
    Kind(_named(left="left|port", right="right|starboard"), _COLOURS),
    Kind(_named(taxiway="taxiways?", runway="runways?"), _COLOURS),
    Kind(
        _named(
            seven="seven|7(?: times| clicks)?",
            five="five(?! seconds)|5(?! seconds)",
            three="three|3(?: times| clicks)?",
        ),
        _named(high=r"high\w*|bright\w*|full", medium=r"medium|mid\w*|middle", low=r"low\w*|dim\w*"),
    ),
    Kind(
        _named(
            air="in(?: the)? air|in(?: the)? flight|airborne|flying",
            ground="on(?: the)? ground|on(?: the)? surface",
        ),
        _named(
            back="return(?: for landing| to land)?|come back",
            takeoff="take ?off",
            taxi=r"taxi\w*",
            land=r"land(?:ing)?",
            stop="stop",
            way="give way",
        ),
    ),
)
_PLAIN: Final = re.compile(r"[-–—/]")


def are_swapped(statement: str, answer: str) -> bool:
    """Whether the answer gives two things of the statement each what belongs to the other."""
    said, wanted = _plain(answer), _plain(statement)
    return any(_crossed(_pairs(kind, wanted), _pairs(kind, said)) for kind in KINDS)


def _plain(text: str) -> str:
    return " ".join(_PLAIN.sub(" ", text.lower()).split())


def _crossed(wanted: Mapping[str, str], said: Mapping[str, str]) -> bool:
    both = [thing for thing in wanted if thing in said]
    return any(
        wanted[one] != wanted[other] and (said[one], said[other]) == (wanted[other], wanted[one])
        for at, one in enumerate(both)
        for other in both[at + 1 :]
    )


def _pairs(kind: Kind, text: str) -> dict[str, str]:
    """What each thing has, by the text: the value after it, or before it where a value comes first. The last word on a
    thing counts."""
    found = sorted(_found(kind, text))
    found = [one for at, one in enumerate(found) if not at or one[0] >= found[at - 1][1]]
    if not found:
        return {}
    before = found[0][2] == "value"
    pairs: dict[str, str] = {}
    waiting = ""
    for _, _, what, name in found:
        if what == ("value" if before else "thing"):
            waiting = name
        elif waiting:
            thing, value = (name, waiting) if before else (waiting, name)
            pairs[thing] = value
            waiting = ""
    return pairs


def _found(kind: Kind, text: str) -> Iterator[tuple[int, int, str, str]]:
    """Start, end, "thing" or "value", and name of each that is named."""
    for what, patterns in (("thing", kind.things), ("value", kind.values)):
        for name, pattern in patterns.items():
            for match in pattern.finditer(text):
                yield match.start(), match.end(), what, name
