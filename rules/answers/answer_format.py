"""Format found rules as a plain-text answer, with a number at each country's words. Pure.

The text states only what a rule states: countries' own words, their sources, how they differ, and what is unknown. A
model may reword the lines; `verify` has checked its words first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rules import conf

CANNOT = (
    "This desk answers what is allowed, required or usual, and where airports are: by name, city or country, the"
    " nearest ones, elevations and distances. It has no data on runways, routes, fuel, fees, opening hours or the"
    " weather: look in the AIP or in a flight planning tool."
)
NO_FIT = "The rules that are loaded say nothing on this."
NEAR = "No rule answers exactly this; the nearest ones say:"
NEXT = "The nearest that is answered:"
OWN = "{name} (your school)"
SHARED = "{name} (shared)"
POINTS = "points elsewhere: “{said}”"
NO_ANSWER = "no answer to this question"


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleCitation:
    """The source of an answer's words. `quote` is the country's complete answer."""

    n: int
    country: str
    name: str
    question: str
    category: str
    quote: str
    links: tuple[str, ...]
    date_checked: str | None
    answer_id: str
    url: str

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "links": list(self.links)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """What a country answers, in its own words or a model's; `citations` are the numbers after them. A line that
    `points` elsewhere ("see AIP") is not an answer; one that is `shared` is shown below a school's own."""

    country: str
    name: str
    text: str = ""
    citations: tuple[int, ...] = ()
    links: tuple[str, ...] = ()
    missing: bool = False
    points: bool = False
    shared: bool = False
    marks: tuple[tuple[int, int], ...] = ()

    def in_words(self) -> str:
        if self.missing:
            said = f" (“{self.text}”)" if self.text else ""
            return f"{self.name}: {NO_ANSWER}{said}."
        shown = shorten_text(self.text, conf.LINE_LENGTH)
        numbers = "".join(f" [{n}]" for n in self.citations)
        unseen = [link for link in self.links if link not in shown]
        see = f" See {' '.join(unseen)}" if unseen else ""
        return f"{self.name}: {shown}{numbers}{see}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """One question with its lines, and why they differ."""

    id: str
    question: str
    category: str = ""
    lines: tuple[Line, ...] = ()
    why: str = ""

    def in_words(self) -> str:
        lines = [line.in_words() for line in self.lines]
        return "\n".join([self.question, *lines, *([f"How they differ: {self.why}"] if self.why else [])])

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """Messages to show besides the rules."""

    opening: str = ""
    missing_countries: tuple[str, ...] = ()
    unanswered: Mapping[str, Sequence[str]] = field(default_factory=dict)
    pointers: tuple[str, ...] = ()
    cannot: bool = False
    closing: str = ""


def answer_text(sections: Sequence[Section], notes: Notes) -> str:
    """The whole answer. `unanswered` has the names of countries by the question that they do not answer."""
    parts = [
        f"{listed_names(names)}: {NO_ANSWER}: {question}" for question, names in notes.unanswered.items()
    ]
    parts += ["\n".join(notes.pointers), notes.opening, *(section.in_words() for section in sections)]
    if notes.missing_countries:
        parts.append(f"There are no rules for {listed_names(notes.missing_countries)} in the data.")
    parts += [notes.closing, CANNOT if notes.cannot else ""]
    return "\n\n".join(part for part in parts if part)


def number_lines(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Number the lines that say something with their citations, one each, in order."""
    n, found = 1, []
    for section in sections:
        lines = []
        for line in section.lines:
            lines.append(line if line.missing else replace(line, citations=(n,)))
            n += not line.missing
        found.append(replace(section, lines=tuple(lines)))
    return tuple(found)


def shorten_text(text: str, characters: int) -> str:
    """The text on one line, cut between words if it is longer."""
    plain = " ".join(text.split())
    return plain if len(plain) <= characters else plain[:characters].rsplit(" ", 1)[0] + " …"


def listed_names(names: Sequence[str]) -> str:
    """ "France, Spain and Malta"."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def answer_url(answer_id: str) -> str:
    """The permanent address of one country's answer."""
    return f"/rules/answers/{answer_id}/"
