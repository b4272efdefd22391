"""A standard that was read becomes rows: areas, tasks, elements, each once, however often it is loaded.

An element that the standard no longer prints is archived, never deleted: exams and claims still speak of it.
"""

from dataclasses import asdict, dataclass
from datetime import date

from django.db import transaction

from knowledge.library_version import library_changed
from knowledge.models import AcsArea, AcsElement, AcsTask, Standard

from .acs_reader import AcsAreaText, AcsElementText, AcsStandard, AcsTaskText
from .serving import mark_library
from .where import where_asked


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded; `dropped` are codes that were known and are not printed any more."""

    standard: Standard
    areas: int
    tasks: int
    elements: int
    dropped: tuple[str, ...]


@transaction.atomic
def load_rows(text: AcsStandard, *, content_hash: str = "", demo: bool = False) -> Loaded:
    """Write the standard; the newest of its certificate is current. Loading twice changes nothing."""
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
    for order, area in enumerate(text.areas):
        _load_area(standard, area, order)
    _load_elements(standard, text)
    dropped = _archive_dropped(standard, text)
    _choose_current(text.certificate)
    mark_library()
    library_changed(None)
    standard.refresh_from_db()
    return Loaded(standard, len(text.areas), len(text.tasks), len(text.elements), dropped)


def _load_area(standard: Standard, text: AcsAreaText, order: int) -> None:
    area, _ = AcsArea.objects.update_or_create(
        standard=standard, numeral=text.number, defaults={"title": text.title, "order": order}
    )
    for task in text.tasks:
        _load_task(area, task)


def _load_task(area: AcsArea, text: AcsTaskText) -> None:
    AcsTask.objects.update_or_create(
        area=area,
        letter=text.code.split(".")[-1],
        defaults={
            "code": text.code,
            "title": text.title,
            "classes": list(text.classes),
            "objective": text.objective,
            "notes": list(text.notes),
            "references": [asdict(reference) for reference in text.references],
            "page": text.page,
        },
    )


def _load_elements(standard: Standard, text: AcsStandard) -> None:
    """Whole elements first, so that sub-elements find their parents."""
    tasks = dict(AcsTask.objects.filter(area__standard=standard).values_list("code", "id"))
    order = {element.code: at for at, element in enumerate(text.elements)}
    owner = {element.code: tasks[task.code] for task in text.tasks for element in task.elements}
    whole = [one for one in text.elements if not one.parent]
    _upsert([_row(one, standard, owner[one.code], order[one.code]) for one in whole])
    parents = dict(AcsElement.objects.filter(edition=standard.number).values_list("code", "id"))
    subs = [one for one in text.elements if one.parent]
    _upsert([_row(one, standard, owner[one.code], order[one.code], parents.get(one.parent)) for one in subs])


def _row(
    text: AcsElementText, standard: Standard, task_id: int, order: int, parent_id: int | None = None
) -> AcsElement:
    return AcsElement(
        code=text.code,
        edition=standard.number,
        task_id=task_id,
        parent_id=parent_id,
        kind=text.kind,
        text=text.text,
        page=text.page,
        archived=text.archived,
        where=where_asked(text.code, text.kind),
        order=order,
    )


def _upsert(rows: list[AcsElement]) -> None:
    AcsElement.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["edition", "code"],
        update_fields=["task", "parent", "kind", "text", "page", "archived", "where", "order"],
    )


def _archive_dropped(standard: Standard, text: AcsStandard) -> tuple[str, ...]:
    printed = {element.code for element in text.elements}
    dropped = AcsElement.objects.filter(edition=standard.number, archived=False).exclude(code__in=printed)
    codes = tuple(dropped.values_list("code", flat=True))
    dropped.update(archived=True)
    return codes


def _choose_current(certificate: str) -> None:
    """The newest edition; a demo standard only where there is no other."""
    known = Standard.objects.filter(certificate=certificate)
    newest = max(known, key=lambda one: _rank(one.demo, one.edition_date, one.number), default=None)
    if newest is not None:
        known.exclude(pk=newest.pk).update(current=False)
        known.filter(pk=newest.pk).update(current=True)


def current_after(text: AcsStandard, current: Standard) -> bool:
    """Whether a standard that is loaded becomes the current one of its certificate."""
    mine = _rank(False, text.edition_date, text.number)
    return text.number == current.number or mine > _rank(current.demo, current.edition_date, current.number)


def _rank(demo: bool, edition_date: date | None, number: str) -> tuple[bool, bool, date, str]:
    return not demo, edition_date is not None, edition_date or date.min, number
