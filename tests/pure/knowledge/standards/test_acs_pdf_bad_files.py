"""A file that is no readable PDF is refused with what is wrong with it."""

from pathlib import Path

import pymupdf
import pytest
from pymupdf import mupdf

from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import NotAnAcs


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(NotAnAcs, match="is not a file"):
        pieces_of_pdf(tmp_path / "none.pdf")


@pytest.mark.parametrize("content", [b"", b"no pdf at all", b"%PDF-1.7\ncut off"])
def test_a_file_that_is_no_pdf(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.pdf"
    path.write_bytes(content)
    with pytest.raises(NotAnAcs, match=r"bad\.pdf"):
        pieces_of_pdf(path)


def test_an_encrypted_file(tmp_path: Path) -> None:
    path = tmp_path / "locked.pdf"
    with pymupdf.open() as document:
        document.new_page()
        document.save(path, encryption=mupdf.PDF_ENCRYPT_AES_256, user_pw="secret", owner_pw="secret")
    with pytest.raises(NotAnAcs, match="encrypted"):
        pieces_of_pdf(path)
