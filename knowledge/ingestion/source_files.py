"""Check a file before it is stored, read it, and check the operator's options.

A file's content decides its format (`parsing.detect`); its name decides only between kinds of text.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from pathlib import Path, PurePosixPath
from typing import IO, Any

from knowledge import conf
from knowledge.ingestion.chunking.strategies import UnknownStrategy, strategy_named
from knowledge.ingestion.document_model import Description, ParsedDocument, RawPage, Unseen
from knowledge.ingestion.paged_document import paged_document
from knowledge.ingestion.parsing.detect import HEAD_BYTES, SUFFIXES, Format, detect_format
from knowledge.ingestion.parsing.pdf import PdfHead, read_pdf
from knowledge.ingestion.parsing.text_files import read_text
from knowledge.models.documents import DocType, DocumentStatus

from .errors import RefusedFile

PDF_SUFFIX = Format.PDF.suffix
_UNREADABLE = ("Cc", "Cf", "Cs", "Zl", "Zp")  # categories of Unicode: control, format, surrogate, separators
_BLOCK = 1024 * 1024
Tick = Callable[[int, int], None]


class BadOption(ValueError):
    """An option of a file is impossible; the message lists what is possible."""


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file that may be stored: its name, the suffix of what it is, its size in bytes, and its sha256."""

    name: str
    suffix: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a file: pages, or a document without pages."""

    head: PdfHead | None
    pages: tuple[RawPage, ...] = ()
    unpaged: ParsedDocument | None = None

    @property
    def unseen(self) -> tuple[Unseen, ...]:
        """The hidden words that were left out."""
        if self.unpaged:
            return self.unpaged.unseen
        return tuple(Unseen(f"page {page.number}", page.hidden) for page in self.pages if page.hidden)

    @property
    def crowded(self) -> tuple[int, ...]:
        """The pages that were left out because they hold more text than a printed page."""
        return tuple(page.number for page in self.pages if page.crowded)


def check_file(name: str, file: IO[bytes], limit: int = conf.MAX_FILE_BYTES) -> CheckedFile:
    """Raise RefusedFile for a file that cannot be read or is longer than `limit` bytes. Leaves it at its start."""
    digest, size, head = hashlib.sha256(), 0, b""
    file.seek(0)
    while block := file.read(_BLOCK):
        head = head or block[:HEAD_BYTES]
        size += len(block)
        digest.update(block)
        if size > limit:
            raise _too_large(limit)
    file.seek(0)
    kept = kept_name(name)
    form = detect_format(PurePosixPath(kept).suffix.lower(), head)
    if form is not Format.PDF and size > conf.MAX_TEXT_BYTES:
        raise _too_large(conf.MAX_TEXT_BYTES)
    return CheckedFile(kept, form.suffix, size, digest.hexdigest())


def _too_large(limit: int) -> RefusedFile:
    return RefusedFile(
        f"The file is larger than {limit / 1024**2:.0f} MB. Split it into chapters.", "over_limits"
    )


def readable_name(name: str) -> str:
    """A name that is safe to show and store: question marks replace what is not UTF-8, controls a terminal, or turns
    the direction of writing."""
    text = name.encode("utf-8", "replace").decode()
    return "".join("?" if unicodedata.category(letter) in _UNREADABLE else letter for letter in text)


def kept_name(name: str) -> str:
    """The name without the folders that a browser may send; one that is too long loses its middle."""
    own = readable_name(name).replace("\\", "/").rstrip("/").rpartition("/")[2]
    if len(own) <= conf.MAX_NAME:
        return own or "unnamed"
    return f"{own[: conf.MAX_NAME - 41]}…{own[-40:]}"


def read_source(path: Path, tick: Tick, name: str = "") -> Source:
    """The content of a stored file; `name` is its original name."""
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
    """The source as a document with sections. Raises RefusedFile if it has neither text nor pictures of text."""
    if source.unpaged:
        told = given.over(source.unpaged.description)
        sections = tuple(  # every section's path begins with the title as told
            replace(
                section,
                heading=told.title if section.level == 0 else section.heading,
                path=(told.title, *section.path[1:]),
            )
            for section in source.unpaged.sections
        )
        return replace(source.unpaged, description=told, sections=sections)
    if source.head is None:
        raise RefusedFile(
            "The PDF is damaged and cannot be read. Save it again from its program, or download it again.",
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
            "No text was found in the PDF: its pages are empty. Save it again from its program, or download it again.",
            "no_text",
        )
    return document


# --- options ------------------------------------------------------------

_WORDS = ("title", "abbreviation", "edition", "category", "edition_of")
# recognize scanned pages; chunk all of it, whatever changed; the status is a table's, and nobody looked at this file
_SWITCHES = ("ocr", "anew", "listed")
_STATUSES = [DocumentStatus.DRAFT, DocumentStatus.PUBLISHED]


def checked_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Options as stored with a job; empty ones are left out. Raises BadOption with what is possible."""
    known = {*_WORDS, *_SWITCHES, "doc_type", "status", "chunking", "edition_date", "tags"}
    checked: dict[str, Any] = {word: str(options[word]).strip() for word in _WORDS if options.get(word)}
    checked |= {switch: True for switch in _SWITCHES if options.get(switch)}
    for name, what, values in (("doc_type", "type", DocType.values), ("status", "status", _STATUSES)):
        if value := options.get(name):
            if str(value) not in values:
                raise BadOption(f"{what} {value!r} is not known; known are {', '.join(map(str, values))}")
            checked[name] = str(value)
    if chunking := options.get("chunking"):
        try:
            strategy_named(str(chunking))
        except UnknownStrategy as error:
            raise BadOption(str(error)) from error
        checked["chunking"] = str(chunking).strip()
    if edition_date := str(options.get("edition_date") or ""):
        is_iso = re.match(r"\d{4}-\d{2}-\d{2}", edition_date)
        try:
            checked["edition_date"] = date.fromisoformat(
                edition_date[:10] if is_iso else edition_date
            ).isoformat()
        except ValueError as error:
            raise BadOption(f"edition date {edition_date!r} is not a date like 2023-06-06") from error
    if tags := options.get("tags"):
        listed = tags if isinstance(tags, list | tuple) else str(tags).split(",")
        checked["tags"] = [str(tag).strip() for tag in listed if str(tag).strip()]
    if unknown := set(options) - known:
        raise BadOption(f"unknown option {', '.join(sorted(unknown))}")
    return checked


def given_description(options: Mapping[str, Any]) -> Description:
    """The operator's options, as a description."""
    told = {one.name: options[one.name] for one in fields(Description) if one.name in options}
    return Description(**told | {"tags": tuple(options.get("tags", ()))})
