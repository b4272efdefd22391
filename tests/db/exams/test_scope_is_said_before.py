"""What an oral will cover is said before it begins, and again in its room."""

import pytest
from django.test import Client

from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


def test_the_desk_says_it_and_begins_nothing(student: Client) -> None:
    page = student.post("/exams/preview/", {"questions": "66", "areas": ["I"]}).content.decode()
    assert "You asked for 66 questions; this library supports" in page
    assert 'value="66"' in page
    assert not Exam.objects.exists()


def test_the_room_says_it(student: Client, demo: Demo) -> None:
    exam = new_exam(demo.student, questions=66, mode="area", areas=["I"])
    assert "You asked for 66 questions" in student.get(f"/exams/{exam.pk}/").content.decode()


def test_what_cannot_be_asked_is_refused_in_words(student: Client) -> None:
    page = student.post("/exams/preview/", {"questions": "0"})
    assert page.status_code == 400
    assert "A whole number" in page.content.decode()
