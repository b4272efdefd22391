"""Store a standard as rows: areas, tasks, elements, each once, however often it is loaded.

An element that the standard no longer prints is archived, never deleted: exams and claims still refer to it.
"""

from dataclasses import asdict, dataclass
from datetime import date

from django.db import transaction

from knowledge.library_version import library_changed
from knowledge.models import AcsArea, AcsElement, AcsTask, Standard

from .acs_reader import AcsStandard
from .ask_location import where_asked
from .chunk_task_tags import mark_library


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded; `dropped` are codes that are no longer printed."""

    standard: Standard
    areas: int
    tasks: int
    elements: int
    dropped: tuple[str, ...]


@transaction.atomic
def load_rows(text: AcsStandard, *, content_hash: str = "", demo: bool = False) -> Loaded:
    """Write the standard; the newest of its certificate becomes current. Loading it again changes nothing."""
    standard, _ = Standard.objects.update_or_create(
        number=text.number,
        defaults={
            "certificate": text.certificate,
            "title": text.title,
            "edition_date": text.edition_date,
            "content_hash": content_hash,
            "demo": demo,
        },
    )
    tasks = _load_tasks(standard, text)
    _load_elements(standard, text, tasks)
    printed = {element.code for element in text.elements}
    gone = AcsElement.objects.filter(edition=standard.number, archived=False).exclude(code__in=printed)
    dropped = tuple(gone.values_list("code", flat=True))
    gone.update(archived=True)
    # The newest edition becomes current; a demo standard only where there is no other.
    known = Standard.objects.filter(certificate=text.certificate)
    newest = max(known, key=lambda one: _currency_rank(one.demo, one.edition_date, one.number))
    known.exclude(pk=newest.pk).update(current=False)
    known.filter(pk=newest.pk).update(current=True)
    mark_library()
    library_changed(None)
    standard.refresh_from_db()
    return Loaded(standard, len(text.areas), len(text.tasks), len(text.elements), dropped)


def _load_tasks(standard: Standard, text: AcsStandard) -> dict[str, int]:
    """Write Areas and Tasks; the row's id of each Task by its code."""
    ids = {}
    for order, area_text in enumerate(text.areas):
        area, _ = AcsArea.objects.update_or_create(
            standard=standard, numeral=area_text.number, defaults={"title": area_text.title, "order": order}
        )
        for task_text in area_text.tasks:
            task, _ = AcsTask.objects.update_or_create(
                area=area,
                letter=task_text.code.split(".")[-1],
                defaults={
                    "code": task_text.code,
                    "title": task_text.title,
                    "classes": list(task_text.classes),
                    "objective": task_text.objective,
                    "notes": list(task_text.notes),
                    "references": [asdict(reference) for reference in task_text.references],
                    "page": task_text.page,
                },
            )
            ids[task_text.code] = task.pk
    return ids


def _load_elements(standard: Standard, text: AcsStandard, tasks: dict[str, int]) -> None:
    """Write whole elements first, so that sub-elements find their parents."""
    parents: dict[str, int] = {}
    placed = [
        (order, tasks[task.code], element)
        for order, (task, element) in enumerate((task, one) for task in text.tasks for one in task.elements)
    ]
    for is_sub in (False, True):
        AcsElement.objects.bulk_create(
            [
                AcsElement(
                    code=element.code,
                    edition=standard.number,
                    task_id=task_id,
                    parent_id=parents.get(element.parent),
                    kind=element.kind,
                    text=element.text,
                    page=element.page,
                    archived=element.archived,
                    where=where_asked(element.code, element.kind),
                    order=order,
                )
                for order, task_id, element in placed
                if bool(element.parent) == is_sub
            ],
            update_conflicts=True,
            unique_fields=["edition", "code"],
            update_fields=["task", "parent", "kind", "text", "page", "archived", "where", "order"],
        )
        parents = dict(AcsElement.objects.filter(edition=standard.number).values_list("code", "id"))


def current_after(text: AcsStandard, current: Standard) -> bool:
    """Whether a standard that is about to be loaded becomes the current one of its certificate."""
    rank = _currency_rank(False, text.edition_date, text.number)
    return text.number == current.number or rank > _currency_rank(
        current.demo, current.edition_date, current.number
    )


def _currency_rank(demo: bool, edition_date: date | None, number: str) -> tuple[bool, bool, date, str]:
    return not demo, edition_date is not None, edition_date or date.min, number
