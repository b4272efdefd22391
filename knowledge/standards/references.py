"""A Task's references line becomes a list of references, and a reference finds the document that it names.

"14 CFR parts 61, 91; AC 68-1; FAA-H-8083-2, FAA-H-8083-25; POH/AFM" names two parts of a regulation, a
circular, two handbooks and an aircraft's own book. Pure: a document is known here only by how it is cited.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

# The handbooks that airplane standards refer to: the FAA's number without its edition, and the name in use.
HANDBOOKS: Mapping[str, str] = {
    "FAA-H-8083-1": "W&B",
    "FAA-H-8083-2": "RMH",
    "FAA-H-8083-3": "AFH",
    "FAA-H-8083-15": "IFH",
    "FAA-H-8083-23": "SEAPLANE",
    "FAA-H-8083-25": "PHAK",
    "FAA-H-8083-28": "AWH",
    "FAA-H-8083-32": "AMT Powerplant",
}
GLOSSARY = "P/CG"  # the Pilot/Controller Glossary is published with the AIM
AIRCRAFT_BOOKS = frozenset({"POH", "AFM", "POH/AFM", "POH/FLIGHT MANUAL", "FLIGHT MANUAL"})

_REGULATION = re.compile(r"^(?P<title>\d+ CFR)\b(?P<rest>[\d.,\s()§a-z]*)$", re.I)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_RULE = re.compile(r"(?P<part>\d+)\.\d+[a-z]?")
_CITED_PART = re.compile(r"(?:(?P<title>\d+) CFR)?(?:\s*(?:Parts?|§+)?\s*(?P<part>\d+))?", re.I)
_EDITION = re.compile(r"(?<=\d)[A-Z]$")


@dataclass(frozen=True, slots=True)
class Reference:
    """What a standard rests on: a document as the FAA cites it, and its part or section ("" = all of it)."""

    document: str
    section: str = ""

    def __str__(self) -> str:
        return f"{self.document} {self.section}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """How a document of the library is cited: what a reference can be compared with."""

    doc_type: str
    abbreviation: str = ""
    title: str = ""
    edition: str = ""


def parse_references(line: str) -> tuple[Reference, ...]:
    """The references of a line, in its order, each once; white space and empty places are of no account."""
    found: dict[Reference, None] = {}
    for group in re.split(r";", line):
        for reference in _references_in(" ".join(group.split())):
            found[reference] = None
    return tuple(found)


def _references_in(group: str) -> list[Reference]:
    regulation = _REGULATION.match(group)
    if regulation:
        return _regulations(regulation["title"].upper(), regulation["rest"])
    return [Reference(name.strip()) for name in group.split(",") if name.strip()]


def _regulations(title: str, rest: str) -> list[Reference]:
    numbers = _NUMBER.findall(rest)
    if not numbers:
        return [Reference(title)]
    return [Reference(title, f"§ {number}" if "." in number else f"part {number}") for number in numbers]


def without_edition(number: str) -> str:
    """The number of any edition: "FAA-H-8083-25C" → "FAA-H-8083-25"."""
    return _EDITION.sub("", number.strip().upper())


def names_document(reference: Reference, cited: Cited, section: str = "") -> bool:
    """Whether the reference speaks of this document, and, if `section` is given, of that section of it.

    Editions are not compared: a Task that names FAA-H-8083-25 is served by 25B and 25C alike.
    """
    name = without_edition(reference.document)
    if name.endswith(" CFR"):
        return cited.doc_type == "cfr" and _part_fits(reference, cited, section)
    if name in AIRCRAFT_BOOKS:
        return cited.doc_type == "poh"
    if name == "AIM":
        return cited.doc_type == "aim" or cited.abbreviation == GLOSSARY
    return name in _names_of(cited)


def _names_of(cited: Cited) -> set[str]:
    names = {without_edition(name) for name in (cited.abbreviation, cited.edition) if name}
    names |= {without_edition(number) for number in re.findall(r"FAA-[A-Z]-\d+(?:-\d+)?[A-Z]?", cited.title)}
    return names | {number for number, called in HANDBOOKS.items() if _is_called(cited.abbreviation, called)}


def _is_called(abbreviation: str, name: str) -> bool:
    """A chapter of a handbook is cited by the handbook's name: "PHAK ch. 15" is PHAK."""
    return f"{abbreviation} ".upper().startswith(f"{name} ".upper())


def _part_fits(reference: Reference, cited: Cited, section: str) -> bool:
    """A reference to a title speaks of all its parts, one to a part of all its sections."""
    known = _CITED_PART.search(cited.abbreviation)
    if known and known["title"] and known["title"] != reference.document.split()[0]:
        return False
    numbers = _NUMBER.findall(reference.section)
    if not numbers:
        return True
    rule = _RULE.match(section)
    if "." in numbers[0] and rule:
        return bool(numbers[0] == rule.group())
    part = rule["part"] if rule else known["part"] if known else ""
    return numbers[0].split(".")[0] == part if part else not section
