"""The process that opens untrusted text: a file becomes its description and sections as JSON lines.

    python -m knowledge.ingestion.parsing.text_worker FORMAT PATH NAME

It limits itself before it opens anything and knows no Django: a file that nests without end, or that makes
an expression run for ever, can at worst end this process. `text_files.py` is the other side.
"""

import sys
from dataclasses import asdict
from pathlib import Path

from knowledge import conf
from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.ecfr import ecfr_document
from knowledge.ingestion.formats.html import html_document
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.ingestion.formats.plain_text import text_document
from knowledge.ingestion.parsing.detect import Format
from knowledge.ingestion.parsing.sandbox import limit_self, say


def main(arguments: list[str]) -> int:
    """Read one file; the last message is `done` or `error`."""
    form, path, name = arguments
    limit_self(conf.TEXT_MEMORY_BYTES, conf.TEXT_CPU_SECONDS)
    try:
        document = parsed_text(Path(path).read_bytes(), Format(form), name)
        unseen = [[one.where, one.words] for one in document.unseen]
        say({"type": "document", "description": asdict(document.description), "unseen": unseen})
        for section in document.sections:
            say({"type": "section", **asdict(section)})
        say({"type": "done"})
    except RefusedFile as refused:
        say({"type": "error", "code": refused.code, "message": str(refused)})
    except MemoryError:
        message = "The file needs more memory than one file may take. Split it."
        say({"type": "error", "code": "over_limits", "message": message})
    except Exception as error:  # what no reader of ours foresaw in a file is a fault of the file
        print(f"{type(error).__name__}: {error}"[:500], file=sys.stderr)
        message = (
            "The file is damaged and cannot be read. Save it anew from its program, or download it again."
        )
        say({"type": "error", "code": "broken", "message": message})
    return 0


def parsed_text(data: bytes, form: Format, name: str) -> ParsedDocument:
    """A file without pages as a document. Raises RefusedFile."""
    if form is Format.XML:
        return ecfr_document(data, file_name=name)
    adapter = {Format.MARKDOWN: markdown_document, Format.HTML: html_document}.get(form, text_document)
    return adapter(decoded(data), file_name=name)


def decoded(data: bytes) -> str:
    """Text of a file: by its mark where it has one, else UTF-8, else the code page of old Windows files."""
    for mark, encoding in ((b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, errors="replace").replace("\x00", " ")
    try:
        return data.decode("utf-8-sig").replace("\x00", " ")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace").replace("\x00", " ")


def run(arguments: list[str]) -> int:
    """The program, also as a fork of a process that has loaded it."""
    return main(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
