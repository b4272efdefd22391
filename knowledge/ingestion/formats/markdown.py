"""Markdown becomes blocks, and so sections without pages; an anchor takes the page's place. Pure.

Two houses of Markdown are known: 14 CFR ("### §91.155 Basic VFR weather minimums.", paragraphs "\\(a\\)")
and the AIM ("**General ^3-2-1**"); any other is read by its headings. Links become their words, tables
rows that can be read alone, escapes and tags go. Left out are the front matter, the reading time, the
address it came from, comments and pictures.
"""

import html
import re
from collections.abc import Iterator

from knowledge.ingestion.document_model import Description, ParsedDocument, squeezed
from knowledge.ingestion.formats.blocks import Block, unpaged_document
from knowledge.ingestion.formats.glossary import PCG, glossary_blocks, without_anchors
from knowledge.ingestion.formats.html_tables import inline_text, table_rows
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.section_numbers import number_of

_META = re.compile(r"\A---[ \t]*\n.{0,4000}?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_FRONT = re.compile(r"^(?:\*\*\d+ min read\*\*|Source: \[[^\]\n]*\]\([^)\n]*\))[ \t]*$", re.MULTILINE)
_TITLE = re.compile(r"\A\s*(?:#[ \t][^\n]*|[^\n]+\n=+[ \t]*)(?:\n|\Z)")
_WIKI = re.compile(r"\[\[(?P<target>(?:(?!\]\]|\[\[|\|)[^\n]){0,500})(?:\|(?P<text>[^\]\n]{0,500}))?\]\]")
_PICTURE = re.compile(r"!\[[^\]]{0,500}\]\([^)\s]{0,2000}\)")
_LINK = re.compile(r"\[(?P<text>[^\[\]]{0,500})\](?:\([^)\n]{0,2000}\)|\{[^}\n]{0,200}\})")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_EMPHASIS = re.compile(r"\*{1,3}|`+|(?<![\w_])__?(?=[^\W_])|(?<=[^\W_])__?(?![\w_])")
_HELD = "\ue000"  # stands for an escaped character while the marks around it are read
_NESTED = 8  # a link's words may hold a link; what is nested deeper is no text

_HEADING = re.compile(r"[ ]{0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*?)[ \t#]*$")
_UNDERLINE = re.compile(r"[ ]{0,3}(?:(?P<first>=+)|-{2,})[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_AIM = re.compile(r"\*\*(?P<title>[^*\n]{1,200}?)\s*\^(?P<number>\d+-\d+-\d+)\*\*[ \t]*")
_ITEM = re.compile(r"[ \t]*(?:\d{1,3}\.|[-*+])[ \t]+\S")
_PIPES = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_PIPE_RULE = re.compile(r"[ \t]*\|(?:[ \t]*:?-+:?[ \t]*\|)+[ \t]*$")

RULE_LEVEL, PARAGRAPH_LEVEL, DEEPEST = 4, 2, 3  # of a section of the CFR, of the AIM, of any other heading
_APART = ("Appendix", "SFAR")  # they stand beside the subparts, however deep their heading is marked


def markdown_document(
    source: str, *, given: Description | None = None, file_name: str = ""
) -> ParsedDocument:
    """Markdown as sections. Raises `RefusedFile` when there is no text in it."""
    text = source.replace("\r\n", "\n").replace("\r", "\n").replace(_HELD, " ")
    described = _described(text, given, file_name)
    if described.abbreviation == PCG:
        return unpaged_document(glossary_blocks(markdown_blocks(without_anchors(text))), described)
    return unpaged_document(markdown_blocks(text), described)


def _described(source: str, given: Description | None, file_name: str) -> Description:
    front = _without_comments(_META.sub("", source[:8000])).lstrip()[:4000]
    title = _TITLE.match(front)
    told = describe_text(front, file_name)
    fallback = Description(
        title=_plain(inline_text(title[0].rstrip("=\n \t").lstrip("# "))) if title else _stem(file_name)
    )
    return (given or Description()).over(told).over(fallback)


def _stem(file_name: str) -> str:
    return file_name.rsplit(".", 1)[0]


# --- from marks to stretches of text ------------------------------------------------------------


def markdown_blocks(source: str) -> Iterator[Block]:
    """The headings, paragraphs, items and rows of Markdown, without the title that it begins with."""
    for is_table, part in _between(_without_marks(source), "<table", "</table>"):
        if is_table:
            yield from (Block(text=_plain(row), kind="row") for row in table_rows(part))
        else:
            yield from _text_blocks(part)


def _without_marks(source: str) -> str:
    """Source in which links, pictures, comments and front matter are gone."""
    text = _TITLE.sub("", _without_comments(_FRONT.sub("", _META.sub("", source))))
    for _ in range(_NESTED):  # innermost first: the name of a section may itself hold a link
        text, links = _WIKI.subn(lambda link: link["text"] or link["target"].rpartition("#")[2], text)
        if not links:
            break
    return _LINK.sub(lambda link: link["text"], _PICTURE.sub("", text))


def _without_comments(text: str) -> str:
    return "".join(inner for outer, inner in _between(text, "<!--", "-->") if not outer)


def _between(text: str, start: str, end: str) -> Iterator[tuple[bool, str]]:
    """The text in stretches, each with whether it stands from `start` to `end`; one that does not end is
    plain text.
    """
    lower, at = text.lower(), 0
    while (begin := lower.find(start, at)) >= 0 and (close := lower.find(end, begin)) >= 0:
        yield False, text[at:begin]
        at = close + len(end)
        yield True, text[begin:at]
    yield False, text[at:]


def _text_blocks(text: str) -> Iterator[Block]:
    bare = inline_text(re.sub(r"</?div[^>]{0,500}>", "\n\n", re.sub(r"</?em>", "", text)))
    for stretch in re.split(r"\n[ \t]*\n", bare):
        for part in _parts(stretch.strip("\n").split("\n")):
            yield from _part_blocks(part)


def _parts(lines: list[str]) -> Iterator[list[str]]:
    """Lines that belong together: a heading alone, an item, rows of a table, or a paragraph."""
    part: list[str] = []
    for line in lines:
        starts = _HEADING.match(line) or _ITEM.match(line) or _FENCE.match(line)
        changes = bool(part) and bool(_PIPES.match(line)) != bool(_PIPES.match(part[-1]))
        if part and (starts or changes or _HEADING.match(part[0])):
            yield part
            part = []
        part.append(line)
        if len(part) == 2 and _UNDERLINE.match(line) and part[0].strip() and not _ITEM.match(part[0]):
            yield part
            part = []
    if part:
        yield part


def _part_blocks(lines: list[str]) -> Iterator[Block]:
    if _PIPES.match(lines[0]) and len(lines) > 1:
        yield from _rows(lines)
        return
    if heading := _heading(lines):
        yield heading
        return
    text = "\n".join(re.sub(r"^[ \t]*(?:>[ \t]?)+", "", line) for line in lines if not _FENCE.match(line))
    if match := _AIM.match(text.lstrip()):
        title = f"{_plain(match['title'])} {match['number']}"
        yield Block(text=title, level=PARAGRAPH_LEVEL)
        text = text.lstrip()[match.end() :]
    yield Block(text=_plain(text), kind="item" if _ITEM.match(text) else "body")


def _rows(lines: list[str]) -> Iterator[Block]:
    rows = (line.strip().strip("|").split("|") for line in lines if not _PIPE_RULE.match(line))
    cells = ("".join(f"<td>{html.escape(_plain(cell))}</td>" for cell in row) for row in rows)
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    yield from (Block(text=row, kind="row") for row in table_rows(f"<table>{table}</table>"))


def _heading(lines: list[str]) -> Block | None:
    if match := _HEADING.match(lines[0]):
        return _headed(_plain(match["title"]), len(match["marks"]))
    if len(lines) == 2 and (match := _UNDERLINE.match(lines[1])):
        return _headed(_plain(lines[0]), 1 if match["first"] else 2)
    return None


def _headed(title: str, marks: int) -> Block:
    """A heading with two marks stands on the first level: the one mark is the document's own title."""
    number = number_of(title).number
    if title.startswith("§"):
        return Block(text=title, level=RULE_LEVEL)
    if number.startswith(_APART):
        return Block(text=title, level=1)
    return Block(text=title, level=min(max(marks - 1, 1), DEEPEST))


def _plain(text: str) -> str:
    """Text without emphasis and escapes, on one line."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[1])
        return _HELD

    bare = _EMPHASIS.sub("", _ESCAPE.sub(hold, text))
    return squeezed(re.sub(_HELD, lambda _: held.pop(0), bare))
