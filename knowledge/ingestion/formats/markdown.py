r"""Turn Markdown into blocks, and so into sections without pages. Pure.

14 CFR ("### §91.155 Basic VFR weather minimums.", paragraphs "\(a\)"), the AIM ("**General ^3-2-1**"), and the
Pilot/Controller Glossary have their own conventions; any other text is read by its headings. Links become their words,
tables rows; front matter, reading time, source address, comments, and pictures are left out.
"""

import html
import re
from collections.abc import Iterable, Iterator

from knowledge.grounding.citations import GLOSSARY
from knowledge.ingestion.document_model import Description, ParsedDocument, squeeze_spaces
from knowledge.ingestion.formats.blocks import Block, unpaged_document
from knowledge.ingestion.formats.html_tables import SUPERSCRIPTS, clean_lines, table_rows
from knowledge.ingestion.formats.metadata import describe_text
from knowledge.ingestion.formats.section_numbers import number_of

_FRONT_MATTER = re.compile(r"\A---[ \t]*\n.{0,4000}?\n---[ \t]*(?:\n|\Z)", re.DOTALL)
_TITLE = re.compile(r"\A\s*(?:#[ \t][^\n]*|[^\n]+\n=+[ \t]*)(?:\n|\Z)")
_WIKI_LINK = r"\[\[(?P<target>(?:(?!\]\]|\[\[|\|)[^\n]){0,500})(?:\|(?P<text>[^\]\n]{0,500}))?\]\]"
_NESTED = 8  # links within the words of links; what is nested deeper is no text
_HEADING = re.compile(r"[ ]{0,3}(?P<marks>#{1,6})[ \t]+(?P<title>.*?)[ \t#]*$")
_ITEM = re.compile(r"[ \t]*(?:\d{1,3}\.|[-*+])[ \t]+\S")
_ESCAPE_OR_EMPHASIS = re.compile(
    r"\\([!-/:-@\[-`{-~])|\*{1,3}|`+|(?<![\w_])__?(?=[^\W_])|(?<=[^\W_])__?(?![\w_])"
)

RULE_LEVEL, PARAGRAPH_LEVEL, DEEPEST = 4, 2, 3  # of a section of the CFR, of the AIM, of any other heading
TERM_LEVEL = 2  # of the Pilot/Controller Glossary


def markdown_document(source: str, *, file_name: str = "") -> ParsedDocument:
    """Markdown as sections. Raises RefusedFile if there is no text in it."""
    text = source.replace("\r\n", "\n").replace("\r", "\n")
    front = _remove_comments(_FRONT_MATTER.sub("", text[:8000])).lstrip()[:4000]
    title = _TITLE.match(front)
    heading = _plain_text(_strip_tags(title[0].rstrip("=\n \t").lstrip("# "))) if title else ""
    fallback = Description(title=heading if title else file_name.rsplit(".", 1)[0])
    described = describe_text(front, file_name).over(fallback)
    if described.abbreviation == GLOSSARY:
        # "^JENBTEwg" is a term in base64, an anchor of the tool that made the file.
        text = re.sub(r"\^J[A-Za-z0-9]{3,15}(?![a-z])", "", text)
        return unpaged_document(_split_terms(_markdown_blocks(text)), described)
    return unpaged_document(_markdown_blocks(text), described)


def _markdown_blocks(source: str) -> Iterator[Block]:
    """The headings, paragraphs, items and rows of Markdown, without the title that it begins with."""
    text = _FRONT_MATTER.sub("", source)
    text = re.sub(
        r"^(?:\*\*\d+ min read\*\*|Source: \[[^\]\n]*\]\([^)\n]*\))[ \t]*$", "", text, flags=re.MULTILINE
    )
    text = _TITLE.sub("", _remove_comments(text))
    for _ in range(_NESTED):  # innermost first: the name of a section may itself hold a link
        text, links = re.subn(
            _WIKI_LINK, lambda link: link["text"] or link["target"].rpartition("#")[2], text
        )
        if not links:
            break
    text = re.sub(r"!\[[^\]]{0,500}\]\([^)\s]{0,2000}\)", "", text)
    text = re.sub(r"\[([^\[\]]{0,500})\](?:\([^)\n]{0,2000}\)|\{[^}\n]{0,200}\})", r"\1", text)
    for is_table, part in _split_at(text, "<table", "</table>"):
        if is_table:
            yield from (Block(text=_plain_text(row), kind="row") for row in table_rows(part))
            continue
        bare = _strip_tags(re.sub(r"</?div[^>]{0,500}>", "\n\n", re.sub(r"</?em>", "", part)))
        for stretch in re.split(r"\n[ \t]*\n", bare):
            for lines in _group_lines(stretch.strip("\n").split("\n")):
                yield from _blocks_of_lines(lines)


def _remove_comments(text: str) -> str:
    return "".join(part for is_comment, part in _split_at(text, "<!--", "-->") if not is_comment)


def _split_at(text: str, start: str, end: str) -> Iterator[tuple[bool, str]]:
    """The text in parts, each with whether it runs from `start` to `end`; an unclosed one is plain text."""
    lower, at = text.lower(), 0
    while (begin := lower.find(start, at)) >= 0 and (close := lower.find(end, begin)) >= 0:
        yield False, text[at:begin]
        at = close + len(end)
        yield True, text[begin:at]
    yield False, text[at:]


def _strip_tags(markup: str) -> str:
    """Markup without its tags; raised digits stay raised, so that 10² does not become 102."""
    raised = re.sub(r"<sup>\s*([\d+-]+)\s*</sup>", lambda found: found[1].translate(SUPERSCRIPTS), markup)
    broken = re.sub(r"<br\s*/?>", "\n", raised)
    return clean_lines(html.unescape(re.sub(r"</?[a-zA-Z][^>]*>", "", broken)))


def _group_lines(lines: list[str]) -> Iterator[list[str]]:
    """Lines that belong together: a heading alone, an item, the rows of a table, or a paragraph."""
    group: list[str] = []
    for line in lines:
        starts = _HEADING.match(line) or _ITEM.match(line) or _is_fence(line)
        changes = bool(group) and _is_row(line) != _is_row(group[-1])
        if group and (starts or changes or _HEADING.match(group[0])):
            yield group
            group = []
        group.append(line)
        if len(group) == 2 and _underline_level(line) and group[0].strip() and not _ITEM.match(group[0]):
            yield group
            group = []
    if group:
        yield group


def _is_fence(line: str) -> bool:
    return line.lstrip().startswith(("```", "~~~"))


def _is_row(line: str) -> bool:
    stripped = line.strip()
    return len(stripped) > 1 and stripped[0] == stripped[-1] == "|"


def _underline_level(line: str) -> int:
    """1 under a heading of the first level, 2 under one of the second, else 0."""
    return {"=": 1, "-": 2}.get("".join(set(line.strip())), 0) if line.strip() != "-" else 0


def _blocks_of_lines(lines: list[str]) -> Iterator[Block]:
    if _is_row(lines[0]) and len(lines) > 1:
        rows = [line.strip().strip("|").split("|") for line in lines]
        cells = (
            "".join(f"<td>{html.escape(_plain_text(cell))}</td>" for cell in row)
            for row in rows
            if not all(set(cell.strip().strip(":")) == {"-"} for cell in row)  # the line below the head
        )
        table = "".join(f"<tr>{row}</tr>" for row in cells)
        yield from (Block(text=row, kind="row") for row in table_rows(f"<table>{table}</table>"))
    elif match := _HEADING.match(lines[0]):
        yield _heading_block(_plain_text(match["title"]), len(match["marks"]))
    elif len(lines) == 2 and (level := _underline_level(lines[1])):
        yield _heading_block(_plain_text(lines[0]), level)
    else:
        text = "\n".join(re.sub(r"^[ \t]*(?:>[ \t]?)+", "", line) for line in lines if not _is_fence(line))
        aim = re.match(r"\s*\*\*(?P<title>[^*\n]{1,200}?)\s*\^(?P<number>\d+-\d+-\d+)\*\*[ \t]*", text)
        if aim:
            yield Block(text=f"{_plain_text(aim['title'])} {aim['number']}", level=PARAGRAPH_LEVEL)
            text = text[aim.end() :]
        yield Block(text=_plain_text(text), kind="item" if _ITEM.match(text) else "body")


def _heading_block(title: str, marks: int) -> Block:
    """Two marks are the first level: one mark is the document's own title."""
    if title.startswith("§"):
        return Block(text=title, level=RULE_LEVEL)
    if number_of(title).number.startswith(("Appendix", "SFAR")):
        return Block(text=title, level=1)  # beside the subparts, however many marks it has
    return Block(text=title, level=min(max(marks - 1, 1), DEEPEST))


def _plain_text(text: str) -> str:
    """Text without emphasis and escapes, on one line."""
    return squeeze_spaces(_ESCAPE_OR_EMPHASIS.sub(lambda found: found[1] or "", text))


def _split_terms(blocks: Iterable[Block]) -> Iterator[Block]:
    """Blocks of the glossary with a heading for each term: capitals, a dash, the definition."""
    aside = r"\([^()]{1,60}\)|\[[^\[\]]{1,40}\]"  # letters in brackets may be small
    forms = (
        rf"([A-Z0-9](?:[^a-z()\[\]]|\bor\b|{aside}){{0,120}}?)\s?(?:-(?=\s|$|[A-Z][a-z])|:$)\s*(.*)$",
        r"([A-Z]{2,}(?: [A-Z][\w-]+){1,4} \([A-Z0-9]+\))-\s(.*)$",
        rf"([A-Z][^a-z()\[\]]{{1,80}}(?:{aside})?)()$",
    )
    for block in blocks:
        if block.level or block.kind != "body":
            yield block
        elif block.text not in ("OR", "AND"):  # they stand between two definitions of one term
            match = next((found for form in forms if (found := re.match(form, block.text))), None)
            if match is None or not re.search(r"[A-Z]", match[1]):
                yield block
                continue
            yield Block(text=match[1].strip(), level=TERM_LEVEL)
            if match[2]:
                yield Block(text=match[2])
