"""The words of a question become filters: which document it names, and which section of it.

"14 CFR 91.155", "§ 91.155" and "91.155" name a regulation's section, "AIM 3-2-6" a paragraph, "PHAK chapter
15" a chapter. A frequency (121.5), an altimeter setting (29.92) and a visibility (1.5 SM) name nothing. Pure.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain

from knowledge.retrieval.values import Filters
from knowledge.standards.references import HANDBOOKS, without_edition

# Parts of 14 CFR that pilots cite by a bare number. 108 to 137 are left out: those numbers are also
# frequencies, so they need "§", "part" or "CFR" before them.
CITED_PARTS = frozenset({1, 23, 39, 43, 45, 47, 61, 67, 68, 71, 73, 91, 93, 95, 97, 103, 105, 107, 141, 142})

_NAMED = re.compile(
    r"(?:(?<!§)§++\s*+|\b(?:14\s*)?C\.?F\.?R\.?\s*(?:part\s*|section\s*|§+\s*)?|\bFARs?\s*(?:part\s*)?"
    r"|\bsection\s+|\bpart\s+)"
    r"(\d{1,3})(?:\.(\d{1,4}))?(?![\d-])",
    re.IGNORECASE,
)
_UNIT = r"(?!\s*(?:sm|nm|ft|feet|kts?|knots?|[mk]?hz|miles?|hours?|gal\w*|lbs?|inches|in\s?hg|percent|%|°))"
_BARE = re.compile(rf"(?<![\d.-])(\d{{1,3}})\.(\d{{1,4}})(?![\d.]*\d|-\d){_UNIT}", re.IGNORECASE)
_AIM_PARAGRAPH = re.compile(r"(?<![\d-])(\d{1,2}-\d{1,2}-\d{1,2})(?![\d-])")
_AIM = re.compile(r"\bAIM\b")
_CIRCULAR = re.compile(r"\bAC\s*(\d{1,3}-\d{1,3}[A-Z]?)\b")
_HANDBOOK = re.compile(rf"\b({'|'.join(map(re.escape, sorted(HANDBOOKS.values())))})\b")
_HANDBOOK_NUMBER = re.compile(r"\bFAA-H-8083-\d{1,2}[A-Z]?\b")
_CHAPTER = re.compile(r"\bch(?:apter|\.)?\s*(\d{1,2})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Mentions:
    """What a text names. `parts` are named without a section."""

    sections: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    paragraphs: tuple[str, ...] = ()
    aim: bool = False
    circulars: tuple[str, ...] = ()
    handbooks: tuple[str, ...] = ()
    chapter: str = ""

    @property
    def numbers(self) -> tuple[str, ...]:
        """Numbers that name exactly one section somewhere."""
        return (*self.sections, *self.paragraphs)


def mentions_in(text: str) -> Mentions:
    named = _NAMED.findall(text)
    chapter = _CHAPTER.search(text)
    numbers = (HANDBOOKS.get(without_edition(found), "") for found in _HANDBOOK_NUMBER.findall(text))
    return Mentions(
        sections=_once([f"{part}.{section}" for part, section in named if section], _bare_sections(text)),
        parts=_once([part for part, section in named if not section]),
        paragraphs=_once(_AIM_PARAGRAPH.findall(text)),
        aim=bool(_AIM.search(text)),
        circulars=_once(_CIRCULAR.findall(text)),
        handbooks=_once(_HANDBOOK.findall(text), filter(None, numbers)),
        chapter=chapter[1] if chapter else "",
    )


def _bare_sections(text: str) -> list[str]:
    return [f"{part}.{section}" for part, section in _BARE.findall(text) if int(part) in CITED_PARTS]


def _once(*lists: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(chain.from_iterable(lists)))


def filters_from(text: str) -> Filters:
    """The filters that a text implies; none where it names more than one kind of document."""
    named = mentions_in(text)
    kinds = [
        filters
        for present, filters in (
            (named.sections or named.parts, _regulation(named)),
            (named.paragraphs or named.aim, Filters(doc_types=("aim",), sections=named.paragraphs)),
            (named.circulars, Filters(doc_types=("ac",), abbreviation=_circular(named))),
            (named.handbooks, _handbook(named)),
        )
        if present
    ]
    return kinds[0] if len(kinds) == 1 else Filters()


def _regulation(named: Mentions) -> Filters:
    parts = tuple(f"{part}.*" for part in named.parts) if not named.sections else ()
    return Filters(doc_types=("cfr",), sections=(*named.sections, *parts))


def _circular(named: Mentions) -> str:
    return f"AC {without_edition(named.circulars[0])}" if named.circulars else ""


def _handbook(named: Mentions) -> Filters:
    if len(named.handbooks) != 1:
        return Filters()
    return Filters(doc_types=("handbook",), abbreviation=named.handbooks[0], chapter=named.chapter)
