"""A student's orals as rows that can be told apart: what each covered, in which manner, how long it took; and what the
latest of them say of each Area."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from exams.conf import SHOWN_DEVELOPMENT
from exams.domain.grading import Grade
from exams.domain.scope import Scope
from exams.examiner.element_facts import ChosenStandard, TaskName, area_titles, task_names
from exams.models import OPEN_STATUSES, Assessment, Exam

TASKS_NAMED: Final = 3
"""Tasks of an oral that are named one by one; more are named by their Areas."""
IN_ONE_GO: Final = timedelta(hours=6)
"""An oral that took longer was paused."""
MODES: Final = {"weak": "Weak elements", "drill": "Drill", "mock": "Mock oral"}


@dataclass(frozen=True)
class HistoryRow:
    """`asked` counts the elements with a verdict that counts; both it and `minutes` are None while it is under way, and
    `minutes` is None for an oral that was paused overnight. `judged_again` is whether a reviewer replaced a verdict of
    an oral that is over."""

    exam: Exam
    covered: str
    asked: int | None
    minutes: int | None
    judged_again: bool


def history_of(exams: Iterable[Exam]) -> list[HistoryRow]:
    found = list(exams)
    names = {one: task_names(one) for one in {exam.certificate for exam in found}}
    replaced = Assessment.objects.filter(turn__exam__in=found, final=True, provenance__has_key="overrules")
    again = set(replaced.values_list("turn__exam", flat=True))
    rows = []
    for exam in found:
        asked = minutes = None
        if exam.result and exam.finished_at and not exam.is_open:
            areas = Grade.from_dict(exam.result).areas
            asked = sum(not one.by_mention for area in areas for task in area.tasks for one in task.elements)
            took = exam.finished_at - exam.created_at
            minutes = max(1, round(took.total_seconds() / 60)) if took < IN_ONE_GO else None
        judged_again = exam.pk in again and not exam.is_open
        rows.append(HistoryRow(exam, covered_by(exam, names[exam.certificate]), asked, minutes, judged_again))
    return rows


def covered_by(exam: Exam, names: Mapping[str, TaskName]) -> str:
    """What an oral was to cover, in words: "Drill: Night Operations", "Preflight Preparation (4 Tasks)"."""
    return scope_in_words(exam.read_scope(), exam.mode, names)


def scope_in_words(scope: Scope, mode: str, names: Mapping[str, TaskName]) -> str:
    known = [names[code] for code in scope.task_codes if code in names]
    if scope.whole:
        words = "The whole ground portion"
    elif len(known) <= TASKS_NAMED:
        words = "; ".join(name.title for name in known) or scope.title
    else:
        counts = Counter(name.area_title for name in known)
        words = ", ".join(f"{title} ({count} Task{'s' * (count > 1)})" for title, count in counts.items())
    kind = MODES.get(mode) if scope.drill or mode == "mock" else None
    return f"{kind}: {words}" if kind else words


# --- the development: Areas as rows, the latest orals as columns -----------------------------------------------


@dataclass(frozen=True)
class DevelopmentRow:
    """One Area; a mark for each oral says its result there and the number of elements asked, or is None."""

    numeral: str
    title: str
    marks: tuple[tuple[str, int] | None, ...]


@dataclass(frozen=True)
class Development:
    exams: tuple[Exam, ...]
    rows: tuple[DevelopmentRow, ...]


def development_of(student: Any, standard: ChosenStandard) -> Development:
    """The latest SHOWN_DEVELOPMENT orals that are over, oldest first, and the Areas that they asked."""
    over = Exam.objects.filter(student=student, result__isnull=False, **vars(standard))
    over = over.exclude(status__in=OPEN_STATUSES)
    exams = tuple(reversed(over.only("created_at", "result")[:SHOWN_DEVELOPMENT]))
    marks: list[dict[str, tuple[str, int]]] = []
    for exam in exams:
        areas = Grade.from_dict(exam.result or {}).areas
        asked = {area.area: (area.result, sum(len(task.elements) for task in area.tasks)) for area in areas}
        marks.append({area: mark for area, mark in asked.items() if mark[1]})
    titles = area_titles(standard.certificate)
    in_order = dict.fromkeys(fact.area for fact in standard.facts)
    rows = (
        DevelopmentRow(numeral, titles[numeral], tuple(found.get(numeral) for found in marks))
        for numeral in in_order
    )
    return Development(exams, tuple(row for row in rows if any(row.marks)))
