"""Read a file without pages as a document, in a process of its own (`text_worker`). Must not know Django."""

from pathlib import Path

from knowledge import conf
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, Section, Unseen
from knowledge.ingestion.parsing.detect import Format
from knowledge.ingestion.parsing.sandbox import messages_of

_CHILD = "knowledge.ingestion.parsing.text_worker"


def read_text(path: Path, form: Format, name: str) -> ParsedDocument:
    """Markdown, HTML, eCFR XML or plain text as sections, and what the file says that it is. Raises
    RefusedFile, also when reading takes more than one file may take.
    """
    about, *messages = messages_of(_CHILD, form.value, str(path), name, seconds=conf.TEXT_WALL_SECONDS)
    description = {**about["description"], "tags": tuple(about["description"]["tags"])}
    sections = []
    for message in messages:
        fields = {name: value for name, value in message.items() if name != "type"}
        paragraphs = tuple(Paragraph(text=one["text"], kind=one["kind"]) for one in message["paragraphs"])
        sections.append(Section(**{**fields, "path": tuple(message["path"]), "paragraphs": paragraphs}))
    return ParsedDocument(
        description=Description(**description),
        paged=False,
        sections=tuple(sections),
        unseen=tuple(Unseen(where, words) for where, words in about["unseen"]),
    )
