"""The content of the student's desk: what can be asked, and the student's results so far."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from exams.bank.coverage import Coverage, coverage_of
from exams.conf import MISSING_NAMED
from exams.domain.exam_request import elements_in_reach, is_supported
from exams.domain.mastery import shown_percent
from exams.domain.sampling import ElementFact
from exams.examiner.element_facts import element_facts, task_names
from exams.models import Mastery
from knowledge.models import Document, IngestionJob, Tenant
from knowledge.models.telemetry import JobKind, JobState


@dataclass(frozen=True)
class AreaSetup:
    """An Area with what can be asked of it, and the references that most of its other elements lack."""

    numeral: str
    title: str
    askable: int
    total: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class AreaMastery:
    """An Area with how many of its elements were answered, and their mean estimate in percent."""

    area: str
    title: str
    count: int
    shown: int


def areas_for(certificate: str, aircraft_class: str, *, tenant: Tenant | None) -> list[AreaSetup]:
    """Each Area of the ground portion. An element can be asked where a sub-element can, as on the board."""
    titles = {name.area: name.area_title for name in task_names(certificate).values()}
    by_area: dict[str, list[ElementFact]] = defaultdict(list)
    for fact in elements_in_reach(element_facts(certificate, tenant=tenant), aircraft_class):
        by_area[fact.area].append(fact)
    areas = []
    for numeral, facts in by_area.items():
        unsupported = [fact for fact in facts if not is_supported(fact, facts)]
        references = [reference for fact in unsupported for reference in fact.missing_reference.split(", ")]
        most = Counter(filter(None, references)).most_common(MISSING_NAMED)
        missing = tuple(reference for reference, _ in most)
        askable = len(facts) - len(unsupported)
        areas.append(AreaSetup(numeral, titles.get(numeral, ""), askable, len(facts), missing))
    return areas


def board_for(certificate: str, aircraft_class: str, *, tenant: Tenant | None) -> Coverage:
    """What the library lets an examiner ask."""
    return coverage_of(element_facts(certificate, tenant=tenant), aircraft_class)


def anchoring_now(tenant: Tenant | None) -> Mapping[str, Any] | None:
    """The step of the job that is looking for passages just now, with `done` and `total`."""
    running = IngestionJob.objects.filter(
        Q(tenant=None) | Q(tenant=tenant), kind=JobKind.ITEMS, state=JobState.RUNNING, step="anchor"
    ).first()
    return running.steps[-1] if running and running.steps else None


def mastery_of(student: Any, certificate: str) -> list[AreaMastery]:
    names = task_names(certificate)
    titles = {name.area: name.area_title for name in names.values()}
    estimates = Mastery.objects.filter(student=student, certificate=certificate)
    by_area: dict[str, list[float]] = defaultdict(list)
    for code, estimate in estimates.values_list("element", "estimate"):
        task = names.get(code.rsplit(".", 1)[0])
        if task:
            by_area[task.area].append(estimate)
    return [
        AreaMastery(area, titles[area], len(found), shown_percent(sum(found) / len(found)))
        for area, found in by_area.items()
    ]


def is_demo_library() -> bool:
    """Whether the demo handbook is all there is to ask from."""
    documents = Document.objects.filter(status="published", tenant__isnull=True)
    return documents.filter(demo=True).exists() and not documents.filter(demo=False).exists()
