"""An ACS PDF becomes pieces of text with their places. What they mean is `acs_reader`'s business."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from knowledge.mupdf import mupdf

from .acs_reader import NotAnAcs
from .acs_rows import Piece

NO_IMAGES = mupdf.TEXTFLAGS_DICT & ~mupdf.TEXT_PRESERVE_IMAGES
MAX_BYTES = 50 * 1024 * 1024  # the FAA's largest ACS is below 3 MB
TAIL, END_OF_PDF = 4096, b"%%EOF"  # what every whole PDF has within its last bytes
MAX_PAGES = 400  # the longest ACS has about 130


def pieces_of_pdf(path: Path) -> tuple[Piece, ...]:
    """Every piece of text in the file. Raises NotAnAcs with the reason if it cannot be read as a PDF."""
    refuse_unlikely(path)
    try:
        with _opened(path) as document:
            _refuse_unreadable(document, path)
            return tuple(piece for page in document for piece in pieces_of_page(page))
    except (mupdf.FileDataError, mupdf.EmptyFileError, RuntimeError) as error:
        raise NotAnAcs(f"{path.name} cannot be read as a PDF: {error}") from error


def _opened(path: Path) -> Any:
    return mupdf.open(path, filetype="pdf")  # type: ignore[no-untyped-call]


def refuse_unlikely(path: Path) -> None:
    """Raises NotAnAcs for a file that is no file, larger than any ACS, or without its end."""
    if not path.is_file():
        raise NotAnAcs(f"{path} is not a file")
    if path.stat().st_size > MAX_BYTES:
        raise NotAnAcs(f"{path.name} is larger than {MAX_BYTES // 2**20} MB: no ACS is")
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - TAIL))
        if END_OF_PDF not in file.read():
            raise NotAnAcs(f"{path.name} cannot be read as a PDF: its end is missing. Download it again")


def _refuse_unreadable(document: Any, path: Path) -> None:
    if document.needs_pass:
        raise NotAnAcs(f"{path.name} is encrypted: give a copy that opens without a password")
    if not 0 < document.page_count <= MAX_PAGES:
        raise NotAnAcs(f"{path.name} has {document.page_count} pages: an ACS has 1 to {MAX_PAGES}")


def pieces_of_page(page: Any) -> Iterator[Piece]:
    for block in page.get_text("dict", flags=NO_IMAGES)["blocks"]:
        for line in block.get("lines", ()):
            text = "".join(span["text"] for span in line["spans"])
            if text.strip():
                yield _piece(page, line, text)


def _piece(page: Any, line: Any, text: str) -> Piece:
    x0, top, x1, _ = line["bbox"]
    return Piece(
        page=page.number + 1,
        x0=x0,
        x1=x1,
        top=top,
        base=line["spans"][0]["origin"][1],
        text=text,
        page_height=page.rect.height,
    )
