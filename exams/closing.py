"""The end of an exam: what was asked becomes a result, stored with what to study and the frame that says so."""

from . import frames, storage, study
from .grading import grade
from .live import announce_frames
from .models import Exam, ExamStatus
from .planner import PlannerState
from .scope import Scope


def finish(exam: Exam, planner: PlannerState, status: ExamStatus) -> None:
    """Grade what was asked and say so, also to a room that is open. The caller holds the exam's row."""
    scope = Scope.from_dict(exam.scope)
    result = grade(scope, planner.outcomes)
    passages = study.passages_for(exam, [item.code for item in result.study])
    storage.append_frames(exam, [frames.finished(exam, result)])
    storage.close(exam, status, result, study.to_stored(passages))
    storage.save_progress(exam, planner)
    announce_frames(exam.pk, exam.seq)
