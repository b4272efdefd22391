"""A file becomes a source the pipeline can read, or is refused before anything is stored.

What a file is, its content says (`parsing.detect`); its name decides only among kinds of text. Options are what
the operator says about it.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import IO, Any

from knowledge import conf
from knowledge.ingestion.chunking.strategies import UnknownStrategy, strategy_named
from knowledge.ingestion.document_model import Description, ParsedDocument, RawPage, Unseen
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.detect import HEAD, SUFFIXES, Format, format_of
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf
from knowledge.ingestion.parsing.text_files import read_text
from knowledge.models.documents import DocType, DocumentStatus

from .errors import RefusedFile

PDF = Format.PDF.suffix
_UNREADABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")  # categories of Unicode: control, format, surrogate, separators
_BLOCK = 1024 * 1024
Tick = Callable[[int, int], None]


class BadOption(ValueError):
    """What was said about a file cannot be; the message lists what can."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that may be stored: its name, the suffix of what it is, its length and the sha256 of its bytes."""

    name: str
    suffix: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """What reading a file gave: pages, or a document that has none."""

    head: PdfHead | None
    pages: tuple[RawPage, ...] = ()
    unpaged: ParsedDocument | None = None

    @property
    def unseen(self) -> tuple[Unseen, ...]:
        """The words that were left out since no reader sees them."""
        if self.unpaged:
            return self.unpaged.unseen
        return tuple(Unseen(f"page {page.number}", page.hidden) for page in self.pages if page.hidden)

    @property
    def crowded(self) -> tuple[int, ...]:
        """The pages whose text was left out since it is more than print has."""
        return tuple(page.number for page in self.pages if page.crowded)


def check_file(name: str, file: IO[bytes], limit: int = conf.MAX_FILE_BYTES) -> CheckedFile:
    """Refuse what cannot be read, or is longer than `limit` bytes. The file is left at its start."""
    size, digest, start = _measured(file, limit)
    known = kept_name(name)
    form = format_of(PurePosixPath(known).suffix.lower(), start)
    if form is not Format.PDF and size > conf.MAX_TEXT_BYTES:
        raise _too_large(conf.MAX_TEXT_BYTES)
    return CheckedFile(known, form.suffix, size, digest)


def readable_name(name: str) -> str:
    """A name as text that can be shown and kept: what is no character of UTF-8, steers a terminal or turns the
    direction of writing is a question mark.
    """
    text = name.encode("utf-8", "replace").decode()
    return "".join("?" if unicodedata.category(letter) in _UNREADABLE else letter for letter in text)


def kept_name(name: str) -> str:
    """The name without the folders that a browser may send; the middle of one that is too long is left out."""
    own = readable_name(name).replace("\\", "/").rstrip("/").rpartition("/")[2]
    if len(own) <= conf.MAX_NAME:
        return own or "unnamed"
    return f"{own[: conf.MAX_NAME - 41]}…{own[-40:]}"


def _too_large(limit: int) -> RefusedFile:
    return RefusedFile(
        f"The file is larger than {limit / 1024**2:.0f} MB. Split it into chapters.", "over_limits"
    )


def _measured(file: IO[bytes], limit: int) -> tuple[int, str, bytes]:
    digest, size, start = hashlib.sha256(), 0, b""
    file.seek(0)
    while block := file.read(_BLOCK):
        start = start or block[:HEAD]
        size += len(block)
        digest.update(block)
        if size > limit:
            raise _too_large(limit)
    file.seek(0)
    return size, digest.hexdigest(), start


def read_source(path: Path, tick: Tick, name: str = "") -> Source:
    """Everything that is in a stored file; `name` is what it was called."""
    form = SUFFIXES[path.suffix.lower()]
    if form is not Format.PDF:
        return Source(None, unpaged=read_text(path, form, name or path.name))
    head: PdfHead | None = None
    pages: list[RawPage] = []
    for found in read_pdf(path):
        if isinstance(found, PdfHead):
            head = found
        else:
            pages.append(found)
        tick(len(pages), head.page_count if head else 0)
    return Source(head, tuple(pages))


def parsed_source(source: Source, name: str, given: Description) -> ParsedDocument:
    """What was read, as a document with sections. Raises RefusedFile when there is no text in it, nor a picture of
    text."""
    if source.unpaged:
        return _named(source.unpaged, given.over(source.unpaged.description))
    if source.head is None:
        raise RefusedFile(
            "The PDF is damaged and cannot be read. Save it anew from its program, or download it again.",
            "broken",
        )
    document = paged_document(
        source.pages, source.head.outline, given=given, file_name=name, metadata=source.head.metadata
    )
    if not document.sections and source.crowded:
        raise RefusedFile(
            "The PDF's pages hold more text than print has, as drawings do. Upload one that is set as text.",
            "over_limits",
        )
    if not document.sections and not any(page.needs_ocr or page.recognised for page in document.pages):
        raise RefusedFile(
            "No text was found in the PDF: its pages are empty. Save it anew from its program, or download it again.",
            "no_text",
        )
    return document


def _named(document: ParsedDocument, told: Description) -> ParsedDocument:
    """The document under the name that the operator gives it: every section's path begins with it."""
    sections = tuple(
        replace(
            section,
            heading=told.title if section.level == 0 else section.heading,
            path=(told.title, *section.path[1:]),
        )
        for section in document.sections
    )
    return replace(document, description=told, sections=sections)


# --- options ------------------------------------------------------------

_WORDS = ("title", "abbreviation", "edition", "category", "edition_of")
_SWITCHES = ("ocr", "anew")  # recognise scanned pages; chunk all of it, whatever changed


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as the job keeps them. Raises BadOption with what exists."""
    checked: dict[str, Any] = {word: str(options[word]).strip() for word in _WORDS if options.get(word)}
    if doc_type := options.get("doc_type"):
        checked["doc_type"] = _one_of("type", doc_type, list(DocType.values))
    if status := options.get("status"):
        checked["status"] = _one_of("status", status, [DocumentStatus.DRAFT, DocumentStatus.PUBLISHED])
    if chunking := options.get("chunking"):
        checked["chunking"] = _strategy(str(chunking))
    if edition_date := options.get("edition_date"):
        checked["edition_date"] = _date(str(edition_date))
    if tags := options.get("tags"):
        listed = tags if isinstance(tags, list | tuple) else str(tags).split(",")
        checked["tags"] = [str(tag).strip() for tag in listed if str(tag).strip()]
    checked |= {switch: True for switch in _SWITCHES if options.get(switch)}
    unknown = set(options) - {
        *_WORDS,
        *_SWITCHES,
        *("doc_type", "status", "chunking", "edition_date", "tags"),
    }
    if unknown:
        raise BadOption(f"unknown option {', '.join(sorted(unknown))}")
    return checked


def _strategy(name: str) -> str:
    try:
        strategy_named(name)
    except UnknownStrategy as error:
        raise BadOption(str(error)) from error
    return name.strip()


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
