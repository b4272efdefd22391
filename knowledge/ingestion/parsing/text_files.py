"""A file without pages becomes a parsed document, read by a process of its own (`text_worker`). Knows no
Django.
"""

from pathlib import Path
from typing import Any

from knowledge import conf
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, Section, Unseen
from knowledge.ingestion.parsing.detect import Format
from knowledge.ingestion.parsing.sandbox import messages_of

_CHILD = "knowledge.ingestion.parsing.text_worker"


def read_text(path: Path, form: Format, name: str) -> ParsedDocument:
    """Markdown, HTML, eCFR XML or plain text as sections, and what the file says that it is. Raises
    RefusedFile, also when reading takes more than one file may take.
    """
    description, sections = Description(), []
    unseen: tuple[Unseen, ...] = ()
    for message in messages_of(_CHILD, form.value, str(path), name, seconds=conf.TEXT_WALL_SECONDS):
        kind = message.pop("type")
        if kind == "document":
            description = _description(message["description"])
            unseen = tuple(Unseen(where, words) for where, words in message["unseen"])
        elif kind == "section":
            sections.append(_section(message))
    return ParsedDocument(description=description, paged=False, sections=tuple(sections), unseen=unseen)


def _description(told: dict[str, Any]) -> Description:
    return Description(**{**told, "tags": tuple(told["tags"])})


def _section(found: dict[str, Any]) -> Section:
    paragraphs = tuple(Paragraph(text=one["text"], kind=one["kind"]) for one in found["paragraphs"])
    return Section(**{**found, "path": tuple(found["path"]), "paragraphs": paragraphs})
