"""What a file is, its content says; its name decides among kinds of text."""

import pytest

from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.parsing.detect import Format, detect_format

KNOWN = [
    (".pdf", b"%PDF-1.7\n", Format.PDF),
    (".pdf", b"HTTP/1.1 200 OK\r\n\r\n%PDF-1.4\n", Format.PDF),
    (".txt", b"%PDF-1.7\n", Format.PDF),
    (".bin", b"%PDF-1.7\n", Format.PDF),
    ("", b"%PDF-1.7\n", Format.PDF),
    (".md", b"# Title\n", Format.MARKDOWN),
    (".markdown", b"\xef\xbb\xbf# Title\n", Format.MARKDOWN),
    (".txt", b"Words.\n", Format.TEXT),
    (".txt", "Wörter".encode("utf-16"), Format.TEXT),
    (".html", b"<p>x", Format.HTML),
    (".md", b"\n <!-- saved --> <!DOCTYPE html><p>", Format.HTML),
    (".txt", b"<HTML><body>", Format.HTML),
    (".xml", b"<?xml version='1.0'?><!DOCTYPE html><html>", Format.HTML),
    (".xml", b"<?xml version='1.0'?><DIV5 N='91'>", Format.XML),
    (".html", b'<DIV5 N="91" TYPE="PART">', Format.XML),
]


@pytest.mark.parametrize(("suffix", "start", "form"), KNOWN)
def test_the_content_tells(suffix: str, start: bytes, form: Format) -> None:
    assert detect_format(suffix, start) is form


REFUSED = [
    (".pdf", b"", "empty", "empty"),
    (".pdf", b"words", "not_a_pdf", "not a PDF but text"),
    (".pdf", b"<!DOCTYPE html><title>404", "not_a_pdf", "the site answered with a page"),
    (".pdf", b"PK\x03\x04rest", "not_text", "ZIP archive"),
    (".pdf", b"PK\x03\x04" + b"x" * 100 + b"%PDF-1.4", "polyglot", "is both a"),
    (".pdf", b"<html><script>/*%PDF-1.4", "polyglot", "web page and a PDF"),
    (".txt", b"\x7fELF\x01", "not_text", "program"),
    (".md", b"\x89PNG\r\n", "not_text", "PNG picture"),
    (".txt", b"words\x00\x01", "not_text", "not text"),
    (".docx", b"PK\x03\x04", "not_text", "Office"),
    (".exe", b"words", "unknown_type", "Files of type .exe cannot be read; PDF"),
    ("", b"words", "unknown_type", "without a suffix"),
    ("." + "x" * 5000, b"words", "unknown_type", "Files of type .xxx"),
]


@pytest.mark.parametrize(("suffix", "start", "code", "says"), REFUSED)
def test_what_is_none_of_ours_is_refused(suffix: str, start: bytes, code: str, says: str) -> None:
    with pytest.raises(RefusedFile, match=says) as refused:
        detect_format(suffix, start)
    assert refused.value.code == code
    assert len(str(refused.value)) < 300
