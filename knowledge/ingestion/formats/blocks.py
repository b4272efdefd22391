"""Blocks become sections: what every source without pages has in common. Pure.

A reader of Markdown, HTML, XML or plain text only finds blocks: headings with their level, paragraphs,
items, rows. Here a heading opens a section below the nearest one of a smaller level, gets the number
pilots cite it by and an anchor that no other section of the document has. Left out are reserved numbers,
the history of amendments in brackets, and headings without a word below them (they live on in the path).
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from knowledge.ingestion.document_model import (
    Description,
    Kind,
    Paragraph,
    ParsedDocument,
    Section,
    clean_text,
    squeezed,
)
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.section_numbers import PARAGRAPH_MARK, number_of
from knowledge.ingestion.layout.headings import slug

_HISTORY = re.compile(
    r"\[\s*(?:Doc(?:ket)?\.? No|Amdt|Order|SFAR|\d+ FR,? \d+|Redesignated|As amended)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A heading (`level` from 1 on), or a stretch of text below one (`level` 0)."""

    text: str
    kind: Kind = "body"
    level: int = 0


def unpaged_document(blocks: Iterable[Block], description: Description) -> ParsedDocument:
    """A document of sections without pages. Raises RefusedFile when there is no text in it."""
    found: list[_Open] = [_Open(Section(heading=description.title, level=0, path=(description.title,)))]
    above = [found[0].section]  # the sections that the next block stands in, each below the one before
    for block in blocks:
        text = squeezed(clean_text(block.text))
        if block.level and text:
            while len(above) > 1 and above[-1].level >= block.level:
                above.pop()
            above.append(_section(replace(block, text=text), above[-1]))
            found.append(_Open(above[-1]))
        elif (paragraph := _paragraph(text, block.kind)) is not None:
            found[-1].paragraphs.append(paragraph)
    sections = _with_anchors([one.closed() for one in found if one.says_something])
    if not sections:
        raise RefusedFile("The file holds no text. See that it is the right one.", "empty")
    return ParsedDocument(description=description, paged=False, sections=tuple(sections))


@dataclass(slots=True)
class _Open:
    """A section that still gets paragraphs."""

    section: Section
    paragraphs: list[Paragraph]

    def __init__(self, section: Section) -> None:
        self.section, self.paragraphs = section, list(section.paragraphs)

    @property
    def says_something(self) -> bool:
        """More than its own heading."""
        return any(paragraph.kind != "heading" for paragraph in self.paragraphs)

    def closed(self) -> Section:
        return replace(self.section, paragraphs=tuple(self.paragraphs))


def with_own_title(blocks: Iterable[Block]) -> tuple[str, list[Block]]:
    """The document's own title and the blocks without it: the first heading, if no other is as high, and it is
    marked as a title or begins the document.
    """
    found = list(blocks)
    headings = [block for block in found if block.level]
    first = headings[0] if headings else None
    alone = first and all(block.level > first.level for block in headings[1:])
    if first and alone and (first.level == 1 or first is found[0]):
        return squeezed(first.text), [block for block in found if block is not first]
    return "", found


def _paragraph(text: str, kind: Kind) -> Paragraph | None:
    if not re.search(r"\w", text) or _HISTORY.match(text):
        return None
    marked = kind == "body" and PARAGRAPH_MARK.match(text)
    return Paragraph(text=text, kind="item" if marked else kind)


def _section(block: Block, parent: Section) -> Section:
    told = number_of(block.text, parent.number)
    shown = told.shown or block.text
    return Section(
        heading=told.heading,
        level=block.level,
        path=(*parent.path, shown),
        number=told.number,
        anchor=told.number or slug(told.heading),
        paragraphs=(Paragraph(text=shown, kind="heading"),),
        border=True,
    )


def _with_anchors(sections: Iterable[Section]) -> list[Section]:
    """Each section with an anchor of its own: the second “general” is “general-2”."""
    taken: dict[str, int] = {}
    named = []
    for section in sections:
        base = section.anchor[:100]
        taken[base] = taken.get(base, 0) + 1
        named.append(replace(section, anchor=f"{base}-{taken[base]}" if base and taken[base] > 1 else base))
    return named
