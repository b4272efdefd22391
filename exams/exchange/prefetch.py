"""Prepares the next verdict and question while the student reads and types.

Prefetched questions are kept in the process's memory, not in rows: losing one costs only time. The key has everything
that an opening question is made from, so the student gets the same question with and without prefetching.
"""

from collections.abc import Callable
from typing import Final
from uuid import UUID

from prometheus_client import Counter

from exams.domain.planner import Action, PlannerState, Step, advance_oral, may_probe, steps_ahead
from exams.examiner import process_cache
from exams.examiner.answer_retrieval import prepare_lookup
from exams.examiner.assessor import ROLE as ASSESSOR
from exams.examiner.briefing import library_state, may_ask_freely
from exams.exchange.exam_repository import pending_turn, unsettled_answer
from exams.exchange.executors import while_thinking
from exams.exchange.flight import decision_to_stay
from exams.exchange.question_flow import also_about, ask_opening, rehearse_answer
from exams.models import Exam, ExamStatus, Turn
from llm.metering import Payer, paid_by
from llm.registry import chat_model, embedding_model

OPENINGS: Final = Counter(
    "heydpe_openings_total", "Opening questions, made ahead or when they were wanted", ["made"]
)


def opening_for(exam: Exam, action: Action, said: int, *, ahead: bool = False) -> Turn | None:
    """The opening question of an action, prepared or written now; None if the library cannot support one after all.

    `said` is how many turns there have been. A question that is written `ahead` is kept until it is wanted; it
    supposes that the answer does not decide against going.
    """
    stay = "" if ahead else decision_to_stay(exam)
    library = library_state(exam.tenant_id, exam.student_id)
    element, because = (action.element.code, action.element.because) if action.element else ("", "")
    made_from = (exam.pk, said, element, because, action.attempt, stay, library)
    kept = process_cache.find_kept(Turn, made_from)
    if not ahead:
        OPENINGS.labels("ahead" if kept else "now").inc()
    question = kept or ask_opening(action, exam, library, stay=stay)
    if ahead and question is not None and kept is None:
        process_cache.keep_value(made_from, question)
    return question


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
    with paid_by(Payer(exam.student_id, exam.tenant_id, exam.pk)):
        turn = pending_turn(exam_id)
        if turn is None:
            return
        rehearsed = ("rehearsed", turn.text, turn.expectations)
        # Once a process for each question, whoever is asked it.
        if not process_cache.find_kept(bool, rehearsed):
            rehearse_answer(turn)
            process_cache.keep_value(rehearsed, True)
        planner = exam.read_planner()
        steps = steps_ahead(planner, also_about(turn))
        openings = [step for step in steps if step.action.kind == "ask" and step.action.form == "opening"]
        likeliest: dict[tuple[str, str], Step] = {}
        for step in openings:
            if step.action.element:
                likeliest.setdefault((step.action.element.code, step.action.element.because), step)
        certain = len(likeliest) == 1 and len(openings) == len(steps)
        # Where a paid model may word it, only an opening that is certain to be asked is prepared.
        if certain or not may_ask_freely(library_state(exam.tenant_id, exam.student_id).flags):
            for step in likeliest.values():
                first_askable(
                    step.state, step.action, lambda action: opening_for(exam, action, turn.number, ahead=True)
                )
        final = planner.state != "asking" or not may_probe(planner)  # a probe's answer mostly is
        if chat_model(ASSESSOR).external or final:  # it may be looked up
            with while_thinking(embedding_model()):
                prepare_lookup(turn, tenant=exam.tenant_id, student=exam.student_id)
