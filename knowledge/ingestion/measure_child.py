"""The process that looks at a few pages of an untrusted PDF, to say how much text there is.

    python -m knowledge.ingestion.measure_child measure PATH PAGES

It is as closed in as the one that reads all of it (`parse_child`).
"""

import sys
from collections.abc import Iterator
from typing import Any

from .pages import clean_text
from .parse_child import main
from .process import Message

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


def run(arguments: list[str]) -> int:
    """The program, also as a fork of a process that has loaded it."""
    return main(arguments, {"measure": measure})


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
