"""While a student reads and types, the verdict and the question that may come next are made ready.

A preparation is kept in the memory of the process and in no row: one that is lost, too late or of another state of the
library changes nothing but the time that the next question takes. It is found under all that an opening question is
made from, so what is asked is the same with and without it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from prometheus_client import Counter

from exams.domain.planner import Action, PlannerState, Step, advance, may_probe, steps_ahead
from exams.examiner import process_cache
from exams.examiner.answer_retrieval import make_bearing_ready
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.briefing import EXAMINER, LibraryState, library_state
from exams.examiner.examiner import AWAY
from exams.exchange import exam_repository
from exams.exchange.exam_repository import Snapshot
from exams.exchange.executors import while_thinking
from exams.exchange.question_flow import Question, ask, rehearse
from exams.models import Exam, ExamStatus, Turn
from llm.metering import Payer, paid_by
from llm.registry import chat_model, embedding_model

OPENINGS: Final = Counter(
    "heydpe_openings_total", "Opening questions, made ahead or when they were wanted", ["made"]
)

QuestionOf = Callable[[Action], Question | None]


@dataclass(frozen=True, slots=True)
class _Ground:
    """All that an opening question is made from; `said` is how many turns there have been."""

    exam: UUID
    said: int
    element: str
    attempt: int
    library: LibraryState
    examiner: tuple[str, str]


def opening_for(snapshot: Snapshot, action: Action, said: int) -> Question | None:
    """The opening question of an action: the one that was made ready, else made now. None if the library cannot bear
    one after all.
    """
    ground = _ground_of(snapshot, action, said)
    kept = process_cache.find(Question, ground)
    OPENINGS.labels("ahead" if kept else "now").inc()
    return kept or _made(snapshot, action, ground.library)


def first_askable(
    state: PlannerState, action: Action, question_of: QuestionOf
) -> tuple[PlannerState, Question | None]:
    """The question of an action. An element that turns out to have no support is left out and the next one asked."""
    while action.kind == "ask":
        question = question_of(action)
        if question is not None:
            return state, question
        step = advance(state, "skip")
        state, action = step.state, step.action
    return state, None


def prepare_next(exam_id: UUID) -> None:
    """Make ready what the answer that is waited for may lead to. Writes nothing to the exam."""
    exam = Exam.objects.filter(pk=exam_id, status=ExamStatus.ACTIVE).first()
    if exam is None or exam_repository.unsettled_answer(exam_id) is not None:
        return
    with paid_by(Payer(exam.student_id, exam.tenant_id)):
        _prepare(exam)


def _prepare(exam: Exam) -> None:
    exam_id = exam.pk
    turn = exam_repository.pending_turn(exam_id)
    if turn is None:
        return
    _rehearsed(turn)
    snapshot, said = exam_repository.snapshot_of(exam), turn.number
    for step in _worth_preparing(snapshot.planner):
        first_askable(step.state, step.action, lambda action: _prepared(snapshot, action, said))
    if chat_model(ASSESSOR).external or not may_probe(snapshot.planner):
        with while_thinking(
            embedding_model()
        ):  # the answer may be looked up: have the vectors of the question
            make_bearing_ready(turn, tenant=snapshot.tenant_id, student=snapshot.student_id)


def _rehearsed(turn: Turn) -> None:
    """Once a process for each question, whoever is asked it."""
    ground = ("rehearsed", turn.text, turn.expectations)
    if not process_cache.find(bool, ground):
        rehearse(turn)
        process_cache.keep(ground, True)


def _worth_preparing(planner: PlannerState) -> tuple[Step, ...]:
    """The openings that may come next, the likeliest first. A vendor is paid for each: there only the one that follows
    whatever the verdict is.
    """
    steps = steps_ahead(planner)
    openings: dict[str, Step] = {}
    for step in steps:
        if _opens(step) and step.action.element:
            openings.setdefault(step.action.element.code, step)
    certain = len(openings) == 1 and all(_opens(step) for step in steps)
    if chat_model(EXAMINER).external and not certain:
        return ()
    return tuple(openings.values())


def _opens(step: Step) -> bool:
    return step.action.kind == "ask" and step.action.form == "opening"


def _prepared(snapshot: Snapshot, action: Action, said: int) -> Question | None:
    ground = _ground_of(snapshot, action, said)
    kept = process_cache.find(Question, ground)
    if kept:
        return kept
    question = _made(snapshot, action, ground.library)
    if question is not None and question.provenance.get("because") != AWAY:
        process_cache.keep(ground, question)
    return question


def _ground_of(snapshot: Snapshot, action: Action, said: int) -> _Ground:
    model = chat_model(EXAMINER)
    return _Ground(
        exam=snapshot.id,
        said=said,
        element=action.element.code if action.element else "",
        attempt=action.attempt,
        library=library_state(snapshot.tenant_id, snapshot.student_id),
        examiner=(model.provider, model.model),
    )


def _made(snapshot: Snapshot, action: Action, library: LibraryState) -> Question | None:
    return ask(
        action,
        library=library,
        history=exam_repository.said_in(snapshot.id),
        met=exam_repository.items_met(snapshot.student_id),
        difficulty=snapshot.difficulty,
        exam_id=snapshot.id,
        certificate=snapshot.scope.certificate,
    )
