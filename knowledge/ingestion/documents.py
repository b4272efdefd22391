"""Raw pages become a parsed document: layout, paragraphs, sections, in this order. Pure."""

from collections.abc import Sequence

from .describing import describe_pages
from .headings import sections_of
from .layout import read_layout
from .pages import Description, OutlineEntry, ParsedDocument, RawPage
from .paragraphs import paragraphs_of


def paged_document(
    pages: Sequence[RawPage],
    outline: Sequence[OutlineEntry] = (),
    *,
    given: Description | None = None,
    file_name: str = "",
    metadata_title: str = "",
) -> ParsedDocument:
    """A document that has pages. `given` is what the operator said; the title page tells the rest."""
    ordered = read_layout(pages)
    description = (given or Description()).over(describe_pages(ordered, file_name, metadata_title))
    return ParsedDocument(
        description=description,
        paged=True,
        pages=ordered,
        outline=tuple(outline),
        sections=sections_of(paragraphs_of(ordered), outline, description.title),
    )
