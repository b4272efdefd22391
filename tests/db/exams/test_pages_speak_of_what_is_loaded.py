"""Desk and report speak of the certificate that is loaded, and room and report use the same words for a verdict."""

import json
import re

import pytest
from django.test import Client

from exams.models import Exam
from exams.report import BADGE_WORDS
from knowledge.library_version import library_changed
from knowledge.models import Standard
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import answer_and_settle, new_exam, opened

pytestmark = pytest.mark.django_db


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


@pytest.fixture
def only_commercial(demo: Demo) -> None:
    Standard.objects.filter(current=True).update(certificate="commercial")
    library_changed(None)


def test_desk_is_about_the_private_certificate_where_it_is_loaded(student: Client) -> None:
    page = student.get("/exams/").content.decode()
    assert "Private pilot, airplane single-engine land" in page
    assert '<input type="hidden" name="certificate" value="private">' in page


def test_desk_is_about_the_only_certificate_that_is_loaded(student: Client, only_commercial: None) -> None:
    page = student.get("/exams/").content.decode()
    assert "Commercial pilot, airplane single-engine land" in page
    assert "8 of 8 Tasks can be completed" in page
    assert student.post("/exams/begin/", {"certificate": "commercial", "questions": "5"}).status_code == 302
    assert Exam.objects.get().certificate == "commercial"


def test_elements_to_study_are_asked_for_the_same_certificate(
    demo: Demo, student: Client, only_commercial: None
) -> None:
    exam = opened(new_exam(demo.student, certificate="commercial"))
    answer_and_settle(exam, "I do not know.", "a1")
    student.post(f"/api/v1/exams/{exam.pk}/end/")
    page = student.get(f"/exams/{exam.pk}/report/").content.decode()
    assert '<input type="hidden" name="certificate" value="commercial">' in page
    codes = re.search(r'name="codes" value="([^"]+)"', page)
    assert codes is not None
    asked = {"certificate": "commercial", "class": "ASEL", "codes": codes[1]}
    assert student.post("/exams/begin/", asked).status_code == 302


def test_room_takes_its_badge_words_from_the_report(demo: Demo, student: Client) -> None:
    page = student.get(f"/exams/{new_exam(demo.student).pk}/").content.decode()
    words = re.search(r'<script id="badge-words" type="application/json">(.*?)</script>', page)
    assert words is not None
    assert json.loads(words[1]) == BADGE_WORDS
