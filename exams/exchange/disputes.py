"""What is left of a dispute when its exam is deleted: what a reviewer decided about the question, and nobody's words.

A student may delete everything of an exam, and an open dispute is part of it. A decision is the reviewer's work on a
question that others will be asked, so it stays: with the examiner's opening question and not the follow-up, which may
quote the student, with what was expected, and without answer, verdict, note, name, exam or day.
"""

from exams.domain.values import Form
from exams.models import DecidedDispute, Dispute, Exam, Turn

FOLLOW_UPS: tuple[Form, ...] = ("probe", "hint")


def keep_decisions(exam: Exam) -> None:
    """Call it before the exam is deleted, in the same transaction."""
    decided = Dispute.objects.select_for_update(of=("self",)).filter(exam=exam, resolved=True)
    DecidedDispute.objects.bulk_create(_decision(dispute) for dispute in decided.select_related("turn"))


def _decision(dispute: Dispute) -> DecidedDispute:
    turn = dispute.turn
    return DecidedDispute(
        tenant_id=dispute.exam.tenant_id,
        element=turn.element,
        question=_opening(turn),
        expectations=[expectation["text"] for expectation in turn.expectations],
        resolution=dispute.resolution,
    )


def _opening(turn: Turn) -> str:
    openings = Turn.objects.filter(exam_id=turn.exam_id, element=turn.element, number__lte=turn.number)
    found = openings.exclude(form__in=FOLLOW_UPS).order_by("-number").first()
    return found.text if found else ""
