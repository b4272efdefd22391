"""Lines of an ACS, each with its place on the page, become a standard: Areas, Tasks, elements.

A line is a row of the page, its drop-cap put back ("R" and "eferences:" are one word, printed apart). What
a row is, its first words tell: bold "Task A." opens a Task, "Objective:" its objective, a code its element;
any other row goes on with what is open. Pure: it knows no PDF library, no database and no file.
"""

import re
from calendar import month_name
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from typing import Literal

from .references import Reference, parse_references

Kind = Literal["knowledge", "risk", "skill"]
KINDS: Mapping[str, Kind] = {"K": "knowledge", "R": "risk", "S": "skill"}
ARCHIVED = "[Archived]"

# Words of the title that name the certificate, first match wins.
CERTIFICATES: Mapping[str, str] = {
    "airline transport": "atp",
    "flight instructor": "instructor",
    "instrument rating": "instrument",
    "commercial": "commercial",
    "private": "private",
    "sport": "sport",
    "recreational": "recreational",
    "remote pilot": "remote",
}

ROW_TOLERANCE = (
    3.0  # points: pieces whose upper edges lie this close stand in one row (italic codes sit 0.4 lower)
)
TOUCHING = 1.0  # points: pieces with a smaller gap are one word; a drop-cap touches its word
MARGIN = 0.05  # of the page's height, at top and bottom: running head and foot

_NUMBER = re.compile(r"FAA-S-ACS-\d+[A-Z]?")
_DATE = re.compile(rf"\b({'|'.join(month_name[1:])})\s+(?:(\d{{1,2}}),\s*)?(\d{{4}})\b")
_AREA = re.compile(r"^Area of Operation ([IVXL]+)\.\s*(.+)$")
_TASK = re.compile(r"^Task ([A-Z])\.\s*(.+)$")
_CODE = re.compile(r"^([A-Z]{2}\.[IVXL]+\.[A-Z])\.([KRS])(\d+)([a-z]?)\s+(.+)$")
_LABEL = re.compile(
    r"^(References|Objective|Note|Knowledge|Risk Management|Risk|Management|Skills):?(?:\s+(.*))?$"
)
_END = re.compile(r"^Appendix \d+\b")
_CLASSES = re.compile(r"\s*\(((?:A[SM]E[LS])(?:,\s*A[SM]E[LS])*)\)\s*$")
_MARKER = re.compile(r"^[a-z]\.\s+")


class NotAnAcs(ValueError):
    """The text is not an Airman Certification Standard; the message says what was looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A run of text as a PDF prints it, with its box in points."""

    page: int
    x0: float
    y0: float
    x1: float
    text: str
    bold: bool
    page_height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AcsElementText:
    code: str
    parent: str
    kind: Kind
    text: str
    page: int
    archived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class AcsTaskText:
    code: str
    title: str
    classes: tuple[str, ...]
    references_line: str
    references: tuple[Reference, ...]
    objective: str
    notes: tuple[str, ...]
    page: int
    elements: tuple[AcsElementText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcsAreaText:
    number: str
    title: str
    page: int
    tasks: tuple[AcsTaskText, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AcsStandard:
    certificate: str
    number: str
    title: str
    edition_date: date | None
    areas: tuple[AcsAreaText, ...]

    @property
    def prefix(self) -> str:
        """What every code of this standard begins with: "PA"."""
        return self.tasks[0].code.split(".")[0]

    @property
    def tasks(self) -> tuple[AcsTaskText, ...]:
        return tuple(task for area in self.areas for task in area.tasks)

    @property
    def elements(self) -> tuple[AcsElementText, ...]:
        return tuple(element for task in self.tasks for element in task.elements)


@dataclass(frozen=True, slots=True)
class Row:
    page: int
    text: str
    bold: bool


def read_acs(pieces: Sequence[Piece]) -> AcsStandard:
    """The standard that these pieces print. Raises NotAnAcs if they print no number or no element of one."""
    rows = tuple(rows_of(pieces))
    cover = [row.text for row in rows if row.page == 1]
    number = _first(_NUMBER, cover)
    if not number:
        raise NotAnAcs(
            "no number such as FAA-S-ACS-6C on the first page: this is not an Airman Certification Standard"
        )
    areas = tuple(area for area in _areas(rows) if area.tasks)
    if not areas:
        raise NotAnAcs(
            f"{number} has no Task with coded elements in its text: give the FAA's own PDF, not a scan"
        )
    title = _title(cover)
    return AcsStandard(
        certificate=certificate_of(title), number=number, title=title, edition_date=_date(cover), areas=areas
    )


def certificate_of(title: str) -> str:
    """The certificate that a title names ("private"); a title that names none gives its first word."""
    lowered = title.lower()
    named = (word for words, word in CERTIFICATES.items() if words in lowered)
    return next(named, lowered.split(" ")[0] if lowered else "unknown")


# Pieces to rows


def rows_of(pieces: Iterable[Piece]) -> Iterator[Row]:
    """Rows in reading order, without the running head and foot; pieces that touch are one word."""
    row: list[Piece] = []
    for piece in sorted(filter(_stays, pieces), key=lambda one: (one.page, one.y0, one.x0)):
        if row and (piece.page != row[0].page or piece.y0 - row[0].y0 > ROW_TOLERANCE):
            yield _row(row)
            row = []
        row.append(piece)
    if row:
        yield _row(row)


def _stays(piece: Piece) -> bool:
    """The cover has neither running head nor foot: all of it stays."""
    return piece.page == 1 or MARGIN < piece.y0 / piece.page_height < 1 - MARGIN


def _row(pieces: list[Piece]) -> Row:
    ordered = sorted(pieces, key=lambda piece: piece.x0)
    text = ordered[0].text
    for before, piece in pairwise(ordered):
        text += piece.text if piece.x0 - before.x1 < TOUCHING else f" {piece.text}"
    return Row(ordered[0].page, " ".join(text.split()), ordered[0].bold)


# Rows to Areas


@dataclass(slots=True)
class _Draft:
    """A Task while it is being read: what is open takes the rows that say nothing of their own."""

    title: list[str]
    page: int
    parts: dict[str, list[str]] = field(default_factory=lambda: {"References": [], "Objective": []})
    notes: list[list[str]] = field(default_factory=list)
    elements: list[tuple[re.Match[str], int, list[str]]] = field(default_factory=list)
    open: list[str] | None = None


def _areas(rows: Iterable[Row]) -> Iterator[AcsAreaText]:
    """One pass: an Area is given out when the next one or an appendix opens, or the text ends."""
    heading: tuple[str, str, int] | None = None
    drafts: list[_Draft] = []
    for row in rows:
        area = _AREA.match(row.text) if row.bold else None
        ends = bool(row.bold and drafts and _END.match(row.text))
        if heading and (area or ends):
            yield _area(heading, drafts)
        if ends:
            return
        if area:
            heading, drafts = (area[1], area[2], row.page), []
        elif heading:
            _take(row, drafts)
    if heading:
        yield _area(heading, drafts)


def _take(row: Row, drafts: list[_Draft]) -> None:
    task = _TASK.match(row.text) if row.bold else None
    if task:
        title = [task[2]]
        drafts.append(_Draft(title=title, page=row.page, open=title))
    elif drafts:
        _take_into(drafts[-1], row)


def _take_into(draft: _Draft, row: Row) -> None:
    code, label = _CODE.match(row.text), _LABEL.match(row.text) if row.bold else None
    if code:
        draft.open = [code[5]]
        draft.elements.append((code, row.page, draft.open))
    elif label:
        _open_part(draft, label[1], label[2] or "")
    elif draft.open is not None:
        draft.open.append(row.text)


def _open_part(draft: _Draft, label: str, rest: str) -> None:
    """What follows "Knowledge:" and its like only introduces the codes: it belongs to nobody."""
    if label == "Note":
        draft.open = [rest]
        draft.notes.append(draft.open)
    elif label in draft.parts:
        draft.open = draft.parts[label]
        draft.open.append(rest)
    else:
        draft.open = None


def _area(heading: tuple[str, str, int], drafts: list[_Draft]) -> AcsAreaText:
    number, title, page = heading
    tasks = tuple(_task(draft) for draft in drafts if draft.elements)
    return AcsAreaText(number=number, title=title, page=page, tasks=tasks)


def _task(draft: _Draft) -> AcsTaskText:
    code = draft.elements[0][0][1]
    title, classes = split_classes(_joined(draft.title))
    line = _joined(draft.parts["References"])
    return AcsTaskText(
        code=code,
        title=title,
        classes=classes,
        references_line=line,
        references=parse_references(line),
        objective=_joined(draft.parts["Objective"]),
        notes=tuple(_joined(note) for note in draft.notes),
        page=draft.page,
        elements=tuple(_element(*element) for element in draft.elements if element[0][1] == code),
    )


def split_classes(title: str) -> tuple[str, tuple[str, ...]]:
    """Title and classes: "Taxiing (ASEL, AMEL)" → ("Taxiing", ("ASEL", "AMEL")); () means every class."""
    found = _CLASSES.search(title)
    if not found:
        return title, ()
    return title[: found.start()], tuple(name.strip() for name in found[1].split(","))


def _element(code: re.Match[str], page: int, lines: list[str]) -> AcsElementText:
    task, letter, number, sub, _ = code.groups()
    whole = f"{task}.{letter}{number}"
    text = _joined(lines)
    text = _MARKER.sub("", text) if sub else text
    return AcsElementText(
        code=whole + sub,
        parent=whole if sub else "",
        kind=KINDS[letter],
        text=text,
        page=page,
        archived=text == ARCHIVED,
    )


def _joined(lines: Iterable[str]) -> str:
    """Rows as one text; a row that ends in a hyphen goes on without a space ("pilot-in-" "command")."""
    text = ""
    for line in filter(None, lines):
        text += line if not text or re.search(r"\w-$", text) else f" {line}"
    return text


# The cover


def _first(pattern: re.Pattern[str], texts: Iterable[str]) -> str:
    matches = (match for text in texts if (match := pattern.search(text)))
    found = next(matches, None)
    return found.group() if found else ""


def _date(cover: Iterable[str]) -> date | None:
    """The first day of "November 2023"; None when the cover bears no date."""
    printed = _first(_DATE, cover)
    match = _DATE.search(printed)
    if not match:
        return None
    return datetime.strptime(f"{match[1]} {match[2] or 1} {match[3]}", "%B %d %Y").date()


def _title(cover: Sequence[str]) -> str:
    """What the cover prints between the standard's number and its date."""
    lines = [line for line in cover if not _NUMBER.search(line)]
    dated = next((at for at, line in enumerate(lines) if _DATE.search(line)), len(lines))
    return " ".join(lines[:dated])
