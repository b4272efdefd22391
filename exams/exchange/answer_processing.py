"""Processes an answer: assess it, then ask the next question. This is the part of an exchange that calls models.

It reads the exam, releases the row, calls the models, and stores everything in one transaction if the exam has not
changed since. A second run finds a newer version and stores nothing, so this may run twice, concurrently, or again
after a crash.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import structlog
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from exams.conf import AWAY_RETRY_SECONDS, IDLE_EXAM_HOURS, SETTLE_LEASE_SECONDS
from exams.domain.feedback import feedback_for, with_reply
from exams.domain.planner import (
    Action,
    Event,
    EventName,
    IllegalEvent,
    PlannerState,
    advance_oral,
    event_for,
    may_probe,
)
from exams.domain.qualification.papers import Qualification
from exams.exchange import exam_repository
from exams.exchange.completion import finish_exam
from exams.exchange.exam_frames import announce_frames, append_frames, progress_frame, turn_frame
from exams.exchange.flight import facts_of_flight
from exams.exchange.mastery_repository import record_mentions, record_verdict
from exams.exchange.prefetch import first_askable, opening_for
from exams.exchange.qualification.asking import FORM, next_turn_of
from exams.exchange.qualification.judging import (
    conclude,
    follow_up_about,
    judge_papers,
    probe_about,
    qualified_frame,
)
from exams.exchange.question_flow import Assessed, also_about, ask_follow_up, assess_turn, ungraded_because
from exams.models import OPEN_STATUSES, Answer, Exam, ExamStatus, PauseReason, Turn
from exams.protocol.codec import assessment_frame
from exams.protocol.frames import FrameBody
from knowledge.retrieval.search_log import note_cited
from knowledge.usage import next_day
from llm.errors import BudgetSpent, ModelError
from llm.metering import Payer, paid_by

log = structlog.get_logger(__name__)


class OralPaused(Exception):
    """The oral was paused because an answer could not be assessed; everything that was said is stored."""

    def __init__(self, reason: PauseReason) -> None:
        super().__init__(str(reason.label))
        self.reason = reason

    @property
    def may_try_again(self) -> bool:
        """Whether the same answer, sent again now, may be assessed."""
        return self.reason == PauseReason.EXAMINER_AWAY


_under_way: set[tuple[str, Any]] = set()
_guard = threading.Lock()


@contextmanager
def _only_once(*key: Any) -> Iterator[bool]:
    """True for the first in this process to work on `key`; others leave it alone."""
    with _guard:
        first = key not in _under_way
        _under_way.add(key)
    try:
        yield first
    finally:
        if first:
            with _guard:
                _under_way.discard(key)


# --- what needs a model --------------------------------------------------------------------------------------


def begin_exam(exam_id: UUID) -> None:
    """Asks the first question of an exam that was planned."""
    ask_after("begin", exam_id)


def ask_after(event: EventName, exam_id: UUID) -> None:
    """Asks what comes after consent to going on, a request for a hint, or a qualification that is skipped. Does nothing
    where the event is no longer possible: somebody else has done it."""
    with _only_once(event, exam_id) as first:
        if not first:
            return
        exam = Exam.objects.get(pk=exam_id)
        try:
            step = advance_oral(exam.read_planner(), event)
        except IllegalEvent:
            return
        papers = exam.read_qualification() if event == "qualified" else None
        with paid_by(Payer(exam.student_id, exam.tenant_id, exam.pk)):
            state, question = _next_question(exam, step.state, step.action)
        _store_exchange(exam, state, question, papers=papers and replace(papers, outcome="skipped"))


def settle_answer(answer_id: int) -> None:
    """Assesses a stored answer and continues. Does nothing if that has been done.

    Raises OralPaused. If the examiner's model is unavailable, the answer is kept, and a later call continues.
    """
    with _only_once("answer", answer_id) as first:
        now = timezone.now()
        unsettled = Answer.objects.filter(
            pk=answer_id, assessments__isnull=True, exam__status__in=OPEN_STATUSES
        )
        # The lease tells the sweep that somebody is working on it.
        if not first or not unsettled.update(lease_until=now + timedelta(seconds=SETTLE_LEASE_SECONDS)):
            return
        answer = Answer.objects.select_related("turn", "exam").get(pk=answer_id)
        if exam_repository.last_number(answer.exam_id) != answer.turn.number:
            return
        planner = _resumed_planner(answer.exam)
        with paid_by(Payer(answer.exam.student_id, answer.exam.tenant_id, answer.exam_id)):
            try:
                assessed = _assess(answer, planner)
            except BudgetSpent as error:
                log.info("budget_spent", answer=answer.pk, why=str(error))
                spent = PauseReason.SCHOOL_BUDGET_SPENT if error.of_school else PauseReason.BUDGET_SPENT
                _pause_until(next_day(timezone.now()), spent, answer)
            except ModelError as error:
                log.warning("examiner_away", answer=answer.pk, error=str(error), code=error.code)
                again = timezone.now() + timedelta(seconds=AWAY_RETRY_SECONDS)
                _pause_until(again, PauseReason.EXAMINER_AWAY, answer)
            else:
                _store_outcome(answer, planner, assessed)


def _assess(answer: Answer, planner: PlannerState) -> Assessed:
    if planner.state == "qualifying":
        return judge_papers(answer.turn, answer.text)
    return assess_turn(
        answer.turn,
        answer.text,
        exam_repository.ladder_before(answer.turn),
        may_probe=may_probe(planner),
        hinted=planner.hinted,
        tenant=answer.exam.tenant_id,
        student=answer.exam.student_id,
        manner=answer.exam.manner,
        flight=facts_of_flight(answer.exam),
    )


def leave_ungraded(answer_id: int) -> None:
    """Gives up assessing an answer that takes too long. That is our failure, so the question is asked again.

    A thread that still assesses it finds that the exam has moved on. Raises OralPaused.
    """
    answer = Answer.objects.select_related("turn", "exam").get(pk=answer_id)
    planner = _resumed_planner(answer.exam)
    if not answer.assessments.exists():
        assessed = ungraded_because(answer.turn, "out_of_time", "Judging took too long and was given up.")
        _store_outcome(answer, planner, assessed)


def _pause_until(again: datetime, reason: PauseReason, answer: Answer) -> None:
    """Leaves the answer unassessed and the planner where it is: resuming the oral, or the sweep, settles it."""
    with transaction.atomic():
        exam = exam_repository.lock_unchanged(answer.exam)
        if exam is None:
            return
        exam.status, exam.pause_reason = ExamStatus.PAUSED, reason
        exam.save(update_fields=["status", "pause_reason"])
        Answer.objects.filter(pk=answer.pk).update(lease_until=again)
    raise OralPaused(reason)


def _store_outcome(answer: Answer, planner: PlannerState, assessed: Assessed) -> None:
    """Stores an assessment with what follows from it. An oral that pauses shows its question again, too."""
    if planner.state == "qualifying":
        _store_papers(answer, planner, assessed)
        return
    step = advance_oral(planner, event_for(assessed.decision, also_about(answer.turn)))
    state, question = _next_question(answer.exam, step.state, step.action, answer, assessed)
    stands = step.action.kind in ("repeat", "wait")
    if (
        _store_exchange(answer.exam, state, question, answer, assessed, repeat=stands)
        and state.state == "paused"
    ):
        raise OralPaused(PauseReason.NOT_ASSESSED)


def _store_papers(answer: Answer, state: PlannerState, assessed: Assessed) -> None:
    """Stores what was said about papers, with the next step of the qualification or its outcome."""
    exam, papers = answer.exam, answer.exam.read_qualification()
    assert papers is not None
    repeat = assessed.decision.next_step in ("repeat", "ask_again")
    question = None
    if assessed.decision.next_step == "probe":
        question = probe_about(answer.turn, answer.text, assessed)
    elif not repeat:
        question = follow_up_about(answer, papers.folder, assessed.decision)
        question = question or next_turn_of(exam, papers.folder)
    if repeat or question:
        _store_exchange(exam, state, question, answer, assessed, repeat=repeat)
        return
    papers = conclude(exam, papers, answer, assessed.decision)
    step = advance_oral(state, Event(name="qualified", mentioned=papers.credited))
    state, question = _next_question(exam, step.state, step.action, answer, assessed)
    _store_exchange(exam, state, question, answer, assessed, papers=papers)


def _resumed_planner(exam: Exam) -> PlannerState:
    planner = exam.read_planner()
    return advance_oral(planner, "resume").state if planner.state == "paused" else planner


def _next_question(
    exam: Exam,
    state: PlannerState,
    action: Action,
    answer: Answer | None = None,
    assessed: Assessed | None = None,
) -> tuple[PlannerState, Turn | None]:
    def question_for(action: Action) -> Turn | None:
        papers = exam.read_qualification()
        if papers and action.form == FORM:
            return next_turn_of(exam, papers.folder)
        if action.element is None:
            return None
        if action.form in ("probe", "hint"):
            turn = answer.turn if answer else exam_repository.pending_turn(exam.pk)
            if turn is None:
                return None
            asked = sum(not one.by_mention for one in state.outcomes)
            return ask_follow_up(turn, action, answer.text if answer else "", assessed, asked=asked)
        said = answer.turn.number if answer else exam_repository.last_number(exam.pk)
        return opening_for(exam, action, said)

    return first_askable(state, action, question_for)


# --- storing -------------------------------------------------------------------------------------------------


def _store_exchange(
    read: Exam,
    state: PlannerState,
    question: Turn | None,
    answer: Answer | None = None,
    assessed: Assessed | None = None,
    *,
    repeat: bool = False,
    papers: Qualification | None = None,
) -> bool:
    """All of the exchange or nothing of it, with the `papers` of a qualification that is over; returns whether it was
    stored."""
    with transaction.atomic():
        exam = exam_repository.lock_unchanged(read)
        if exam is None:
            log.info("exchange_overtaken", exam=str(read.pk))
            return False
        bodies: list[FrameBody] = []
        if answer and assessed:
            bodies.append(_store_assessment(exam, answer, assessed))
            decision, mastery = assessed.decision, {}
            if decision.final and exam.manner == "coach":  # a checkride's verdicts count when it is over
                mastery = record_verdict(exam, answer.turn, decision.verdict, answer.received_at)
            bodies.append(progress_frame(read.read_scope(), state, mastery))
        if papers:
            bodies.append(_close_papers(exam, papers))
        if question is not None:
            _store_turn(exam, question)
            bodies.append(turn_frame(question, state))
        elif answer and repeat:
            other_words = assessed is not None and assessed.aside in ("reword", "meaning")
            again = answer.turn.rubric.get("again", "") if other_words else ""
            bodies.append(turn_frame(answer.turn, state, text=again, repeated=True))
        append_frames(exam, bodies)
        if state.state == "finished":
            finish_exam(exam, state, ExamStatus.FINISHED)
        else:
            if state.state == "paused":
                exam.status, exam.pause_reason = ExamStatus.PAUSED, PauseReason.NOT_ASSESSED
            elif exam.pause_reason:  # the examiner is back
                exam.status, exam.pause_reason = ExamStatus.ACTIVE, ""
            exam_repository.save_progress(exam, state)
            announce_frames(exam.pk, exam.seq)
    return True


def _close_papers(exam: Exam, papers: Qualification) -> FrameBody:
    """Stores a qualification that is over and returns its frame."""
    exam.qualification = papers.to_dict()
    exam.save(update_fields=["qualification"])
    if exam.manner == "coach":
        record_mentions(exam, papers.credited)
    return qualified_frame(exam, papers)


def _store_assessment(exam: Exam, answer: Answer, assessed: Assessed) -> FrameBody:
    """Stores the assessment's row and returns its frame, which says nothing of the verdict in a checkride and in a
    qualification. Who asked something is answered."""
    row, withheld = assessed.row, exam.manner == "checkride" or answer.turn.form == FORM
    taken = row.feedback
    if assessed.decision.next_step != "repeat":
        taken = feedback_for(assessed.decision, turn=answer.turn.wording, manner="checkride")
    row.answer = answer
    row.save(force_insert=True)
    note_cited(assessed.looked_up, [citation["chunk_id"] for citation in row.near])
    return assessment_frame(
        assessed.decision,
        turn=answer.turn.number,
        element=row.element,
        answer_id=answer.client_id,
        answer=answer.text,
        feedback=with_reply(taken if withheld else row.feedback, assessed.told),
        citations=row.citations,
        near=row.near,
        degraded=row.degraded,
        withheld=withheld,
    )


def _store_turn(exam: Exam, turn: Turn) -> None:
    """Stores the turn; the log of the search that its passages come from notes what it cites."""
    if turn.form == "opening":
        cited = [citation["chunk_id"] for citation in turn.citations]
        note_cited(turn.context.get("retrieval"), cited, exam=exam.pk)
    turn.exam, turn.number = exam, exam_repository.last_number(exam.pk) + 1
    turn.save(force_insert=True)


# --- what the scheduler looks after --------------------------------------------------------------------------


def sweep_answers() -> int:
    """Settles answers whose worker died, even before it began, and those whose examiner was unavailable.

    Returns how many were settled. An examiner that is still unavailable is asked once per sweep, for the answer that
    has waited longest.
    """
    now = timezone.now()
    never_begun = Q(lease_until__isnull=True, received_at__lt=now - timedelta(seconds=SETTLE_LEASE_SECONDS))
    waiting = (
        Answer.objects.filter(
            Q(lease_until__lt=now) | never_begun, assessments__isnull=True, exam__status__in=OPEN_STATUSES
        )
        .order_by(F("lease_until").asc(nulls_first=True), "id")
        .values_list("pk", flat=True)
    )
    return _do_each(list(waiting), settle_answer)


def close_idle_exams() -> int:
    """Closes exams that have long been idle; what was asked is graded, the rest is not tested."""
    before = timezone.now() - timedelta(hours=IDLE_EXAM_HOURS)
    idle = Exam.objects.filter(status__in=OPEN_STATUSES, last_activity__lt=before)

    @transaction.atomic
    def close(exam_id: UUID) -> None:
        exam = idle.select_for_update().filter(pk=exam_id).first()
        if exam is not None:
            planner = advance_oral(exam.read_planner(), "end").state
            finish_exam(exam, planner, ExamStatus.ABANDONED)

    return _do_each(list(idle.values_list("pk", flat=True)), close)


def _do_each(keys: Iterable[Any], do: Callable[[Any], None]) -> int:
    """Each by itself: what fails is logged and left to the next sweep. An examiner that is away ends this one."""
    done = 0
    for key in keys:
        try:
            do(key)
        except OralPaused as paused:
            if paused.reason == PauseReason.EXAMINER_AWAY:
                break
            done += paused.reason == PauseReason.NOT_ASSESSED
        except Exception:
            log.exception("sweep_failed", key=str(key))
        else:
            done += 1
    return done
