"""The operations of a live exam: each checks and stores an action of the student.

Each operation is one transaction that locks the exam's row, checks that the connection may still write, and leaves the
exam consistent. Work that needs a model is returned, and `answer_processing` does it.
"""

import uuid
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from exams.bank.trips.trip import draw_trip, scene_of
from exams.conf import OPEN_EXAMS_MOST
from exams.domain.exam_request import ExamOrder, OrderRefused
from exams.domain.planner import EventName, IllegalEvent, PlannerState, advance_oral, start_oral
from exams.domain.qualification.papers import Folder
from exams.domain.sampling import SHOWN
from exams.domain.scope import Scope, along_the_flight, scope_for
from exams.examiner.briefing import bank_at_hand, library_state
from exams.examiner.element_facts import (
    current_standard,
    element_facts,
    elements_on_trip,
)
from exams.exchange import answer_processing, exam_repository
from exams.exchange.completion import finish_exam
from exams.exchange.continuing import resolve_order, rest_of
from exams.exchange.exam_frames import append_frames
from exams.exchange.flight import schedule_on_flight
from exams.exchange.mastery_repository import rebuild_mastery, weak_codes
from exams.exchange.qualification.asking import draw_qualification
from exams.models import OPEN_STATUSES, Answer, Dispute, Exam, ExamStatus, Frame, Mastery, Rating, Turn
from exams.protocol import frames
from exams.protocol.codec import server_frame_from
from exams.protocol.frames import ClientFrame, FrameBody
from knowledge.models import Membership, Tenant
from knowledge.standards.elements import loaded_certificates
from llm import registry

Work = tuple[Callable[..., None], Any]
"""A function of `answer_processing` and the key that it is called with."""


class NoSuchExam(LookupError):
    """There is no such exam of this student."""


class Superseded(Exception):
    """A newer connection has taken over; nothing was written."""


class Refused(Exception):
    """The request cannot be done now; nothing was written. `message` says what to do."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code, self.message = code, message


class TooManyOpen(Refused):
    """The student has OPEN_EXAMS_MOST open orals; `open` names them by id."""

    def __init__(self, exams: Sequence[Exam]) -> None:
        named = "; ".join(f"{exam.scope_title} of {exam.created_at:%b %-d}" for exam in exams)
        super().__init__(
            "too_many_open",
            f"You have {OPEN_EXAMS_MOST} open orals, which is the most: {named}. Go on with one of them, or end or"
            " delete one, then start again.",
        )
        self.open = tuple(str(exam.pk) for exam in exams)


@dataclass(frozen=True)
class Opened:
    """`seq_before_question` is the seq before the frame that awaits an answer; `work` has to be done first."""

    epoch: int
    seq_before_question: int
    work: Work | None


@dataclass(frozen=True)
class Taken:
    """`again` is the stored assessment of an id that was seen before; otherwise `work` is to be done."""

    frame: FrameBody
    work: Work | None
    again: FrameBody | None = None


# --- before and after ----------------------------------------------------------------------------------------


def create_exam(
    student: Any, tenant: Tenant | None, order: ExamOrder, *, exam_id: UUID | None = None
) -> Exam:
    """Plans and stores an exam; the first question is written when the room is opened.

    What is drawn by lot follows from the exam's id: the same id gives the same exam. Raises OrderRefused and
    TooManyOpen.
    """
    order = resolve_order(student, order)
    standard = current_standard(order.certificate)
    if standard is None:
        known = ", ".join(loaded_certificates()) or "none yet"
        raise OrderRefused.of(
            "certificate", f"No standard for “{order.certificate}” is loaded. There is: {known}."
        )
    _check_open(student.pk)  # before anything is planned
    exam_id = exam_id or uuid.uuid4()
    trip = draw_trip(order, str(exam_id))
    qualification = draw_qualification(order, str(exam_id))
    folder = qualification.folder if qualification else None
    scope = plan_scope(student, tenant, order, seed=str(exam_id), folder=folder)
    exam = Exam(
        id=exam_id,
        student=student,
        tenant=tenant,
        certificate=order.certificate,
        standard=standard.number,
        aircraft_class=order.aircraft_class,
        mode=order.mode,
        manner=order.manner,
        difficulty=order.difficulty,
        request=order.model_dump(mode="json", by_alias=True),
        scope=scope.to_dict(),
        scene=scene_of(trip).to_dict() if trip else {},
        qualification=qualification.to_dict() if qualification else {},
        planner=start_oral(scope, order.manner, papers=qualification is not None).to_dict(),
        external_model=registry.external_readers("assessor")[:100],
    )
    with transaction.atomic():
        # The student's row is held while the open orals are counted, so that simultaneous requests see each other's.
        get_user_model().objects.select_for_update(no_key=True).get(pk=student.pk)
        _check_open(student.pk)
        exam.save(force_insert=True)
    return exam


def plan_scope(
    student: Any, tenant: Tenant | None, order: ExamOrder, *, seed: str, folder: Folder | None = None
) -> Scope:
    """What an exam with this seed would cover that opens with this folder of papers. Raises OrderRefused."""
    weak = Mastery.objects.filter(student=student, certificate=order.certificate, attempts__gt=0)
    facts = element_facts(order.certificate, order.aircraft_class, tenant=tenant, student=student.pk)
    trip = draw_trip(order, seed)
    hanging = (
        elements_on_trip(
            trip.all_slots, trip.asked_on_events, order.aircraft_class, tenant=tenant, student=student.pk
        )
        if trip
        else {}
    )
    missed: Collection[str] = ()
    if folder:
        missed = folder.missed
        # What an event of the flight asks about is asked all the same.
        hanging = dict.fromkeys(folder.elements, SHOWN) | {
            code: fit for code, fit in hanging.items() if fit == 0 or code not in folder.elements
        }
    rest = rest_of(student, order)
    if rest is None:
        scope = scope_for(facts, order, seed=seed, weak=weak_codes(weak), hanging=hanging, missed=missed)
    else:
        left = [fact for fact in facts if fact.task in rest.tasks]
        scope = scope_for(left, order, seed=seed, hanging=hanging)
        scope = replace(scope, all_tasks=rest.all_tasks, notices=(rest.notice, *scope.notices))
    if trip is None:
        return scope
    bank = bank_at_hand(library_state(tenant.pk if tenant else None, student.pk))
    items = {
        item.code: bank.items_for(item.code, order.aircraft_class) for item in (*scope.plan, *scope.reserve)
    }
    met = exam_repository.items_met(student.pk)
    scheduled = schedule_on_flight(scene_of(trip), items, met=met, seed=seed, difficulty=order.difficulty)
    return along_the_flight(scope, scheduled)


def _check_open(student_id: int) -> None:
    found = Exam.objects.filter(student_id=student_id, status__in=OPEN_STATUSES).only("scope", "created_at")
    exams = list(found[:OPEN_EXAMS_MOST])
    if len(exams) >= OPEN_EXAMS_MOST:
        raise TooManyOpen(exams)


@transaction.atomic
def delete_exam(exam: Exam) -> None:
    """Deletes all of an exam and computes the student's mastery again from what is left.

    What a reviewer decided about its disputes stays, without the student.
    """
    try:
        found = _lock_exam(exam.pk)  # what is being stored is stored first, and goes as well
    except NoSuchExam:
        return
    student, tenant, certificate = found.student_id, found.tenant, found.certificate
    exam_repository.keep_decided_disputes(found)
    found.delete()
    rebuild_mastery(student, tenant, certificate)


# --- the connection ------------------------------------------------------------------------------------------


@transaction.atomic
def open_connection(exam_id: UUID, student_id: int) -> Opened:
    """Takes the exam over: raises its epoch, so that messages of an older connection are refused. Raises NoSuchExam."""
    exam = Exam.objects.select_for_update().filter(pk=exam_id, student_id=student_id).first()
    if exam is None or _is_left(exam):
        raise NoSuchExam(str(exam_id))
    exam.epoch += 1
    exam.save(update_fields=["epoch"])
    _resume_exam(exam)
    shown = Frame.objects.filter(exam=exam, type__in=["question", "finished"]).order_by("-seq").first()
    return Opened(exam.epoch, shown.seq - 1 if shown else 0, _unfinished_work(exam))


def work_left(exam_id: UUID, epoch: int) -> Work | None:
    """Unfinished work when a connection resumes: the first question, or an answer that nobody assesses."""
    exam = Exam.objects.filter(pk=exam_id, epoch=epoch, status=ExamStatus.ACTIVE).first()
    return _unfinished_work(exam) if exam else None


def give_up(work: Work) -> None:
    """What follows where work was given up because it took too long. Raises OralPaused."""
    function, key = work
    if function is answer_processing.settle_answer:
        answer_processing.leave_ungraded(key)


def _unfinished_work(exam: Exam) -> Work | None:
    """What was left undone when the last process died, or has not begun."""
    if exam.status not in OPEN_STATUSES:
        return None
    answer = exam_repository.unsettled_answer(exam.pk)
    if answer is not None:
        return answer_processing.settle_answer, answer.pk
    if exam.read_planner().state == "ready":
        return answer_processing.begin_exam, exam.pk
    return None


def _resume_exam(exam: Exam) -> None:
    """Goes on with an exam that was paused, also by another device while this room stayed open."""
    if exam.status != ExamStatus.PAUSED:
        return
    exam.status, exam.pause_reason = ExamStatus.ACTIVE, ""
    planner = exam.read_planner()
    if planner.state == "paused":
        exam_repository.save_progress(exam, advance_oral(planner, "resume").state)
    else:
        exam.save(update_fields=["status", "pause_reason"])


def _lock_exam(exam_id: UUID, epoch: int | None = None) -> Exam:
    """With the `epoch` of the student's connection it raises Superseded where another has taken the exam over, and
    NoSuchExam where the student has left the exam's school."""
    try:
        exam = exam_repository.lock_exam(exam_id)
    except Exam.DoesNotExist as error:
        raise NoSuchExam(str(exam_id)) from error
    if epoch is not None and exam.epoch != epoch:
        raise Superseded
    if epoch is not None and _is_left(exam):
        raise NoSuchExam(str(exam_id))
    return exam


# --- what a student says -------------------------------------------------------------------------------------


@transaction.atomic
def take_answer(exam_id: UUID, epoch: int, client_id: str, text: str) -> Taken:
    """Stores the answer to the current turn, and resumes an exam that was paused.

    A repeated id gets its stored assessment; without one it is assessed.
    """
    exam = _lock_exam(exam_id, epoch)
    waiting = exam_repository.waiting_for(exam.pk, client_id)
    if waiting and waiting.seen_id and waiting.seen_turn:
        found = Frame.objects.filter(exam=exam, type="assessment", payload__answer_id=client_id)
        stored = found.order_by("-seq").values_list("payload", flat=True).first()
        if stored is None:
            _resume_exam(exam)
        taken = frames.Taken(turn=waiting.seen_turn, answer_id=client_id)
        return Taken(taken.to_dict(), (answer_processing.settle_answer, waiting.seen_id), stored)
    busy = waiting is not None and waiting.busy
    if busy and exam.pause_reason:
        message = f"{exam.get_pause_reason_display()} Your last answer is kept and will be assessed."
        raise Refused(exam.pause_reason, message)
    _resume_exam(exam)
    _refuse_unless_waiting(exam, busy=busy)
    if waiting is None:
        raise Refused("no_question", "No question has been asked yet. Wait for the first one.")
    answer = Answer.objects.create(exam=exam, turn_id=waiting.turn_id, client_id=client_id, text=text)
    # A newer version: a hint that is being worded comes too late now.
    Exam.objects.filter(pk=exam.pk).update(last_activity=timezone.now(), version=F("version") + 1)
    taken = frames.Taken(turn=waiting.turn, answer_id=client_id)
    return Taken(taken.to_dict(), (answer_processing.settle_answer, answer.pk))


@transaction.atomic
def take_frame(exam_id: UUID, epoch: int, frame: ClientFrame) -> Work | None:
    """Handles any other frame. Returns the work to do next, if any."""
    exam = _lock_exam(exam_id, epoch)
    match frame:
        case frames.LookUp(turn=number):
            if exam.manner == "checkride" and exam.status in OPEN_STATUSES:
                raise Refused(
                    "not_now", "In a checkride the sources open after the oral. Say where you would look."
                )
            turn = _find_turn(exam, number)
            Turn.objects.filter(pk=turn.pk).update(looked_up=True)
            # Whoever asks again has the frame already, or gets it by `resume`.
            if not Frame.objects.filter(exam=exam, type="sources", payload__turn=number).exists():
                sources = {"type": "sources", "turn": number, "citations": turn.citations}
                append_frames(exam, [server_frame_from(sources).to_dict()])
                exam.save(update_fields=["seq"])
        case frames.Dispute(turn=number, note=note):
            turn = _find_turn(exam, number)
            raised = {"note": note, "by_sample": False}  # a student's word comes before the sample's
            Dispute.objects.update_or_create(exam=exam, turn=turn, defaults=raised)
        case frames.Rate(turn=number, fair=fair, note=note):
            turn = _find_turn(exam, number)
            Rating.objects.update_or_create(turn=turn, defaults={"fair": fair, "note": note})
        case frames.Skip():
            _resume_exam(exam)
            if exam.read_planner().state != "qualifying":
                raise Refused("not_now", "There is no qualification to skip now.")
            _refuse_unless_waiting(exam, busy=exam_repository.unsettled_answer(exam.pk) is not None)
            return partial(answer_processing.ask_after, "qualified"), exam.pk
        case frames.Pause():
            _pause_locked(exam)
        case frames.End():
            _end_locked(exam)
        case frames.Hint():
            _resume_exam(exam)
            _refuse_unless_waiting(exam, busy=exam_repository.unsettled_answer(exam.pk) is not None)
            _state_after(exam, "hint_asked")
            return partial(answer_processing.ask_after, "hint_asked"), exam.pk
        case frames.Continue(go_on=consents):
            _resume_exam(exam)
            planner = _state_after(exam, "consent_go_on" if consents else "consent_stop")
            if planner.state != "finished":
                return partial(answer_processing.ask_after, "consent_go_on"), exam.pk
            finish_exam(exam, planner, ExamStatus.FINISHED)
    return None


@transaction.atomic
def pause_exam(exam_id: UUID) -> None:
    _pause_locked(_lock_exam(exam_id))


@transaction.atomic
def end_exam(exam_id: UUID) -> None:
    _end_locked(_lock_exam(exam_id))


def end_exams_at(school: Tenant | None, student: Any) -> None:
    """End the open orals of a student who leaves a school: they quote the school's documents. The report says why."""
    if school is not None:
        _end_left(Exam.objects.filter(student=student.pk, tenant=school))


def end_exams_of_leavers() -> int:
    """End the open orals at schools that their students have left, by whatever way; returns how many."""
    return _end_left(_exams_of_leavers())


def _exams_of_leavers() -> QuerySet[Exam]:
    member = Membership.objects.filter(user=OuterRef("student"), tenant=OuterRef("tenant"))
    rows = Exam.objects.filter(status__in=OPEN_STATUSES, tenant__isnull=False, student__is_superuser=False)
    return rows.filter(~Exists(member))


def _is_left(exam: Exam) -> bool:
    """Whether an open oral waits for `end_exams_of_leavers`."""
    return exam.tenant_id is not None and _exams_of_leavers().filter(pk=exam.pk).exists()


def _end_left(exams: QuerySet[Exam]) -> int:
    ended = 0
    for exam_id in list(exams.filter(status__in=OPEN_STATUSES).values_list("pk", flat=True)):
        with suppress(Refused, NoSuchExam), transaction.atomic():  # it ended in the meantime
            _end_locked(_lock_exam(exam_id), ExamStatus.LEFT)
            ended += 1
    return ended


def _refuse_unless_waiting(exam: Exam, *, busy: bool) -> None:
    if exam.status not in OPEN_STATUSES:
        raise Refused("finished", "This oral is over. Its report is on the page “Exams”.")
    if not exam.read_planner().awaits_answer:
        raise Refused("not_waiting", "No answer is waited for just now.")
    if busy:
        raise Refused("busy", "Your last answer is still being assessed. Wait for the verdict.")


def _find_turn(exam: Exam, number: int) -> Turn:
    turn = Turn.objects.filter(exam=exam, number=number).first()
    if turn is None:
        raise Refused("no_such_turn", f"There is no turn {number} in this oral.")
    return turn


def _pause_locked(exam: Exam) -> None:
    """The question stays as it is; opening the room again goes on with it."""
    if exam.status == ExamStatus.PAUSED:
        return
    if exam.status not in OPEN_STATUSES:
        raise Refused("finished", "This oral is over.")
    exam.status = ExamStatus.PAUSED
    ready = exam.read_planner().state == "ready"
    if exam_repository.unsettled_answer(exam.pk) is None and not ready:
        exam_repository.save_progress(exam, _state_after(exam, "pause"))
    else:
        # An answer is being assessed: the planner stays, so that the assessment can still be stored.
        exam.save(update_fields=["status"])


def _end_locked(exam: Exam, status: ExamStatus = ExamStatus.ENDED) -> None:
    if exam.status not in OPEN_STATUSES:
        raise Refused("finished", "This oral is over.")
    finish_exam(exam, _state_after(exam, "end"), status)


def _state_after(exam: Exam, event: EventName) -> PlannerState:
    try:
        return advance_oral(exam.read_planner(), event).state
    except IllegalEvent as error:
        raise Refused("not_now", f"That cannot be done now: {error.why}.") from error
