"""The process that opens untrusted text: it writes a file's description and sections as JSON lines.

The fork server calls `run` with `FORMAT PATH NAME`. It limits itself before it opens anything and knows no Django:
endless nesting, or a regular expression that never ends, can at worst end this process.
"""

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from knowledge import conf
from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.formats.ecfr import ecfr_document
from knowledge.ingestion.formats.html import html_document
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.formats.plain_text import text_document
from knowledge.ingestion.parsing.detect import Format
from knowledge.ingestion.parsing.sandbox import Message, limit_self, send_messages


def run(arguments: list[str]) -> int:
    form, path, name = arguments
    limit_self(conf.TEXT_MEMORY_BYTES, conf.TEXT_CPU_SECONDS)
    return send_messages(_messages_on(Path(path), Format(form), name), "The file")


def _messages_on(path: Path, form: Format, name: str) -> Iterator[Message]:
    document = parse_text(path.read_bytes(), form, name)
    unseen = [[one.where, one.words] for one in document.unseen]
    yield {"type": "document", "description": asdict(document.description), "unseen": unseen}
    for section in document.sections:
        yield {"type": "section", **asdict(section)}


def parse_text(data: bytes, form: Format, name: str) -> ParsedDocument:
    """A file without pages as a document. Raises RefusedFile."""
    if form is Format.XML:
        return ecfr_document(data, file_name=name)
    adapter = {Format.MARKDOWN: markdown_document, Format.HTML: html_document}.get(form, text_document)
    return adapter(decode_text(data), file_name=name)


def decode_text(data: bytes) -> str:
    """Text of a file: by its byte order mark where it has one, else UTF-8, else the code page of old Windows files."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", errors="replace").replace("\x00", " ")
    try:
        return data.decode("utf-8-sig").replace("\x00", " ")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").replace("\x00", " ")
