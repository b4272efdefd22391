"""Turn plain text into blocks, and so into sections without pages. Pure.

It is read as a person reads it: paragraphs between blank lines, words broken at the end of a line, lists, rows whose
cells stand apart, headings by their number, underline, or capitals. Lines at the head or foot of page after page (pages
end with a form feed) are left out.
"""

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence

from knowledge.ingestion.document_model import Description, ParsedDocument, clean_text, squeeze_spaces
from knowledge.ingestion.formats.blocks import Block, unpaged_document, with_own_title
from knowledge.ingestion.formats.error_page_detection import refuse_error_page
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.section_numbers import number_of

_HEADING_LETTERS, _HEADING_WORDS = 120, 16
_ITEM = re.compile(r"\s*(?:[-*•–]\s+|\(?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]\s+)\S")
_TITLE = re.compile(
    r"(?:§§?\s*\d+\.\d+|(?:part|subpart|chapter|section|appendix|annex)\s+[\dA-Z]|\d{1,2}-\d{1,2}-\d{1,3}\.?\s+[A-Z]"
    r"|(?:\d{1,2}\.){1,4}\d{0,3}\s+[A-Z]|SFAR\s)",
    re.IGNORECASE,
)
_CELL_GAP = re.compile(r"(?<=\S)(?: {3,}|\t+)(?=\S)")
_EDGE = 2  # lines at the head and at the foot of a page that may be running lines
_PAGES = 3  # pages that have the same running line
_RULE_LEVEL = 4  # of a section of the regulations: below subparts and subject groups
_FIRST_LEVEL = ("subpart", "part", "chapter", "appendix", "annex", "sfar")


def text_document(source: str, *, file_name: str = "") -> ParsedDocument:
    """Plain text as sections. Raises RefusedFile if there is no text in it."""
    title, blocks = with_own_title(text_blocks(source))
    refuse_error_page(title, "\n".join(block.text for block in blocks[:200]))
    told = describe_text(source.lstrip()[:4000], file_name)
    fallback = Description(title=title[:300] or file_name.rsplit(".", 1)[0])
    return unpaged_document(blocks, told.over(fallback))


def text_blocks(source: str) -> Iterator[Block]:
    """The headings, paragraphs, items and rows of plain text."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    words = set(re.findall(r"[a-z]+", text.lower()))
    # Lines that many pages have at an edge are left out, whatever number is in them.
    pages = [page.split("\n") for page in text.split("\f")]
    edges: list[dict[int, str]] = []  # the comparable text of the lines at a page's edges, by their place
    for lines in pages:
        keys = {at: squeeze_spaces(line).lower() for at, line in enumerate(lines) if line.strip()}
        at_edge = [*list(keys)[:_EDGE], *list(keys)[_EDGE:][-_EDGE:]]
        edges.append({at: re.sub(r"\d+", "0", keys[at]) for at in at_edge})
    counted = Counter(key for edge in edges for key in set(edge.values()))
    kept = [
        "\n".join(line for at, line in enumerate(lines) if counted[edge.get(at, "")] < _PAGES)
        for lines, edge in zip(pages, edges, strict=True)
    ]
    for stretch in re.split(r"\n[ \t]*(?:\n|\Z)", "\n\n".join(kept)):
        lines = [line.rstrip() for line in stretch.split("\n") if line.strip()]
        if lines and (level := _heading_level(lines)):
            yield Block(text=lines[0], level=level)
            lines = [line for line in lines[1:] if not _underline_mark(line)]
        if len(lines) > 1 and sum(bool(_CELL_GAP.search(line.strip())) for line in lines) > len(lines) / 2:
            yield from (Block(text=" | ".join(_CELL_GAP.split(line.strip())), kind="row") for line in lines)
            continue
        items: list[list[str]] = []
        for line in lines:
            if items and not _ITEM.match(line):
                items[-1].append(line)
            else:
                items.append([line])
        for item in items:
            yield Block(text=_join_lines(item, words), kind="item" if _ITEM.match(item[0]) else "body")


def _heading_level(lines: Sequence[str]) -> int:
    """The level of the heading on the first line; 0 if it is text."""
    first = clean_text(lines[0]).strip()
    number = number_of(first).number
    if first.startswith("§") and number:
        return _RULE_LEVEL
    if len(first) > _HEADING_LETTERS or not re.search(r"[^\W\d_]{2}", first):
        return 0
    if len(lines) > 1:
        mark = _underline_mark(lines[1])
        return 0 if not mark else 1 if mark == "=" else 2
    if first[-1] in ";:," or len(first.split()) > _HEADING_WORDS:
        return 0
    if _TITLE.match(first):
        return 1 if first.lower().startswith(_FIRST_LEVEL) else 1 + max(number.count("."), 1)
    return 2 if first.isupper() else 0


def _underline_mark(line: str) -> str:
    """The character that a line consists of, if it underlines a heading, else ""."""
    stripped = line.strip()
    is_line = len(stripped) > 3 and len(set(stripped)) == 1 and stripped[0] in "=-~^*_"
    return stripped[0] if is_line else ""


def _join_lines(lines: Sequence[str], words: Container[str]) -> str:
    """Lines as running text. A hyphen at the end of a line is dropped if the whole word occurs elsewhere."""
    pieces: list[str] = []  # only the last one is looked at, so that a paragraph costs what its length does
    for line in (clean_text(line).strip() for line in lines):
        last = pieces[-1] if pieces else ""
        left, right = re.search(r"(?<![A-Za-z])([A-Za-z]+)-$", last), re.match(r"[a-z]+", line)
        if left and right:
            if f"{left[1]}{right.group()}".lower() in words:
                pieces[-1] = last[:-1]
        else:
            pieces.append(" ")
        pieces.append(line)
    return "".join(pieces)
