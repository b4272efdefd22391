"""A finished exam's report is read: opening it writes nothing, searches nothing, and always says the same."""

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from waffle.testutils import override_flag

from exams.exchange import answer_processing, session
from exams.models import Exam
from knowledge.models import Chunk, RetrievalLog
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam

pytestmark = [pytest.mark.long, pytest.mark.django_db]
WRITES = ("INSERT", "UPDATE", "DELETE", "TRUNCATE")


def ended_early(student: Any) -> Exam:
    """One question out and none answered: all there is to study was not asked."""
    exam = new_exam(student)
    session.open_connection(exam.pk, student.pk)
    answer_processing.begin_exam(exam.pk)
    session.end_exam(exam.pk)
    exam.refresh_from_db()
    return exam


@pytest.fixture
def exam(demo: Demo, client: Client) -> Exam:
    client.force_login(demo.student)
    return ended_early(demo.student)


def views_of(exam: Exam) -> tuple[str, ...]:
    room = f"/exams/{exam.pk}"
    return f"{room}/report/", f"{room}/download/", f"/api/v1/exams/{exam.pk}/report/", "/exams/"


def test_looking_at_a_report_writes_and_searches_nothing(exam: Exam, client: Client) -> None:
    searches = RetrievalLog.objects.count()
    for address in views_of(exam):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get(address).status_code == 200
        written = [query["sql"] for query in queries if query["sql"].startswith(WRITES)]
        assert written == [], address
    assert RetrievalLog.objects.count() == searches


def study(client: Client, exam: Exam) -> list[dict[str, Any]]:
    return list(client.get(f"/api/v1/exams/{exam.pk}/report/").json()["study"])


def test_each_thing_to_study_opens_at_its_passage(exam: Exam, client: Client) -> None:
    found = study(client, exam)
    assert [item["reason"] for item in found] == ["not asked"] * 3
    for item in found:
        passage = item["passage"]
        chunk = Chunk.objects.get(pk=passage["url"].split("/")[3])
        assert passage["quote"] in " ".join(chunk.text.split())
        assert client.get(passage["url"]).status_code == 200


def test_without_claims_a_sentence_of_the_library_is_shown(demo: Demo, client: Client) -> None:
    with override_flag("graph.enhanced_retrieval", active=False):
        client.force_login(demo.student)
        found = study(client, ended_early(demo.student))
    assert found
    assert all(item["passage"]["quote"].endswith(".") for item in found)


def test_what_was_told_at_the_end_is_told_later(exam: Exam, client: Client) -> None:
    before = study(client, exam)
    Chunk.objects.update(text="Something else altogether.")
    assert study(client, exam) == before
