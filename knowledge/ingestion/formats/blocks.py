"""Build the sections of a document without pages from the blocks of its text. Pure.

A reader of Markdown, HTML, XML, or plain text only finds blocks: headings with their level, paragraphs, items, rows.
Here a heading opens a section below the nearest one of a smaller level and gets the number that pilots cite and a
unique anchor. Reserved numbers, the history of amendments in brackets, and headings without text are left out.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from knowledge.ingestion.document_model import (
    Description,
    Kind,
    Paragraph,
    ParsedDocument,
    Section,
    clean_text,
    squeeze_spaces,
)
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.section_numbers import number_of
from knowledge.ingestion.layout.headings import slug_for_title

_HISTORY = re.compile(
    r"\[\s*(?:Doc(?:ket)?\.? No|Amdt|Order|SFAR|\d+ FR,? \d+|Redesignated|As amended)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading (`level` from 1 on), or text below one (`level` 0)."""

    text: str
    kind: Kind = "body"
    level: int = 0


def unpaged_document(blocks: Iterable[Block], description: Description) -> ParsedDocument:
    """A document of sections without pages. Raises RefusedFile if there is no text in it."""
    root = Section(heading=description.title, level=0, path=(description.title,))
    above = [root]  # the sections around the next block, outermost first
    found: list[tuple[Section, list[Paragraph]]] = [(root, [])]
    for block in blocks:
        text = squeeze_spaces(clean_text(block.text))
        if block.level and text:
            while len(above) > 1 and above[-1].level >= block.level:
                above.pop()
            section = _open_section(text, block.level, above[-1])
            above.append(section)
            found.append((section, list(section.paragraphs)))
        elif re.search(r"\w", text) and not _HISTORY.match(text):
            is_item = block.kind == "body" and re.match(r"\((?:[a-z]{1,5}|\d{1,3}|[A-Z])\)", text)
            found[-1][1].append(Paragraph(text=text, kind="item" if is_item else block.kind))
    used: Counter[str] = Counter()
    sections = []
    for section, paragraphs in found:
        if any(paragraph.kind != "heading" for paragraph in paragraphs):
            anchor = section.anchor[:100]
            used[anchor] += 1
            if anchor and used[anchor] > 1:
                anchor = f"{anchor}-{used[anchor]}"
            sections.append(replace(section, paragraphs=tuple(paragraphs), anchor=anchor))
    if not sections:
        raise RefusedFile("The file holds no text. See that it is the right one.", "empty")
    return ParsedDocument(description=description, paged=False, sections=tuple(sections))


def with_own_title(blocks: Iterable[Block]) -> tuple[str, list[Block]]:
    """The document's own title and the blocks without it: the first heading, if no other is as high and it has the
    first level or begins the document."""
    found = list(blocks)
    headings = [block for block in found if block.level]
    first = headings[0] if headings else None
    is_highest = first and all(block.level > first.level for block in headings[1:])
    if first and is_highest and (first.level == 1 or first is found[0]):
        return squeeze_spaces(first.text), [block for block in found if block is not first]
    return "", found


def _open_section(text: str, level: int, parent: Section) -> Section:
    told = number_of(text, parent.number)
    shown = told.shown or text
    return Section(
        heading=told.heading,
        level=level,
        path=(*parent.path, shown),
        number=told.number,
        anchor=told.number or slug_for_title(told.heading),
        paragraphs=(Paragraph(text=shown, kind="heading"),),
        border=True,
    )
