"""Prepares the next verdict and question while the student reads and types.

Prefetched questions are kept in the process's memory, not in rows: losing one costs only time. The key has everything
that an opening question is made from, so the student gets the same question with and without prefetching.
"""

from collections.abc import Callable
from typing import Any, Final
from uuid import UUID

from prometheus_client import Counter

from exams.domain.planner import Action, PlannerState, Step, advance_oral, may_probe, steps_ahead
from exams.examiner import process_cache
from exams.examiner.answer_retrieval import prepare_lookup
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.briefing import EXAMINER, LibraryState, library_state
from exams.examiner.examiner import AWAY
from exams.exchange.exam_repository import pending_turn, unsettled_answer
from exams.exchange.executors import while_thinking
from exams.exchange.question_flow import ask_opening, rehearse_answer
from exams.models import Exam, ExamStatus, Turn
from llm.metering import Payer, paid_by
from llm.registry import chat_model, embedding_model

OPENINGS: Final = Counter(
    "heydpe_openings_total", "Opening questions, made ahead or when they were wanted", ["made"]
)


def _cache_key(exam: Exam, action: Action, said: int, library: LibraryState) -> tuple[Any, ...]:
    """All that an opening question is made from; `said` is how many turns there have been."""
    model, element = chat_model(EXAMINER), action.element.code if action.element else ""
    return exam.pk, said, element, action.attempt, library, model.provider, model.model


def opening_for(exam: Exam, action: Action, said: int) -> Turn | None:
    """The opening question of an action, prefetched or written now; None if the library cannot support one after
    all."""
    library = library_state(exam.tenant_id, exam.student_id)
    kept = process_cache.find_kept(Turn, _cache_key(exam, action, said, library))
    OPENINGS.labels("ahead" if kept else "now").inc()
    return kept or ask_opening(action, exam, library)


def first_askable(
    state: PlannerState, action: Action, question_for: Callable[[Action], Turn | None]
) -> tuple[PlannerState, Turn | None]:
    """The question of an action. An element that has no support after all is left out and the next one asked."""
    while action.kind == "ask":
        question = question_for(action)
        if question is not None:
            return state, question
        step = advance_oral(state, "skip")
        state, action = step.state, step.action
    return state, None


def prepare_next(exam_id: UUID) -> None:
    """Prefetches what the awaited answer may lead to. Writes nothing to the exam."""
    exam = Exam.objects.filter(pk=exam_id, status=ExamStatus.ACTIVE).first()
    if exam is None or unsettled_answer(exam_id) is not None:
        return
    with paid_by(Payer(exam.student_id, exam.tenant_id)):
        turn = pending_turn(exam_id)
        if turn is None:
            return
        rehearsed = ("rehearsed", turn.text, turn.expectations)
        if not process_cache.find_kept(
            bool, rehearsed
        ):  # once per process for each question, whichever student gets it
            rehearse_answer(turn)
            process_cache.keep_value(rehearsed, True)
        planner = exam.read_planner()
        for step in _openings_worth_preparing(planner):
            first_askable(
                step.state, step.action, lambda action: _prepare_question(exam, action, turn.number)
            )
        if chat_model(ASSESSOR).external or not may_probe(planner):  # the answer may be looked up
            with while_thinking(embedding_model()):
                prepare_lookup(turn, tenant=exam.tenant_id, student=exam.student_id)


def _prepare_question(exam: Exam, action: Action, said: int) -> Turn | None:
    library = library_state(exam.tenant_id, exam.student_id)
    key = _cache_key(exam, action, said, library)
    question = process_cache.find_kept(Turn, key)
    if question is None:
        question = ask_opening(action, exam, library)
        if question is not None and question.provenance.get("because") != AWAY:
            process_cache.keep_value(key, question)
    return question


def _openings_worth_preparing(planner: PlannerState) -> list[Step]:
    """The openings that may come next, the likeliest first.

    With a paid model, prefetches only an opening question that is certain to be asked.
    """
    steps = steps_ahead(planner)
    opening = [step for step in steps if step.action.kind == "ask" and step.action.form == "opening"]
    by_element: dict[str, Step] = {}
    for step in opening:
        if step.action.element:
            by_element.setdefault(step.action.element.code, step)
    certain = len(by_element) == 1 and len(opening) == len(steps)
    return list(by_element.values()) if certain or not chat_model(EXAMINER).external else []
