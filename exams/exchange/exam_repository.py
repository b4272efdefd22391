"""Reads and writes the rows of an exam for the rest of the exchange.

Every writer runs inside the caller's transaction and holds the exam's row lock. Frames are in `exam_frames`.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from django.db.models import Exists, Max, Subquery
from django.utils import timezone

from exams.domain.grading import Grade
from exams.domain.keywords import stand_together
from exams.domain.planner import PlannerState
from exams.domain.values import Exchange, Point
from exams.domain.verdicts import SAYS_ELSE
from exams.examiner.element_facts import TaskName, task_names
from exams.examiner.examiner import Asked
from exams.models import OPEN_STATUSES, Answer, Assessment, DecidedDispute, Dispute, Exam, ExamStatus, Turn

_LARGE_COLUMNS: Final = ("request", "scope", "scene", "qualification", "result", "study")
"""Only the beginning and the end of an exam need them: they are read when they are."""
_WORTH_SAYING: Final = ("contradicted", "half", "missing")
"""What was found of a point before a follow-up, what there is most to say about first."""


def lock_exam(exam_id: UUID) -> Exam:
    """Raises Exam.DoesNotExist."""
    return Exam.objects.select_for_update().defer(*_LARGE_COLUMNS).get(pk=exam_id)


def lock_unchanged(read: Exam) -> Exam | None:
    """The exam if it is still as it was read; None if it has gone on, is over, or was deleted."""
    unchanged = Exam.objects.filter(pk=read.pk, version=read.version, status__in=OPEN_STATUSES)
    return unchanged.select_for_update().defer(*_LARGE_COLUMNS).first()


def save_progress(exam: Exam, planner: PlannerState) -> None:
    exam.planner = planner.to_dict()
    exam.version += 1
    exam.last_activity = timezone.now()
    exam.save(update_fields=["planner", "version", "last_activity", "seq", "status", "pause_reason"])


def close_exam(exam: Exam, status: ExamStatus, grade: Grade, study: dict[str, Any]) -> None:
    exam.status, exam.pause_reason = status, ""
    exam.result = grade.to_dict()
    exam.study = study
    exam.finished_at = timezone.now()
    exam.save(update_fields=["status", "pause_reason", "result", "study", "finished_at"])


# --- turns and answers ---------------------------------------------------------------------------------------


def pending_turn(exam_id: UUID) -> Turn | None:
    """The turn that wants an answer: the last one."""
    return Turn.objects.filter(exam_id=exam_id).order_by("-number").first()


def last_number(exam_id: UUID) -> int:
    """The number of the turn that wants an answer; 0 if nothing was asked yet."""
    return Turn.objects.filter(exam_id=exam_id).aggregate(last=Max("number"))["last"] or 0


def asked_in(exam: Exam) -> tuple[Asked, ...]:
    """Everything that the examiner said, in order, without the qualification."""
    names, unknown = task_names(exam.certificate), TaskName("", "", "", "")
    columns = ("text", "transition", "task", "item")
    turns = (
        Turn.objects.filter(exam=exam).exclude(form="qualification").order_by("number").values_list(*columns)
    )
    return tuple(
        Asked(
            text=text,
            transition=transition,
            task=task,
            item=item,
            task_title=name.title,
            area_title=name.area_title,
        )
        for text, transition, task, item in turns
        for name in [names.get(task, unknown)]
    )


def items_met(student_id: int) -> dict[str, int]:
    """The items that a student was asked in all exams; a larger number is later."""
    forms = ("opening", "qualification")
    turns = Turn.objects.filter(exam__student_id=student_id, form__in=forms).exclude(item="")
    return dict(turns.order_by().values_list("item").annotate(last=Max("pk")))


@dataclass(frozen=True)
class Waiting:
    """The situation when an answer arrives.

    The current turn, whether an answer to it is still being assessed (`busy`), and the earlier answer with this id,
    with the number of its turn.
    """

    turn_id: int
    turn: int
    busy: bool
    seen_id: int | None
    seen_turn: int | None


def waiting_for(exam_id: UUID, client_id: str) -> Waiting | None:
    """None if nothing has been asked yet. The caller holds the exam's row, so that none of it can change."""
    answers = Answer.objects.filter(exam_id=exam_id)
    seen = answers.filter(client_id=client_id)
    columns = (
        "pk",
        "number",
        Exists(answers.filter(assessments__isnull=True)),
        Subquery(seen.values("pk")),
        Subquery(seen.values("turn__number")),
    )
    found = Turn.objects.filter(exam_id=exam_id).order_by("-number").values_list(*columns).first()
    return Waiting(*found) if found else None


def unsettled_answer(exam_id: UUID) -> Answer | None:
    """An answer that was taken and not yet assessed. An `ungraded` one is settled: the student is asked again."""
    return Answer.objects.filter(exam_id=exam_id, assessments__isnull=True).order_by("id").first()


@dataclass(frozen=True)
class Ladder:
    """The exchanges about an element before a turn's answer with the points found in them, the number of non-answers to
    the turn, and the points that were `open` after any of them: contradicted where a student can be held to it, else
    half met where something of the point was heard."""

    exchanges: tuple[Exchange, ...] = ()
    non_answers: int = 0
    points: tuple[Point, ...] = ()
    open: tuple[Point, ...] = ()


def ladder_before(turn: Turn) -> Ladder:
    """The ladder of the turn's element; ungraded answers and requests to repeat are no part of it."""
    assessments = list(
        Assessment.objects.filter(turn__exam_id=turn.exam_id, element=turn.element)
        .select_related("answer", "turn")
        .order_by("id")
    )
    silent = [one for one in assessments if one.decision.get("next_step") == "repeat"]
    judged = [one for one in assessments if one.verdict != "ungraded" and one not in silent]
    return Ladder(
        tuple(Exchange(asked=one.turn.text, said=one.answer.text) for one in judged),
        sum(one.turn_id == turn.pk and one.verdict != "ungraded" for one in silent),
        tuple(map(Point.from_dict, judged[-1].points)) if judged else (),
        open_points_of(judged, turn.expectations),
    )


def open_points_of(
    assessments: Iterable[Assessment], expectations: Collection[Mapping[str, Any]]
) -> tuple[Point, ...]:
    """Of the points of assessments those that are not met, one for each key: the last wrong one, else the last half
    met, else the last. An impression that one is wrong counts as half met. What an opening question did not ask for
    was not left out of the answer to it."""
    later = {one["key"] for one in expectations if one.get("then")}
    found = [
        point
        for one in assessments
        for point in one.points
        if point["met"] != "met"
        and not (point["key"] in later and point["met"] == "missing" and one.turn.form == "opening")
    ]
    wrong = list(wrong_points(found, expectations))
    chosen: dict[str, Point] = {}
    for one in found:
        point = Point.from_dict(one)
        if point.met == "contradicted" and one not in wrong:
            point = replace(point, met="half")
        earlier = chosen.get(point.key)
        if earlier is None or _WORTH_SAYING.index(point.met) <= _WORTH_SAYING.index(earlier.met):
            chosen[point.key] = point
    return tuple(chosen.values())


def wrong_points(
    points: Iterable[Mapping[str, Any]], expectations: Iterable[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """The contradicted ones of stored points that a student can be held to: not those of which the judge has an
    impression alone, which is wrong about one time in three, nor those whose words have all key words of the point."""
    keywords = {one["key"]: one.get("keywords", ()) for one in expectations}
    for one in points:
        if one["met"] != "contradicted" or one.get("why") == SAYS_ELSE:
            continue
        if not stand_together(keywords.get(one["key"], ()), one["said"]):
            yield one


# --- disputes ------------------------------------------------------------------------------------------------


def keep_decided_disputes(exam: Exam) -> None:
    """Keeps what a reviewer decided about a question; call it in the transaction that deletes the exam.

    The decision is the reviewer's work on a question that others will be asked. It stays with the opening question
    (a follow-up may quote the student) and what was expected, without answer, verdict, note, name, exam, or date.
    """
    decided = Dispute.objects.select_for_update(of=("self",)).filter(exam=exam, resolved=True)
    kept = []
    for dispute in decided.select_related("turn"):
        turn = dispute.turn
        asked = Turn.objects.filter(exam_id=turn.exam_id, element=turn.element, number__lte=turn.number)
        opening = asked.exclude(form__in=("probe", "hint")).order_by("-number").first()
        kept.append(
            DecidedDispute(
                tenant_id=dispute.exam.tenant_id,
                element=turn.element,
                question=opening.text if opening else "",
                expectations=[expectation["text"] for expectation in turn.expectations],
                resolution=dispute.resolution,
            )
        )
    DecidedDispute.objects.bulk_create(kept)
