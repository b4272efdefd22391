"""Tell which documents are editions of one work, by how they are cited. Pure.

AC 90-66B and AC 90-66C are one circular, "PHAK, chapter 15" of 2016 and of 2023 one chapter. What names an edition (a
letter after the number, a year, a revision) is left out; what names a part of a work (a chapter, a section, a subpart)
stays. Two documents that cannot be told apart for certain are two works.
"""

import re
from calendar import month_name

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


def work_of(doc_type: str, *, abbreviation: str = "", title: str = "", edition: str = "") -> str:
    """The same text for all editions of a work; empty if unknown. A title counts where no number tells the work."""
    name, own_title, key = abbreviation.lower(), title, ""
    match doc_type:
        case "acs":
            key = without_edition(abbreviation)
        case "ac":  # without its change ("CHG 1")
            key = without_edition(re.sub(r"\s*\bCHG\s*\d+\b", "", abbreviation, flags=re.IGNORECASE))
        case "cfr" if abbreviation:
            part = re.search(r"\bsubpart\s+([a-z]{1,2})\b|(?<!§)§++\s*+(\d+\.\d+)", title, re.IGNORECASE)
            key = f"{name} {(part[1] or part[2]).lower() if part else ''}".strip()
        case "aim":
            place = re.search(r"\bchapter (\d+), section (\d+)", title, re.IGNORECASE)
            key = f"{place[1]}-{place[2]}" if place else ""
        case "handbook":
            number = HANDBOOK_NUMBER.search(f"{edition} {abbreviation} {title}")
            short = abbreviation or (without_edition(number[0]) if number else "")
            name = HANDBOOKS.get(short, short).lower()  # it may have been stored before it had a short name
            chapter = re.search(r"\b(?:chapter|ch\.)\s*(\d+)", title, re.IGNORECASE)
            key = f"{name} {int(chapter[1])}" if name and chapter else ""
            own_title = HANDBOOK_NUMBER.sub(" ", title)
    bare = bare_title(own_title)
    if not key and doc_type != "acs" and bare not in NAMELESS:
        key = f"{name} {bare}".strip()
    return f"{doc_type}: {key}" if key else ""


def name_of_work(name: str) -> str:
    """A document's name without the edition at its end: "AC 90-66C CHG 1" is "AC 90-66", "Rules, 2nd edition (2026)"
    is "Rules"."""
    bare = re.sub(r"\s*\bCHG\s*\d+$", "", name.strip(), flags=re.IGNORECASE)
    at_end = rf"[\s,;(–—-]+(?:(?:{_EDITION_WORDS.pattern})[\s,()]*)+$"
    bare = re.sub(at_end, "", bare, flags=_EDITION_WORDS.flags)
    return re.sub(r"(?<=\d)[A-Z]$", "", bare) or name


def bare_title(title: str) -> str:
    """A title without edition, case and punctuation: "Club Rules, 2nd edition (2026)" → "club rules"."""
    bare = _EDITION_WORDS.sub(" ", title.replace("’", "").replace("'", ""))
    return plain_words(bare)
