"""Let simulated students take exams through the session's own code, and count the results.

Each student knows a random share of the elements. A student who knows an element says what is expected; one who does
not says nothing, or something true that belongs elsewhere. The seed is fixed. Exams, people and their search log are
removed afterwards.
"""

from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from typing import Any, Final
from uuid import UUID, uuid4

from django.contrib.auth import get_user_model
from django.core.cache import caches

from exams.domain.exam_request import order_from
from exams.domain.planner import PlannerState
from exams.examiner.element_facts import element_facts
from exams.exchange import session
from exams.models import OPEN_STATUSES, Assessment, Exam, ExamStatus, Turn
from exams.protocol.frames import Continue
from knowledge.models import Membership, RetrievalComparison, RetrievalLog, Tenant
from knowledge.models.tenancy import Role

from .measures import median_and_p95

ABILITY: Final = (0.3, 0.95)
"""Share of the elements that a student knows: from a beginner to one who is ready."""
NOTHING: Final = ("I do not know.", "I would have to look that up.", "No idea, sorry.")
ELSEWHERE: Final = (
    "You need 3 statute miles of visibility and stay 500 feet below the clouds.",
    "The crew uses oxygen above 12,500 feet after half an hour, and above 14,000 feet all the time.",
    "At night there has to be fuel for 45 minutes beyond the first point of landing.",
    "The transponder is checked every 24 calendar months.",
    "A steady red light means that you give way to other aircraft and go on circling.",
    "Carburetor ice is likely when it is humid and between 20 and 70 degrees Fahrenheit.",
)
"""True statements that belong to other questions, in our own words."""

Work = session.Work | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """`right` are final verdicts that the answer was meant to earn. `look_ups` are by kind: their number, how many each
    tier answered, the share that did not need the database, and the milliseconds of those that did."""

    exams: int
    ended_by_plan: int
    questions: int
    answers: int
    elements: int
    askable: int
    coverage: float
    verdicts: int
    right: int
    accuracy: float | None
    look_ups: dict[str, dict[str, Any]]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def simulate(
    exams: int,
    *,
    seed: int = 1,
    tenant: Tenant | None = None,
    questions: int | None = None,
    processes: int = 1,
    ready: Callable[[int], None] = lambda _: None,
) -> Simulated:
    """Take so many exams, one after another. With several `processes` the process cache is cleared as often as if each
    of them took an equal part. `ready` gets the number of exams taken, after each. Raises OrderRefused."""
    users = get_user_model().objects
    # Nobody can sign in as one of them, and everything of theirs is removed.
    students = [users.create(username=f"simulated-{uuid4()}", password="!") for _ in range(exams)]
    ids = [one.pk for one in students]
    try:
        if tenant is not None:  # who is no member of a school has no open oral there
            Membership.objects.bulk_create(
                Membership(user=one, tenant=tenant, role=Role.STUDENT) for one in students
            )
        taken = []
        for number, student in enumerate(students):
            if number % max(1, -(-exams // processes)) == 0:
                caches["process"].clear()
            taken.append(_take_exam(student, tenant, questions, Random(f"{seed}/{number}")))
            ready(number + 1)
        return _count_results(taken, tenant)
    finally:
        begun = list(Exam.objects.filter(student__in=ids).values_list("pk", flat=True))
        RetrievalLog.objects.filter(exam__in=begun).delete()
        RetrievalComparison.objects.filter(exam__in=begun).delete()
        users.filter(pk__in=ids).delete()


@dataclass(frozen=True, slots=True)
class TakenExam:
    exam: UUID
    meant: dict[str, bool]  # by element, whether its answers were meant to be satisfactory


def _take_exam(student: Any, tenant: Tenant | None, questions: int | None, chance: Random) -> TakenExam:
    def do(work: Work) -> None:
        if work is not None:
            function, key = work
            function(key)

    order = order_from({"questions": questions} if questions else {})
    exam = session.create_exam(student, tenant, order, exam_id=UUID(int=chance.getrandbits(128), version=4))
    ability, meant = chance.uniform(*ABILITY), dict[str, bool]()
    opened = session.open_connection(exam.pk, student.pk)
    do(opened.work)
    for number in range(10 * 66):  # no exam has more answers
        exam = Exam.objects.get(pk=exam.pk)
        if exam.status not in OPEN_STATUSES:
            break
        if PlannerState.from_dict(exam.planner).state == "consenting":
            do(session.take_frame(exam.pk, opened.epoch, Continue(type="continue", go_on=True)))
            continue
        turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
        if meant.setdefault(turn.element, chance.random() < ability):
            answer = " ".join(one["text"] for one in turn.expectations)
        else:
            answer = chance.choice(NOTHING if chance.random() < 0.5 else ELSEWHERE)
        do(session.take_answer(exam.pk, opened.epoch, f"a{number}", answer).work)
    return TakenExam(exam.pk, meant)


# --- counting ---


def _count_results(taken: list[TakenExam], tenant: Tenant | None) -> Simulated:
    ids = [one.exam for one in taken]
    finals = Assessment.objects.filter(turn__exam__in=ids, final=True)
    meant = {(one.exam, element): knows for one in taken for element, knows in one.meant.items()}
    verdicts = list(finals.values_list("turn__exam_id", "element", "verdict"))
    right = sum(
        verdict == ("satisfactory" if meant[exam, element] else "unsatisfactory")
        for exam, element, verdict in verdicts
    )
    asked = {element for one in taken for element in one.meant}
    orders = (
        Exam.objects.filter(pk__in=ids).order_by().values_list("certificate", "aircraft_class").distinct()
    )
    facts = (fact for one in orders for fact in element_facts(*one, tenant=tenant))
    askable = len({one.code for one in facts if one.askable and one.where == "table" and not one.archived})
    return Simulated(
        exams=len(taken),
        ended_by_plan=Exam.objects.filter(pk__in=ids, status=ExamStatus.FINISHED).count(),
        questions=Turn.objects.filter(exam__in=ids, form="opening").count(),
        answers=Assessment.objects.filter(turn__exam__in=ids).count(),
        elements=len(asked),
        askable=askable,
        coverage=round(len(asked) / askable, 3) if askable else 0.0,
        verdicts=len(verdicts),
        right=right,
        accuracy=round(right / len(verdicts), 4) if verdicts else None,
        look_ups=_look_ups_by_kind(ids),
    )


def _look_ups_by_kind(exams: list[UUID]) -> dict[str, dict[str, Any]]:
    tiers: dict[str, Counter[str]] = defaultdict(Counter)
    times: dict[str, list[float]] = defaultdict(list)
    rows = RetrievalLog.objects.filter(exam__in=exams).values_list("kind", "tier", "latency_ms")
    for kind, tier, milliseconds in rows:
        tiers[kind][tier] += 1
        if tier == "full":
            times[kind].append(milliseconds)
    told = {}
    for kind in sorted(tiers):
        number = tiers[kind].total()
        p50, p95 = median_and_p95(times[kind])
        told[kind] = {
            "number": number,
            **{tier: tiers[kind][tier] for tier in ("memory", "hot", "full")},
            "hits": round(1 - tiers[kind]["full"] / number, 4),
            "full_p50_ms": p50,
            "full_p95_ms": p95,
        }
    return told
