"""The loaded standards become the plain elements that a scope is made of, with what the library supports."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Final
from zlib import crc32

import structlog
from django.core.cache import cache
from redis.exceptions import RedisError

from exams.conf import FACTS_SECONDS
from exams.domain.sampling import ElementFact
from exams.examiner.briefing import LibraryState, Support, library_state, supported_elements
from knowledge.models import AcsElement, Standard, Tenant

log = structlog.get_logger(__name__)

_SHAPE: Final = crc32(" ".join(field.name for field in fields(ElementFact)).encode())
"""In the key of what is remembered: facts that an earlier version of this class left in Redis are not read."""


@dataclass(frozen=True)
class TaskName:
    code: str
    title: str
    area: str
    area_title: str


def current_standard(certificate: str) -> Standard | None:
    return Standard.objects.filter(certificate=certificate, current=True).first()


def certificates() -> list[str]:
    return list(Standard.objects.filter(current=True).values_list("certificate", flat=True).distinct())


def element_facts(
    certificate: str, *, tenant: Tenant | None, student: int | None = None
) -> tuple[ElementFact, ...]:
    """Every element of the certificate's current standard, as it can be asked of this student; empty where none is
    loaded.

    Remembered for each state of the library: the student's first page and every new exam ask for all of them. A cache
    that is away costs a moment, and no page.
    """
    state = library_state(tenant.pk if tenant else None, student)
    key = f"element-facts:{_SHAPE}:{certificate.replace(' ', '_')}:{state}"
    known = _remembered(key)
    if known is None:
        known = _element_facts(certificate, state)
        _remember(key, known)
    return known


def _remembered(key: str) -> tuple[ElementFact, ...] | None:
    try:
        found: tuple[ElementFact, ...] | None = cache.get(key)
    except (RedisError, OSError) as error:
        log.warning("facts_not_remembered", operation="read", error=str(error))
        return None
    return found


def _remember(key: str, facts: tuple[ElementFact, ...]) -> None:
    try:
        cache.set(key, facts, FACTS_SECONDS)
    except (RedisError, OSError) as error:
        log.warning("facts_not_remembered", operation="write", error=str(error))


def _element_facts(certificate: str, library: LibraryState) -> tuple[ElementFact, ...]:
    rows = (
        AcsElement.objects.filter(
            task__area__standard__certificate=certificate, task__area__standard__current=True
        )
        .select_related("task__area", "parent")
        .order_by("task__area__order", "task__code", "order")
    )
    support = supported_elements(certificate, library=library)
    return tuple(_fact(row, support) for row in rows)


def task_names(certificate: str) -> dict[str, TaskName]:
    rows = AcsElement.objects.filter(
        task__area__standard__certificate=certificate, task__area__standard__current=True
    ).values_list("task__code", "task__title", "task__area__numeral", "task__area__title")
    return {
        code: TaskName(code, title, area, area_title) for code, title, area, area_title in rows.distinct()
    }


def _fact(row: AcsElement, support: Mapping[str, Support]) -> ElementFact:
    found = support.get(row.code)
    return ElementFact(
        code=row.code,
        task=row.task.code,
        area=row.task.area.numeral,
        kind=row.kind,  # type: ignore[arg-type]  # the column's choices are ElementKind
        parent=row.parent.code if row.parent else "",
        classes=tuple(row.task.classes),
        archived=row.archived,
        where=row.where,  # type: ignore[arg-type]
        askable=bool(found and found.askable),
        missing_reference=found.missing_reference if found else "",
        items=found.items if found else 0,
    )


def element_texts(codes: Iterable[str]) -> dict[str, str]:
    """What each element says, from the current standards."""
    rows = AcsElement.objects.filter(code__in=list(codes), task__area__standard__current=True)
    return dict(rows.values_list("code", "text"))
