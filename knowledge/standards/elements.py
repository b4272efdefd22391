"""Find elements by their codes: the standards as the rest of the system reads them."""

from typing import Any

from django.db.models import QuerySet

from knowledge.models import AcsElement


class UnknownElement(LookupError):
    """No loaded standard has this code; the message says what to do."""


def elements_known(prefix: str = "") -> QuerySet[AcsElement]:
    """Elements of the current standards whose code begins with `prefix`, archived ones too, in printed order."""
    return (
        AcsElement.objects.filter(task__area__standard__current=True, code__startswith=prefix.upper())
        .select_related("task__area__standard", "parent")
        .order_by("task__area__standard__certificate", "order")
    )


def element_named(code: str) -> AcsElement:
    """The element with this code, preferably of a current standard. Raises UnknownElement."""
    found = (
        AcsElement.objects.filter(code__iexact=code.strip())
        .select_related("task__area__standard", "parent")
        .order_by("-task__area__standard__current", "-task__area__standard__edition_date")
        .first()
    )
    if found is None:
        raise UnknownElement(
            f"no element {code.strip()!r} is known: see manage.py elements, or load its ACS first"
        )
    return found


def element_as_dict(element: AcsElement) -> dict[str, Any]:
    """An element under the names of CONTRACT; references are written as the FAA writes them."""
    task = element.task
    return {
        "code": element.code,
        "kind": element.kind,
        "text": element.text,
        "area": task.area.numeral,
        "area_title": task.area.title,
        "task": task.code,
        "task_title": task.title,
        "where": element.where,
        "classes": task.classes,
        "references": [" ".join(filter(None, (one["document"], one["section"]))) for one in task.references],
        "parent": element.parent.code if element.parent else None,
        "archived": element.archived,
        "page": element.page,
        "edition": element.edition,
        "certificate": task.area.standard.certificate,
    }
