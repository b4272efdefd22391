"""An answer becomes an assessment, the assessment a next question: the part of an exchange that calls models.

Read, let the row go, think, then store everything in one transaction, if the exam is still as it was read. Whoever
comes second finds a newer version and stores nothing, so this may run twice, at once, or after a kill.
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
from exams.domain.planner import Action, IllegalEvent, PlannerState, advance, event_for, may_probe
from exams.domain.repeat_request import asks_to_reword
from exams.domain.scope import Scope
from exams.exchange import exam_repository, frame_rows
from exams.exchange.broadcast import announce_frames
from exams.exchange.completion import finish
from exams.exchange.exam_repository import Snapshot
from exams.exchange.mastery_repository import record_verdict
from exams.exchange.prefetch import first_askable, opening_for
from exams.exchange.question_flow import Assessed, Question, assess, follow_up, ungraded
from exams.models import OPEN_STATUSES, Answer, Assessment, Exam, ExamStatus, PauseReason, Turn
from exams.protocol.catalog import FrameBody
from knowledge.retrieval.search_log import note_cited
from knowledge.usage import next_day
from llm.errors import BudgetSpent, ModelError
from llm.metering import Payer, paid_by

log = structlog.get_logger(__name__)


class OralPaused(Exception):
    """The oral was paused because an answer could not be assessed; all that was said is stored."""

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
def _once(*key: Any) -> Iterator[bool]:
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


# --- the three things that ask for a model -------------------------------------------------------------------


def begin_exam(exam_id: UUID) -> None:
    """Ask the first question of an exam that was planned."""
    with _once("begin", exam_id) as first:
        if first:
            _move(exam_id, "ready", "begin")


def go_on(exam_id: UUID) -> None:
    """Ask the next question after the student has consented to going on."""
    with _once("go on", exam_id) as first:
        if first:
            _move(exam_id, "consenting", "consent_go_on")


def give_hint(exam_id: UUID) -> None:
    with _once("hint", exam_id) as first:
        if first:
            _move(exam_id, "", "hint_asked")


def _move(exam_id: UUID, expected: str, event: str) -> None:
    snapshot = exam_repository.snapshot_of(Exam.objects.get(pk=exam_id))
    if expected and snapshot.planner.state != expected:
        return
    try:
        step = advance(snapshot.planner, event)  # type: ignore[arg-type]
    except IllegalEvent:
        return
    with paid_by(Payer(snapshot.student_id, snapshot.tenant_id)):
        state, question = _next_question(snapshot, step.state, step.action)
    _store(snapshot, state, question)


def settle_answer(answer_id: int) -> None:
    """Assess a stored answer and go on. Does nothing if that has been done. Raises OralPaused; where the examiner is
    away the answer is kept, and settling it again goes on."""
    with _once("answer", answer_id) as first:
        if first and _lease(answer_id):
            answer = Answer.objects.select_related("turn", "exam").get(pk=answer_id)
            with paid_by(Payer(answer.exam.student_id, answer.exam.tenant_id)):
                _settle(answer)


def leave_ungraded(answer_id: int) -> None:
    """Give up assessing an answer that takes too long: a failure of ours, so the question stands. Whoever is still at
    it finds that the exam has gone on. Raises OralPaused."""
    answer = Answer.objects.select_related("turn", "exam").get(pk=answer_id)
    snapshot = exam_repository.snapshot_of(answer.exam)
    if not answer.assessments.exists():
        assessed = ungraded("out_of_time", "Judging took too long and was given up.")
        _conclude(replace(snapshot, planner=_awake(snapshot.planner)), answer, assessed)


def _lease(answer_id: int) -> bool:
    """Note for the sweep that somebody is at it. False if the answer is settled."""
    now = timezone.now()
    open_answers = Answer.objects.filter(
        pk=answer_id, assessments__isnull=True, exam__status__in=OPEN_STATUSES
    )
    return bool(open_answers.update(lease_until=now + timedelta(seconds=SETTLE_LEASE_SECONDS)))


def _settle(answer: Answer) -> None:
    snapshot = exam_repository.snapshot_of(answer.exam)
    if exam_repository.last_number(answer.exam_id) != answer.turn.number:
        return
    planner = _awake(snapshot.planner)
    ladder = exam_repository.ladder_before(answer.turn)
    try:
        assessed = assess(
            answer.turn,
            answer.text,
            ladder,
            may_probe=may_probe(planner),
            hinted=planner.hinted,
            tenant=snapshot.tenant_id,
            student=snapshot.student_id,
        )
    except BudgetSpent as error:
        log.info("budget_spent", answer=answer.pk, why=str(error))
        _pause_until(next_day(timezone.now()), PauseReason.BUDGET_SPENT, snapshot, answer)
    except ModelError as error:
        log.warning("examiner_away", answer=answer.pk, error=str(error), code=error.code)
        again = timezone.now() + timedelta(seconds=AWAY_RETRY_SECONDS)
        _pause_until(again, PauseReason.EXAMINER_AWAY, snapshot, answer)
    else:
        _conclude(replace(snapshot, planner=planner), answer, assessed)


def _pause_until(again: datetime, reason: PauseReason, snapshot: Snapshot, answer: Answer) -> None:
    """The answer stays unassessed, and the planner where it is: resuming the oral, or the sweep, settles it."""
    with transaction.atomic():
        exam = exam_repository.locked_as(snapshot)
        if exam is None:
            return
        exam.status, exam.pause_reason = ExamStatus.PAUSED, reason
        exam.save(update_fields=["status", "pause_reason"])
        Answer.objects.filter(pk=answer.pk).update(lease_until=again)
    raise OralPaused(reason)


def _conclude(snapshot: Snapshot, answer: Answer, assessed: Assessed) -> None:
    """Store an assessment with what follows from it. An oral that pauses shows its question again, too."""
    step = advance(snapshot.planner, event_for(assessed.decision))
    state, question = _next_question(snapshot, step.state, step.action, answer, assessed)
    stands = step.action.kind in ("repeat", "wait")
    if _store(snapshot, state, question, answer, assessed, repeat=stands) and state.state == "paused":
        raise OralPaused(PauseReason.NOT_ASSESSED)


def _awake(planner: PlannerState) -> PlannerState:
    return advance(planner, "resume").state if planner.state == "paused" else planner


# --- the next question ---------------------------------------------------------------------------------------


def _next_question(
    snapshot: Snapshot,
    state: PlannerState,
    action: Action,
    answer: Answer | None = None,
    assessed: Assessed | None = None,
) -> tuple[PlannerState, Question | None]:
    return first_askable(state, action, lambda action: _question(snapshot, action, answer, assessed))


def _question(
    snapshot: Snapshot, action: Action, answer: Answer | None, assessed: Assessed | None
) -> Question | None:
    if action.element is None:
        return None
    if action.form in ("probe", "hint"):
        turn = answer.turn if answer else exam_repository.pending_turn(snapshot.id)
        return follow_up(turn, action, answer.text if answer else "", assessed) if turn else None
    said = answer.turn.number if answer else exam_repository.last_number(snapshot.id)
    return opening_for(snapshot, action, said)


# --- storing -------------------------------------------------------------------------------------------------


def _store(
    snapshot: Snapshot,
    state: PlannerState,
    question: Question | None,
    answer: Answer | None = None,
    assessed: Assessed | None = None,
    *,
    repeat: bool = False,
) -> bool:
    """All of the exchange or nothing of it; whether it was stored."""
    with transaction.atomic():
        exam = exam_repository.locked_as(snapshot)
        if exam is None:
            log.info("exchange_overtaken", exam=str(snapshot.id))
            return False
        bodies = _exchange(exam, snapshot.scope, state, answer, assessed) if answer and assessed else []
        bodies += _question_bodies(exam, state, question, answer if repeat else None)
        exam_repository.append_frames(exam, bodies)
        if state.state == "finished":
            finish(exam, state, ExamStatus.FINISHED)
        else:
            if state.state == "paused":
                exam.status, exam.pause_reason = ExamStatus.PAUSED, PauseReason.NOT_ASSESSED
            elif exam.pause_reason:  # the examiner is back
                exam.status, exam.pause_reason = ExamStatus.ACTIVE, ""
            exam_repository.save_progress(exam, state)
            announce_frames(exam.pk, exam.seq)
    return True


def _exchange(
    exam: Exam, scope: Scope, state: PlannerState, answer: Answer, assessed: Assessed
) -> list[FrameBody]:
    decision = assessed.decision
    found = Assessment.objects.create(
        answer=answer,
        turn=answer.turn,
        element=answer.turn.element,
        final=decision.final,
        verdict=decision.verdict,
        score=decision.score if decision.verdict != "ungraded" else None,
        feedback=assessed.feedback,
        points=[point.to_dict() for point in decision.points],
        citations=assessed.citations,
        near=[citation.to_dict() for citation in assessed.near],
        degraded=assessed.degraded[:300],
        decision=decision.to_dict(),
        provenance=assessed.provenance,
    )
    note_cited(assessed.looked_up, [citation.chunk_id for citation in assessed.near])
    mastery = record_verdict(exam, answer.turn.element, decision.verdict) if decision.final else {}
    return [frame_rows.assessment(answer.turn, answer, found), frame_rows.progress(scope, state, mastery)]


def _question_bodies(
    exam: Exam, state: PlannerState, question: Question | None, repeated: Answer | None
) -> list[FrameBody]:
    if question is not None:
        return [frame_rows.question(_new_turn(exam, question), state)]
    if repeated is None:
        return []
    again = repeated.turn.rubric.get("again", "") if asks_to_reword(repeated.text) else ""
    return [frame_rows.question(repeated.turn, state, text=again)]


def _new_turn(exam: Exam, question: Question) -> Turn:
    """The turn, and in the log of the search that its passages come from, what it cites."""
    if question.form == "opening":
        cited = [citation["chunk_id"] for citation in question.citations]
        note_cited(question.context.get("retrieval"), cited, exam=exam.pk)
    return Turn.objects.create(
        exam=exam, number=exam_repository.last_number(exam.pk) + 1, **question.columns()
    )


# --- what beat looks after -----------------------------------------------------------------------------------


def sweep_answers() -> int:
    """Settle answers whose worker died, also before it began, and those whose examiner was away; returns how many were
    settled. An examiner that is still away is asked once a sweep, for the answer that has waited longest since."""
    now = timezone.now()
    never_begun = Q(lease_until__isnull=True, received_at__lt=now - timedelta(seconds=SETTLE_LEASE_SECONDS))
    waiting = (
        Answer.objects.filter(
            Q(lease_until__lt=now) | never_begun, assessments__isnull=True, exam__status__in=OPEN_STATUSES
        )
        .order_by(F("lease_until").asc(nulls_first=True), "id")
        .values_list("pk", flat=True)
    )
    return _each(list(waiting), settle_answer)


def close_idle_exams() -> int:
    """Close exams that nobody has touched for long; what was asked is graded, the rest is not tested."""
    before = timezone.now() - timedelta(hours=IDLE_EXAM_HOURS)
    idle = Exam.objects.filter(status__in=OPEN_STATUSES, last_activity__lt=before)

    @transaction.atomic
    def close(exam_id: UUID) -> None:
        exam = idle.select_for_update().filter(pk=exam_id).first()
        if exam is not None:
            finish(exam, advance(PlannerState.from_dict(exam.planner), "end").state, ExamStatus.ABANDONED)

    return _each(list(idle.values_list("pk", flat=True)), close)


def _each(keys: Iterable[Any], do: Callable[[Any], None]) -> int:
    """Each by itself: what fails is logged, met again by the next sweep, and holds up nothing else; but an examiner
    that is away is away for all of them."""
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
