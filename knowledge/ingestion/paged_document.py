"""Turn raw pages into a parsed document: layout, paragraphs, sections. Pure."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from knowledge.ingestion.document_model import Description, OutlineEntry, ParsedDocument, RawPage
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
        sections=split_sections(
            mark_listings(build_paragraphs(ordered), ordered), outline, description.title
        ),
    )
