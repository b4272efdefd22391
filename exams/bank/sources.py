"""Parse the sources of key points: "14 CFR 61.57(a)(1)", "PHAK ch. 12: Thunderstorms", "14 CFR 91.125 “Steady green”".
Pure.

A source names a document, a numbered place in it, after a colon the heading or term to look under, and in quotation
marks words of the quote that is meant. This module does not know the library.
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
    words: str = ""  # of the quote that is meant; "…" stands for words left out

    @property
    def on_the_table(self) -> bool:
        """Whether it is an artifact of the item itself, such as a loading problem."""
        return self.document == "table"

    def __str__(self) -> str:
        chapter = "ch. " if self.document in CHAPTERED and self.place else ""
        named = f"{self.document} {chapter}{self.place}".strip() + self.paragraph
        under = f"{named}: {self.heading}" if self.heading else named
        return f"{under} “{self.words}”" if self.words else under


class SourceError(ValueError):
    """The text has no known form of a source; the message lists the forms."""


CHAPTERED: Final = frozenset(
    ("PHAK", "AFH", "AWH", "RMH", "IFH", "WBH", "AMT Powerplant", "HeyDPE Handbook", "Chart Users' Guide")
)
"""Handbooks, whose place is a chapter: "PHAK ch. 12"."""
PUBLICATIONS: Final = frozenset(("POH/AFM", "Chart Supplement", "49 CFR", "ACS"))
"""Named without a place of their own."""

_FORMS: Final = (
    r"(14 CFR|49 CFR) (\d{1,4}\.\d{1,4}[a-z]?)((?:\([A-Za-z0-9]{1,5}\))*)",
    r"(14 CFR|49 CFR) (part \d{1,4})()",
    r"(AIM) (\d{1,2}-\d{1,2}-\d{1,3})()",
    r"(AC \d{1,3}(?:-\d{1,4})?[A-Z]?)(?: (\d{1,2}(?:\.\d{1,3}){0,4}))?()",
    r"(P/CG)()()",
    r"(table) ([a-z0-9-]+)()",
)
"""Document, place and paragraph of each form."""


def parse_source(text: str) -> Source:
    """The source that a text names. Raises SourceError."""
    said = " ".join(text.split())
    # The words begin with a mark behind a space: “ATC Instructions—“Hold Short”” is a heading.
    quoted = re.fullmatch(r'(.+?) ["“](.*\w.*)["”]', said)
    place_named, words = quoted.groups() if quoted else (said, "")
    named, _, heading = (part.strip() for part in place_named.partition(": "))
    for form in _FORMS:
        if found := re.fullmatch(form, named):
            document, place, paragraph = found.groups(default="")
            return Source(document, place, paragraph, heading, words)
    document, _, chapter = named.partition(" ch. ")
    if document in CHAPTERED and (chapter.isdigit() or named == document):
        return Source(document, chapter, "", heading, words)
    if named in PUBLICATIONS:
        return Source(named, "", "", heading, words)
    raise SourceError(
        f"“{text}” names no source. Write one of: “14 CFR 91.155(a)”, “14 CFR 91.125 “Steady green”” with words of the "
        f"quote, “AIM 4-3-3”, “PHAK ch. 12: Thunderstorms”, “AC 90-66C 9.5”, “P/CG: WILCO”, “table <artifact>”, or one "
        f"of {', '.join(sorted(CHAPTERED | PUBLICATIONS))}."
    )
