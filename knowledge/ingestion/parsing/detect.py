"""Detect the format of a file by its first bytes, whatever its name says. Pure.

The name decides only among the kinds of text. A file with two formats at once (a ZIP that is also a PDF) is refused: in
another program it would show a different text from the one cited here.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

from knowledge.ingestion.errors import RefusedFile

HEAD_BYTES = 4096  # bytes that are looked at
PDF_WITHIN = 1024  # a PDF may have bytes before its header (PDF 1.7, implementation note 13)


class Format(StrEnum):
    PDF = "pdf"
    MARKDOWN = "md"
    HTML = "html"
    XML = "xml"
    TEXT = "txt"

    @property
    def suffix(self) -> str:
        return f".{self.value}"


SUFFIXES: Mapping[str, Format] = {
    ".pdf": Format.PDF,
    ".md": Format.MARKDOWN,
    ".markdown": Format.MARKDOWN,
    ".html": Format.HTML,
    ".htm": Format.HTML,
    ".xhtml": Format.HTML,
    ".xml": Format.XML,
    ".txt": Format.TEXT,
    ".text": Format.TEXT,
}
READABLE_FORMATS = "PDF (.pdf), Markdown (.md), HTML (.html), eCFR XML (.xml) and plain text (.txt)"

_OTHERS = (  # what files begin with that are not read, and how people call them
    (b"PK\x03\x04", "ZIP archive or an Office document"),
    (b"PK\x05\x06", "ZIP archive"),
    (b"\xd0\xcf\x11\xe0", "old Office document"),
    (b"\x89PNG", "PNG picture"),
    (b"\xff\xd8\xff", "JPEG picture"),
    (b"GIF8", "GIF picture"),
    (b"II*\x00", "TIFF picture"),
    (b"MM\x00*", "TIFF picture"),
    (b"RIFF", "picture or sound"),
    (b"%!PS", "PostScript file"),
    (b"{\\rtf", "RTF document"),
    (b"\x1f\x8b", "gzip archive"),
    (b"BZh", "bzip2 archive"),
    (b"7z\xbc\xaf", "7z archive"),
    (b"Rar!", "RAR archive"),
    (b"\x7fELF", "program"),
    (b"MZ", "program"),
    (b"#!", "script"),
    (b"\x00\x00\x00\x18ftyp", "video"),
    (b"SQLite format 3", "database"),
)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # with which UTF-8 may begin


def detect_format(suffix: str, start: bytes) -> Format:
    """The format of a file, by its suffix (".pdf", lower case) and first `HEAD_BYTES` bytes. Raises RefusedFile."""
    if not start:
        raise RefusedFile("The file is empty. Download it again, or save it again.", "empty")
    found = _format_by_content(start)
    named = SUFFIXES.get(suffix)
    if named is Format.PDF and found is Format.HTML:
        raise RefusedFile(
            "The file is not a PDF but a web page: the site answered with a page instead of the document. "
            "Download the PDF itself.",
            "not_a_pdf",
        )
    if named is Format.PDF and found is not Format.PDF:
        what = "XML" if found is Format.XML else "text"
        raise RefusedFile(
            f"The file is not a PDF but {what}, whatever its name says. Upload the PDF itself.", "not_a_pdf"
        )
    if found is Format.TEXT and named is None:
        shown = f"Files of type {suffix[:20]}" if suffix else "Files without a suffix"
        raise RefusedFile(f"{shown} cannot be read; {READABLE_FORMATS} can.", "unknown_type")
    return named if found is Format.TEXT and named in (Format.MARKDOWN, Format.HTML) else found


def has_pdf_header(start: bytes) -> bool:
    return b"%PDF-" in start[:PDF_WITHIN]


def _format_by_content(start: bytes) -> Format:
    bare = start.removeprefix(_BYTE_ORDER_MARK)
    other = next((name for magic, name in _OTHERS if start.startswith(magic)), "")
    is_page = re.match(rb"(?is)\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", bare)
    if has_pdf_header(start) and (other or is_page):
        raise RefusedFile(
            f"The file is both a {other or 'web page'} and a PDF. Save the PDF again from a PDF reader.",
            "polyglot",
        )
    if other:
        raise RefusedFile(
            f"The file is a {other}, whatever its name says; {READABLE_FORMATS} can be read.", "not_text"
        )
    if has_pdf_header(start):
        return Format.PDF
    if is_page:
        return Format.HTML
    if b"\x00" in start and not start.startswith((b"\xff\xfe", b"\xfe\xff")):  # those begin UTF-16
        raise RefusedFile(
            f"The file is not text, whatever its name says; {READABLE_FORMATS} can be read.", "not_text"
        )
    if re.match(rb"(?i)\s*<(?:\?xml|ECFR\b|DLPSTEXTCLASS\b|DIV\d\s)", bare):
        return Format.HTML if re.search(rb"(?i)<html\b|<!doctype\s+html", bare) else Format.XML
    return Format.TEXT
