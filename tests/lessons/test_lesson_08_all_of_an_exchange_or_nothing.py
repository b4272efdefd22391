"""One invented code destroyed an exchange's record, and a failed assessment lost the examiner's words."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import connection

from exams.exchange import answer_processing, session
from exams.models import Answer, Assessment, Exam, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.rooms import new_exam, right_answer

pytestmark = pytest.mark.django_db
WRITES = ("INSERT", "UPDATE", "DELETE")
LEASE = 'UPDATE "exams_answer" SET "lease_until"'  # only tells the sweep that somebody is at it


class Killed(BaseException):
    """No code may catch it and go on."""


@dataclass
class Killer:
    """Lets so many writes through and dies before the next one."""

    writes: int

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.startswith(WRITES) and not sql.startswith(LEASE):
            if self.writes == 0:
                raise Killed
            self.writes -= 1
        return execute(sql, params, many, context)


@contextmanager
def killed_after(writes: int) -> Iterator[None]:
    with pytest.raises(Killed), connection.execute_wrapper(Killer(writes)):
        yield


def survives(writes: int, work: Callable[[], object]) -> bool:
    """Whether the work is done with so many writes."""
    try:
        with connection.execute_wrapper(Killer(writes)):
            work()
    except Killed:
        return False
    return True


@pytest.fixture
def exam(demo: Demo) -> Exam:
    """An exam whose first question is out."""
    exam = new_exam(demo.student)
    opened = session.open_connection(exam.pk, demo.student.pk)
    assert opened.work is not None
    begin, key = opened.work
    begin(key)
    exam.refresh_from_db()
    return exam


def answered(exam: Exam, text: str) -> Answer:
    taken = session.take_answer(exam.pk, exam.epoch, "a1", text)
    assert taken.work is not None
    return Answer.objects.get(pk=taken.work[1])


@pytest.mark.parametrize("text", ["right", "I do not know."])
def test_lesson_08_killed_before_any_write_of_an_exchange_nothing_of_it_is_stored(
    exam: Exam, text: str
) -> None:
    answer = answered(exam, right_answer(exam) if text == "right" else text)
    before = records_of(exam.student)
    writes = 0
    while not survives(writes, lambda: answer_processing.settle_answer(answer.pk)):
        assert records_of(exam.student) == before
        writes += 1
    assert writes >= 4  # assessment, turn, frames, exam at the least
    assert Assessment.objects.filter(answer=answer).count() == 1
    assert Turn.objects.filter(exam=exam).count() == 2


def test_lesson_08_killed_while_an_answer_is_taken_nothing_is_taken(exam: Exam) -> None:
    before = records_of(exam.student)
    writes = 0
    while not survives(writes, lambda: session.take_answer(exam.pk, exam.epoch, "a1", "Something.")):
        assert records_of(exam.student) == before
        writes += 1
    assert Answer.objects.filter(exam=exam).count() == 1


def test_lesson_08_killed_before_the_first_question_it_is_asked_at_the_next_opening(demo: Demo) -> None:
    exam = new_exam(demo.student)
    before = records_of(demo.student)
    writes = 0
    while not survives(writes, lambda: answer_processing.begin_exam(exam.pk)):
        assert records_of(demo.student) == before
        writes += 1
    assert Turn.objects.filter(exam=exam).count() == 1


def test_lesson_08_killed_while_an_exam_ends_it_has_not_ended(exam: Exam) -> None:
    before = records_of(exam.student)
    writes = 0
    while not survives(writes, lambda: session.end_exam(exam.pk)):
        assert records_of(exam.student) == before
        writes += 1
    exam.refresh_from_db()
    assert (exam.status, exam.result is None) == ("ended", False)


def test_lesson_08_answer_is_kept_if_its_assessment_fails(exam: Exam) -> None:
    answer = answered(exam, "I do not know.")
    with killed_after(0):
        answer_processing.settle_answer(answer.pk)
    opened = session.open_connection(exam.pk, exam.student_id)
    assert opened.work == (answer_processing.settle_answer, answer.pk)


def test_lesson_08_processing_an_answer_twice_stores_it_once(exam: Exam) -> None:
    answer = answered(exam, right_answer(exam))
    answer_processing.settle_answer(answer.pk)
    after = records_of(exam.student)
    answer_processing.settle_answer(answer.pk)
    assert records_of(exam.student) == after


def test_lesson_08_an_invented_code_loses_only_itself(exam: Exam) -> None:
    coming = exam.planner["queue"][0]
    coming["code"] = "PA.I.A.K99"
    exam.planner["current"]["leads_to"] = []  # else the talk may go elsewhere first
    exam.save()
    answer = answered(exam, right_answer(exam))
    answer_processing.settle_answer(answer.pk)
    exam.refresh_from_db()
    assert Assessment.objects.get(answer=answer).verdict == "satisfactory"
    asked = list(Turn.objects.filter(exam=exam).order_by("number").values_list("element", flat=True))
    assert len(asked) == 2
    assert "PA.I.A.K99" not in asked
    assert "PA.I.A.K99" in [item["code"] for item in exam.planner["left_out"]]
