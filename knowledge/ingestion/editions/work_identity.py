"""Tell which documents are editions of one work, by how they are cited. Pure.

AC 90-66B and AC 90-66C are one circular, "PHAK, chapter 15" of 2016 and of 2023 one chapter. What names an edition (a
letter after the number, a year, a revision) is left out; what names a part of a work (a chapter, a section, a subpart)
stays. Two documents that cannot be told apart for certain are two works.
"""

import re
from calendar import month_name
from dataclasses import dataclass

from knowledge.standards.references import HANDBOOK_NUMBER, HANDBOOKS, without_edition
from knowledge.text.tokens import plain_words

NAMELESS = frozenset({"", "untitled", "document", "index", "page not found"})

_EDITION_WORDS = re.compile(
    rf"""\b(?:(?:first|second|third|fourth|fifth|sixth|\d+(?:st|nd|rd|th))\s+edition
           |(?:edition|ed\.|revision|rev\.?|version|change|chg)\s*(?:no\.?\s*)?[\dA-Z]{{0,4}}\b(?:[.-]\d+)*
           |v\d+(?:\.\d+)*
           |(?:{"|".join(month_name[1:])})(?:\s+\d{{1,2}},)?(?=\s+(?:19|20)\d\d)
           |\d{{4}}-\d{{2}}-\d{{2}}
           |(?:19|20)\d\d)\b""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """What of a document names its work."""

    doc_type: str
    abbreviation: str = ""
    title: str = ""
    edition: str = ""


def work_of(named: Named) -> str:
    """The same text for all editions of a work; empty if unknown."""
    keys = {
        "acs": _number_key,
        "ac": _number_key,
        "cfr": _regulation_key,
        "aim": _manual_key,
        "handbook": _handbook_key,
    }
    key = keys.get(named.doc_type, _title_key)(named)
    return f"{named.doc_type}: {key}" if key else ""


def bare_title(title: str) -> str:
    """A title without edition, case and punctuation: "Club Rules, 2nd edition (2026)" → "club rules"."""
    bare = _EDITION_WORDS.sub(" ", title.replace("’", "").replace("'", ""))
    return plain_words(bare)


def _number_key(named: Named) -> str:
    """Of a standard, or of a circular without its change ("CHG 1")."""
    if named.doc_type == "acs":
        return without_edition(named.abbreviation)
    number = re.sub(r"\s*\bCHG\s*\d+\b", "", named.abbreviation, flags=re.IGNORECASE)
    return without_edition(number) or _title_key(named)


def _regulation_key(named: Named) -> str:
    part = re.search(r"\bsubpart\s+([a-z]{1,2})\b|(?<!§)§++\s*+(\d+\.\d+)", named.title, re.IGNORECASE)
    place = (part[1] or part[2]).lower() if part else ""
    return f"{named.abbreviation.lower()} {place}".strip() if named.abbreviation else _title_key(named)


def _manual_key(named: Named) -> str:
    place = re.search(r"\bchapter (\d+), section (\d+)", named.title, re.IGNORECASE)
    return f"{place[1]}-{place[2]}" if place else _title_key(named)


def _handbook_key(named: Named) -> str:
    number = HANDBOOK_NUMBER.search(f"{named.edition} {named.abbreviation} {named.title}")
    name = named.abbreviation or (without_edition(number[0]) if number else "")
    name = HANDBOOKS.get(name, name).lower()  # a handbook may have been stored before it had a short name
    chapter = re.search(r"\b(?:chapter|ch\.)\s*(\d+)", named.title, re.IGNORECASE)
    if name and chapter:
        return f"{name} {int(chapter[1])}"
    return _named_title(name, HANDBOOK_NUMBER.sub(" ", named.title))


def _title_key(named: Named) -> str:
    return _named_title(named.abbreviation.lower(), named.title)


def _named_title(name: str, title: str) -> str:
    bare = bare_title(title)
    return "" if bare in NAMELESS else f"{name} {bare}".strip()
