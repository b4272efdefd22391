"""What the student's desk shows: what can be asked, what is open, what has been, what has been shown."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

from django.utils import timezone

from exams.bank.coverage import Coverage, coverage_of
from exams.conf import MISSING_NAMED
from exams.domain.mastery import shown_percent
from exams.domain.scope import ElementFact, Scope, ScopeRequest, elements_in_reach
from exams.domain.scope_request import supported
from exams.examiner.element_facts import element_facts, task_names
from exams.models import OPEN_STATUSES, AnchorRun, Exam, Mastery
from knowledge.models import Document, Tenant

RESULT_WORDS = {
    "pass": "satisfactory",
    "fail": "not satisfactory",
    "incomplete": "not completed",
}
SHOWN_EXAMS = 50


@dataclass(frozen=True)
class AreaSetup:
    numeral: str
    title: str
    askable: int
    total: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class AreaMastery:
    area: str
    title: str
    count: int
    shown: int


def areas_for(certificate: str, aircraft_class: str, *, tenant: Tenant | None) -> list[AreaSetup]:
    """Each Area of the ground portion with what can be asked of it, and the references that are missing."""
    facts = element_facts(certificate, tenant=tenant)
    request = ScopeRequest(certificate=certificate, aircraft_class=aircraft_class)
    by_area: dict[str, list[ElementFact]] = defaultdict(list)
    for fact in elements_in_reach(facts, request):
        by_area[fact.area].append(fact)
    titles = {name.area: name.area_title for name in task_names(certificate).values()}
    return [_area_setup(numeral, titles.get(numeral, ""), found) for numeral, found in by_area.items()]


def board_for(certificate: str, aircraft_class: str, *, tenant: Tenant | None) -> Coverage:
    """What the library lets an examiner ask."""
    return coverage_of(element_facts(certificate, tenant=tenant), aircraft_class)


def anchoring_now() -> AnchorRun | None:
    """The run that looks for passages just now, with its progress."""
    return AnchorRun.objects.filter(finished_at__isnull=True, lease_until__gt=timezone.now()).first()


def _area_setup(numeral: str, title: str, facts: list[ElementFact]) -> AreaSetup:
    """The documents that most elements lack come first. An element can be asked where a sub-element can, as on the
    board."""
    unsupported = [fact for fact in facts if not supported(fact, facts)]
    lacking = Counter(
        reference for fact in unsupported for reference in fact.missing_reference.split(", ") if reference
    )
    missing = tuple(reference for reference, _ in lacking.most_common(MISSING_NAMED))
    return AreaSetup(numeral, title, len(facts) - len(unsupported), len(facts), missing)


def exams_of(student: Any) -> list[Exam]:
    exams = list(Exam.objects.filter(student=student)[:SHOWN_EXAMS])
    for exam in exams:
        describe(exam)
    return exams


def describe(exam: Exam) -> Exam:
    """The exam with the words the pages show of it."""
    exam.scope_title = Scope.from_dict(exam.scope).title  # type: ignore[attr-defined]
    exam.is_open = exam.status in OPEN_STATUSES  # type: ignore[attr-defined]
    exam.result_words = RESULT_WORDS.get((exam.result or {}).get("result", ""), "not completed")  # type: ignore[attr-defined]
    return exam


def open_exam_of(student: Any) -> Exam | None:
    found = Exam.objects.filter(student=student, status__in=OPEN_STATUSES).first()
    return describe(found) if found else None


def mastery_of(student: Any, certificate: str) -> list[AreaMastery]:
    names = task_names(certificate)
    by_area: dict[str, list[float]] = defaultdict(list)
    for code, estimate in Mastery.objects.filter(student=student, certificate=certificate).values_list(
        "element", "estimate"
    ):
        task = names.get(code.rsplit(".", 1)[0])
        if task:
            by_area[task.area].append(estimate)
    titles = {name.area: name.area_title for name in names.values()}
    return [
        AreaMastery(area, titles[area], len(found), shown_percent(sum(found) / len(found)))
        for area, found in by_area.items()
    ]


def demo_library(tenant: Tenant | None) -> bool:
    """Whether all there is to ask from is the demo handbook."""
    documents = Document.objects.filter(status="published", tenant__isnull=True)
    return documents.filter(demo=True).exists() and not documents.filter(demo=False).exists()
