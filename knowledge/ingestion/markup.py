"""Markdown and plain text become sections without pages; an anchor takes the page's place. Pure.

Two houses of Markdown are known: 14 CFR ("### §91.155 Basic VFR weather minimums.", paragraphs "\\(a\\)")
and the AIM ("**General ^3-2-1**"); any other is read by its headings. Links become their words, tables
rows that can be read alone, escapes and tags go. Left out are what is no text of the source: the reading
time, the address it came from, pictures, reserved numbers, and the history of amendments in brackets at
the end of a section.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .describing import describe_text
from .errors import RefusedFile
from .headings import slug
from .pages import Description, Kind, Paragraph, ParsedDocument, Section, squeezed
from .tables import inline_text, table_rows

_FRONT = re.compile(r"^(?:\*\*\d+ min read\*\*|Source: \[[^\]]*\]\([^)]*\))\s*$", re.MULTILINE)
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL | re.IGNORECASE)
_WIKI = re.compile(r"\[\[(?P<target>(?:(?!\]\]|\[\[|\|)[^\n])*)(?:\|(?P<text>[^\]\n]*))?\]\]")
_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_LINK = re.compile(r"\[(?P<text>[^\]]*)\](?:\([^)]*\)|\{[^}]*\})")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_STARS = re.compile(r"\*{1,3}")
_HISTORY = re.compile(r"\[(?:Doc(?:ket)?\.? No|Amdt|Order|SFAR|\d+ FR \d+|Redesignated)", re.IGNORECASE)

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<title>.*)")
_TITLE = re.compile(r"\A#\s[^\n]*\n?")  # the document's own, which its description holds
_CFR = re.compile(r"§§?\s*(?P<number>\d+\.\d+[a-z]?)(?:-\d+\.\d+[a-z]?)?\s+(?P<title>.*)")
_AIM = re.compile(r"\*\*(?P<title>[^*\n]{1,200}?)\s*\^(?P<number>\d+-\d+-\d+)\*\*[ \t]*")
_APPENDIX = re.compile(r"Appendix(?:es)?\s+(?P<letter>[A-Z]{1,2})\b")
_SFAR = re.compile(r"Special Federal Aviation Regulation No\.\s*(?P<number>[\d-]+?)(?=—|\s|$)")
_CHILD = re.compile(r"\*{0,2}Section (?P<number>\d+)\.")
_ITEM = re.compile(r"(?P<indent>[ \t]*)(?:\d{1,3}\.|[-*+])[ \t]+\S")
_PARAGRAPH_MARK = re.compile(r"\((?:[a-z]{1,5}|\d{1,3}|[A-Z])\)")

#: What can be read, and what a later version will.
NOT_YET = {".html": "HTML", ".htm": "HTML", ".xml": "eCFR XML"}
READ = "PDF (.pdf), Markdown (.md) and plain text (.txt)"
_HELD = "\ue000"  # stands for an escaped character while the marks around it are read


@dataclass(frozen=True, slots=True)
class _Block:
    """A stretch of text between blank lines, or one row of a table."""

    text: str
    kind: Kind = "body"


def refuse_later_formats(suffix: str) -> None:
    """HTML and eCFR XML are known but not read yet."""
    if name := NOT_YET.get(suffix.lower()):
        raise RefusedFile(f"{name} is not yet supported; {READ} are.", "not_yet_supported")


def markdown_document(
    source: str, *, given: Description | None = None, file_name: str = ""
) -> ParsedDocument:
    """Markdown as sections. Raises `RefusedFile` when there is no text in it."""
    description = _described(source, given, file_name)
    sections = _sections(_blocks(_without_marks(source)), description)
    return _checked(ParsedDocument(description=description, paged=False, sections=sections))


def text_document(source: str, *, given: Description | None = None, file_name: str = "") -> ParsedDocument:
    """Plain text: paragraphs between blank lines, under one heading."""
    description = _described(source, given, file_name)
    paragraphs = tuple(
        Paragraph(text=squeezed(block)) for block in re.split(r"\n[ \t]*\n", source) if block.strip()
    )
    section = Section(heading=description.title, level=0, path=(description.title,), paragraphs=paragraphs)
    return _checked(ParsedDocument(description=description, paged=False, sections=(section,)))


def _described(source: str, given: Description | None, file_name: str) -> Description:
    title = next((match["title"] for match in map(_HEADING.match, source.split("\n", 20)) if match), "")
    told = describe_text(source[:4000], file_name)
    fallback = Description(title=squeezed(title) or file_name.rsplit(".", 1)[0])
    return (given or Description()).over(told).over(fallback)


def _checked(document: ParsedDocument) -> ParsedDocument:
    if not any(paragraph.text.strip() for paragraph in document.paragraphs()):
        raise RefusedFile("The file holds no text.", "empty")
    return document


# --- from marks to blocks ------------------------------------------------------------


def _without_marks(source: str) -> str:
    """Source in which tables stand apart, and links, pictures and front matter are gone."""
    text = _FRONT.sub("", source.replace("\r\n", "\n"))
    text = _without_wiki_links(text)
    text = _LINK.sub(lambda link: link["text"], _PICTURE.sub("", text))
    return _TABLE.sub(lambda table: f"\n\n{table.group()}\n\n", text)


def _without_wiki_links(text: str) -> str:
    """Links as their words, the innermost first: the name of a section may itself hold a link."""
    while (plain := _WIKI.sub(lambda link: link["text"] or link["target"].rpartition("#")[2], text)) != text:
        text = plain
    return text


def _blocks(text: str) -> Iterator[_Block]:
    at = 0
    for table in _TABLE.finditer(text):
        yield from _text_blocks(text[at : table.start()])
        yield from (_Block(_plain(row), "row") for row in table_rows(table.group()))
        at = table.end()
    yield from _text_blocks(text[at:])


def _text_blocks(text: str) -> Iterator[_Block]:
    for stretch in re.split(r"\n[ \t]*\n", _without_tags(text)):
        for part in _item_starts(stretch):
            if part.strip():
                yield _Block(part.strip(), "item" if _ITEM.match(part) else "body")


def _without_tags(text: str) -> str:
    """Tags off; a div is a paragraph of its own."""
    return inline_text(re.sub(r"</?div[^>]*>", "\n\n", re.sub(r"</?em>", "", text)))


def _item_starts(stretch: str) -> list[str]:
    parts: list[list[str]] = [[]]
    for line in stretch.split("\n"):
        if _ITEM.match(line) and parts[-1]:
            parts.append([])
        parts[-1].append(line)
    return ["\n".join(part) for part in parts]


def _plain(text: str) -> str:
    """Text without emphasis and escapes, on one line."""
    held: list[str] = []

    def hold(match: re.Match[str]) -> str:
        held.append(match[1])
        return _HELD

    bare = _STARS.sub("", _ESCAPE.sub(hold, text))
    return squeezed(re.sub(_HELD, lambda _: held.pop(0), bare))


# --- from blocks to sections ------------------------------------------------------------


def _sections(blocks: Iterator[_Block], description: Description) -> tuple[Section, ...]:
    sections = [Section(heading=description.title, level=0, path=(description.title,))]
    for block in blocks:
        block = replace(block, text=_TITLE.sub("", block.text))
        opened = _opened(block, sections)
        if opened is not None:
            section, rest = opened
            sections.append(section)
            block = replace(block, text=rest)
        paragraph = _paragraph(block)
        if paragraph is not None:
            sections[-1] = replace(sections[-1], paragraphs=(*sections[-1].paragraphs, paragraph))
    return tuple(section for section in sections if _says_something(section))


def _says_something(section: Section) -> bool:
    """More than its own heading: containers live on in the path of what they contain."""
    return any(paragraph.kind != "heading" for paragraph in section.paragraphs)


def _paragraph(block: _Block) -> Paragraph | None:
    text = _plain(block.text)
    if not re.search(r"\w", text) or _HISTORY.match(text):
        return None
    kind: Kind = "item" if block.kind == "body" and _PARAGRAPH_MARK.match(text) else block.kind
    return Paragraph(text=text, kind=kind)


def _opened(block: _Block, sections: Sequence[Section]) -> tuple[Section, str] | None:
    """The section that a block opens, and what of the block is already its text."""
    if match := _HEADING.match(block.text):
        head, _, rest = block.text.partition("\n")
        title = _plain(_HEADING.sub(lambda found: found["title"], head))
        return (
            (_headed(title, len(match["marks"]), sections), rest)
            if title and len(match["marks"]) > 1
            else None
        )
    if match := _AIM.match(block.text):
        title = _plain(match["title"])
        return _numbered(title, match["number"], f"{title} {match['number']}", 2, sections), block.text[
            match.end() :
        ]
    return None


def _headed(title: str, marks: int, sections: Sequence[Section]) -> Section:
    if match := _CFR.match(title):
        name = match["title"].rstrip(".")
        return _numbered(name, match["number"], f"§ {match['number']} {match['title']}", 4, sections)
    if match := _APPENDIX.match(title):
        return _numbered(title, f"Appendix {match['letter']}", title, 1, sections)
    if match := _SFAR.match(title):
        return _numbered(title, f"SFAR {match['number']}", title, 1, sections)
    above = next((section for section in reversed(sections) if section.level == 1), None)
    child = _CHILD.match(title)
    if child and above and above.number:
        return _numbered(title, f"{above.number}, section {child['number']}", title, 2, sections)
    return _numbered(title, "", title, min(marks - 1, 3), sections)


def _numbered(heading: str, number: str, shown: str, level: int, sections: Sequence[Section]) -> Section:
    parent = next((section for section in reversed(sections) if section.level < level), sections[0])
    return Section(
        heading=heading,
        level=level,
        path=(*parent.path, shown),
        number=number,
        anchor=number or slug(heading),
        paragraphs=(Paragraph(text=shown, kind="heading"),),
        border=True,
    )
