"""A file becomes a source the pipeline can read, or is refused before anything is stored.

What a file is, is told by its name and checked against its first bytes. Options are what the operator
says about it.
"""

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import IO, Any

from knowledge import conf
from knowledge.models.documents import DocType, DocumentStatus

from .documents import paged_document
from .errors import RefusedFile
from .markup import READ, markdown_document, refuse_later_formats, text_document
from .pages import Description, ParsedDocument, RawPage
from .pdf import MAGIC, MAGIC_WITHIN, PdfHead, read_pdf

PDF, MARKDOWN, TEXT = ".pdf", ".md", ".txt"
_SUFFIXES = {".pdf": PDF, ".md": MARKDOWN, ".markdown": MARKDOWN, ".txt": TEXT, ".text": TEXT}
_BLOCK = 1024 * 1024
Tick = Callable[[int, int], None]


class BadOption(ValueError):
    """What was said about a file cannot be; the message lists what can."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that may be stored: its suffix, its length and the sha256 of its bytes."""

    name: str
    suffix: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """What reading a file gave, before it is a document."""

    head: PdfHead | None
    pages: tuple[RawPage, ...]
    text: str


def check_file(name: str, file: IO[bytes], limit: int = conf.MAX_FILE_BYTES) -> CheckedFile:
    """Refuse what cannot be read, or is longer than `limit` bytes. The file is left at its start."""
    suffix = Path(name).suffix.lower()
    refuse_later_formats(suffix)
    if suffix not in _SUFFIXES:
        shown = f"Files of type {suffix}" if suffix else "Files without a suffix"
        raise RefusedFile(f"{shown} cannot be read; {READ} can.", "unknown_type")
    size, digest, start = _measured(file, limit)
    if size == 0:
        raise RefusedFile("The file is empty.", "empty")
    if _SUFFIXES[suffix] == PDF and MAGIC not in start:
        raise RefusedFile(
            "The file is not a PDF, whatever its name says. Feed in the PDF itself.", "not_a_pdf"
        )
    if _SUFFIXES[suffix] != PDF and b"\x00" in start:
        raise RefusedFile("The file is not text, whatever its name says.", "not_text")
    return CheckedFile(readable_name(name), _SUFFIXES[suffix], size, digest)


def readable_name(name: str) -> str:
    """A file's name as text: a byte of it that is no UTF-8 is shown as a question mark."""
    return name.encode("utf-8", "replace").decode()


def _measured(file: IO[bytes], limit: int) -> tuple[int, str, bytes]:
    digest, size, start = hashlib.sha256(), 0, b""
    file.seek(0)
    while block := file.read(_BLOCK):
        start = start or block[:MAGIC_WITHIN]
        size += len(block)
        digest.update(block)
        if size > limit:
            raise RefusedFile(
                f"The file is larger than {limit / 1024**2:.0f} MB. Split it into chapters.",
                "over_limits",
            )
    file.seek(0)
    return size, digest.hexdigest(), start


def read_source(path: Path, tick: Tick) -> Source:
    """Everything that is in a file, page by page."""
    if path.suffix.lower() != PDF:
        return Source(None, (), _decoded(path.read_bytes()))
    head: PdfHead | None = None
    pages: list[RawPage] = []
    for found in read_pdf(path):
        if isinstance(found, PdfHead):
            head = found
        else:
            pages.append(found)
        tick(len(pages), head.page_count if head else 0)
    return Source(head, tuple(pages), "")


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig").replace("\x00", " ")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").replace("\x00", " ")


def parsed_source(source: Source, suffix: str, name: str, given: Description) -> ParsedDocument:
    """What was read, as a document with sections. Raises RefusedFile when there is no text in it."""
    if suffix == MARKDOWN:
        return markdown_document(source.text, given=given, file_name=name)
    if suffix == TEXT:
        return text_document(source.text, given=given, file_name=name)
    if source.head is None:
        raise RefusedFile("The PDF is damaged and cannot be read.", "broken")
    document = paged_document(
        source.pages, source.head.outline, given=given, file_name=name, metadata=source.head.metadata
    )
    if not document.sections:
        scans = sum(page.needs_ocr for page in document.pages)
        why = "its pages are pictures; recognise their text first (OCR)" if scans else "its pages are empty"
        raise RefusedFile(f"No text was found in the PDF: {why}.", "no_text")
    return document


# --- options ------------------------------------------------------------

_WORDS = ("title", "abbreviation", "edition", "category", "edition_of")
_CHUNKING = ("fixed",)


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the job keeps them. Raises BadOption with what exists."""
    checked: dict[str, Any] = {word: str(options[word]).strip() for word in _WORDS if options.get(word)}
    if doc_type := options.get("doc_type"):
        checked["doc_type"] = _one_of("type", doc_type, list(DocType.values))
    if status := options.get("status"):
        checked["status"] = _one_of("status", status, [DocumentStatus.DRAFT, DocumentStatus.PUBLISHED])
    if chunking := options.get("chunking"):
        checked["chunking"] = _one_of("chunking", chunking, list(_CHUNKING))
    if edition_date := options.get("edition_date"):
        checked["edition_date"] = _date(str(edition_date))
    if tags := options.get("tags"):
        listed = tags if isinstance(tags, list | tuple) else str(tags).split(",")
        checked["tags"] = [str(tag).strip() for tag in listed if str(tag).strip()]
    unknown = set(options) - {*_WORDS, "doc_type", "status", "chunking", "edition_date", "tags"}
    if unknown:
        raise BadOption(f"unknown option {', '.join(sorted(unknown))}")
    return checked


def _one_of(what: str, value: Any, known: list[str]) -> str:
    if str(value) not in known:
        raise BadOption(f"{what} {value!r} is not known; known are {', '.join(map(str, known))}")
    return str(value)


def _date(value: str) -> str:
    found = value[:10] if re.match(r"\d{4}-\d{2}-\d{2}", value) else value
    try:
        return date.fromisoformat(found).isoformat()
    except ValueError as error:
        raise BadOption(f"edition date {value!r} is not a date like 2023-06-06") from error


def given_description(options: Mapping[str, Any]) -> Description:
    """What the operator said, as a description."""
    return Description(
        title=options.get("title", ""),
        doc_type=options.get("doc_type", ""),
        abbreviation=options.get("abbreviation", ""),
        edition=options.get("edition", ""),
        edition_date=options.get("edition_date", ""),
        category=options.get("category", ""),
        tags=tuple(options.get("tags", ())),
    )
