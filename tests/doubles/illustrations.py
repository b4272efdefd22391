"""A PDF read as far as its figures, as the pipeline does it."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from knowledge import conf
from knowledge.ingestion.document_model import ParsedDocument, RawPage
from knowledge.ingestion.figures.deduplication import Figure
from knowledge.ingestion.figures.extraction import extract_figures
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf


@dataclass(frozen=True, slots=True)
class Illustrated:
    parsed: ParsedDocument
    figures: tuple[Figure, ...]
    refused: Counter[str]
    without_picture: tuple[str, ...]
    out: Path

    def labels(self) -> list[str]:
        return [figure.label for figure in self.figures]


def parsed_pdf(path: Path) -> ParsedDocument:
    head, *pages = read_pdf(path)
    assert isinstance(head, PdfHead)
    raw = [page for page in pages if isinstance(page, RawPage)]
    return paged_document(raw, head.outline, file_name=path.name, metadata=head.metadata)


def illustrate(path: Path, out: Path, *, seconds: float = conf.CHILD_WALL_SECONDS) -> Illustrated:
    parsed = parsed_pdf(path)
    out.mkdir(exist_ok=True)
    settled = extract_figures(path, parsed, out, lambda done, total: None, seconds=seconds)
    return Illustrated(parsed, settled.figures, settled.refused, settled.without_picture, out)
