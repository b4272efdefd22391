"""Whether the words inside the rectangles of a chunk are the words of the chunk, on the FAA's own PDFs.

`python -m benchmarks.rectangles` prints one JSON document. The judge is PyMuPDF's list of words with their places,
which the product's chunks are not made from: a line of a chunk is right when the words whose middle lies in its
rectangle are its words, white space, ligatures and the hyphen of a cut word aside. Counted too are printed words that
no chunk holds (running heads and page numbers aside), characters of chunks that stand on no page (the bars between
the cells of a row and the head of a table that goes on aside), and entries of the file's outline that are no section.
"""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf

from knowledge.grounding.page_rotation import PrintedLine
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.document_model import ParsedDocument, RawPage, clean_text
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf
from llm.local.minilm import load_tokenizer

FAA = Path(__file__).resolve().parents[2] / "shared" / "data" / "faa"
Word = tuple[float, float, float, float, str]


@dataclass(frozen=True, slots=True)
class Fault:
    """A line of a chunk whose rectangle holds other words than the chunk says stand there."""

    page: int
    said: str
    printed: str


@dataclass(frozen=True, slots=True)
class Judged:
    lines: int
    faults: tuple[Fault, ...]
    words: int
    lost: tuple[tuple[int, str], ...]
    unplaced: tuple[str, ...]

    @property
    def share(self) -> float:
        """Of lines that are right."""
        return 1 - len(self.faults) / self.lines if self.lines else 1.0


def read_document(path: Path) -> ParsedDocument:
    head, *pages = read_pdf(path)
    assert isinstance(head, PdfHead)
    raw = [page for page in pages if isinstance(page, RawPage)]
    return paged_document(raw, head.outline, file_name=path.name, metadata=head.metadata)


def judged(path: Path, document: ParsedDocument, drafts: Sequence[ChunkDraft]) -> Judged:
    """The chunks of a document beside the words that PyMuPDF finds on its pages."""
    words = printed_words(path)
    held: dict[int, set[int]] = defaultdict(set)
    faults: list[Fault] = []
    lines = 0
    for draft in drafts:
        for line in draft.lines:
            lines += 1
            inside = _inside(words[line.page], line)
            held[line.page].update(inside)
            said = draft.text[line.start : line.end]
            orders = _orders([words[line.page][at] for at in inside])
            printed = next((order for order in orders if _same(said, order)), orders[0])
            if not _same(said, printed):
                faults.append(Fault(line.page, said, printed))
    return Judged(
        lines=lines,
        faults=tuple(faults),
        words=sum(map(len, words.values())),
        lost=tuple(_lost(document, words, held)),
        unplaced=tuple(found for draft in drafts for found in _unplaced(draft)),
    )


def printed_words(path: Path) -> dict[int, list[Word]]:
    """The words of each page, as MuPDF orders them, with ligatures apart."""
    flags = (
        pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP | pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
    )
    with pymupdf.open(path) as document:
        return {
            page.number + 1: [
                (*(pymupdf.Rect(place) * page.rotation_matrix), word)
                for *place, word, _block, _line, _at in page.get_text("words", flags=flags)
                if bare(word)
            ]
            for page in document
        }


def bare(text: str) -> str:
    """What of a text counts: no white space, no ligatures, one kind of hyphen, raised digits as digits."""
    return "".join(unicodedata.normalize("NFKC", clean_text(text)).split())


def _inside(words: Sequence[Word], line: PrintedLine) -> list[int]:
    x0, y0, x1, y1 = line.bbox
    return [
        at
        for at, word in enumerate(words)
        if x0 <= (word[0] + word[2]) / 2 <= x1 and y0 <= (word[1] + word[3]) / 2 <= y1
    ]


def _orders(words: Sequence[Word]) -> tuple[str, ...]:
    """The words as MuPDF orders them, and from left to right: it names a drop capital after its word."""
    return tuple("".join(word[4] for word in order) for order in (words, sorted(words)))


def _same(said: str, printed: str) -> bool:
    one, other = bare(said), bare(printed)
    return other in (one, one + "-")


def _lost(
    document: ParsedDocument, words: dict[int, list[Word]], held: dict[int, set[int]]
) -> Iterator[tuple[int, str]]:
    for page in document.pages:
        running = Counter(bare(word) for line in page.running for word in line.split())
        for at, word in enumerate(words[page.number]):
            if at in held[page.number]:
                continue
            if running[bare(word[4])]:
                running[bare(word[4])] -= 1
            else:
                yield page.number, word[4]


def _unplaced(draft: ChunkDraft) -> Iterator[str]:
    covered = bytearray(b"\x01" * draft.overlap + bytes(len(draft.text) - draft.overlap))
    for line in draft.lines:
        covered[line.start : line.end] = b"\x01" * (line.end - line.start)
    left = "".join(letter for letter, known in zip(draft.text, covered, strict=True) if not known)
    if left.replace("|", "").strip():
        yield left.strip()


# --- the FAA's files ------------------------------------------------------------


def measure() -> dict[str, Any]:
    """For each file its lines, the share that is right, what is lost, and how much of the outline is a section."""
    count = load_tokenizer()
    tokens = lambda text: len(count.encode(text, add_special_tokens=False).ids)  # noqa: E731
    return {
        "what": "a line is right if the words inside its rectangle are exactly the words of the chunk",
        "files": [_measured(path, tokens) for path in sorted(FAA.rglob("*.pdf"))],
    }


def _measured(path: Path, tokens: Callable[[str], int]) -> dict[str, Any]:
    document = read_document(path)
    drafts = chunk_pages(document, count_tokens=tokens)
    found = judged(path, document, drafts)
    listed = [entry for entry in document.outline if bare(entry.title)]
    return {
        "file": path.name,
        "lines": found.lines,
        "wrong_lines": len(found.faults),
        "right": round(found.share, 5),
        "words": found.words,
        "words_in_no_chunk": len(found.lost),
        "unplaced": len(found.unplaced),
        "outline_entries": len(listed),
        "outline_entries_that_are_sections": sum(map(_is_section(document), listed)),
    }


def _is_section(document: ParsedDocument) -> Callable[[Any], bool]:
    opened = {
        (section.paragraphs[0].page, _letters(name))
        for section in document.sections
        for name in (
            section.heading,
            f"{section.number}{section.heading}",
            section.path[-1] if section.path else "",
        )
    }

    def is_section(entry: Any) -> bool:
        wanted = _letters(entry.title)
        return any(
            page == entry.page
            and name
            and (name == wanted or name.startswith(wanted) or wanted.startswith(name))
            for page, name in opened
        )

    return is_section


def _letters(text: str) -> str:
    return "".join(letter for letter in text.lower() if letter.isalnum())


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
    sys.stdout.write("\n")
