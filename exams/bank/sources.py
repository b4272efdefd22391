"""Where the fact of a key point is written: "14 CFR 61.57(a)(1)", "AIM 4-3-3", "PHAK ch. 12: Thunderstorms".

A source names a document, a place in it where the document has numbered ones, and after a colon the heading or term to
look under. Pure: whether the library holds the document is somebody else's question.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Source:
    """`document` is the abbreviation under which a library lists it; `place` is a section, paragraph or chapter."""

    document: str
    place: str = ""
    paragraph: str = ""  # "(a)(1)", of a section of 14 CFR
    heading: str = ""

    @property
    def on_the_table(self) -> bool:
        """Whether it is an artifact of the item itself, such as a loading problem whose result is expected."""
        return self.document == "table"

    def __str__(self) -> str:
        chapter = "ch. " if self.document in CHAPTERED and self.place else ""
        named = f"{self.document} {chapter}{self.place}".strip() + self.paragraph
        return f"{named}: {self.heading}" if self.heading else named


class SourceError(ValueError):
    """The text names no document of a form that is known; the message says which forms there are."""


CHAPTERED: Final = frozenset(
    ("PHAK", "AFH", "AWH", "RMH", "IFH", "WBH", "AMT Powerplant", "HeyDPE Handbook", "Chart Users' Guide")
)
"""Handbooks, whose place is a chapter: "PHAK ch. 12"."""
PUBLICATIONS: Final = frozenset(("POH/AFM", "Chart Supplement", "49 CFR", "ACS"))
"""Named without a place of their own."""

_FORMS: Final = (
    re.compile(
        r"^(?P<document>14 CFR|49 CFR) (?P<place>\d{1,4}\.\d{1,4}[a-z]?)(?P<paragraph>(?:\([A-Za-z0-9]{1,5}\))*)$"
    ),
    re.compile(r"^(?P<document>14 CFR|49 CFR) (?P<place>part \d{1,4})$"),
    re.compile(r"^(?P<document>AIM) (?P<place>\d{1,2}-\d{1,2}-\d{1,3})$"),
    re.compile(r"^(?P<document>AC \d{1,3}(?:-\d{1,4})?[A-Z]?)(?: (?P<place>\d{1,2}(?:\.\d{1,3}){0,4}))?$"),
    re.compile(r"^(?P<document>P/CG)$"),
    re.compile(r"^(?P<document>table) (?P<place>[a-z0-9-]+)$"),
)


def parse_source(text: str) -> Source:
    """The source that a text names. Raises SourceError."""
    named, _, heading = (part.strip() for part in " ".join(text.split()).partition(": "))
    for form in _FORMS:
        if found := form.match(named):
            parts = found.groupdict()
            return Source(parts["document"], parts.get("place") or "", parts.get("paragraph") or "", heading)
    document, _, chapter = named.partition(" ch. ")
    if document in CHAPTERED and (chapter.isdigit() or named == document):
        return Source(document, chapter, "", heading)
    if named in PUBLICATIONS:
        return Source(named, "", "", heading)
    raise SourceError(
        f"“{text}” names no source. Write one of: “14 CFR 91.155(a)”, “AIM 4-3-3”, “PHAK ch. 12: Thunderstorms”, "
        f"“AC 90-66C 9.5”, “P/CG: WILCO”, “table <artifact>”, or one of {', '.join(sorted(CHAPTERED | PUBLICATIONS))}."
    )
