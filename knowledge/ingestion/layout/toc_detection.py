"""Mark the paragraphs of tables of contents and of indexes. Pure.

A page is a listing if it has such a heading, or follows a page that is one, and most of its lines end with a page
number. Listings are kept, but searches do not return them, since the listed text itself is found.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from knowledge.ingestion.document_model import PageText, Paragraph

MIN_ENTRIES = 6  # lines of a page that end with a page number
ENTRY_SHARE = 0.5  # of its lines that do
LONG_HEADING = 40  # characters: a longer line that begins with "Contents" or "Index" is text

_Listing = Literal["toc", "index"]
_LISTED = ("contents", "figures", "tables", "illustrations")
_HEADINGS: Mapping[str, _Listing] = {
    **{f"{before}{listed}": "toc" for before in ("", "table of ", "list of ") for listed in _LISTED},
    **{f"{before}index": "index" for before in ("", "subject ", "alphabetical ")},
}
"""Headings of listings in lower case."""
_PAGE_NUMBER = r"(?:[A-Z]{0,2}-?\d{1,4}(?:[-–.]\d{1,4}){0,2}|[ivxl]{1,6})"
_ENTRY = re.compile(rf"\S.*?[\s.,…]{_PAGE_NUMBER}(?:,\s*{_PAGE_NUMBER})*\Z")


def mark_listings(paragraphs: Sequence[Paragraph], pages: Sequence[PageText]) -> tuple[Paragraph, ...]:
    """The paragraphs, those of listings with the kind "toc" or "index"; headings stay headings."""
    headings: dict[int, _Listing] = {}
    for paragraph in paragraphs:
        if paragraph.page and (listing := _listing_headed(paragraph)):
            headings.setdefault(paragraph.page, listing)
    kinds: dict[int | None, _Listing] = {}
    before: _Listing | None = None
    for page in pages:
        kind = headings.get(page.number, before)
        # Printed rows are counted: an entry and its number may be two lines beside each other.
        rows: dict[tuple[int, int], list[str]] = defaultdict(list)
        for line, column in zip(page.lines, page.column_of or (0,) * len(page.lines), strict=True):
            rows[round(line.bbox[3]), column].append(line.text)
        entries = sum(bool(_ENTRY.match(" ".join(texts))) for texts in rows.values()) if kind else 0
        before = kind if entries >= max(MIN_ENTRIES, ENTRY_SHARE * len(rows)) else None
        if before:
            kinds[page.number] = before
    return tuple(
        replace(found, kind=kinds[found.page])
        if found.page in kinds and found.kind != "heading" and not _listing_headed(found)
        else found
        for found in paragraphs
    )


def _listing_headed(paragraph: Paragraph) -> _Listing | None:
    """Of which kind of listing the paragraph is the heading."""
    text = paragraph.text.strip(" .:")
    return _HEADINGS.get(" ".join(text.lower().split())) if len(text) <= LONG_HEADING else None
