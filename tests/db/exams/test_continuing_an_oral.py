"""An oral that ended before it was complete is gone on with: what was satisfactory counts for 60 days."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from exams.domain.exam_request import OrderRefused
from exams.exchange import session
from exams.models import Exam, Frame
from tests.doubles.claims import make_user
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import answer_and_settle, new_exam, opened, right_answer

pytestmark = pytest.mark.django_db


def any_area_is_satisfactory(exam: Exam) -> bool:
    """By the last progress; the talk may lead from one Area to another before the first is done."""
    progress = Frame.objects.filter(exam=exam, type="progress").order_by("-seq").first()
    areas = progress.payload["areas"] if progress else []
    return any(all(task["result"] == "satisfactory" for task in area["tasks"]) for area in areas)


@pytest.fixture
def ended(demo: Demo) -> Exam:
    """An oral over several Areas: answers were right until one was satisfactory, then the student ended it."""
    exam, number = opened(new_exam(demo.student, questions=66)), 0
    while not any_area_is_satisfactory(exam):
        answer_and_settle(exam, right_answer(exam), f"a{number}")
        exam.refresh_from_db()
        number += 1
    session.end_exam(exam.pk)
    exam.refresh_from_db()
    return exam


def refusal(student: Any, **order: Any) -> str:
    with pytest.raises(OrderRefused) as refused:
        new_exam(student, **order)
    return str(refused.value)


def test_only_the_areas_that_were_not_satisfactory_are_asked(demo: Demo, ended: Exam) -> None:
    assert ended.result is not None
    passed = [area["area"] for area in ended.result["areas"] if area["result"] == "satisfactory"]
    rest = new_exam(demo.student, continues=str(ended.pk), questions=66).read_scope()
    assert passed
    assert rest.tasks
    assert not {task.area for task in rest.tasks} & set(passed)
    assert {task.task for task in rest.tasks} < set(ended.read_scope().task_codes)
    assert rest.all_tasks == ended.read_scope().all_tasks
    assert f"Satisfactory then: {', '.join(passed)}." in rest.notices[0]


@pytest.mark.long
def test_what_cannot_be_gone_on_with_is_refused_with_the_reason(demo: Demo, ended: Exam) -> None:
    key = str(ended.pk)
    assert "for ASEL" in refusal(demo.student, continues=key, **{"class": "AMEL"})
    assert "no such oral of yours" in refusal(make_user("other"), continues=key)
    assert "no such oral of yours" in refusal(demo.student, continues=str(uuid4()))
    assert "The id of an oral" in refusal(demo.student, continues="the last one")
    assert "still open" in refusal(demo.student, continues=str(new_exam(demo.student).pk))
    Exam.objects.filter(pk=ended.pk).update(finished_at=timezone.now() - timedelta(days=61))
    assert "60 days" in refusal(demo.student, continues=key)
    # A clock that was set back loses nothing.
    Exam.objects.filter(pk=ended.pk).update(finished_at=timezone.now() + timedelta(days=3))
    assert new_exam(demo.student, continues=key).read_scope().tasks
