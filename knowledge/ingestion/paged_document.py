"""Raw pages become a parsed document: layout, paragraphs, sections, in this order. Pure."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from knowledge.ingestion.document_model import Description, OutlineEntry, PageText, ParsedDocument, RawPage
from knowledge.ingestion.formats.error_page_detection import refuse_pretender
from knowledge.ingestion.formats.metadata import describe_pages
from knowledge.ingestion.layout.headings import sections_of
from knowledge.ingestion.layout.page_lines import read_layout
from knowledge.ingestion.layout.paragraphs import paragraphs_of
from knowledge.ingestion.layout.toc_detection import with_listings

PRETENDER_PAGES = 4  # sheets that a web page takes which only says that it is not there, menus and all


def paged_document(
    pages: Sequence[RawPage],
    outline: Sequence[OutlineEntry] = (),
    *,
    given: Description | None = None,
    file_name: str = "",
    metadata: Mapping[str, str] = MappingProxyType({}),
) -> ParsedDocument:
    """A document that has pages. `given` is what the operator said; the title page tells the rest."""
    ordered = read_layout(pages)
    if len(ordered) <= PRETENDER_PAGES:
        printed = [line.text for page in ordered for line in page.lines]
        refuse_pretender(metadata.get("title", ""), "\n".join(printed))
    description = (given or Description()).over(_told(ordered, file_name, metadata))
    return ParsedDocument(
        description=description,
        paged=True,
        pages=ordered,
        outline=tuple(outline),
        sections=sections_of(with_listings(paragraphs_of(ordered), ordered), outline, description.title),
    )


def _told(pages: Sequence[PageText], file_name: str, metadata: Mapping[str, str]) -> Description:
    return describe_pages(pages, file_name, metadata.get("title", ""), metadata.get("subject", ""))
