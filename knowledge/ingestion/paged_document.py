"""Turn raw pages into a parsed document: layout, paragraphs, sections. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from knowledge.ingestion.document_model import (
    ChapterText,
    Description,
    OutlineEntry,
    PageText,
    ParsedDocument,
    RawPage,
    squeeze_spaces,
)
from knowledge.ingestion.formats.error_page_detection import refuse_error_page
from knowledge.ingestion.formats.metadata import describe_pages
from knowledge.ingestion.layout.chapters import find_chapters
from knowledge.ingestion.layout.headings import split_sections
from knowledge.ingestion.layout.page_lines import read_layout
from knowledge.ingestion.layout.paragraphs import build_paragraphs
from knowledge.ingestion.layout.toc_detection import mark_listings

ERROR_PAGES = 4  # printed pages at most of a site's "page not found", menus and all


def paged_document(
    pages: Sequence[RawPage],
    outline: Sequence[OutlineEntry] = (),
    *,
    given: Description | None = None,
    file_name: str = "",
    metadata: Mapping[str, str] = MappingProxyType({}),
) -> ParsedDocument:
    """A document with pages. `given` is what the operator said; the title page tells the rest."""
    ordered = read_layout(pages)
    title = metadata.get("title", "")
    if len(ordered) <= ERROR_PAGES:
        refuse_error_page(title, "\n".join(line.text for page in ordered for line in page.lines))
    told = describe_pages(ordered, file_name, title, metadata.get("subject", ""))
    chapters = find_chapters(ordered, outline)
    if chapters:  # a chapter that its first pages name is not what the whole file is
        told = replace(told, title=re.sub(r", chapter \d+.*", "", told.title))
    description = (given or Description()).over(told)
    return ParsedDocument(
        description=description,
        paged=True,
        pages=ordered,
        outline=tuple(outline),
        chapters=chapters,
        sections=tuple(
            section
            for part, chapter in _parts_of(ordered, chapters)
            for section in split_sections(
                mark_listings(build_paragraphs(part), part),
                outline,
                chapter.name if chapter else description.title,
                chapter,
            )
        ),
    )


def _parts_of(
    pages: Sequence[PageText], chapters: Sequence[ChapterText]
) -> Iterator[tuple[Sequence[PageText], ChapterText | None]]:
    """The pages before the first chapter, then those of each chapter. Each part is read as a file of its own would be:
    its type is its own, and no section runs on into the next chapter. Chapters that begin in the middle of a page stay
    with the pages before."""
    begun: ChapterText | None = None
    part: list[PageText] = []
    for page in pages:
        begins = [chapter for chapter in chapters if chapter.first == page.number]
        if len(begins) == 1 and not _is_begun_below(page, begins[0]):
            if part:
                yield part, begun
            begun, part = begins[0], []
        part.append(page)
    if part:
        yield part, begun


def _is_begun_below(page: PageText, chapter: ChapterText) -> bool:
    """Whether the chapter's title stands in the lower half of the page."""
    titles = {chapter.title.lower(), chapter.name.lower(), chapter.name.partition(":")[0].lower()}
    tops = [line.bbox[1] for line in page.lines if squeeze_spaces(line.text).lower() in titles]
    return bool(tops) and min(tops) > page.height / 2
