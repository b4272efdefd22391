"""Orals that are over, written as rows: no question is made and no answer judged."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django.utils import timezone

from exams.domain.exam_request import order_from
from exams.domain.grading import Outcome, grade_oral
from exams.domain.values import Verdict
from exams.exchange import session
from exams.exchange.exam_repository import close_exam
from exams.exchange.mastery_repository import rebuild_mastery
from exams.models import Answer, Assessment, Exam, ExamStatus, Turn
from knowledge.models import Tenant
from knowledge.standards.ask_location import task_code_of

CITATION = {"n": 1, "label": "HeyDPE Handbook ch. 1", "quote": "So it is.", "url": "/library/passage/1/"}
KINDS: Any = {"K": "knowledge", "R": "risk", "S": "skill"}


def past_oral(
    student: Any,
    verdicts: Mapping[str, Verdict],
    *,
    days_ago: float = 0,
    fatal: tuple[str, ...] = (),
    is_over: bool = True,
    tenant: Tenant | None = None,
    **order: Any,
) -> Exam:
    """One that asked these elements, by default as a drill of them, with these final verdicts."""
    asked = {"mode": "drill", "codes": list(verdicts), **order}
    exam = session.create_exam(student, tenant, order_from(asked))
    outcomes = []
    for number, (code, verdict) in enumerate(verdicts.items()):
        kind = KINDS[code.split(".")[3][0]]
        task = task_code_of(code)
        turn = Turn.objects.create(
            exam=exam, number=number + 1, element=code, task=task, kind=kind, text=f"About {code}?"
        )
        answer = Answer.objects.create(exam=exam, turn=turn, client_id=f"a{number}", text=f"On {code}.")
        met = "met" if verdict == "satisfactory" else "missing"
        point: dict[str, Any] = {"expectation": f"It is so with {code}.", "key": "k1", "met": met, "why": ""}
        point |= {"said": "", "citations": [1], "kind": "rule", "p0": False, "importance": "must"}
        Assessment.objects.create(
            answer=answer,
            turn=turn,
            element=code,
            final=True,
            verdict=verdict,
            points=[point],
            citations=[CITATION],
            decision={"fails_task": code in fatal},
        )
        outcomes.append(
            Outcome(code=code, task=task, kind=kind, verdict=verdict, order=number, fatal=code in fatal)
        )
    if is_over:
        close_exam(exam, ExamStatus.FINISHED, grade_oral(exam.read_scope(), outcomes), {})
    at = timezone.now() - timedelta(days=days_ago)
    Exam.objects.filter(pk=exam.pk).update(created_at=at, finished_at=at if is_over else None)
    Answer.objects.filter(exam=exam).update(received_at=at)
    rebuild_mastery(exam.student_id, tenant, exam.certificate)
    exam.refresh_from_db()
    return exam
