"""Read the rows of an ACS into a standard: Areas, Tasks, elements. Pure.

The words of a row, its column, and the rows after it classify it: "Task A." opens a Task where "References",
"Objective" or "Knowledge" follows, as it does not in a table of contents; a code opens its element; any other row
continues what is open. Boldness, colons, and drop caps differ between editions and decide nothing.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from statistics import median
from typing import Literal

from .acs_cover import LONGEST_TITLE, certificate_of, date_on, number_on, title_on, why_no_standard
from .acs_rows import Piece, Row, rows_of
from .references import Reference, parse_references

Kind = Literal["knowledge", "risk", "skill"]
KINDS: Mapping[str, Kind] = {"K": "knowledge", "R": "risk", "S": "skill"}

COLUMN = 12.0  # points: codes begin at most this far right of the column of codes
BEFORE_TEXT = 5.0  # points: labels, which may be flush right, begin this far left of the column of texts
TASK_ROWS = 8  # rows at most from "Task A." to its first label: a title has four
AREA_ROWS = 10  # rows at most from an Area's heading to its first Task: a note may be between
TITLE_ROWS = 2  # rows at most of an Area's title
LONGEST_AREA = 200  # letters that are stored

Mark = Literal["area", "task", "code", "label", "end", "text"]
_HEADINGS: Mapping[Mark, str] = {
    "task": r"Task\s+([A-Z])[.:]\s*(\S.*)$",
    "area": r"(?:Area of Operation\s+)?([IVXL]{1,6})[.:]\s*(\S.*)$",
    "end": r"Appendix \d+\s*[:.–-]\s*\S",
}
_CODE = re.compile(r"^([A-Z]{2})\.([IVXLl1]{1,6})\.([A-Z])\.\s?([KRS])\s?(\d{1,2})([a-z]?)(?:\s+(\S.*))?$")
_LABELS = "References?|Objective|Notes?|Knowledge|Risk Management|Risk|Management|Skills?"
_LABEL = re.compile(rf"^({_LABELS})\s*:\s*(.*)$", re.IGNORECASE)
_BARE_LABEL = re.compile(  # without a colon: alone in its cell, or before what always follows it
    rf"^({_LABELS})(?:\s+((?:The applicant|To determine|\d+ CFR|AC \d|AIM\b|FAA-|POH).*))?$"
)
_OPENING = frozenset(("reference", "references", "objective", "knowledge"))
_CLASSES = frozenset(("ASEL", "AMEL", "ASES", "AMES"))


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
    """`misprints` are codes that are printed wrong or twice, and how they were read."""

    certificate: str
    number: str
    title: str
    edition_date: date | None
    areas: tuple[AcsAreaText, ...]
    misprints: tuple[str, ...] = ()

    @property
    def prefix(self) -> str:
        """The beginning of every code of this standard: "PA"."""
        return self.tasks[0].code.split(".")[0]

    @property
    def tasks(self) -> tuple[AcsTaskText, ...]:
        return tuple(task for area in self.areas for task in area.tasks)

    @property
    def elements(self) -> tuple[AcsElementText, ...]:
        return tuple(element for task in self.tasks for element in task.elements)


def read_acs(pieces: Sequence[Piece]) -> AcsStandard:
    """The standard that these pieces print. Raises NotAnAcs if it has no number or no coded element, or is cut off."""
    rows = rows_of(pieces)
    cover = [row.text for row in rows if row.page == 1]
    number = number_on(cover)
    if not number:
        raise NotAnAcs(why_no_standard(cover))
    marked = _mark_rows(rows)
    drafts = _draft_tasks(marked)
    misprints: list[str] = []
    areas = tuple(_finish_areas(drafts, misprints))
    if not areas:
        raise NotAnAcs(
            f"{number} has no Task with coded elements in its text: give the FAA's own PDF, not a scan"
        )
    _refuse_cut_off(number, rows, marked, drafts)
    title = title_on(cover)
    return AcsStandard(
        certificate=certificate_of(title),
        number=number,
        title=title,
        edition_date=date_on(cover),
        areas=areas,
        misprints=tuple(misprints),
    )


# --- what each row is ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _MarkedRow:
    """A row and what it is; `words` are the groups of its pattern."""

    mark: Mark
    row: Row
    words: tuple[str, ...] = ()


def _mark_rows(rows: Sequence[Row]) -> list[_MarkedRow]:
    """Mark each row by its words and column. A heading of a Task or an Area that nothing follows is only text."""
    coded = [row for row in rows if _CODE.match(row.text)]
    texts = [row.x1 for row in coded if row.x1 is not None]
    codes = median(row.x0 for row in coded) + COLUMN if coded else 0.0
    labels = max(codes, median(texts) - BEFORE_TEXT) if texts else codes
    found = [_mark_row(row, codes, labels) for row in rows]
    tasks, areas = set[int](), set[int]()
    for at, one in enumerate(found):
        if one.mark == "task":  # what follows it, neither text nor an appendix, is a label that begins a Task
            following = (row for row in found[at + 1 : at + 1 + TASK_ROWS] if row.mark not in ("text", "end"))
            first = next(following, None)
            if first is not None and first.mark == "label" and first.words[0] in _OPENING:
                tasks.add(at)
    for at, one in enumerate(found):
        if one.mark == "area":  # a Task opens after it, before any other Area
            for later in range(at + 1, min(at + 1 + AREA_ROWS, len(found))):
                if later in tasks:
                    areas.add(at)
                if found[later].mark in ("area", "task", "code", "end"):
                    break
    return [
        one if one.mark not in ("area", "task") or at in tasks | areas else _MarkedRow("text", one.row)
        for at, one in enumerate(found)
    ]


def _mark_row(row: Row, codes: float, labels: float) -> _MarkedRow:
    """`codes` and `labels` are how far right such a row may begin."""
    if row.x0 <= codes and (code := _CODE.match(row.text)):
        return _MarkedRow("code", row, tuple(group or "" for group in code.groups()))
    if row.x0 <= labels:
        if colon := _LABEL.match(row.text):
            return _MarkedRow("label", row, (colon[1].lower(), colon[2]))
        if bare := _BARE_LABEL.match(row.cells[0]):
            text = " ".join(filter(None, (bare[2], *row.cells[1:])))
            return _MarkedRow("label", row, (bare[1].lower(), text))
    for mark, pattern in _HEADINGS.items():
        if match := re.match(pattern, row.text):
            return _MarkedRow(mark, row, match.groups())
    return _MarkedRow("text", row)


# --- from rows to Areas ------------------------------------------------------------


@dataclass(slots=True)
class _TaskDraft:
    """A Task while it is being read; rows that say nothing of their own are added to what is `open`."""

    letter: str
    title: list[str]
    area: tuple[str, str, int]
    page: int
    parts: dict[str, list[str]] = field(default_factory=lambda: {"references": [], "objective": []})
    notes: list[list[str]] = field(default_factory=list)
    elements: list["_CodedElement"] = field(default_factory=list)
    open: list[str] | None = None

    def add_row(self, one: _MarkedRow) -> None:
        if one.mark == "code":
            prefix, numeral, letter, kind, number, sub, text = one.words
            task = f"{prefix}.{numeral.replace('1', 'I').replace('l', 'I')}.{letter}"
            self.open = [text]
            printed = one.row.text.split(" ")[0]
            self.elements.append(_CodedElement(task, kind, number, sub, one.row.page, printed, self.open))
        elif one.mark == "label":
            label, rest = one.words
            if label in ("note", "notes"):
                self.open = [rest]
                self.notes.append(self.open)
            else:  # "Knowledge:" and the like only introduce the codes: their text belongs to no part
                self.open = self.parts.get("references" if label == "reference" else label)
                if self.open is not None:
                    self.open.append(rest)
        elif self.open is not None:
            self.open.append(one.row.text)


@dataclass(frozen=True, slots=True)
class _CodedElement:
    """An element as printed; `task` is the Task that its code names, with a digit read as the letter it stands for."""

    task: str
    letter: str
    number: str
    sub: str
    page: int
    printed: str
    lines: list[str]

    @property
    def code_in_task(self) -> str:
        return f"{self.letter}{self.number}{self.sub}"


def _draft_tasks(marked: Iterable[_MarkedRow]) -> list[_TaskDraft]:
    """The Tasks up to the first appendix after one."""
    drafts: list[_TaskDraft] = []
    area, title_rows = ("", "", 0), 0
    for one in marked:
        page = one.row.page
        if one.mark == "end" and drafts:
            break
        if one.mark == "area" and one.words[0] != area[0]:
            area, title_rows = (one.words[0], one.words[1], page), TITLE_ROWS - 1
        elif one.mark == "task":
            title_rows = 0
            # The heading is repeated where a Task runs over a page.
            if not (drafts and drafts[-1].area == area and drafts[-1].letter == one.words[0]):
                title = [one.words[1]]
                drafts.append(_TaskDraft(one.words[0], title, area, page, open=title))
        elif title_rows and one.mark == "text":
            area, title_rows = (area[0], f"{area[1]} {one.row.text}", area[2]), title_rows - 1
        elif drafts and not title_rows and drafts[-1].area == area:
            drafts[-1].add_row(one)
        else:
            title_rows = 0
    return drafts


def _finish_areas(drafts: Iterable[_TaskDraft], misprints: list[str]) -> Iterator[AcsAreaText]:
    """Tasks with elements, by the Area that their codes name; an Area's title is that of the heading before them."""
    tasks: dict[str, AcsTaskText] = {}
    headings: dict[str, tuple[str, int]] = {}
    for draft in drafts:
        for task in _finish_tasks(draft, misprints):
            if task.code in tasks:
                misprints.append(f"{task.code} is printed twice; the one on page {task.page} is left out")
                continue
            tasks[task.code] = task
            numeral = task.code.split(".")[1]
            printed, title, page = draft.area
            headings.setdefault(numeral, (title, page) if printed in (numeral, "") else ("", task.page))
    for numeral, (title, page) in headings.items():
        inside = tuple(task for task in tasks.values() if task.code.split(".")[1] == numeral)
        yield AcsAreaText(number=numeral, title=title[:LONGEST_AREA], page=page, tasks=inside)


def _finish_tasks(draft: _TaskDraft, misprints: list[str]) -> Iterator[AcsTaskText]:
    """The Task of a draft, and those whose own heading was not recognized.

    A single code that names another Task is a misprint; it is corrected if its place is free.
    """
    counts = Counter(one.task for one in draft.elements)
    if not counts:
        return
    code = counts.most_common(1)[0][0]
    own = {one.code_in_task for one in draft.elements if one.task == code}
    kept: dict[str, _CodedElement] = {}
    for one in draft.elements:
        if one.task != code and counts[one.task] > 1:
            continue
        if one.code_in_task in kept or (one.task != code and one.code_in_task in own):
            misprints.append(f"{one.printed} on page {one.page} is printed twice; the first one counts")
            continue
        read = f"{code}.{one.code_in_task}"
        if one.printed != read:
            misprints.append(f"{one.printed} on page {one.page} is read as {read}")
        kept[one.code_in_task] = one
    yield _finish_task(code, draft, kept.values())
    for other, count in counts.items():
        if other != code and count > 1:
            inside = {one.code_in_task: one for one in draft.elements if one.task == other}.values()
            page = next(iter(inside)).page
            yield _finish_task(other, _TaskDraft(draft.letter, [], draft.area, page), inside)


def _finish_task(code: str, draft: _TaskDraft, elements: Iterable[_CodedElement]) -> AcsTaskText:
    title, classes = split_classes(_join_rows(draft.title))
    references = _join_rows(draft.parts["references"])
    finished = []
    for one in elements:
        whole = f"{code}.{one.letter}{one.number}"
        text = _join_rows(one.lines)
        text = re.sub(r"^[a-z]\.\s+", "", text) if one.sub else text
        finished.append(
            AcsElementText(
                code=whole + one.sub,
                parent=whole if one.sub else "",
                kind=KINDS[one.letter],
                text=text,
                page=one.page,
                archived=text.lower().removesuffix(".") in ("[archived]", "(archived)"),
            )
        )
    return AcsTaskText(
        code=code,
        title=title[:LONGEST_TITLE],
        classes=classes,
        references_line=references,
        references=parse_references(references),
        objective=_join_rows(draft.parts["objective"]),
        notes=tuple(_join_rows(note) for note in draft.notes),
        page=draft.page,
        elements=tuple(finished),
    )


def split_classes(title: str) -> tuple[str, tuple[str, ...]]:
    """Title and classes: "Taxiing (ASEL, AMEL)" → ("Taxiing", ("ASEL", "AMEL")); () means every class."""
    front, _, listed = title.rstrip().rpartition("(")
    words = re.findall(r"\w+", listed)
    classes = tuple(word for word in words if word in _CLASSES)
    if not (front and listed.endswith(")") and classes and set(words) <= _CLASSES | {"and"}):
        return title, ()
    return front.rstrip(), classes


def _join_rows(lines: Iterable[str]) -> str:
    """Rows as one text; one that ends in a hyphen goes on without a space ("pilot-in-" "command")."""
    text = ""
    for line in filter(None, lines):
        text += line if not text or re.search(r"\w-$", text[-2:]) else f" {line}"
    return text


# --- what is missing ------------------------------------------------------------


def _refuse_cut_off(
    number: str, rows: Sequence[Row], marked: Sequence[_MarkedRow], drafts: Sequence[_TaskDraft]
) -> None:
    """Raise NotAnAcs where the table of contents continues after the last Task that is there.

    A Task missing before the last one is no sign of a file that is cut off.
    """
    first = next((one.row.page for one in marked if one.mark == "task"), 0)
    listed, lists_appendix = _read_contents([row for row in rows if 1 < row.page < first])
    read = [(draft.area[0], draft.letter) for draft in drafts]
    last = max((at for at, task in enumerate(listed) if task in read), default=-1)
    if missing := listed[last + 1 :]:
        where = "Area {}, Task {}".format(*read[-1]) if read else "the contents"
        raise NotAnAcs(
            f"{number} is cut off behind {where}: {len(missing)} of the {len(listed)} Tasks in its contents"
            " are not there. Download it again"
        )
    if lists_appendix and not any(one.mark == "end" and one.row.page >= first for one in marked):
        raise NotAnAcs(
            f"{number} is cut off: its contents list appendices that are not there. Download it again"
        )


def _read_contents(rows: Sequence[Row]) -> tuple[list[tuple[str, str]], bool]:
    """The Tasks that a table of contents lists, as Area and letter, and whether it lists an appendix. Only pages with
    dot leaders are read."""
    pages = {row.page for row in rows if re.search(r"(?:\s?\.){4,}\s*\d*\s*$", row.text)}
    tasks: dict[tuple[str, str], None] = {}
    area, has_appendix = "", False
    for row in rows:
        if row.page not in pages:
            continue
        has_appendix = has_appendix or bool(re.match(r"Appendix \d+\b", row.text))
        task = re.match(r"(?:Task\s+)?([A-Z])[.:]\s+\S", row.text)
        heading = re.match(r"(?:Area of Operation\s+)?([IVXL]{1,6})[.:]\s+\S", row.text)
        # "I." and "V." may be a Task as well as an Area: a Task if the letter before it was the last.
        before = next(reversed(tasks), ("", ""))
        if heading and not (task and before == (area, chr(ord(task[1]) - 1))):
            area = heading[1]
        elif task and area and not has_appendix:
            tasks[area, task[1]] = None
    return list(tasks), has_appendix
