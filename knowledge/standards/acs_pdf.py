"""Read an ACS PDF into positioned pieces of text. What they mean is the business of `acs_reader`."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from knowledge.mupdf import mupdf

from .acs_reader import NotAnAcs
from .acs_rows import Piece

MAX_BYTES = 50 * 1024 * 1024  # the FAA's largest ACS is below 3 MB
MAX_ACS_PAGES = 400  # the longest ACS has about 130
_TAIL_BYTES = 4096  # every whole PDF has its end marker within these last bytes


def pieces_of_pdf(path: Path) -> tuple[Piece, ...]:
    """Every piece of text in the file. Raises NotAnAcs with the reason if it cannot be read as a PDF."""
    refuse_unlikely(path)
    try:
        with mupdf.open(path, filetype="pdf") as document:  # type: ignore[no-untyped-call]
            if document.needs_pass:
                raise NotAnAcs(f"{path.name} is encrypted: give a copy that opens without a password")
            if not 0 < document.page_count <= MAX_ACS_PAGES:
                raise NotAnAcs(
                    f"{path.name} has {document.page_count} pages: an ACS has 1 to {MAX_ACS_PAGES}"
                )
            return tuple(piece for page in document for piece in pieces_of_page(page))
    except (mupdf.FileDataError, mupdf.EmptyFileError, RuntimeError) as error:
        raise NotAnAcs(f"{path.name} cannot be read as a PDF: {error}") from error


def refuse_unlikely(path: Path) -> None:
    """Raise NotAnAcs for a path that is not a file, is larger than any ACS, or lacks the end of a PDF."""
    if not path.is_file():
        raise NotAnAcs(f"{path} is not a file")
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise NotAnAcs(f"{path.name} is larger than {MAX_BYTES // 2**20} MB: no ACS is")
    with path.open("rb") as file:
        file.seek(max(0, size - _TAIL_BYTES))
        if b"%%EOF" not in file.read():
            raise NotAnAcs(f"{path.name} cannot be read as a PDF: its end is missing. Download it again")


def pieces_of_page(page: Any) -> Iterator[Piece]:
    """The printed lines of a page, each with its place in points."""
    flags = mupdf.TEXTFLAGS_DICT & ~mupdf.TEXT_PRESERVE_IMAGES
    for block in page.get_text("dict", flags=flags)["blocks"]:
        for line in block.get("lines", ()):
            text = "".join(span["text"] for span in line["spans"])
            if text.strip():
                x0, top, x1, _ = line["bbox"]
                yield Piece(
                    page=page.number + 1,
                    x0=x0,
                    x1=x1,
                    top=top,
                    base=line["spans"][0]["origin"][1],
                    text=text,
                    page_height=page.rect.height,
                )
