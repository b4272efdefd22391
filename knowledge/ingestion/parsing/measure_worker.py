"""The process that looks at an untrusted PDF before it is taken in: how much text has it, and is it a standard?

    python -m knowledge.ingestion.parsing.measure_worker measure PATH PAGES
    python -m knowledge.ingestion.parsing.measure_worker standard PATH

It is as closed in as the one that reads all of it (`pdf_worker`).
"""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from knowledge.ingestion.document_model import clean_text
from knowledge.ingestion.parsing.pdf_worker import main
from knowledge.ingestion.parsing.sandbox import Message
from knowledge.standards.acs_cover import names_standard
from knowledge.standards.acs_pdf import MAX_PAGES, pieces_of_page

_SAMPLE = 20_000  # characters that are sent back


def measure(document: Any, arguments: list[str]) -> Iterator[Message]:
    """How many pages there are, how many of them were read, evenly spread, and the text on those."""
    pages, most = document.page_count, int(arguments[0])
    numbers = (
        sorted({round(place * (pages - 1) / max(1, most - 1)) for place in range(most)}) if pages else []
    )
    texts = [clean_text(document[number].get_text("text")) for number in numbers]
    text = "\n".join(texts)
    yield {
        "type": "measured",
        "pages": pages,
        "read": len(numbers),
        "characters": len(text),
        "sample": text[:_SAMPLE],
    }


def look_for_standard(document: Any, _: list[str]) -> Iterator[Message]:
    """The pieces of text of every page, if the first page is that of a standard."""
    first = list(pieces_of_page(document[0]))
    found = names_standard(piece.text for piece in first)
    yield {"type": "cover", "standard": found, "pages": document.page_count}
    if found and document.page_count <= MAX_PAGES:
        for page in document:
            yield {"type": "page", "pieces": [asdict(piece) for piece in pieces_of_page(page)]}


def run(arguments: list[str]) -> int:
    """The program, also as a fork of a process that has loaded it."""
    return main(arguments, {"measure": measure, "standard": look_for_standard})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
