"""Ends an exam: grades what was asked and finds the passages to study.

The passages are stored with the exam, so that the report always shows the same and needs no search.
"""

from dataclasses import asdict, dataclass

from django.urls import reverse

from exams.domain.grading import grade_oral
from exams.domain.planner import PlannerState
from exams.examiner.briefing import source_of_element
from exams.exchange.exam_frames import announce_frames, append_frames
from exams.exchange.exam_repository import close_exam, save_progress
from exams.exchange.mastery_repository import rebuild_mastery
from exams.models import Assessment, Exam, ExamStatus
from exams.protocol.codec import finished_frame


@dataclass(frozen=True)
class StudyPassage:
    label: str
    quote: str
    url: str


def finish_exam(exam: Exam, planner: PlannerState, status: ExamStatus) -> None:
    """Grades what was asked and announces the result, also to a room that is open. The caller holds the exam's row."""
    result = grade_oral(exam.read_scope(), planner.outcomes)
    study = {
        item.code: asdict(passage)
        for item in result.study
        if (passage := find_study_passage(exam, item.code)) is not None
    }
    append_frames(exam, [finished_frame(result, report=reverse("exams:report", args=[exam.pk]))])
    close_exam(exam, status, result, study)
    if exam.manner == "checkride":
        rebuild_mastery(exam.student_id, exam.tenant, exam.certificate)
    save_progress(exam, planner)
    announce_frames(exam.pk, exam.seq)


def study_passages_of(exam: Exam) -> dict[str, StudyPassage]:
    """By element, the passages that were stored when the exam ended."""
    return {code: StudyPassage(**passage) for code, passage in exam.study.items()}


def passage_of(final: Assessment) -> StudyPassage | None:
    """What a final verdict rests on, a point that was not met first; None where it cites nothing."""
    wanted = [n for point in final.points if point["met"] != "met" for n in point["citations"]]
    by_n = {citation["n"]: citation for citation in final.citations}
    chosen = next((by_n[n] for n in wanted if n in by_n), next(iter(final.citations), None))
    return StudyPassage(label=chosen["label"], quote=chosen["quote"], url=chosen["url"]) if chosen else None


def find_study_passage(exam: Exam, code: str) -> StudyPassage | None:
    """What the element's final verdict rests on, else what its items rest on; None if the library has nothing."""
    finals = Assessment.objects.filter(turn__exam=exam, element=code, final=True).order_by("turn_id", "id")
    for final in finals:
        if (passage := passage_of(final)) is not None:
            return passage
    source = source_of_element(code, tenant=exam.tenant, student=exam.student_id)
    return StudyPassage(label=source.label, quote=source.quote, url=source.url) if source else None
