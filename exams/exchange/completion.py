"""The end of an exam: what was asked becomes a result, stored with what to study and the frame that says so."""

from exams.domain.grading import grade
from exams.domain.planner import PlannerState
from exams.domain.scope import Scope
from exams.exchange import exam_repository, frame_rows, study_recommendations
from exams.exchange.broadcast import announce_frames
from exams.models import Exam, ExamStatus


def finish(exam: Exam, planner: PlannerState, status: ExamStatus) -> None:
    """Grade what was asked and say so, also to a room that is open. The caller holds the exam's row."""
    scope = Scope.from_dict(exam.scope)
    result = grade(scope, planner.outcomes)
    passages = study_recommendations.passages_for(exam, [item.code for item in result.study])
    exam_repository.append_frames(exam, [frame_rows.finished(exam, result)])
    exam_repository.close(exam, status, result, study_recommendations.to_stored(passages))
    exam_repository.save_progress(exam, planner)
    announce_frames(exam.pk, exam.seq)
