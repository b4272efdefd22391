"""Carries out a reviewer's decision on a dispute: uphold or replace the verdict, or withdraw the item, and grade again.

Also reports an item to its reviewers, withdraws it, and puts it back into use. The old assessment stays, no longer
final; the new one says which it overrules and who decided. The sweep assesses again an answer that was being assessed
meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from exams import conf
from exams.bank.loading import GONE
from exams.domain.grading import Outcome, grade_oral
from exams.domain.values import Met, Point
from exams.domain.verdicts import Decision, decide_verdict
from exams.exchange.completion import find_study_passages, study_needs
from exams.exchange.exam_frames import announce_frames, append_frames, progress_frame
from exams.exchange.mastery_repository import rebuild_mastery
from exams.models import OPEN_STATUSES, Answer, Assessment, Dispute, Exam
from exams.protocol.codec import assessment_frame, finished_frame
from knowledge.access.case_record import Case, record_case
from knowledge.access.people import acts_for
from knowledge.library_version import library_changed
from knowledge.models import Item, ItemReport
from knowledge.models.items import ItemOrigin
from knowledge.models.tenancy import Role

WITHDRAWN = Decision(
    verdict="ungraded",
    score=0.0,
    final=True,
    next_step="move_on",
    reasons=("The question was withdrawn by a reviewer.",),
)


JUDGED_AGAIN = "A reviewer looked at this again."
"""Before the reviewer's words, in the feedback of a verdict that replaces another."""
SAY_WHAT_IS_WRONG = (
    "Say in a sentence what is wrong with the item. The reviewers of the shared library read it."
)


class CannotRegrade(ValueError):
    """The decision cannot be carried out as it stands; the text says what to do."""


def final_of(dispute: Dispute) -> Assessment | None:
    """The final verdict that the dispute is about: the first on its element from its turn on."""
    turn = dispute.turn
    finals = Assessment.objects.filter(
        turn__exam_id=turn.exam_id, element=turn.element, turn__number__gte=turn.number, final=True
    )
    return finals.select_related("turn__exam", "answer").order_by("turn__number", "id").first()


@dataclass(frozen=True, slots=True)
class AlikeFinal:
    """A final verdict of another open exam on the same item: what was said, and the points judged as in the dispute."""

    final: Assessment
    said: tuple[str, ...]
    points: tuple[Point, ...]


def finals_judged_alike(final: Assessment, reviewer: Any) -> list[AlikeFinal]:
    """The latest of other open exams, at most ALIKE_SHOWN, that a reviewer may let follow. Without those that say the
    same words and were judged alike in all: they follow anyway."""
    before, words = _points_of(final), _plain(final.answer.text)
    judged = {point.key: point.met for point in before}
    found = []
    large = ("turn__exam__scope", "turn__exam__planner", "turn__exam__scene")
    for other in _finals_beside(final, reviewer).defer(*large).order_by("-id").iterator(conf.ALIKE_SHOWN):
        alike = tuple(point for point in _points_of(other) if judged.get(point.key) == point.met)
        if alike and not (len(alike) == len(before) and _plain(other.answer.text) == words):
            found.append((other, alike))
        if len(found) == conf.ALIKE_SHOWN:
            break
    exams = [other.turn.exam_id for other, _ in found]
    answers = Answer.objects.filter(exam__in=exams, turn__item=final.turn.item).order_by("id")
    said: dict[tuple[Any, str], list[str]] = {}
    for exam, element, text in answers.values_list("exam", "turn__element", "text"):
        said.setdefault((exam, element), []).append(text)
    return [
        AlikeFinal(other, tuple(said.get((other.turn.exam_id, other.element), ())), alike)
        for other, alike in found
    ]


def overrule_verdict(
    dispute: Dispute,
    reviewer: Any,
    *,
    met: Mapping[str, Met],
    resolution: str,
    also: Collection[str] = (),
) -> int:
    """Judge the points of these keys as the reviewer does, and grade the exam again; so also every open exam in which
    the same words were judged the same way, and those of the final verdicts `also` (ids, as `finals_judged_alike` has
    them), in the points that were judged alike. Returns how many exams were graded again.

    Raises CannotRegrade without a final verdict, without a change, or where somebody else decided first.
    """
    final = _disputed_final(dispute)
    before = _points_of(final)
    points = _judged_anew(before, met)
    if points == before:
        raise CannotRegrade("Change at least one point, or let the verdict stand.")
    changed = {
        point.key: point.met for point, was in zip(points, before, strict=True) if point.met != was.met
    }
    with transaction.atomic():
        _resolve(dispute, reviewer, resolution, "overrule", final, met=changed)
        regraded = int(_replace_verdict(final, _decide(final, points), reviewer, resolution))
        was = {point.key: point.met for point in before}
        words = _plain(final.answer.text)
        for other in _finals_beside(final, reviewer):
            judged = {point.key: point.met for point in _points_of(other)}
            alike = {key: value for key, value in changed.items() if judged.get(key) == was[key]}
            is_same = len(alike) == len(changed) and _plain(other.answer.text) == words
            if alike and (is_same or str(other.pk) in also):
                decision = _decide(other, _judged_anew(_points_of(other), alike))
                regraded += _replace_verdict(other, decision, reviewer, resolution)
    return regraded


def uphold_verdict(dispute: Dispute, reviewer: Any, *, resolution: str) -> None:
    """Let the verdict stand. The words are for the student, and may be empty where the sample raised the dispute.
    Raises CannotRegrade without words, or where somebody else decided first."""
    with transaction.atomic():
        _resolve(dispute, reviewer, resolution, "uphold", final_of(dispute))


def withdraw_item(dispute: Dispute, reviewer: Any, *, resolution: str) -> int:
    """Close the item of the question: nobody is asked it again, and it counts neither in this exam nor in any open one.
    Returns how many exams were graded again. Raises CannotRegrade as `overrule_verdict`, or without an item."""
    final = _disputed_final(dispute)
    item = item_to_withdraw(dispute, reviewer)
    if item is None:
        raise CannotRegrade(
            "This question comes from no item that you review for. Overrule the verdict instead."
        )
    with transaction.atomic():
        _resolve(dispute, reviewer, resolution, "withdraw", final)
        _record_item(item, reviewer, "withdraw", resolution.strip())
        _close_item(item, resolution)
        finals = [final, *_finals_beside(final, reviewer)]
        return sum(_replace_verdict(one, WITHDRAWN, reviewer, resolution) for one in finals)


def _close_item(item: Item, why: str) -> None:
    Item.objects.filter(pk=item.pk).update(withdrawn=True, withdrawn_reason=why[:300])
    library_changed(item.tenant_id)


# --- items of the shared library ------------------------------------------------------------------------------


def item_to_withdraw(dispute: Dispute, reviewer: Any) -> Item | None:
    """The item of the disputed question, if the reviewer may withdraw it."""
    items = Item.objects.filter(acts_for(reviewer, Role.REVIEWER), key=dispute.turn.item, withdrawn=False)
    return items.filter(tenant=dispute.exam.tenant_id).first() or items.filter(tenant=None).first()


def item_to_report(dispute: Dispute, reviewer: Any) -> Item | None:
    """The item of the disputed question, if it is one of the shared library that the reviewer may not withdraw."""
    if dispute.exam.tenant_id is None or item_to_withdraw(dispute, reviewer):
        return None
    return Item.objects.filter(tenant=None, key=dispute.turn.item, withdrawn=False).first()


def report_item(dispute: Dispute, reviewer: Any, words: str) -> ItemReport:
    """Tell the reviewers of the shared library what is wrong with the item of the question. Raises CannotRegrade."""
    item, words = item_to_report(dispute, reviewer), words.strip()
    if item is None:
        raise CannotRegrade("This question comes from no item of the shared library that is still asked.")
    if not words:
        raise CannotRegrade(SAY_WHAT_IS_WRONG)
    report, new = ItemReport.objects.get_or_create(
        item=item,
        tenant=dispute.exam.tenant,
        answered_at=None,
        defaults={"reviewer": reviewer, "words": words},
    )
    if not new:
        raise CannotRegrade("Your school has reported this item before, and it is not answered yet.")
    return report


def answer_report(report_id: int, reviewer: Any, *, withdraw: bool, answer: str) -> int:
    """Withdraw the item of a report, or keep it. Withdrawn, it counts in no open exam that the person reviews for; one
    that a reviewer had withdrawn before stays as it is. Returns how many exams were graded again. Raises
    CannotRegrade."""
    if not (answer := answer.strip()):
        raise CannotRegrade("Say in a sentence what you decided. The school reads it.")
    own = ItemReport.objects.filter(acts_for(reviewer, Role.REVIEWER, field="item__tenant"), answered_at=None)
    with transaction.atomic():
        report = own.select_for_update(of=("self",)).filter(pk=report_id).first()
        if report is None:
            raise CannotRegrade("Somebody has answered this report meanwhile.")
        item = Item.objects.select_for_update().get(pk=report.item_id)
        answered = own.filter(item=item) if withdraw else own.filter(pk=report.pk)
        answered.update(answer=answer, answered_by=reviewer, answered_at=timezone.now())
        _record_item(item, reviewer, "withdraw" if withdraw else "uphold", answer)
        if not withdraw or (item.withdrawn and item.withdrawn_reason != GONE):
            return 0
        _close_item(item, answer)
        finals = list(_finals_of_item(item.key, reviewer))
        return sum(_replace_verdict(one, WITHDRAWN, reviewer, answer) for one in finals)


def items_withdrawn(reviewer: Any) -> QuerySet[Item]:
    """The items that reviewers withdrew, of those that the person reviews. One whose file no longer holds it comes back
    with its file, and one that was written in the editor is checked there when it is saved again."""
    return Item.objects.filter(
        acts_for(reviewer, Role.REVIEWER), withdrawn=True, origin=ItemOrigin.FILE
    ).exclude(withdrawn_reason=GONE)


def restore_item(item_id: Any, reviewer: Any) -> Item:
    """Let an item be asked again that a reviewer withdrew. Exams that were graded without it stay as they are. Raises
    CannotRegrade."""
    with transaction.atomic():
        item = items_withdrawn(reviewer).select_for_update().filter(pk=item_id).first()
        if item is None:
            raise CannotRegrade("This item is asked again already, or cannot be taken back here.")
        _record_item(item, reviewer, "restore", "Asked again.")
        Item.objects.filter(pk=item.pk).update(withdrawn=False, withdrawn_reason="")
        library_changed(item.tenant_id)
        return item


_AFTER = {"withdraw": True, "restore": False}
"""Whether an item is withdrawn after a decision; others change nothing."""


def _record_item(item: Item, reviewer: Any, decision: str, why: str) -> None:
    record_case(
        Case(
            kind="item",
            id=str(item.pk),
            decision=decision,
            reviewer=reviewer,
            tenant=item.tenant_id,
            before={"withdrawn": item.withdrawn, "reason": item.withdrawn_reason},
            after={"withdrawn": _AFTER.get(decision, item.withdrawn), "what": item.key, "reason": why},
        )
    )


# --- within a decision ----------------------------------------------------------------------------------------


def _disputed_final(dispute: Dispute) -> Assessment:
    final = final_of(dispute)
    if final is None:
        raise CannotRegrade("The question has no final verdict yet. Come back when the student has answered.")
    return final


def _resolve(
    dispute: Dispute, reviewer: Any, resolution: str, decision: str, final: Assessment | None, **after: Any
) -> None:
    upholds = decision == "uphold"
    if not resolution.strip() and not (upholds and dispute.by_sample):
        what = "why the verdict stands" if upholds else "what was wrong"
        raise CannotRegrade(f"Say in a sentence {what}. The student reads it.")
    open_one = Dispute.objects.filter(pk=dispute.pk, resolved=False)
    if not open_one.update(resolved=True, resolution=resolution.strip(), reviewer=reviewer):
        raise CannotRegrade("Somebody decided on this dispute meanwhile, or the student deleted the exam.")
    judged = {"final": final.pk, "verdict": final.verdict} if final else {}
    record_dispute(dispute, reviewer, decision, **judged, reason=resolution.strip(), **after)


def record_dispute(dispute: Dispute, reviewer: Any, decision: str, **after: Any) -> None:
    """Record a decision on a dispute, in words that are kept when the student deletes the exam."""
    record_case(
        Case(
            kind="dispute",
            id=str(dispute.pk),
            decision=decision,
            reviewer=reviewer,
            tenant=dispute.exam.tenant_id,
            before={"resolved": dispute.resolved, "reason": dispute.resolution},
            after={"what": f"{dispute.turn.element} {dispute.turn.item}".strip(), **after},
        )
    )


def _finals_of_item(item: str, reviewer: Any) -> QuerySet[Assessment]:
    """The final verdicts on an item in open exams of the schools that the person reviews for."""
    finals = Assessment.objects.filter(
        acts_for(reviewer, Role.REVIEWER, field="turn__exam__tenant"),
        final=True,
        turn__item=item,
        turn__exam__status__in=OPEN_STATUSES,
    )
    return finals.select_related("turn__exam", "answer") if item else finals.none()


def _finals_beside(final: Assessment, reviewer: Any) -> QuerySet[Assessment]:
    return _finals_of_item(final.turn.item, reviewer).exclude(turn__exam=final.turn.exam_id)


def _points_of(final: Assessment) -> tuple[Point, ...]:
    return tuple(Point.from_dict(point) for point in final.decision.get("points", ()))


def _judged_anew(points: Iterable[Point], met: Mapping[str, Met]) -> tuple[Point, ...]:
    return tuple(
        replace(point, met=met[point.key], why="A reviewer judged this point.")
        if met.get(point.key, point.met) != point.met
        else point
        for point in points
    )


def _decide(final: Assessment, points: Iterable[Point]) -> Decision:
    was = final.decision
    return decide_verdict(
        points,
        attempt="probe" if final.turn.follows_up else "opening",
        hint_used=bool(was.get("hint_used")),
        unsafe_held=bool(was.get("unsafe_held")),
        may_probe=False,
    )


def _plain(words: str) -> str:
    return " ".join(words.casefold().split())


def _replace_verdict(final: Assessment, decision: Decision, reviewer: Any, resolution: str) -> bool:
    """Within a transaction: the new final assessment, the planner's outcome, and the grade. False if somebody else
    replaced it first."""
    exam = Exam.objects.select_for_update().get(pk=final.turn.exam_id)
    if not Assessment.objects.filter(pk=final.pk, final=True).update(final=False):
        return False
    feedback = f"{JUDGED_AGAIN} {resolution.strip()}"
    Assessment.objects.create(
        answer=final.answer,
        turn=final.turn,
        element=final.element,
        final=True,
        verdict=decision.verdict,
        score=decision.score,
        feedback=feedback,
        points=decision.to_dict()["points"],
        citations=final.citations,
        near=final.near,
        degraded=final.degraded,
        decision=decision.to_dict(),
        provenance={**final.provenance, "overrules": final.pk, "reviewer": reviewer.pk},
    )
    planner = exam.read_planner()
    planner = replace(planner, outcomes=tuple(_with_verdict(planner.outcomes, final.element, decision)))
    exam.planner = planner.to_dict()
    exam.version += 1
    told = not (exam.is_open and exam.manner == "checkride")  # else the debrief tells it
    bodies = [
        assessment_frame(
            decision,
            turn=final.turn.number,
            element=final.element,
            answer_id=final.answer.client_id,
            feedback=feedback,
            citations=final.citations,
        )
    ]
    if not told:
        bodies = []
    elif exam.is_open:
        bodies.append(progress_frame(exam.read_scope(), planner, {}))
    if not exam.is_open and exam.result is not None:
        grade = grade_oral(exam.read_scope(), planner.outcomes, study_needs(exam))
        exam.result = grade.to_dict()
        new = [item.code for item in grade.study if item.code not in exam.study]
        exam.study |= find_study_passages(exam, new)
        bodies.append(finished_frame(grade, report=reverse("exams:report", args=[exam.pk])))
    append_frames(exam, bodies)
    exam.save(update_fields=["planner", "version", "seq", "result", "study"])
    rebuild_mastery(exam.student_id, exam.tenant, exam.certificate)
    announce_frames(exam.pk, exam.seq)
    return True


def _with_verdict(outcomes: Iterable[Outcome], element: str, decision: Decision) -> Iterable[Outcome]:
    """The outcomes with the element's last one as decided; an ungraded one is gone."""
    found = list(outcomes)
    last = max((one.order for one in found if one.code == element), default=None)
    for one in found:
        if one.code != element or one.order != last:
            yield one
        elif decision.verdict != "ungraded":
            yield replace(one, verdict=decision.verdict, fatal=decision.fails_task)
