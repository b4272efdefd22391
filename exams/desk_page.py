"""The content of the student's desk: what can be asked, and the student's results so far."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import HttpRequest, QueryDict

from exams.bank.coverage import Coverage, coverage_of
from exams.bank.items_in_force import UnreadableItem
from exams.conf import DUE_QUESTIONS, MINUTES_PER_QUESTION, MISSING_NAMED
from exams.domain.exam_request import ExamOrder, is_supported, weak_in_reach
from exams.domain.sampling import ElementFact
from exams.domain.spacing import is_due
from exams.examiner.briefing import bank_at_hand, library_state
from exams.examiner.element_facts import ChosenStandard, area_titles, element_texts
from exams.models import Mastery
from knowledge.access.people import may_act_for, schools_of
from knowledge.models import Document, IngestionJob, Tenant
from knowledge.models.telemetry import JobKind, JobState
from knowledge.models.tenancy import Role
from knowledge.standards.elements import loaded_certificates
from knowledge.text.word_tables import read_yaml
from knowledge.whole_numbers import whole_number

CHOICES: Final[dict[str, dict[str, str]]] = read_yaml(Path(__file__).with_name("choices.yaml"))


@dataclass(frozen=True)
class AreaSetup:
    """An Area with what can be asked of it, and the references that most of its other elements lack."""

    numeral: str
    title: str
    askable: int
    total: int
    missing: tuple[str, ...]


@dataclass(frozen=True)
class DueElements:
    """How many elements are due, those that one drill asks (code and text, most overdue first), and when the next is
    due where none is."""

    count: int
    drill: tuple[tuple[str, str], ...]
    next_at: datetime | None

    @property
    def minutes(self) -> int:
        return max(1, round(len(self.drill) * MINUTES_PER_QUESTION["drill"]))


def chosen_standard(request: HttpRequest, tenant: Tenant | None) -> ChosenStandard:
    """What a page is about; what is not loaded or unknown gives the default."""
    chosen, loaded = request.POST or request.GET, loaded_certificates()
    default = "private" if "private" in loaded or not loaded else loaded[0]
    certificate, aircraft_class = chosen.get("certificate", ""), chosen.get("class", "")
    return ChosenStandard(
        certificate if certificate in loaded else default,
        aircraft_class if aircraft_class in CHOICES["classes"] else "ASEL",
        tenant,
    )


def choice_of(standard: ChosenStandard) -> dict[str, Any]:
    """What a page needs to show it, and to let another one be chosen."""
    return {
        "certificate": standard.certificate,
        "certificates": loaded_certificates(),
        "aircraft_class": standard.aircraft_class,
        "classes": CHOICES["classes"].items(),
    }


def filled_fields(sent: QueryDict) -> dict[str, Any]:
    """The fields of a form for an oral that were filled in; numbers as numbers."""
    names = ("mode", "class", "difficulty", "certificate", "manner", "persona", "continues")
    fields: dict[str, Any] = {name: sent[name] for name in names if sent.get(name)}
    questions = sent.get("questions", "").strip()
    if questions:
        number = whole_number(questions)
        fields["questions"] = questions if number is None else number
    if sent.get("qualification"):
        fields["qualification"] = sent["qualification"] == "yes"
    codes = sent.get("codes", "").replace(",", " ").split()
    if codes:
        fields |= {"codes": codes, "mode": "drill"}
    areas = sent.getlist("areas")
    if areas:
        fields |= {"areas": areas, "mode": "area"}
    return fields


def due_for(student: Any, standard: ChosenStandard, now: datetime) -> DueElements:
    """What the student is to be asked again by `now`, of what can be asked for this class."""
    rows = mastery_rows([student.pk], standard)
    in_order = rows.order_by("due", "estimate", "element").values_list("element", "due")
    due_at = {code: due for code, due in in_order if due is not None}
    askable = _askable_of(due_at, standard)
    due = [code for code in askable if is_due(due_at[code], now)]
    texts = element_texts(due[:DUE_QUESTIONS])
    return DueElements(
        count=len(due),
        drill=tuple((code, texts.get(code, "")) for code in due[:DUE_QUESTIONS]),
        next_at=min((due_at[code] for code in askable), default=None) if not due else None,
    )


def due_of_students(students: Collection[int], standard: ChosenStandard, now: datetime) -> Counter[int]:
    """By student, how many elements are due by `now`."""
    rows = mastery_rows(students, standard).filter(due__isnull=False)
    listed = rows.values_list("student", "element", "due")
    found = [(student, code) for student, code, due in listed if due and is_due(due, now)]
    askable = set(_askable_of({code for _, code in found}, standard))
    return Counter(student for student, code in found if code in askable)


def mastery_rows(students: Collection[int] | QuerySet[Any], standard: ChosenStandard) -> QuerySet[Mastery]:
    return Mastery.objects.filter(
        student__in=students, tenant=standard.tenant, certificate=standard.certificate
    )


def _askable_of(codes: Iterable[str], standard: ChosenStandard) -> tuple[str, ...]:
    """Those that can be asked for this class, as a drill of them has it."""
    return weak_in_reach(standard.ever_asked, ExamOrder(mode="weak"), tuple(codes))


def areas_for(standard: ChosenStandard) -> list[AreaSetup]:
    """Each Area of the ground portion. An element can be asked where a sub-element can, as on the board."""
    titles = area_titles(standard.certificate)
    by_area: dict[str, list[ElementFact]] = defaultdict(list)
    for fact in standard.at_the_table:
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


def board_for(standard: ChosenStandard) -> Coverage:
    """What the library lets an examiner ask."""
    return coverage_of(standard.facts, standard.aircraft_class)


def unreadable_items(user: Any, standard: ChosenStandard) -> list[UnreadableItem]:
    """Items of the shared library and the school that this release cannot ask, as far as a reviewer or operator may
    open them in the admin: the school's own with the role in that school, shared ones with it in any."""
    school, roles = standard.tenant.pk if standard.tenant else None, (Role.REVIEWER, Role.OPERATOR)
    reads_shared = bool(schools_of(user, *roles))
    acts = any(may_act_for(user, role, school) for role in roles)
    found = bank_at_hand(library_state(school, None)).unreadable
    return [item for item in found if (reads_shared if item.shared else acts)]


def anchoring_now(tenant: Tenant | None) -> Mapping[str, Any] | None:
    """The step of the job that is looking for passages just now, with `done` and `total`."""
    running = IngestionJob.objects.filter(
        Q(tenant=None) | Q(tenant=tenant), kind=JobKind.ITEMS, state=JobState.RUNNING, step="anchor"
    ).first()
    return running.steps[-1] if running and running.steps else None


def is_demo_library() -> bool:
    """Whether the demo handbook is all there is to ask from."""
    documents = Document.objects.filter(status="published", tenant__isnull=True)
    return documents.filter(demo=True).exists() and not documents.filter(demo=False).exists()
