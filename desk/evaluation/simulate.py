"""Students who are made up sit exams through the session's own code, and what became of them is counted.

Each student knows some elements and not others, by lot; who knows one says what is expected, who does not says nothing,
or what belongs elsewhere. The lot is drawn with a seed. Exams, people and the log of their searches are gone
afterwards.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from random import Random
from statistics import quantiles
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
from knowledge.models import RetrievalComparison, RetrievalLog, Tenant

ABILITY: Final = (0.3, 0.95)
"""Share of the elements that a student knows: from who has just begun to who is ready."""
NOTHING: Final = ("I do not know.", "I would have to look that up.", "No idea, sorry.")
ELSEWHERE: Final = (
    "You need 3 statute miles of visibility and stay 500 feet below the clouds.",
    "The crew uses oxygen above 12,500 feet after half an hour, and above 14,000 feet all the time.",
    "At night there has to be fuel for 45 minutes beyond the first point of landing.",
    "The transponder is checked every 24 calendar months.",
    "A steady red light means that you give way to other aircraft and go on circling.",
    "Carburetor ice is likely when it is humid and between 20 and 70 degrees Fahrenheit.",
)
"""True things that belong to other questions; the sentences are our own."""

Ready = Callable[[int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Simulated:
    """`right` are final verdicts that are what the answer was meant to earn; `look_ups` by what they went by: their
    number, how many each tier answered, the share that did not need the database, milliseconds of those that did."""

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
    ready: Ready = lambda _: None,
) -> Simulated:
    """So many exams, one after another. With several `processes` what a process remembers is forgotten as often, as if
    each of them sat an equal part. `ready` is told after each exam how many are over. Raises OrderRefused."""
    with _people(exams) as people:
        sat = []
        for number, student in enumerate(people):
            if number % max(1, -(-exams // processes)) == 0:
                caches["process"].clear()
            sat.append(_sit(student, tenant, questions, Random(f"{seed}/{number}")))
            ready(number + 1)
        return _counted(sat, tenant)


@contextmanager
def _people(number: int) -> Iterator[list[Any]]:
    """Students of a day: nobody can sign in as one of them, and all that they leave is removed."""
    users = get_user_model().objects
    people = [users.create(username=f"simulated-{uuid4()}", password="!") for _ in range(number)]
    ids = [one.pk for one in people]
    try:
        yield people
    finally:
        exams = list(Exam.objects.filter(student__in=ids).values_list("pk", flat=True))
        RetrievalLog.objects.filter(exam__in=exams).delete()
        RetrievalComparison.objects.filter(exam__in=exams).delete()
        users.filter(pk__in=ids).delete()


@dataclass(frozen=True, slots=True)
class _Sat:
    exam: UUID
    meant: dict[str, bool]  # by element, whether its answers were meant to be satisfactory


def _sit(student: Any, tenant: Tenant | None, questions: int | None, chance: Random) -> _Sat:
    order = order_from({"questions": questions} if questions else {})
    exam = session.create_exam(student, tenant, order, exam_id=UUID(int=chance.getrandbits(128), version=4))
    ability, meant = chance.uniform(*ABILITY), dict[str, bool]()
    opened = session.open_connection(exam.pk, student.pk)
    _do(opened.work)
    for number in range(10 * 66):  # no exam has more answers
        exam = Exam.objects.get(pk=exam.pk)
        if exam.status not in OPEN_STATUSES:
            break
        if PlannerState.from_dict(exam.planner).state == "consenting":
            _do(session.take_frame(exam.pk, opened.epoch, Continue(type="continue", go_on=True)))
            continue
        turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
        knows = meant.setdefault(turn.element, chance.random() < ability)
        _do(session.take_answer(exam.pk, opened.epoch, f"a{number}", _words(turn, chance, knows=knows)).work)
    return _Sat(exam.pk, meant)


def _words(turn: Turn, chance: Random, *, knows: bool) -> str:
    if knows:
        return " ".join(one["text"] for one in turn.expectations)
    return chance.choice(NOTHING if chance.random() < 0.5 else ELSEWHERE)


def _do(work: session.Work | None) -> None:
    if work is not None:
        function, key = work
        function(key)


# --- counting ---------------------------------------------------------------------------------------------------


def _counted(sat: list[_Sat], tenant: Tenant | None) -> Simulated:
    ids = [one.exam for one in sat]
    finals = Assessment.objects.filter(turn__exam__in=ids, final=True)
    meant = {(one.exam, element): knows for one in sat for element, knows in one.meant.items()}
    verdicts = list(finals.values_list("turn__exam_id", "element", "verdict"))
    right = sum(
        verdict == ("satisfactory" if meant[exam, element] else "unsatisfactory")
        for exam, element, verdict in verdicts
    )
    asked = {element for one in sat for element in one.meant}
    askable = _askable(ids, tenant)
    return Simulated(
        exams=len(sat),
        ended_by_plan=Exam.objects.filter(pk__in=ids, status=ExamStatus.FINISHED).count(),
        questions=Turn.objects.filter(exam__in=ids, form="opening").count(),
        answers=Assessment.objects.filter(turn__exam__in=ids).count(),
        elements=len(asked),
        askable=askable,
        coverage=round(len(asked) / askable, 3) if askable else 0.0,
        verdicts=len(verdicts),
        right=right,
        accuracy=round(right / len(verdicts), 4) if verdicts else None,
        look_ups=_look_ups(ids),
    )


def _askable(exams: list[UUID], tenant: Tenant | None) -> int:
    certificates = (
        Exam.objects.filter(pk__in=exams).values_list("certificate", flat=True).order_by().distinct()
    )
    facts = [fact for one in certificates for fact in element_facts(one, tenant=tenant)]
    return sum(fact.askable and fact.where == "table" and not fact.archived for fact in facts)


def _look_ups(exams: list[UUID]) -> dict[str, dict[str, Any]]:
    tiers: dict[str, Counter[str]] = defaultdict(Counter)
    taken: dict[str, list[float]] = defaultdict(list)
    rows = RetrievalLog.objects.filter(exam__in=exams).values_list("kind", "tier", "latency_ms")
    for kind, tier, milliseconds in rows:
        tiers[kind][tier] += 1
        if tier == "full":
            taken[kind].append(milliseconds)
    return {kind: _look_ups_of(tiers[kind], taken[kind]) for kind in sorted(tiers)}


def _look_ups_of(tiers: Counter[str], taken: list[float]) -> dict[str, Any]:
    number = sum(tiers.values())
    cuts = quantiles(taken, n=20, method="inclusive") if len(taken) > 1 else taken * 19
    return {
        "number": number,
        **{tier: tiers[tier] for tier in ("memory", "hot", "full")},
        "hits": round(1 - tiers["full"] / number, 4),
        "full_p50_ms": round(cuts[9], 1) if cuts else None,
        "full_p95_ms": round(cuts[18], 1) if cuts else None,
    }
