"""A student and a school have so many calls to a vendor's model a day; an oral that meets the end is paused."""

import html
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connections
from django.test import Client
from django.utils import timezone

from exams.domain.exam_request import order_from
from exams.exchange import answer_processing, session
from exams.models import Answer, Assessment, Exam, ExamStatus
from knowledge.access.people import SCHOOL
from knowledge.models import Membership, ModelCallCount, Tenant
from knowledge.models.tenancy import Role
from knowledge.usage import next_day, reserve_call
from llm.errors import BudgetSpent
from llm.metering import Payer
from tests.doubles.demo_library import Demo
from tests.doubles.models import Wire, wire
from tests.doubles.rooms import Enter, do, new_exam, right_answer
from tests.doubles.vendor_orals import Vendors, anthropic_at, judges
from tests.doubles.vendors import EMPTY, VendorServer

__all__ = ["wire"]
pytestmark = pytest.mark.django_db(transaction=True)
ANSWER = "I look at the weather."


def calls_of(student: Any) -> int:
    return sum(ModelCallCount.objects.filter(student=student).values_list("calls", flat=True))


def is_allowed(payer: Payer) -> bool:
    try:
        reserve_call(payer)
    except BudgetSpent:
        return False
    return True


def test_a_student_has_so_many_a_day_and_not_one_more(demo: Demo, settings: LazySettings) -> None:
    settings.MODEL_CALLS_PER_STUDENT = 5

    def client(_: int) -> bool:
        try:
            return is_allowed(Payer(demo.student.pk, None))
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(client, range(40))).count(True) == 5
    assert calls_of(demo.student) == 5
    assert is_allowed(Payer(demo.reviewer.pk, None))


def test_a_new_day_has_new_ones(demo: Demo, settings: LazySettings) -> None:
    settings.MODEL_CALLS_PER_STUDENT = 1
    payer = Payer(demo.student.pk, None)
    assert [is_allowed(payer), is_allowed(payer)] == [True, False]
    ModelCallCount.objects.update(day=timezone.now().date() - timedelta(days=1))
    assert is_allowed(payer)


def test_a_school_s_budget_is_of_all_its_students(demo: Demo, settings: LazySettings) -> None:
    """And a student whom the school's end turns away has spent nothing."""
    settings.MODEL_CALLS_PER_SCHOOL = 3
    north, south = (Tenant.objects.create(slug=slug, name=slug) for slug in ("north", "south"))
    assert [is_allowed(Payer(demo.student.pk, north.pk)) for _ in range(3)] == [True] * 3
    assert not is_allowed(Payer(demo.reviewer.pk, north.pk))
    assert calls_of(demo.reviewer) == 0
    assert is_allowed(Payer(demo.reviewer.pk, south.pk))


def test_a_school_with_a_number_of_its_own_has_that_many(demo: Demo, settings: LazySettings) -> None:
    settings.MODEL_CALLS_PER_SCHOOL = 1
    school = Tenant.objects.create(slug="north", name="north", model_calls=2)
    payer = Payer(demo.student.pk, school.pk)
    assert [is_allowed(payer) for _ in range(2)] == [True, True]
    with pytest.raises(BudgetSpent, match="Your school has used up today's 2 calls"):
        reserve_call(payer)


def test_what_is_said_names_the_hour(demo: Demo, settings: LazySettings) -> None:
    settings.MODEL_CALLS_PER_STUDENT = 1
    reserve_call(Payer(demo.student.pk, None))
    with pytest.raises(BudgetSpent, match=r"today's 1 calls .* new ones at 00:00 UTC, in ") as refused:
        reserve_call(Payer(demo.student.pk, None))
    assert not refused.value.retryable
    assert 0 < (refused.value.retry_after or 0) <= 86_400


@pytest.fixture
def vendors(wire: Wire) -> Iterator[Vendors]:
    with VendorServer(EMPTY) as examiner, VendorServer(EMPTY) as assessor:
        wire(examiner=anthropic_at(examiner), assessor=anthropic_at(assessor))
        found = Vendors(examiner, assessor)
        yield found


@pytest.fixture
def exam(demo: Demo, vendors: Vendors) -> Exam:
    return new_exam(demo.student)


@pytest.mark.long
def test_an_oral_that_meets_its_budget_is_paused_and_goes_on(
    vendors: Vendors, exam: Exam, enter: Enter, settings: LazySettings
) -> None:
    room = enter(exam, exam.student)
    room.hear("question")
    reserve_call(Payer(exam.student_id, None))
    settings.MODEL_CALLS_PER_STUDENT = 1
    answer = right_answer(exam)
    vendors.will_judge(judges(exam, answer))
    room.say({"type": "answer", "id": "a1", "text": answer})
    told = room.hear("error")
    assert (told["code"], told["retryable"]) == ("budget_spent", False)
    assert "after 00:00 UTC" in told["message"]
    assert "paused" in told["message"]
    assert (len(vendors.assessor.received), Assessment.objects.count()) == (0, 0)
    exam.refresh_from_db()
    assert exam.status == ExamStatus.PAUSED
    assert Answer.objects.get().lease_until == next_day(timezone.now())
    assert answer_processing.sweep_answers() == 0

    ModelCallCount.objects.update(day=timezone.now().date() - timedelta(days=1))
    Answer.objects.update(lease_until=timezone.now())
    assert answer_processing.sweep_answers() == 1
    assert Assessment.objects.get().verdict == "satisfactory"
    assert room.hear("assessment")["verdict"] == "satisfactory"


def test_a_sweep_on_the_same_day_gives_nothing_up(
    vendors: Vendors, exam: Exam, settings: LazySettings
) -> None:
    opened = session.open_connection(exam.pk, exam.student_id)
    answer_processing.begin_exam(exam.pk)
    settings.MODEL_CALLS_PER_STUDENT = max(1, calls_of(exam.student))
    session.take_answer(exam.pk, opened.epoch, "a1", ANSWER)
    for _ in range(4):
        Answer.objects.update(lease_until=timezone.now())
        assert answer_processing.sweep_answers() == 0
    assert Assessment.objects.count() == 0


@pytest.mark.parametrize("whose", ["own", "school's"])
def test_the_student_reads_whose_budget_is_used_up_and_when_the_oral_goes_on(
    vendors: Vendors, demo: Demo, settings: LazySettings, client: Client, whose: str
) -> None:
    school = Tenant.objects.create(slug="north", name="north")
    Membership.objects.create(user=demo.student, tenant=school, role=Role.STUDENT)
    exam = session.create_exam(demo.student, school, order_from({"questions": 5}))
    opened = session.open_connection(exam.pk, exam.student_id)
    answer_processing.begin_exam(exam.pk)
    reserve_call(Payer(demo.student.pk, school.pk))
    setting = "MODEL_CALLS_PER_STUDENT" if whose == "own" else "MODEL_CALLS_PER_SCHOOL"
    setattr(settings, setting, calls_of(demo.student))
    taken = session.take_answer(exam.pk, opened.epoch, "a1", ANSWER)
    with pytest.raises(answer_processing.OralPaused) as paused:
        do(taken.work)
    told = str(paused.value)
    assert told.startswith(f"Your {whose} budget for today is used up.")
    assert "goes on by itself after 00:00 UTC" in told
    assert not re.search(r"\d", told.replace("00:00", ""))  # no figures of others
    assert not paused.value.may_try_again
    client.force_login(demo.student)
    in_session = client.session
    in_session[SCHOOL] = "north"
    in_session.save()
    assert told in html.unescape(client.get("/exams/").content.decode())


def test_the_model_of_this_machine_costs_nobody_anything(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    room.answer(ANSWER, "a1")
    assert not ModelCallCount.objects.exists()
