"""Parse the references line of a Task, and tell which document a reference names. Pure.

"14 CFR parts 61, 91; AC 68-1; FAA-H-8083-2, FAA-H-8083-25; POH/AFM" names two parts of a regulation, an advisory
circular, two handbooks, and the aircraft's own manual. A document is known here only by how it is cited.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

# The handbooks that pilots call by a short name, by the FAA's number without its edition.
HANDBOOKS: Mapping[str, str] = {
    "FAA-H-8083-1": "W&B",
    "FAA-H-8083-2": "RMH",
    "FAA-H-8083-3": "AFH",
    "FAA-H-8083-9": "AIH",
    "FAA-H-8083-15": "IFH",
    "FAA-H-8083-16": "IPH",
    "FAA-H-8083-23": "SEAPLANE",
    "FAA-H-8083-25": "PHAK",
    "FAA-H-8083-28": "AWH",
    "FAA-H-8083-32": "AMT Powerplant",
}
HANDBOOK_NUMBER = re.compile(r"(?<![^\W_])FAA-H-8083-\d{1,2}(?:-\d)?[A-Z]?\b")
"""The FAA's number of a handbook, also behind an underscore: a title may be the name of a file."""
GLOSSARY = "P/CG"  # the Pilot/Controller Glossary is published with the AIM
AIRCRAFT_BOOKS = frozenset({"POH", "AFM", "POH/AFM", "POH/FLIGHT MANUAL", "FLIGHT MANUAL"})

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


@dataclass(frozen=True, slots=True)
class Reference:
    """A document as the FAA cites it, and its part or section ("" for all of it)."""

    document: str
    section: str = ""

    def __str__(self) -> str:
        return f"{self.document} {self.section}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cited:
    """How a document of the library is cited."""

    doc_type: str
    abbreviation: str = ""
    title: str = ""
    edition: str = ""


def parse_references(line: str) -> tuple[Reference, ...]:
    """The references of a line in order, without repetitions. White space and empty items are ignored."""
    found: dict[Reference, None] = {}
    for group in line.split(";"):
        group = " ".join(group.split())
        if regulation := re.match(r"(\d+ CFR)\b([\d.,\s()§a-z]*)$", group, re.IGNORECASE):
            title = regulation[1].upper()
            sections = [f"§ {one}" if "." in one else f"part {one}" for one in _NUMBER.findall(regulation[2])]
            found |= dict.fromkeys(Reference(title, section) for section in sections or [""])
        else:
            found |= dict.fromkeys(Reference(name.strip()) for name in group.split(",") if name.strip())
    return tuple(found)


@lru_cache(maxsize=8192)
def without_edition(number: str) -> str:
    """The number without its edition: "FAA-H-8083-25C" → "FAA-H-8083-25"."""
    return re.sub(r"(?<=\d)[A-Z]$", "", number.strip().upper())


def names_document(reference: Reference, cited: Cited, section: str = "") -> bool:
    """Whether the reference names this document and, if `section` is given, that section of it.

    Editions are not compared: FAA-H-8083-25 names 25B and 25C alike.
    """
    name = without_edition(reference.document)
    if name.endswith(" CFR"):
        return cited.doc_type == "cfr" and _names_part(reference, cited, section)
    if name in AIRCRAFT_BOOKS:
        return cited.doc_type == "poh"
    if name == "AIM":
        return cited.doc_type == "aim" or cited.abbreviation == GLOSSARY
    if name in _numbers_of(cited.abbreviation, cited.edition, cited.title):
        return True
    # A chapter of a handbook is cited by the handbook's name: "PHAK ch. 15" is PHAK.
    short = HANDBOOKS.get(name)
    return short is not None and f"{cited.abbreviation} ".upper().startswith(f"{short} ".upper())


@lru_cache(maxsize=8192)
def _numbers_of(abbreviation: str, edition: str, title: str) -> frozenset[str]:
    """The numbers by which a document may be cited. A library is compared with every reference of a standard."""
    numbers = [abbreviation, edition, *re.findall(r"FAA-[A-Z]-\d+(?:-\d+)?[A-Z]?", title)]
    return frozenset(without_edition(number) for number in numbers if number)


def _names_part(reference: Reference, cited: Cited, section: str) -> bool:
    """A reference to a title names all its parts; a reference to a part names all its sections."""
    known = re.search(r"(?:(\d+) CFR)?(?:\s*(?:Parts?|§+)?\s*(\d+))?", cited.abbreviation, re.IGNORECASE)
    if known and known[1] and known[1] != reference.document.split()[0]:
        return False
    numbers = _NUMBER.findall(reference.section)
    if not numbers:
        return True
    rule = re.match(r"(\d+)\.\d+[a-z]?", section)
    if "." in numbers[0] and rule:
        return bool(numbers[0] == rule.group())
    part = rule[1] if rule else known[2] if known else ""
    return numbers[0].split(".")[0] == part if part else not section
