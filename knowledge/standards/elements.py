"""Find elements by their codes: the standards as the rest of the system reads them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

from django.db.models import QuerySet

from knowledge.models import AcsElement, Standard

from .ask_location import task_code_of

LENDER: Final = "PA"
"""The standard whose items are asked for others: a Task without items of its own asks what the private pilot's does."""


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


def loaded_certificates() -> list[str]:
    """The certificates whose standard is in use."""
    current = Standard.objects.filter(current=True).order_by("certificate")
    return list(current.values_list("certificate", flat=True).distinct())


def printed_alike() -> dict[str, dict[str, str]]:
    """By standard ("CA"), its elements by the private pilot's that are printed with the same words in a Task of the
    same title: what a commercial pilot knows of an engine failure is asked in the same words."""
    rows = AcsElement.objects.filter(task__area__standard__current=True).order_by("code")
    printed: defaultdict[str, dict[tuple[str, ...], str]] = defaultdict(dict)
    for code, *texts in rows.values_list("code", "kind", "task__title", "text"):
        printed[code.split(".")[0]].setdefault(tuple(map(_plain_words, texts)), code)
    lender = printed.pop(LENDER, {})
    return {
        standard: {lender[words]: code for words, code in codes.items() if words in lender}
        for standard, codes in printed.items()
    }


@lru_cache(maxsize=20_000)  # texts: those of four standards, for every page of items
def _plain_words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))


def borrowing_elements(asked: Iterable[str]) -> Iterator[tuple[str, str, Mapping[str, str]]]:
    """Each element that is asked with the items of another one, that one's code, and all codes that its standard prints
    alike. A Task borrows until it has an item of its own that can be asked; `asked` are the elements of such items."""
    own_tasks = {task_code_of(code) for code in asked}
    for alike in printed_alike().values():
        for lent, code in alike.items():
            if task_code_of(code) not in own_tasks:
                yield code, lent, alike
