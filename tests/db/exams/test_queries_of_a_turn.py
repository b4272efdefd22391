"""A turn asks the database no more than it needs: however long the oral has become, an answer costs the same."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

import pytest

from exams.exchange import session
from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam, right_answer

pytestmark = [pytest.mark.long, pytest.mark.django_db]
AtMost = Callable[[int], AbstractContextManager[Any]]

TAKEN = 4  # the exam's row, what is waited for, the answer, the exam's new version
TAKEN_WITH_SAVEPOINT = TAKEN + 2  # a test is a transaction itself
VERDICT_AND_PROBE = 12
VERDICT_AND_NEXT = 38  # four of them: which embedding model searches use; one: what is cited; one: the flags


def do(work: session.Work | None) -> None:
    assert work is not None
    function, key = work
    function(key)


@pytest.fixture
def exam(demo: Demo) -> Exam:
    exam = new_exam(demo.student)
    do(session.open_connection(exam.pk, demo.student.pk).work)
    exam.refresh_from_db()
    return exam


def answered(exam: Exam, text: str, name: str) -> session.Work | None:
    return session.take_answer(exam.pk, exam.epoch, name, text).work


def test_an_answer_is_taken_by_four_queries(exam: Exam, django_assert_max_num_queries: AtMost) -> None:
    with django_assert_max_num_queries(TAKEN_WITH_SAVEPOINT):
        answered(exam, "Something.", "a1")


def test_a_verdict_with_its_probe(exam: Exam, django_assert_max_num_queries: AtMost) -> None:
    work = answered(exam, "I do not know.", "a1")
    with django_assert_max_num_queries(VERDICT_AND_PROBE):
        do(work)


def test_a_verdict_with_the_next_question(exam: Exam, django_assert_max_num_queries: AtMost) -> None:
    work = answered(exam, right_answer(exam), "a1")
    with django_assert_max_num_queries(VERDICT_AND_NEXT):
        do(work)


def test_the_third_turn_costs_what_the_first_did(exam: Exam, django_assert_max_num_queries: AtMost) -> None:
    for number in range(2):
        do(answered(exam, right_answer(exam), f"a{number}"))
    work = answered(exam, right_answer(exam), "a3")
    with django_assert_max_num_queries(VERDICT_AND_NEXT):
        do(work)
