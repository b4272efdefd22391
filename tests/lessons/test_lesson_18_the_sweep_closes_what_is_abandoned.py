"""23 % of exams stayed "active" for ever: nothing is active past its time, and what was asked still counts."""

from datetime import timedelta

import pytest
from django.utils import timezone

from exams.conf import IDLE_EXAM_HOURS
from exams.exchange import answer_processing, session
from exams.models import OPEN_STATUSES, Exam, ExamStatus, Frame, Mastery
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam, right_answer

pytestmark = pytest.mark.django_db
JUST_TOO_LONG = timedelta(hours=IDLE_EXAM_HOURS, minutes=1)


def opened(exam: Exam) -> Exam:
    found = session.open_connection(exam.pk, exam.student_id)
    assert found.work is not None
    begin, key = found.work
    begin(key)
    exam.refresh_from_db()
    return exam


def answered(exam: Exam) -> Exam:
    taken = session.take_answer(exam.pk, exam.epoch, "a1", right_answer(exam))
    assert taken.work is not None
    settle, key = taken.work
    settle(key)
    exam.refresh_from_db()
    return exam


def left(exam: Exam) -> Exam:
    """Nobody has touched it for too long."""
    Exam.objects.filter(pk=exam.pk).update(last_activity=timezone.now() - JUST_TOO_LONG)
    exam.refresh_from_db()
    return exam


def test_lesson_18_an_exam_that_was_never_opened_is_closed(demo: Demo) -> None:
    exam = left(new_exam(demo.student))
    assert answer_processing.close_idle_exams() == 1
    exam.refresh_from_db()
    assert exam.result is not None
    assert (exam.status, exam.result["result"]) == (ExamStatus.ABANDONED, "incomplete")


def test_lesson_18_what_was_asked_is_graded_and_the_rest_not_tested(demo: Demo) -> None:
    exam = left(answered(opened(new_exam(demo.student))))
    answer_processing.close_idle_exams()
    exam.refresh_from_db()
    finished = Frame.objects.get(exam=exam, type="finished").payload
    asked = [one for area in finished["areas"] for task in area["tasks"] for one in task["elements"]]
    assert [one["verdict"] for one in asked] == ["satisfactory"]
    assert exam.result is not None
    assert exam.result["result"] != "pass"
    assert Mastery.objects.filter(student=demo.student, by_mention=False).count() == 1


def test_lesson_18_a_paused_exam_is_closed_too(demo: Demo) -> None:
    exam = opened(new_exam(demo.student))
    session.pause_exam(exam.pk)
    left(exam)
    answer_processing.close_idle_exams()
    exam.refresh_from_db()
    assert exam.status == ExamStatus.ABANDONED


def test_lesson_18_an_answer_that_waits_does_not_keep_it_open(demo: Demo) -> None:
    exam = opened(new_exam(demo.student))
    session.take_answer(exam.pk, exam.epoch, "a1", "Anything.")
    left(exam)
    answer_processing.close_idle_exams()
    exam.refresh_from_db()
    assert exam.status == ExamStatus.ABANDONED


def test_lesson_18_active_exam_is_left_open(demo: Demo) -> None:
    exam = opened(new_exam(demo.student))
    assert answer_processing.close_idle_exams() == 0
    exam.refresh_from_db()
    assert exam.status == ExamStatus.ACTIVE


def test_lesson_18_nothing_is_open_past_its_time_and_twice_is_once(demo: Demo) -> None:
    for _ in range(3):
        left(new_exam(demo.student))
    assert answer_processing.close_idle_exams() == 3
    assert not Exam.objects.filter(status__in=OPEN_STATUSES).exists()
    frames = Frame.objects.count()
    assert answer_processing.close_idle_exams() == 0
    assert Frame.objects.count() == frames


def test_lesson_18_beat_runs_the_sweep() -> None:
    from django.conf import settings

    tasks = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert {"exams.close_idle_exams", "exams.sweep_answers", "knowledge.sweep_jobs"} <= tasks


def test_lesson_18_a_closed_exam_takes_no_answer(demo: Demo) -> None:
    exam = left(opened(new_exam(demo.student)))
    answer_processing.close_idle_exams()
    with pytest.raises(session.Refused, match="over"):
        session.take_answer(exam.pk, exam.epoch, "a1", "Anything.")
