"""The end of an exam: what was asked becomes a result, stored with the frame that says so."""

from . import frames, storage
from .grading import grade
from .models import Exam, ExamStatus
from .planner import PlannerState
from .scope import Scope


def finish(exam: Exam, planner: PlannerState, status: ExamStatus) -> None:
    """Grade what was asked and say so. The caller holds the exam's row."""
    scope = Scope.from_dict(exam.scope)
    result = grade(scope, planner.outcomes)
    storage.append_frames(exam, [frames.finished(exam, result)])
    storage.close(exam, status, result)
    storage.save_progress(exam, planner)
