"""Read a table of rules from an Excel workbook (.xlsx) into the rows of a JSON file of rules. Pure.

The file is untrusted: its size is limited while it is unpacked, and document types, macros and links to other files are
refused. A formula is not computed. Two layouts are understood: one row a question with a column for each
country, or one row an answer with the columns `country` and `answer`.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from io import BytesIO
from typing import Any
from xml.etree import ElementTree
from zipfile import BadZipFile, ZipFile

from knowledge.whole_numbers import whole_number
from rules import conf
from rules.query.query_preparation import UnknownCountry, country_named

MAGIC = b"PK\x03\x04"
_OLD_MAGIC = b"\xd0\xcf\x11\xe0"  # .xls, and any workbook with a password
_DAY_ZERO = date(1899, 12, 30)  # of Excel's day numbers
_DAY_NUMBER = re.compile(r"([2-7]\d{4})(\.\d+)?")  # 1954 to 2119
_QUESTION_COLUMNS = ("question_id", "category", "tags")
_ANSWER_COLUMNS = ("country", "answer", "links", "last_reviewed", "source_link")
_LAYOUT = (
    "Its first row must name the columns: question, category, tags, and a country in each further one;"
    " or question, category, tags, country, answer, links, last_reviewed, source_link"
)
_OTHER_NAMES = {"question": "question_id", "question_text": "question_id", "answer_html": "answer"}


class WrongWorkbook(ValueError):
    """The workbook cannot be used; the message says why and what to do."""


class Formula(str):
    """Stands in place of a formula's value."""

    __slots__ = ()


class SheetAnswer(dict[str, Any]):
    """An answer as a JSON file has it, with the row of the sheet that it stands in."""

    def __init__(self, row: int, text: str, **more: Any) -> None:
        super().__init__(answer_html=text, **more)
        self.row = row


Cells = Mapping[int, str]
"""The texts of a row by column, from 0; empty cells are left out."""


def is_workbook(data: bytes) -> bool:
    return data.startswith((MAGIC, _OLD_MAGIC))


def rows_of_workbook(data: bytes) -> tuple[list[tuple[int, dict[str, Any]]], list[str]]:
    """The questions of the first visible sheet, each with the number of its row, and the columns and sheets that were
    not read. Raises WrongWorkbook."""
    sheet, (name, *others) = _read_first_sheet(data)
    unread = [f"the sheet {other[:60]!r}: only the first one is read" for other in others]
    _, head = next(sheet, (0, {}))
    names: dict[int, str] = {}
    for column, title in head.items():
        plain = "_".join(title.lower().split())
        names[column] = _OTHER_NAMES.get(plain, plain)
    known = {*_QUESTION_COLUMNS, *_ANSWER_COLUMNS}
    countries: dict[int, str] = {}
    for column in head.keys() - {column for column, name in names.items() if name in known}:
        try:
            countries[column] = country_named(head[column])
        except UnknownCountry:
            unread.append(f"the column {head[column][:60]!r}, which is no country")
    needed = {"question_id": "question", "category": "category"}
    if not countries and not {"country", "answer"} & set(names.values()):
        needed["country"] = "a country"
    elif not countries:  # one row an answer
        needed |= {"country": "country", "answer": "answer"}
    if missing := [title for column, title in needed.items() if column not in names.values()]:
        lacks = f"has no column for: {', '.join(missing)}" if head else "is empty"
        front = ". Only the first sheet is read: move the rules to the front" if others else ""
        raise WrongWorkbook(f"the first sheet, “{name[:60]}”, {lacks}. {_LAYOUT}{front}")
    return _questions_of(sheet, names, countries), unread


def _questions_of(
    sheet: Iterator[tuple[int, Cells]], names: Mapping[int, str], countries: Mapping[int, str]
) -> list[tuple[int, dict[str, Any]]]:
    questions: dict[str, tuple[int, dict[str, Any]]] = {}
    for number, cells in sheet:
        said = {name: cells[column] for column, name in names.items() if column in cells}
        key = said.get("question_id", "")
        answers: dict[str, Any] = {}
        if "country" in said and key in questions:
            answers = questions[key][1]["answers_by_country"]
        else:  # a question that is there twice is for whoever reads the rows to refuse
            tags = [tag.strip() for tag in said.get("tags", "").split(",") if tag.strip()]
            question = {"question_id": key, "category": said.get("category", ""), "tags": tags}
            place = key if key not in questions else f"{key}\n{number}"
            questions[place] = (number, {**question, "answers_by_country": answers})
        for column, country in countries.items():
            if column in cells:
                answers[country] = SheetAnswer(number, cells[column], links=_links_in(cells[column]))
        if "country" in said:
            country = said["country"]
            with suppress(UnknownCountry):  # which is for whoever reads the rows to refuse
                country = country_named(country)
            text, checked = said.get("answer", ""), said.get("last_reviewed", "")
            if day := _DAY_NUMBER.fullmatch(checked):
                checked = (_DAY_ZERO + timedelta(days=int(day[1]))).isoformat()
            answers[f"{country} " if country in answers else country] = SheetAnswer(
                number,
                text,
                links=[*said.get("links", "").split(), *_links_in(text)],
                last_reviewed=checked,
                source_link=said.get("source_link", ""),
            )
    return list(questions.values())


def _links_in(text: str) -> list[str]:
    return re.findall(r"https?://[^\s<>\"')]+", text)


def _read_first_sheet(data: bytes) -> tuple[Iterator[tuple[int, Cells]], list[str]]:
    """The rows of the first visible sheet that say something, and the names of the visible sheets."""
    if data.startswith(_OLD_MAGIC):
        raise WrongWorkbook("this workbook is an old .xls or has a password: save it as .xlsx without one")
    try:
        with ZipFile(BytesIO(data)) as archive:
            parts = _unpack_parts(archive)
    except (BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise WrongWorkbook("the workbook is damaged: save it again as .xlsx") from error
    targets = {
        one.get("Id"): one.get("Target", "") for _, one in _read_elements(parts, "xl/_rels/workbook.xml.rels")
    }
    sheets = [
        (one.get("name", ""), next((value for name, value in one.items() if name.endswith("}id")), ""))
        for tag, one in _read_elements(parts, "xl/workbook.xml")
        if tag == "sheet" and one.get("state", "visible") == "visible"
    ]
    if not sheets:
        raise WrongWorkbook("the workbook has no visible sheet")
    target = targets.get(sheets[0][1]) or ""
    path = target.removeprefix("/") if target.startswith("/") else f"xl/{target}"
    shared: list[str] = []
    if "xl/sharedStrings.xml" in parts:
        shared = [_text_in(one) for tag, one in _read_elements(parts, "xl/sharedStrings.xml") if tag == "si"]
    return _read_rows(parts, path, shared), [name for name, _ in sheets]


def _unpack_parts(archive: ZipFile) -> dict[str, bytes]:
    """The parts of XML by name, within the limits."""
    names = archive.namelist()
    if len(names) > conf.SHEET_PARTS:
        raise WrongWorkbook(f"the workbook has more than {conf.SHEET_PARTS} parts")
    for sign, what in (("vbaproject", "macros"), ("externallinks/", "links to other files")):
        if any(sign in name.lower() for name in names):
            raise WrongWorkbook(f"the workbook has {what}: save a copy without them")
    parts: dict[str, bytes] = {}
    left = conf.SHEET_BYTES
    for name in names:
        if name.startswith("xl/") and name.endswith((".xml", ".rels")):
            with archive.open(name) as part:  # what the archive says about the size is not believed
                parts[name] = part.read(left + 1)
            left -= len(parts[name])
            if left < 0:
                raise WrongWorkbook(f"the workbook unpacks to more than {conf.SHEET_BYTES // 1024**2} MB")
    return parts


def _read_elements(parts: Mapping[str, bytes], path: str) -> Iterator[tuple[str, ElementTree.Element]]:
    """Each element of a part by its local name, children before parents."""
    if path not in parts:
        raise WrongWorkbook(
            "the file is not an Excel workbook, or a part of it is missing: save it again as .xlsx"
        )
    try:
        parts[path].decode("utf-8")
        if b"<!DOCTYPE" in parts[path] or b"<!ENTITY" in parts[path]:
            raise WrongWorkbook("the workbook declares a document type, which no spreadsheet program does")
        for _, element in ElementTree.iterparse(BytesIO(parts[path])):
            yield element.tag.rpartition("}")[2], element
    except (UnicodeDecodeError, ElementTree.ParseError) as error:
        raise WrongWorkbook(f"the workbook is damaged ({error}): save it again as .xlsx") from error


def _read_rows(parts: Mapping[str, bytes], path: str, shared: list[str]) -> Iterator[tuple[int, Cells]]:
    number, told = 0, 0
    for tag, element in _read_elements(parts, path):
        if tag != "row":
            continue
        number = whole_number(element.get("r") or "") or number + 1
        cells: dict[int, str] = {}
        for place, cell in enumerate(one for one in element if one.tag.endswith("}c")):
            column = _column_of(cell.get("r") or "", place)
            text = _text_of_cell(cell, shared)
            if text or isinstance(text, Formula):
                cells[column] = text
        element.clear()
        if cells:
            told += 1
            if told > conf.SHEET_ROWS or max(cells) >= conf.SHEET_COLUMNS:
                limits = f"{conf.SHEET_ROWS:,} rows or {conf.SHEET_COLUMNS} columns"
                raise WrongWorkbook(f"the sheet has more than {limits}")
            yield number, cells


def _column_of(reference: str, otherwise: int) -> int:
    """0 for "A7", 26 for "AA7"."""
    letters = re.match(r"[A-Z]{1,3}", reference)
    if not letters:
        return otherwise
    column = 0
    for letter in letters[0]:
        column = column * 26 + ord(letter) - ord("A") + 1
    return column - 1


def _text_of_cell(cell: ElementTree.Element, shared: list[str]) -> str:
    said = {child.tag.rpartition("}")[2]: child for child in cell}
    if "f" in said:
        return Formula()
    if "is" in said:
        return _text_in(said["is"]).strip()
    value = (said["v"].text or "").strip() if "v" in said else ""
    if cell.get("t") == "s":
        at = whole_number(value)
        return shared[at].strip() if at is not None and at < len(shared) else ""
    if cell.get("t") == "b":
        return {"1": "yes", "0": "no"}.get(value, "")
    return "" if cell.get("t") == "e" else value


def _text_in(element: ElementTree.Element) -> str:
    """The text of its runs, without the reading aids of Japanese."""
    pieces = []
    for child in element:
        name = child.tag.rpartition("}")[2]
        if name == "t":
            pieces.append(child.text or "")
        elif name == "r":
            pieces.append(_text_in(child))
    return "".join(pieces)
