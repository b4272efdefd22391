"""Plain text becomes blocks, and so sections without pages. Pure.

What a person sees in it is read: paragraphs between blank lines, words broken at a line's end, lists,
rows whose cells stand apart, headings by their number, their underline or their capitals. Lines that
stand at the head or foot of page after page (pages end with a form feed) are no text.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from knowledge.ingestion.document_model import Description, ParsedDocument, clean_text, squeezed
from knowledge.ingestion.formats.blocks import Block, unpaged_document, with_own_title
from knowledge.ingestion.formats.error_page_detection import refuse_pretender
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.section_numbers import number_of

_HEADING_LETTERS, _HEADING_WORDS = 120, 16
_UNDERLINE = re.compile(r"\s*(?P<mark>[=\-~^*_])(?P=mark){3,}\s*$")
_ITEM = re.compile(r"\s*(?:[-*•–]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]\s+)\S")
_TITLE = re.compile(
    r"(?:§§?\s*\d+\.\d+|(?:part|subpart|chapter|section|appendix|annex)\s+[\dA-Z]|\d{1,2}-\d{1,2}-\d{1,3}\.?\s+[A-Z]"
    r"|(?:\d{1,2}\.){1,4}\d{0,3}\s+[A-Z]|SFAR\s)",
    re.IGNORECASE,
)
_CELLS = re.compile(r"(?<=\S)(?: {3,}|\t+)(?=\S)")
_EDGE = 2  # lines at the head and at the foot of a page in which its running lines stand
_PAGES = 3  # a line is a running one if this many pages have it
_RULE_LEVEL = 4  # of a section of the regulations: below subparts and subject groups
_FIRST_LEVEL = ("subpart", "part", "chapter", "appendix", "annex", "sfar")


def text_document(source: str, *, given: Description | None = None, file_name: str = "") -> ParsedDocument:
    """Plain text as sections. Raises `RefusedFile` when there is no text in it."""
    title, blocks = with_own_title(text_blocks(source))
    refuse_pretender(title, "\n".join(block.text for block in blocks[:200]))
    told = describe_text(source.lstrip()[:4000], file_name)
    fallback = Description(title=title[:300] or file_name.rsplit(".", 1)[0])
    return unpaged_document(blocks, (given or Description()).over(told).over(fallback))


def text_blocks(source: str) -> Iterator[Block]:
    """The headings, paragraphs, items and rows of plain text."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    words = set(re.findall(r"[a-z]+", text.lower()))
    for stretch in re.split(r"\n[ \t]*(?:\n|\Z)", "\n\n".join(_without_running(text.split("\f")))):
        lines = [line.rstrip() for line in stretch.split("\n") if line.strip()]
        if lines:
            yield from _blocks(lines, words)


def _without_running(pages: Sequence[str]) -> Iterator[str]:
    """Pages without the lines that are the same on many of them, whatever number they hold."""
    counted = Counter(key for page in pages for key in {_key(line) for _, line in _edges(page)})
    for page in pages:
        running = {at for at, line in _edges(page) if counted[_key(line)] >= _PAGES}
        yield "\n".join(line for at, line in enumerate(page.split("\n")) if at not in running)


def _edges(page: str) -> list[tuple[int, str]]:
    lines = [(at, line) for at, line in enumerate(page.split("\n")) if line.strip()]
    return lines[:_EDGE] + lines[_EDGE:][-_EDGE:]


def _key(line: str) -> str:
    return re.sub(r"\d+", "0", squeezed(line).lower())


def _blocks(lines: Sequence[str], words: Container[str]) -> Iterator[Block]:
    """The blocks of a stretch without blank lines."""
    if level := _heading_level(lines):
        yield Block(text=lines[0], level=level)
        lines = [line for line in lines[1:] if not _UNDERLINE.match(line)]
    if len(lines) > 1 and sum(bool(_CELLS.search(line.strip())) for line in lines) > len(lines) / 2:
        yield from (Block(text=" | ".join(_CELLS.split(line.strip())), kind="row") for line in lines)
        return
    for part in _items(lines):
        yield Block(text=_joined(part, words), kind="item" if _ITEM.match(part[0]) else "body")


def _heading_level(lines: Sequence[str]) -> int:
    """The level of the heading that a stretch begins with; 0 where it begins with text."""
    first = clean_text(lines[0]).strip()
    if first.startswith("§") and number_of(first).number:
        return _RULE_LEVEL
    if len(first) > _HEADING_LETTERS or not re.search(r"[^\W\d_]{2}", first):
        return 0
    if len(lines) > 1:
        line = _UNDERLINE.match(lines[1])
        return 0 if line is None else 1 if line["mark"] == "=" else 2
    if first[-1] in ";:," or len(first.split()) > _HEADING_WORDS:
        return 0
    if _TITLE.match(first):
        return _level_of_title(first)
    return 2 if first.isupper() else 0


def _level_of_title(title: str) -> int:
    """By the word it begins with, else by how many numbers it has."""
    named = any(title.lower().startswith(word) for word in _FIRST_LEVEL)
    return 1 if named else 1 + max(number_of(title).number.count("."), 1)


def _items(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for line in lines:
        if part and _ITEM.match(line):
            yield part
            part = []
        part.append(line)
    if part:
        yield part


def _joined(lines: Sequence[str], words: Container[str]) -> str:
    """Lines as running text. The hyphen at a line's end goes if the text elsewhere has the whole word."""
    text = ""
    for line in (clean_text(line).strip() for line in lines):
        left, right = re.search(r"([A-Za-z]+)-$", text), re.match(r"[a-z]+", line)
        if left and right:
            one_word = f"{left[1]}{right.group()}".lower() in words
            text = f"{text[:-1] if one_word else text}{line}"
        else:
            text = f"{text} {line}"
    return text
