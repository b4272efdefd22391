"""Reads the loaded standards as plain elements, each with what the library supports of it, for planning a scope."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from typing import Final, cast
from zlib import crc32

import structlog
from django.core.cache import cache
from django.db.models import QuerySet
from redis.exceptions import RedisError

from exams.bank.schema import builds_on
from exams.conf import FACTS_SECONDS
from exams.domain.exam_request import elements_in_reach
from exams.domain.sampling import LAST, ElementFact
from exams.domain.values import ElementKind
from exams.examiner.briefing import LibraryState, bank_at_hand, library_state, may_ask_freely
from exams.examiner.expectations import RISK_KINDS, kind_of
from knowledge import conf as knowledge_conf
from knowledge.graph.identity import node_key
from knowledge.models import AcsElement, Standard, Tenant
from knowledge.models.graph import SUPPORT, ConceptCategory, ConceptRelation, RelationType, ValidationStatus
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.standards.acs_reader import split_classes

log = structlog.get_logger(__name__)

_SHAPE: Final = crc32(" ".join(field.name for field in fields(ElementFact)).encode())
"""Part of the cache key: facts that an earlier version of the class left in Redis are not read."""


@dataclass(frozen=True)
class TaskName:
    code: str
    title: str
    area: str
    area_title: str


@dataclass(frozen=True)
class ChosenStandard:
    """The current standard of a certificate, for a class of airplane, as a school's library supports it."""

    certificate: str
    aircraft_class: str
    tenant: Tenant | None

    @property
    def facts(self) -> tuple[ElementFact, ...]:
        """Every element, as everyone can be asked it."""
        return element_facts(self.certificate, self.aircraft_class, tenant=self.tenant)

    @property
    def at_the_table(self) -> tuple[ElementFact, ...]:
        return elements_in_reach(self.facts, self.aircraft_class)

    @property
    def ever_asked(self) -> tuple[ElementFact, ...]:
        """Those of flown Tasks, too, which are asked where their Area is picked."""
        facts = self.facts
        return elements_in_reach(facts, self.aircraft_class, {fact.area for fact in facts})


def current_standard(certificate: str) -> Standard | None:
    return Standard.objects.filter(certificate=certificate, current=True).first()


def element_facts(
    certificate: str, aircraft_class: str, *, tenant: Tenant | None, student: int | None = None
) -> tuple[ElementFact, ...]:
    """Every element of the certificate's current standard, as this student can be asked it in an oral for the class;
    empty if none is loaded.

    Cached for each state of the library, since the first page and every new exam need all of them. Without a cache it
    only takes longer.
    """
    library = library_state(tenant.pk if tenant else None, student)
    key = f"element-facts:{_SHAPE}:{certificate.replace(' ', '_')}:{aircraft_class}:{library}"
    try:
        known: tuple[ElementFact, ...] | None = cache.get(key)
        if known is not None:
            return known
    except (RedisError, OSError) as error:
        log.warning("facts_not_remembered", operation="read", error=str(error))
    facts = tuple(supported_elements(certificate, aircraft_class, library=library).values())
    try:
        cache.set(key, facts, FACTS_SECONDS)
    except (RedisError, OSError) as error:
        log.warning("facts_not_remembered", operation="write", error=str(error))
    return facts


def supported_elements(
    certificate: str, aircraft_class: str = "", *, library: LibraryState
) -> dict[str, ElementFact]:
    """By code, the elements of the current standard in its order, as this library lets them be asked in an oral for
    the class, "" for any."""
    rows = list(
        _elements_of(certificate)
        .select_related("task__area", "parent")
        .order_by("task__area__order", "task__code", "order")
    )
    bank = bank_at_hand(library)
    claimed: set[str] = set()
    if may_ask_freely(library.flags):
        claimed = _claimed_elements({row.code: row.kind for row in rows}, library.scope)
    facts = {}
    for row in rows:
        items = bank.items_for(row.code, aircraft_class)
        askable = bool(items) or row.code in claimed
        missing = () if askable else bank.lacks_of(row.code, aircraft_class)
        required = (other for item in items for other in builds_on(row.code, item.elements, item.requires))
        facts[row.code] = ElementFact(
            code=row.code,
            task=row.task.code,
            area=row.task.area.numeral,
            kind=row.kind,  # type: ignore[arg-type]  # the column's choices are ElementKind
            parent=row.parent.code if row.parent else "",
            classes=split_classes(row.text)[1] or tuple(row.task.classes),
            archived=row.archived,
            where=row.where,  # type: ignore[arg-type]
            askable=askable,
            missing_reference="" if "" in missing else min(missing, default=""),
            items=len(items),
            critical=sum(item.elements[0] == row.code and item.is_critical for item in items),
            requires=tuple(dict.fromkeys(required)),
            leads_to=tuple(dict.fromkeys(other for item in items for other in item.leads_to)),
        )
    return facts


def _claimed_elements(kinds: dict[str, str], scope: Scope) -> set[str]:
    """Elements that approved claims support: one of any kind, for a risk all three."""
    by_key = {node_key(ConceptCategory.ACS_ELEMENT, code): code for code in kinds}
    edges = ConceptRelation.objects.filter(
        relation_type=RelationType.APPLIES_IN_SCENARIO,
        confidence__gte=knowledge_conf.BUNDLE_CONFIDENCE,
        target__key__in=by_key,
        source__category=ConceptCategory.REGULATORY_CLAIM,
        source__validation_status=ValidationStatus.VALIDATED,
        source__stale=False,
        source__evidence__confidence__gte=knowledge_conf.BUNDLE_CONFIDENCE,
        source__evidence__chunk__in=searchable_chunks(scope),
        source__evidence__evidence_type__in=SUPPORT,
    ).values_list("target__key", "source__name", "source__key_facts", "source__tenant_id")
    claimed: dict[str, set[str]] = {}
    for key, statement, facts, owner in edges.distinct():
        if owner in (None, scope.tenant):
            code = by_key[key]
            kind = kind_of(statement, str(facts.get("role", "")), cast(ElementKind, kinds[code]))
            claimed.setdefault(code, set()).add(kind)
    return {code for code, found in claimed.items() if kinds[code] != "risk" or set(RISK_KINDS) <= found}


def elements_on_trip(
    slots: Collection[str],
    events: Collection[str],
    aircraft_class: str,
    *,
    tenant: Tenant | None,
    student: int | None = None,
) -> dict[str, int]:
    """The elements with an item in force for the class that hangs on a trip with these slots, by how well the best one
    does (`sampling.LAST`): 0 where one of the items that ask about its `events` opens the element."""
    bank = bank_at_hand(library_state(tenant.pk if tenant else None, student))
    items = [(code, item) for code in bank.by_element for item in bank.items_for(code, aircraft_class)]
    hanging: dict[str, int] = {}
    for code, item in items:
        if (fit := item.fit_on(slots)) < LAST:
            hanging[code] = min(fit, hanging.get(code, LAST))
    return hanging | {item.elements[0]: 0 for _, item in items if item.key in events}


def task_names(certificate: str) -> dict[str, TaskName]:
    """By Task code, its title and that of its Area."""
    columns = ("task__code", "task__title", "task__area__numeral", "task__area__title")
    rows = _elements_of(certificate).values_list(*columns).distinct()
    return {row[0]: TaskName(*row) for row in rows}


def area_titles(certificate: str) -> dict[str, str]:
    """By numeral, the title of each Area."""
    return {name.area: name.area_title for name in task_names(certificate).values()}


def element_texts(codes: Iterable[str]) -> dict[str, str]:
    """By element code, its text in the current standards."""
    rows = AcsElement.objects.filter(code__in=list(codes), task__area__standard__current=True)
    return dict(rows.values_list("code", "text"))


def _elements_of(certificate: str) -> QuerySet[AcsElement]:
    return AcsElement.objects.filter(
        task__area__standard__certificate=certificate, task__area__standard__current=True
    )
