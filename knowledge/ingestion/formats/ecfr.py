"""Turn eCFR XML into blocks, and so into sections without pages. Pure.

Both published forms are read: the bulk file of a title and the answer for one part. Nested DIV1 to DIV9 (title,
subtitle, chapter, subchapter, part, subpart, subject group, section, appendix) begin with a HEAD; the rest is flat: P,
FP, HD1 to HD3, notes, extracts, tables. The parser streams, loads nothing, and refuses files that declare entities.
"""

import html
import re
from dataclasses import dataclass, field
from xml.parsers import expat

from knowledge.ingestion.document_model import Description, ParsedDocument, clean_text, squeeze_spaces
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.blocks import Block, unpaged_document
from knowledge.ingestion.formats.html_tables import SUPERSCRIPTS, table_rows
from knowledge.ingestion.formats.metadata import describe_part, iso_date_in

_ROOTS = ("ECFR", "DLPSTEXTCLASS", "ECFRBRWS")
_TITLE, _PART, _SECTION, _APPENDIX = 1, 5, 8, 9  # depths of divisions
_TEXT = frozenset(str.split("P PSPACE FP LI DD DT CAPTION NOTE EXTRACT FTNT"))  # and P-1, FP-2, FP1-2…
_HEADINGS = {"HD1": 1, "HD2": 2, "HD3": 3, "HD4": 4, "HED": 0}  # levels below the section; 0 is no heading
_LEFT_OUT = frozenset(
    str.split("CITA AUTH SOURCE SECAUTH EDNOTE EFFDNOT CROSSREF APPRO HEADER IMG GPH TOC CFRTOC PRTPAGE PTHD")
)
_TABLES = ("TABLE", "GPOTABLE")
_TABLE_TAGS = {
    "TABLE": "table", "GPOTABLE": "table", "TR": "tr", "ROW": "tr", "BOXHD": "tr", "TD": "td", "TH": "th",
    "ENT": "td", "CHED": "th", "BR": "br",
}  # fmt: skip
_INLINE = frozenset(
    str.split("E I B U S A AC FR SC SU SUB SUP EM STRONG SPAN FONT SMALL MARK ABBR CODE INS DEL XREF")
)
_DEEPEST = 200  # elements within elements; the government's files have 20


def ecfr_document(source: bytes, *, file_name: str = "") -> ParsedDocument:
    """The parts of a title as sections. Raises RefusedFile for XML that is broken, is no eCFR, declares entities, or
    holds no text."""
    reader = _Reader()
    reader.parse(source)
    title, dated = reader.title or "14", Description(edition_date=iso_date_in(reader.amended))
    if len(reader.parts) == 1:
        ((part, head),) = reader.parts.items()
        told = describe_part(title, part, head)
        blocks = [block for block in reader.blocks if block.level != _heading_level(_PART)]
    else:
        told = Description(
            title=f"{title} CFR {reader.head or file_name}"[:300],
            doc_type="cfr",
            abbreviation=f"{title} CFR",
            category="regulations",
        )
        blocks = reader.blocks
    return unpaged_document(blocks, told.over(dated))


def _heading_level(depth: int) -> int:
    """Divisions above the part only name the volume; an appendix stands beside the subparts."""
    return 2 if depth == _APPENDIX else max(depth - _PART + 1, 0)


def _division_depth(tag: str) -> int:
    """5 for DIV5; 0 for a tag that is no division."""
    return int(tag[3]) if re.fullmatch("DIV[1-9]", tag) else 0


def _is_text(tag: str) -> bool:
    return tag in _TEXT or re.match(r"F?P\d?-", tag) is not None


@dataclass(slots=True)
class _Reader:
    """What the parser has met so far."""

    blocks: list[Block] = field(default_factory=list)
    parts: dict[str, str] = field(default_factory=dict)
    title: str = ""
    head: str = ""
    amended: str = ""
    open: list[str] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    table: list[str] = field(default_factory=list)
    skipped: int = 0  # open elements that are left out
    tables: int = 0

    def parse(self, source: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start_element
        parser.EndElementHandler = self._end_element
        parser.CharacterDataHandler = self._add_text
        parser.EntityDeclHandler = self._refuse_entity
        try:
            parser.Parse(source, True)
        except (expat.ExpatError, LookupError, ValueError) as error:  # the last two: an unknown encoding
            said = f"The XML is broken and cannot be read ({error}). Download the part from ecfr.gov again."
            raise RefusedFile(said[:300], "broken") from error

    def _refuse_entity(self, *_: object) -> None:
        raise RefusedFile(
            "The XML declares entities of its own, as no eCFR file does. Download the part from ecfr.gov.",
            "entities",
        )

    def _start_element(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.upper()
        depth = _division_depth(tag)
        if not self.open and not depth and tag not in _ROOTS:
            raise RefusedFile(
                f"The XML is no eCFR file: it begins with <{name[:40]}>. Download the part from ecfr.gov.",
                "not_ecfr",
            )
        self.open.append(tag)
        if len(self.open) > _DEEPEST:
            raise RefusedFile(
                "The XML nests deeper than any eCFR file. Download the part from ecfr.gov.", "over_limits"
            )
        self.skipped += tag in _LEFT_OUT
        if self.skipped:
            return
        if tag in _TABLES or self.tables:
            self._start_in_table(tag, attributes)
        elif depth and "TYPE" in attributes:
            self._flush_text()
            self.depths.append(depth)
            if not self.title and (found := re.match(r"\d+(?=:)", attributes.get("NODE", ""))):
                self.title = found.group()
            if depth == _PART:
                self.parts[attributes.get("N", "").strip()] = ""
        elif _is_text(tag):
            self._flush_text()

    def _start_in_table(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _TABLES:
            self._flush_text()
            self.tables += 1
        if markup := _TABLE_TAGS.get(tag):
            spans = "".join(
                f' {name}="{html.escape(value)}"'
                for name, value in attributes.items()
                if name.lower() in ("rowspan", "colspan")
            )
            self.table.append(f"<{markup}{spans}>")
        elif tag not in _INLINE:
            self.table.append(" ")

    def _add_text(self, text: str) -> None:
        if self.skipped or not self.open:
            return
        if self.open[-1] in ("SU", "SUP") and text.strip().isdigit():
            text = text.translate(SUPERSCRIPTS)
        if self.tables:
            self.table.append(html.escape(text))
        else:
            self.text.append(text)

    def _end_element(self, name: str) -> None:
        tag = self.open.pop()
        if self.skipped:
            self.skipped -= tag in _LEFT_OUT
        elif self.tables:
            if (markup := _TABLE_TAGS.get(tag)) and markup != "br":
                self.table.append(f"</{markup}>")
            self.tables -= tag in _TABLES
            if not self.tables:
                markup, self.table = "".join(self.table), []
                self.blocks += [Block(text=row, kind="row") for row in table_rows(markup)]
        elif tag == "HEAD":
            self._end_head()
        elif tag == "AMDDATE":
            self.amended = self.amended or self._take_text()
        elif tag in _HEADINGS:  # within a section or an appendix; the head of a note is its first words
            below = _HEADINGS[tag]
            self._flush_text(_heading_level(_SECTION) + below if below else 0)
        elif _is_text(tag):
            self._flush_text()
        elif _division_depth(tag) and self.depths:
            self._flush_text()
            self.depths.pop()

    def _end_head(self) -> None:
        text = self._take_text()
        depth = self.depths[-1] if self.depths else 0
        self.head = self.head or text
        if depth == _TITLE and (found := re.match(r"Title (\d+)", text)):
            self.title = found[1]
        if depth == _PART:
            self.parts[next(reversed(self.parts))] = text
        if text and depth >= _PART:
            self.blocks.append(Block(text=text, level=_heading_level(depth)))

    def _flush_text(self, level: int = 0) -> None:
        if text := self._take_text():
            self.blocks.append(Block(text=text, level=level))

    def _take_text(self) -> str:
        text, self.text = squeeze_spaces(clean_text("".join(self.text))), []
        return text
