"""Rows of an ACS become a standard: Areas, Tasks, elements.

What a row is, its words, its column and the rows after it tell: "Task A." opens a Task where "References", "Objective"
or "Knowledge" follows, as it does not in a table of contents; a code opens its element; any other row goes on with what
is open. Boldness, colons and drop caps differ between editions and decide nothing. Pure.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from statistics import median
from typing import Literal

from .acs_contents import Place, missing_at_end, places_in_contents
from .acs_cover import LONGEST_TITLE, certificate_of, date_on, number_on, title_on, why_no_standard
from .acs_rows import Piece, Row, rows_of
from .references import Reference, parse_references

Kind = Literal["knowledge", "risk", "skill"]
KINDS: Mapping[str, Kind] = {"K": "knowledge", "R": "risk", "S": "skill"}

COLUMN = 12.0  # points: codes begin at most so far to the right of the column of codes
BEFORE_TEXT = (
    5.0  # points: labels, which may be set flush right, begin so far to the left of the column of texts
)
TASK_ROWS = 8  # rows at most from "Task A." to its first label: a title has four
AREA_ROWS = 10  # rows at most from an Area's heading to its first Task: a note may stand between
TITLE_ROWS = 2  # rows at most of an Area's title
LONGEST_AREA = 200  # letters that are kept

_AREA = re.compile(r"^(?:Area of Operation\s+)?([IVXL]{1,6})[.:]\s*(\S.*)$")
_TASK = re.compile(r"^Task\s+([A-Z])[.:]\s*(\S.*)$")
_CODE = re.compile(r"^([A-Z]{2})\.([IVXLl1]{1,6})\.([A-Z])\.\s?([KRS])\s?(\d{1,2})([a-z]?)(?:\s+(\S.*))?$")
_LABELS = "References?|Objective|Notes?|Knowledge|Risk Management|Risk|Management|Skills?"
_LABEL = re.compile(rf"^({_LABELS})\s*:\s*(.*)$", re.IGNORECASE)
_BARE_LABEL = re.compile(
    rf"^({_LABELS})(?:\s+((?:The applicant|To determine|\d+ CFR|AC \d|AIM\b|FAA-|POH).*))?$"
)  # without a colon: alone in its cell, or before what always follows it
_OPENING = ("reference", "references", "objective", "knowledge")
_END = re.compile(r"^Appendix \d+\s*[:.–-]\s*\S")
_CLASS = r"A[SM]E[LS]"
_CLASSES = re.compile(rf"\s*\(({_CLASS}(?:(?:\s*[,/&]\s*(?:and\s+)?|\s+and\s+){_CLASS})*)\)\s*$")
_MARKER = re.compile(r"^[a-z]\.\s+")
_ARCHIVED = re.compile(r"^[\[(]archived[\])]\.?$", re.IGNORECASE)


class NotAnAcs(ValueError):
    """The text is not an Airman Certification Standard that can be loaded; the message says what was looked for."""


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
    """`misprints` are codes that were printed wrong or twice, and how they were read."""

    certificate: str
    number: str
    title: str
    edition_date: date | None
    areas: tuple[AcsAreaText, ...]
    misprints: tuple[str, ...] = ()

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


def read_acs(pieces: Sequence[Piece]) -> AcsStandard:
    """The standard that these pieces print. Raises NotAnAcs if they print no number, no coded element or not all."""
    rows = rows_of(pieces)
    cover = [row.text for row in rows if row.page == 1]
    number = number_on(cover)
    if not number:
        raise NotAnAcs(why_no_standard(cover))
    marks = _marked(rows)
    misprints: list[str] = []
    areas = tuple(_areas(marks, misprints))
    if not areas:
        raise NotAnAcs(
            f"{number} has no Task with coded elements in its text: give the FAA's own PDF, not a scan"
        )
    _refuse_cut_off(number, rows, marks)
    title = title_on(cover)
    return AcsStandard(
        certificate=certificate_of(title),
        number=number,
        title=title,
        edition_date=date_on(cover),
        areas=areas,
        misprints=tuple(misprints),
    )


# What each row is

Mark = Literal["area", "task", "code", "label", "end", "text"]


@dataclass(frozen=True, slots=True)
class _Marked:
    """A row and what it is; `words` are the groups of its pattern."""

    mark: Mark
    row: Row
    words: tuple[str, ...] = ()


def _marked(rows: Sequence[Row]) -> list[_Marked]:
    """Every row with what its words and its column say; then Areas and Tasks lose theirs if nothing follows."""
    coded = [row for row in rows if _CODE.match(row.text)]
    texts = [row.x1 for row in coded if row.x1 is not None]
    codes = median(row.x0 for row in coded) + COLUMN if coded else 0.0
    labels = max(codes, median(texts) - BEFORE_TEXT) if texts else codes
    found = [_mark_of(row, codes, labels) for row in rows]
    tasks = {at for at, one in enumerate(found) if one.mark == "task" and _opens_task(found, at)}
    areas = {at for at, one in enumerate(found) if one.mark == "area" and _opens_area(found, at, tasks)}
    return [
        one if one.mark not in ("area", "task") or at in tasks or at in areas else _Marked("text", one.row)
        for at, one in enumerate(found)
    ]


def _mark_of(row: Row, codes: float, labels: float) -> _Marked:
    """`codes` and `labels` are how far to the right such a row may begin."""
    if row.x0 <= codes and (code := _CODE.match(row.text)):
        return _Marked("code", row, tuple(group or "" for group in code.groups()))
    if row.x0 <= labels and (label := _label_of(row)):
        return _Marked("label", row, label)
    for mark, pattern in (("task", _TASK), ("area", _AREA), ("end", _END)):
        if match := pattern.match(row.text):
            return _Marked(mark, row, match.groups())  # type: ignore[arg-type]  # the names of Mark
    return _Marked("text", row)


def _label_of(row: Row) -> tuple[str, str] | None:
    """What a label names, and the text behind it."""
    if colon := _LABEL.match(row.text):
        return colon[1].lower(), colon[2]
    bare = _BARE_LABEL.match(row.cells[0])
    if bare:
        return bare[1].lower(), " ".join(filter(None, (bare[2], *row.cells[1:])))
    return None


def _opens_task(found: Sequence[_Marked], at: int) -> bool:
    """Whether the first row of another kind behind it is a label that begins a Task."""
    for one in found[at + 1 : at + 1 + TASK_ROWS]:
        if one.mark == "label":
            return one.words[0] in _OPENING
        if one.mark not in ("text", "end"):
            return False
    return False


def _opens_area(found: Sequence[_Marked], at: int, tasks: set[int]) -> bool:
    """Whether a Task opens behind it, and no other Area before."""
    for later in range(at + 1, min(at + 1 + AREA_ROWS, len(found))):
        if later in tasks:
            return True
        if found[later].mark in ("area", "task", "code", "end"):
            return False
    return False


# Rows to Areas


@dataclass(slots=True)
class _Draft:
    """A Task while it is being read: what is open takes the rows that say nothing of their own."""

    letter: str
    title: list[str]
    area: tuple[str, str, int]
    page: int
    parts: dict[str, list[str]] = field(default_factory=lambda: {"references": [], "objective": []})
    notes: list[list[str]] = field(default_factory=list)
    elements: list["_Coded"] = field(default_factory=list)
    open: list[str] | None = None


@dataclass(frozen=True, slots=True)
class _Coded:
    """An element as printed: `task` is what its code says, with a digit for a letter put right."""

    task: str
    letter: str
    number: str
    sub: str
    page: int
    printed: str
    lines: list[str]

    @property
    def rest(self) -> str:
        return f"{self.letter}{self.number}{self.sub}"


def _areas(marks: Iterable[_Marked], misprints: list[str]) -> Iterator[AcsAreaText]:
    """Tasks with elements, by the Area that their codes name; an Area's title is that of the heading before them."""
    tasks: dict[str, AcsTaskText] = {}
    headings: dict[str, tuple[str, int]] = {}
    for draft in _drafts(marks):
        for task in _tasks_of(draft, misprints):
            if task.code in tasks:
                misprints.append(f"{task.code} is printed twice; the one on page {task.page} is left out")
                continue
            tasks[task.code] = task
            numeral = task.code.split(".")[1]
            printed, title, page = draft.area
            known = (title, page) if printed in (numeral, "") else ("", task.page)
            headings.setdefault(numeral, known)
    for numeral, (title, page) in headings.items():
        inside = tuple(task for task in tasks.values() if task.code.split(".")[1] == numeral)
        yield AcsAreaText(number=numeral, title=title[:LONGEST_AREA], page=page, tasks=inside)


def _drafts(marks: Iterable[_Marked]) -> list[_Draft]:
    """One pass, to the first appendix behind a Task."""
    drafts: list[_Draft] = []
    area, titled = ("", "", 0), 0
    for one in marks:
        row = one.row
        if one.mark == "end" and drafts:
            break
        if one.mark == "area" and one.words[0] != area[0]:
            area, titled = (one.words[0], one.words[1], row.page), TITLE_ROWS - 1
        elif one.mark == "task":
            titled = 0
            if not (drafts and _goes_on(drafts[-1], area, one.words)):
                title = [one.words[1]]
                drafts.append(_Draft(letter=one.words[0], title=title, area=area, page=row.page, open=title))
        elif titled and one.mark == "text":
            area, titled = (area[0], f"{area[1]} {row.text}", area[2]), titled - 1
        elif drafts and not titled and drafts[-1].area == area:
            _take_into(drafts[-1], one)
        else:
            titled = 0
    return drafts


def _goes_on(draft: _Draft, area: tuple[str, str, int], words: Sequence[str]) -> bool:
    """The heading is repeated where a Task runs over a page."""
    return draft.area == area and draft.letter == words[0]


def _take_into(draft: _Draft, one: _Marked) -> None:
    if one.mark == "code":
        prefix, numeral, letter, kind, number, sub, text = one.words
        task = f"{prefix}.{numeral.replace('1', 'I').replace('l', 'I')}.{letter}"
        draft.open = [text]
        printed = one.row.text.split(" ")[0]
        draft.elements.append(_Coded(task, kind, number, sub, one.row.page, printed, draft.open))
    elif one.mark == "label":
        _open_part(draft, *one.words)
    elif draft.open is not None:
        draft.open.append(one.row.text)


def _open_part(draft: _Draft, label: str, rest: str) -> None:
    """What follows "Knowledge:" and its like only introduces the codes: it belongs to nobody."""
    label = "references" if label == "reference" else label
    if label in ("note", "notes"):
        draft.open = [rest]
        draft.notes.append(draft.open)
    elif label in draft.parts:
        draft.open = draft.parts[label]
        draft.open.append(rest)
    else:
        draft.open = None


def _tasks_of(draft: _Draft, misprints: list[str]) -> Iterator[AcsTaskText]:
    """The Task of a draft, and those whose own heading was not recognized.

    A single code that names another Task is a misprint and is put right where its place is free.
    """
    counts = Counter(one.task for one in draft.elements)
    if not counts:
        return
    code = counts.most_common(1)[0][0]
    kept: dict[str, _Coded] = {}
    for one in draft.elements:
        if one.task == code or counts[one.task] == 1:
            read = f"{code}.{one.rest}"
            if one.rest in kept or (one.task != code and _is_printed(draft, code, one.rest)):
                misprints.append(f"{one.printed} on page {one.page} is printed twice; the first one counts")
                continue
            if one.printed != read:
                misprints.append(f"{one.printed} on page {one.page} is read as {read}")
            kept[one.rest] = one
    yield _task(code, draft, kept.values())
    for other, count in counts.items():
        if other != code and count > 1:
            inside = {one.rest: one for one in draft.elements if one.task == other}
            yield _untitled(other, tuple(inside.values()))


def _is_printed(draft: _Draft, code: str, rest: str) -> bool:
    return any(one.task == code and one.rest == rest for one in draft.elements)


def _task(code: str, draft: _Draft, elements: Iterable[_Coded]) -> AcsTaskText:
    title, classes = split_classes(_joined(draft.title))
    line = _joined(draft.parts["references"])
    return AcsTaskText(
        code=code,
        title=title[:LONGEST_TITLE],
        classes=classes,
        references_line=line,
        references=parse_references(line),
        objective=_joined(draft.parts["objective"]),
        notes=tuple(_joined(note) for note in draft.notes),
        page=draft.page,
        elements=tuple(_element(code, one) for one in elements),
    )


def _untitled(code: str, elements: Sequence[_Coded]) -> AcsTaskText:
    return AcsTaskText(
        code=code,
        title="",
        classes=(),
        references_line="",
        references=(),
        objective="",
        notes=(),
        page=elements[0].page,
        elements=tuple(_element(code, one) for one in elements),
    )


def split_classes(title: str) -> tuple[str, tuple[str, ...]]:
    """Title and classes: "Taxiing (ASEL, AMEL)" → ("Taxiing", ("ASEL", "AMEL")); () means every class."""
    found = _CLASSES.search(title)
    if not found:
        return title, ()
    return title[: found.start()], tuple(re.findall(_CLASS, found[1]))


def _element(task: str, one: _Coded) -> AcsElementText:
    whole = f"{task}.{one.letter}{one.number}"
    text = _joined(one.lines)
    text = _MARKER.sub("", text) if one.sub else text
    return AcsElementText(
        code=whole + one.sub,
        parent=whole if one.sub else "",
        kind=KINDS[one.letter],
        text=text,
        page=one.page,
        archived=bool(_ARCHIVED.match(text)),
    )


def _joined(lines: Iterable[str]) -> str:
    """Rows as one text; a row that ends in a hyphen goes on without a space ("pilot-in-" "command")."""
    text = ""
    for line in filter(None, lines):
        text += line if not text or re.search(r"\w-$", text) else f" {line}"
    return text


# What is missing


def _refuse_cut_off(number: str, rows: Sequence[Row], marks: Sequence[_Marked]) -> None:
    """Raises NotAnAcs where the table of contents goes on behind the last Task that is there."""
    first = next((one.row.page for one in marks if one.mark == "task"), 0)
    listed = places_in_contents([row for row in rows if 1 < row.page < first] if first else [])
    drafts = _drafts(marks)
    read = [Place(draft.area[0], draft.letter) for draft in drafts]
    missing = missing_at_end(listed.places, read)
    if missing:
        last = f"Area {read[-1].area}, Task {read[-1].task}" if read else "the contents"
        raise NotAnAcs(
            f"{number} is cut off behind {last}: {len(missing)} of the {len(listed.places)} Tasks in its contents"
            " are not there. Download it again"
        )
    if listed.appendix and not any(one.mark == "end" and one.row.page >= first for one in marks):
        raise NotAnAcs(
            f"{number} is cut off: its contents list appendices that are not there. Download it again"
        )
