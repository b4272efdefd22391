"""eCFR XML becomes blocks, and so sections without pages. Pure.

Both forms that the government publishes are read: the bulk file of a title and the answer for one part.
Their nested DIV1 to DIV9 (title, subtitle, chapter, subchapter, part, subpart, subject group, section,
appendix) each begin with a HEAD; what stands below is flat: P, FP, HD1 to HD3, notes, extracts, tables.
The parser is a streaming one that keeps no tree, loads nothing from outside, and refuses documents that
declare entities of their own.
"""

import html
import re
from dataclasses import dataclass, field
from xml.parsers import expat

from knowledge.ingestion.document_model import Description, ParsedDocument, clean_text, squeezed
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.blocks import Block, unpaged_document
from knowledge.ingestion.formats.html_tables import SUPERSCRIPTS, table_rows
from knowledge.ingestion.formats.metadata import describe_part, iso_date_in

_ROOTS = re.compile(r"(?:ECFR|DLPSTEXTCLASS|ECFRBRWS|DIV[1-9])$")
_DIVISION = re.compile(r"DIV(?P<depth>[1-9])$")
_TITLE, _PART, _SECTION, _APPENDIX = 1, 5, 8, 9
_TEXT = frozenset(
    re.findall(r"\w+", "P PSPACE FP LI DD DT CAPTION NOTE EXTRACT FTNT")
)  # and P-1, FP-2, FP1-2…
_TEXT_LIKE = re.compile(r"F?P\d?-")
_WITHIN = {"HD1": 1, "HD2": 2, "HD3": 3, "HD4": 4, "HED": 0}  # levels below the section; 0 is no heading
_LEFT_OUT = frozenset(
    re.findall(
        r"\w+",
        "CITA AUTH SOURCE SECAUTH EDNOTE EFFDNOT CROSSREF APPRO HEADER IMG GPH TOC CFRTOC PRTPAGE PTHD",
    )
)
_TABLES = {"TABLE": "table", "GPOTABLE": "table"}
_CELLS = {
    "TR": "tr", "ROW": "tr", "BOXHD": "tr", "TD": "td", "TH": "th", "ENT": "td", "CHED": "th", "BR": "br",
}  # fmt: skip
_WITHIN_WORDS = frozenset(
    re.findall(
        r"\w+", "E I B U S A AC FR SC SU SUB SUP EM STRONG SPAN FONT SMALL MARK ABBR CODE INS DEL XREF"
    )
)
_DEEPEST = 200  # elements within elements; the government's files have 20


def ecfr_document(source: bytes, *, given: Description | None = None, file_name: str = "") -> ParsedDocument:
    """The parts of a title as sections. Raises `RefusedFile` for XML that is broken, is no eCFR, declares
    entities, or holds no text.
    """
    reader = _Reader()
    reader.read(source)
    alone = len(reader.parts) == 1
    blocks = [block for block in reader.blocks if not (alone and block.level == _level(_PART))]
    return unpaged_document(blocks, (given or Description()).over(_described(reader, file_name)))


def _described(reader: "_Reader", file_name: str) -> Description:
    title, dated = reader.title or "14", Description(edition_date=iso_date_in(reader.amended))
    if len(reader.parts) == 1:
        ((part, head),) = reader.parts.items()
        return describe_part(title, part, head).over(dated)
    return Description(
        title=f"{title} CFR {reader.head or file_name}"[:300],
        doc_type="cfr",
        abbreviation=f"{title} CFR",
        category="regulations",
    ).over(dated)


def _level(depth: int) -> int:
    """Divisions above the part only name the volume; an appendix stands beside the subparts."""
    return {_APPENDIX: 2}.get(depth, max(depth - _PART + 1, 0))


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
    unread: int = 0  # open elements that are left out
    tables: int = 0

    def read(self, source: bytes) -> None:
        parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._said
        parser.EntityDeclHandler = self._refuse_entity
        try:
            parser.Parse(source, True)
        except (
            expat.ExpatError,
            LookupError,
            ValueError,
        ) as error:  # the last two for an encoding nobody knows
            said = f"The XML is broken and cannot be read ({error}). Download the part from ecfr.gov again."
            raise RefusedFile(said[:300], "broken") from error

    def _refuse_entity(self, *_: object) -> None:
        raise RefusedFile(
            "The XML declares entities of its own, as no eCFR file does. Download the part from ecfr.gov.",
            "entities",
        )

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.upper()
        if not self.open and not _ROOTS.match(tag):
            raise RefusedFile(
                f"The XML is no eCFR file: it begins with <{name[:40]}>. Download the part from ecfr.gov.",
                "not_ecfr",
            )
        self.open.append(tag)
        if len(self.open) > _DEEPEST:
            raise RefusedFile(
                "The XML nests deeper than any eCFR file. Download the part from ecfr.gov.", "over_limits"
            )
        self.unread += tag in _LEFT_OUT
        if self.unread:
            return
        if tag in _TABLES or self.tables:
            self._into_table(tag, attributes)
        elif (division := _DIVISION.match(tag)) and "TYPE" in attributes:
            self._into_division(int(division["depth"]), attributes)
        elif _is_text(tag):
            self._flush()

    def _into_division(self, depth: int, attributes: dict[str, str]) -> None:
        self._flush()
        self.depths.append(depth)
        number = attributes.get("N", "").strip()
        if not self.title and (found := re.match(r"\d+(?=:)", attributes.get("NODE", ""))):
            self.title = found.group()
        if depth == _PART:
            self.parts[number] = ""

    def _into_table(self, tag: str, attributes: dict[str, str]) -> None:
        if tag in _TABLES:
            self._flush()
            self.tables += 1
        spans = "".join(
            f' {name}="{html.escape(value)}"'
            for name, value in attributes.items()
            if name.lower() in ("rowspan", "colspan")
        )
        if markup := _TABLES.get(tag) or _CELLS.get(tag):
            self.table.append(f"<{markup}{spans}>")
        elif tag not in _WITHIN_WORDS:
            self.table.append(" ")

    def _said(self, text: str) -> None:
        if self.unread or not self.open:
            return
        if self.open[-1] in ("SU", "SUP") and text.strip().isdigit():
            text = text.translate(SUPERSCRIPTS)
        if self.tables:
            self.table.append(html.escape(text))
        else:
            self.text.append(text)

    def _end(self, name: str) -> None:
        tag = self.open.pop()
        if self.unread:
            self.unread -= tag in _LEFT_OUT
            return
        if self.tables:
            self._out_of_table(tag)
        elif tag == "HEAD":
            self._headed()
        elif tag == "AMDDATE":
            self.amended = self.amended or self._taken()
        elif tag in _WITHIN:
            self._head_within(_WITHIN[tag])
        elif _is_text(tag):
            self._flush()
        elif _DIVISION.match(tag) and self.depths:
            self._flush()
            self.depths.pop()

    def _out_of_table(self, tag: str) -> None:
        if (markup := _TABLES.get(tag) or _CELLS.get(tag)) and markup != "br":
            self.table.append(f"</{markup}>")
        if tag in _TABLES:
            self.tables -= 1
        if not self.tables:
            markup, self.table = "".join(self.table), []
            self.blocks += [Block(text=row, kind="row") for row in table_rows(markup)]

    def _headed(self) -> None:
        text = self._taken()
        depth = self.depths[-1] if self.depths else 0
        self.head = self.head or text
        if depth == _TITLE and (found := re.match(r"Title (\d+)", text)):
            self.title = found[1]
        if depth == _PART:
            self.parts[next(reversed(self.parts))] = text
        if text and depth >= _PART:
            self.blocks.append(Block(text=text, level=_level(depth)))

    def _head_within(self, below: int) -> None:
        """A heading within a section or an appendix; the head of a note is its first words."""
        text = self._taken()
        if text and below:
            self.blocks.append(Block(text=text, level=_level(_SECTION) + below))
        elif text:
            self.blocks.append(Block(text=text))

    def _flush(self) -> None:
        if text := self._taken():
            self.blocks.append(Block(text=text))

    def _taken(self) -> str:
        text, self.text = squeezed(clean_text("".join(self.text))), []
        return text


def _is_text(tag: str) -> bool:
    return tag in _TEXT or bool(_TEXT_LIKE.match(tag))
