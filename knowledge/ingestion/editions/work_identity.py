"""Which documents are editions of one work, told by how they are cited. Pure.

AC 90-66B and AC 90-66C are one circular, "PHAK, chapter 15" of 2016 and of 2023 one chapter. What says which
edition it is (a letter behind the number, a year, a revision) is left out; what says which part of a work it is
(a chapter, a section, a subpart) stays. Two documents that cannot be told apart for certain are two works.
"""

import re
from dataclasses import dataclass

from knowledge.standards.references import without_edition

NAMELESS = frozenset({"", "untitled", "document", "index", "page not found"})

_CHANGE = re.compile(r"\s*\bCHG\s*\d+\b", re.IGNORECASE)
_CHAPTER = re.compile(r"\b(?:chapter|ch\.)\s*(\d+)", re.IGNORECASE)
_AIM_PLACE = re.compile(r"\bchapter (\d+), section (\d+)", re.IGNORECASE)
_PART_OF_RULE = re.compile(r"\bsubpart\s+([a-z]{1,2})\b|(?<!§)§++\s*+(\d+\.\d+)", re.IGNORECASE)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_EDITION_WORDS = re.compile(
    rf"""\b(?:(?:first|second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th))\s+edition
           |(?:edition|ed\.|revision|rev\.?|version|change|chg)\s*(?:no\.?\s*)?[\dA-Z]{{0,4}}\b(?:[.-]\d+)*
           |v\d+(?:\.\d+)*
           |(?:{_MONTHS})(?:\s+\d{{1,2}},)?(?=\s+(?:19|20)\d\d)
           |\d{{4}}-\d{{2}}-\d{{2}}
           |(?:19|20)\d\d)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_HANDBOOK_NUMBER = re.compile(r"FAA-H-8083-\d+(?:-\d)?[A-Z]?\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What of a document says which work it is."""

    doc_type: str
    abbreviation: str = ""
    title: str = ""
    edition: str = ""


def work_of(named: Named) -> str:
    """The same text for all editions of a work; empty where it cannot be told."""
    tell = _TELL.get(named.doc_type, _by_title)
    told = tell(named)
    return f"{named.doc_type}: {told}" if told else ""


def bare_title(title: str) -> str:
    """A title without its edition, case, punctuation: "Club Rules, 2nd edition (2026)" → "club rules"."""
    bare = _EDITION_WORDS.sub(" ", title.replace("’", "").replace("'", ""))
    return " ".join(re.findall(r"\w+", bare.lower()))


def _standard(named: Named) -> str:
    return without_edition(named.abbreviation)


def _circular(named: Named) -> str:
    return without_edition(_CHANGE.sub("", named.abbreviation)) or _by_title(named)


def _regulation(named: Named) -> str:
    part = _PART_OF_RULE.search(named.title)
    place = (part[1] or part[2]).lower() if part else ""
    return f"{named.abbreviation.lower()} {place}".strip() if named.abbreviation else _by_title(named)


def _manual(named: Named) -> str:
    place = _AIM_PLACE.search(named.title)
    return f"{place[1]}-{place[2]}" if place else _by_title(named)


def _handbook(named: Named) -> str:
    number = _HANDBOOK_NUMBER.search(f"{named.edition} {named.abbreviation} {named.title}")
    name = named.abbreviation.lower() or (without_edition(number[0]).lower() if number else "")
    chapter = _CHAPTER.search(named.title)
    if name and chapter:
        return f"{name} {int(chapter[1])}"
    title = _titled(_HANDBOOK_NUMBER.sub(" ", named.title))
    return f"{name} {title}".strip() if title else ""


def _by_title(named: Named) -> str:
    title = _titled(named.title)
    return f"{named.abbreviation.lower()} {title}".strip() if title else ""


def _titled(title: str) -> str:
    bare = bare_title(title)
    return "" if bare in NAMELESS else bare


_TELL = {
    "acs": _standard,
    "ac": _circular,
    "cfr": _regulation,
    "aim": _manual,
    "handbook": _handbook,
}
