"""Paragraphs of tables of contents and of indexes become known as such. Pure.

A page lists others when it is headed so, or follows one that is, and most of its lines end with a page's number. What
it lists is found better where it is: such passages are kept, and no search gives them.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Literal

from knowledge.ingestion.document_model import PageText, Paragraph

LEAST_ENTRIES = 6  # lines of a page that end with a page's number
LISTED_SHARE = 0.5  # of its lines that do
LONG_HEADING = 40  # characters: a longer line that begins with "Contents" or "Index" is text

_HEADS: dict[Literal["toc", "index"], re.Pattern[str]] = {
    "toc": re.compile(
        r"(?:table of\s+|list of\s+)?(?:contents|figures|tables|illustrations)\Z", re.IGNORECASE
    ),
    "index": re.compile(r"(?:subject\s+|alphabetical\s+)?index\Z", re.IGNORECASE),
}
_REFERENCE = r"(?:[A-Z]{0,2}-?\d{1,4}(?:[-–.]\d{1,4}){0,2}|[ivxl]{1,6})"
_ENTRY = re.compile(rf"\S.*?[\s.,…]{_REFERENCE}(?:,\s*{_REFERENCE})*\Z")


def with_listings(paragraphs: Sequence[Paragraph], pages: Sequence[PageText]) -> tuple[Paragraph, ...]:
    """The paragraphs, those of tables of contents and of indexes with that kind; their headings stay headings."""
    listing = dict(_listing_pages(paragraphs, pages))
    return tuple(
        replace(found, kind=listing[found.page])
        if found.page in listing and not _head_of(found) and found.kind != "heading"
        else found
        for found in paragraphs
    )


def _listing_pages(
    paragraphs: Sequence[Paragraph], pages: Sequence[PageText]
) -> Iterator[tuple[int, Literal["toc", "index"]]]:
    heads: dict[int, Literal["toc", "index"]] = {}
    for paragraph in paragraphs:
        head = _head_of(paragraph)
        if head and paragraph.page:
            heads.setdefault(paragraph.page, head)
    before: Literal["toc", "index"] | None = None
    for page in pages:
        kind = heads.get(page.number, before)
        before = kind if kind and _lists_pages(page) else None
        if before:
            yield page.number, before


def _head_of(paragraph: Paragraph) -> Literal["toc", "index"] | None:
    text = paragraph.text.strip(" .:")
    if len(text) > LONG_HEADING:
        return None
    return next((kind for kind, head in _HEADS.items() if head.match(text)), None)


def _lists_pages(page: PageText) -> bool:
    """Counted by printed rows: an entry and its number may be two lines beside each other."""
    rows: dict[int, list[str]] = defaultdict(list)
    for line, column in zip(page.lines, page.column_of or (0,) * len(page.lines), strict=True):
        rows[round(line.bbox[3]) * 1000 + column].append(line.text)
    entries = sum(bool(_ENTRY.match(" ".join(texts))) for texts in rows.values())
    return entries >= LEAST_ENTRIES and entries >= LISTED_SHARE * len(rows)
