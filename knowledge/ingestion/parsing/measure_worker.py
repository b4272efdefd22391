"""The process that looks at an untrusted PDF before it is read: how much text does it have, and is it a standard?

The fork server calls `run` with `measure PATH PAGES` or `standard PATH`. It is limited as `pdf_worker` is.
"""

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from knowledge.ingestion.document_model import clean_text
from knowledge.ingestion.parsing import pdf_worker
from knowledge.ingestion.parsing.sandbox import Message
from knowledge.standards.acs_cover import names_standard
from knowledge.standards.acs_pdf import MAX_ACS_PAGES, pieces_of_page

_SAMPLE = 20_000  # characters that are sent back


def run(arguments: list[str]) -> int:
    return pdf_worker.run(arguments, {"measure": _measure_text, "standard": _look_for_standard})


def _measure_text(document: Any, arguments: list[str]) -> Iterator[Message]:
    """How many pages there are, how many of them were read, evenly spread, how much text those have, and the beginning
    of each: a table of contents has other words than the chapters."""
    pages, most = document.page_count, int(arguments[0])
    numbers = {round(place * (pages - 1) / max(1, most - 1)) for place in range(most)} if pages else set()
    texts = [clean_text(document[number].get_text("text")) for number in sorted(numbers)]
    each = _SAMPLE // max(1, len(texts))
    yield {
        "type": "measured",
        "pages": pages,
        "read": len(numbers),
        "characters": sum(map(len, texts)),
        "sample": "\n".join(text[:each] for text in texts),
    }


def _look_for_standard(document: Any, _: list[str]) -> Iterator[Message]:
    """The pieces of text of every page, if the first page is that of a standard."""
    is_standard = names_standard(piece.text for piece in pieces_of_page(document[0]))
    yield {"type": "cover", "standard": is_standard, "pages": document.page_count}
    if is_standard and document.page_count <= MAX_ACS_PAGES:
        for page in document:
            yield {"type": "page", "pieces": [asdict(piece) for piece in pieces_of_page(page)]}
