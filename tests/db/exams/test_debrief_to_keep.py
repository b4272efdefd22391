"""The debrief lists all there is to study, opens it, drills it, and can be kept as a PDF."""

import re
from html import unescape
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.test import Client

from exams.models import Answer, Assessment, Exam, Turn
from knowledge.mupdf import mupdf
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import answer_and_settle, new_exam, opened, right_answer
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
MISSED = "I do not know."


@pytest.fixture
def student(demo: Demo, client: Client) -> Client:
    client.force_login(demo.student)
    return client


def sat(student: Client, demo: Demo, *, answers: int = 30, words: str = MISSED, **order: object) -> Exam:
    """An oral with this answer to everything ("" for a right one), ended after so many."""
    exam = opened(new_exam(demo.student, **order))
    for number in range(answers):
        exam.refresh_from_db()
        if not exam.is_open:
            break
        answer_and_settle(exam, words or right_answer(exam), f"a{number}")
    if exam.is_open:
        student.post(f"/api/v1/exams/{exam.pk}/end/")
    exam.refresh_from_db()
    return exam


def pages_of(answer: bytes) -> list[str]:
    """Their words, with ligatures in single letters."""
    return [" ".join(page.get_text(flags=0).split()) for page in mupdf.open("pdf", answer)]


def test_everything_missed_is_listed_with_its_passage_and_a_drill(demo: Demo, student: Client) -> None:
    exam = sat(student, demo, questions=5)
    asked = set(Turn.objects.filter(exam=exam, answers__isnull=False).values_list("element", flat=True))
    assert len(asked) > 3
    study = student.get(f"/api/v1/exams/{exam.pk}/report/").json()["study"]
    assert {item["code"] for item in study} == asked
    assert all(item["passage"]["url"] for item in study)
    page = unescape(student.get(f"/exams/{exam.pk}/report/").content.decode())
    assert "Everything else to study" in page
    for item in study:
        assert f'href="{item["passage"]["url"]}"' in page
        assert f'name="codes" value="{item["code"]}"' in page


@pytest.mark.long
def test_what_was_missed_before_says_how_often_and_comes_first(demo: Demo, student: Client) -> None:
    first = sat(student, demo, questions=5)
    codes = list(Turn.objects.filter(exam=first).values_list("element", flat=True).distinct())
    before = codes[-1]
    for _ in range(2):
        sat(student, demo, mode="drill", codes=[before])
    last = sat(student, demo, mode="drill", codes=codes)
    study = student.get(f"/api/v1/exams/{last.pk}/report/").json()["study"]
    missed = {item["code"]: item["missed"] for item in study}
    assert missed[before] == 4
    assert set(missed.values()) == {2, 4}
    page = student.get(f"/exams/{last.pk}/report/").content.decode()
    assert "missed in 4 orals" in page


@pytest.mark.long
@pytest.mark.parametrize("manner", sample_of(["coach", "checkride"], 2))
def test_what_was_corrected_after_a_follow_up_is_said_and_is_no_strength(
    demo: Demo, student: Client, manner: str
) -> None:
    exam = opened(new_exam(demo.student, questions=5, manner=manner))
    answer_and_settle(exam, "It is good for six years.", "wrong")
    [first] = Assessment.objects.filter(turn__exam=exam)
    wrong = [
        {**point, "met": "contradicted", "said": "It is good for six years.", "why": "Said otherwise."}
        for point in first.points
    ]
    Assessment.objects.filter(pk=first.pk).update(points=wrong)
    answer_and_settle(exam, right_answer(exam), "right")
    answer_and_settle(exam, right_answer(exam), "at once")
    student.post(f"/api/v1/exams/{exam.pk}/end/")
    report = student.get(f"/api/v1/exams/{exam.pk}/report/").json()
    known = list(Turn.objects.filter(exam=exam, form="opening").values_list("element", flat=True))[1]
    assert (report["weak"], report["strengths"]) == ([first.element], [known])
    assert (report["study"][0]["code"], report["study"][0]["reason"]) == (
        first.element,
        "corrected after a follow-up",
    )
    asked = [one for area in report["areas"] for task in area["tasks"] for one in task["elements"]]
    verdicts = {one["code"]: (one["verdict"], one["corrected"]) for one in asked}
    assert verdicts[first.element] == ("satisfactory", ["It is good for six years"])
    assert verdicts[known] == ("satisfactory", [])
    told = "The examiner first heard “It is good for six years”. After the follow-up, it was satisfactory."
    assert told in unescape(student.get(f"/exams/{exam.pk}/report/").content.decode())
    assert told in " ".join(pages_of(student.get(f"/exams/{exam.pk}/report.pdf").content))


@pytest.mark.long
def test_what_the_student_was_not_sure_of_is_to_be_studied_and_a_detail_nobody_asked_for_is_not(
    demo: Demo, student: Client
) -> None:
    exam = opened(new_exam(demo.student, questions=5))
    answer_and_settle(exam, f"{right_answer(exam)} I'm not sure what paper that is.", "unsure")
    answer_and_settle(exam, right_answer(exam), "sure")
    student.post(f"/api/v1/exams/{exam.pk}/end/")
    unsure, sure = Turn.objects.filter(exam=exam, form="opening").values_list("element", flat=True)[:2]
    report = student.get(f"/api/v1/exams/{exam.pk}/report/").json()
    first, *rest = report["study"]
    assert (first["code"], first["reason"]) == (unsure, "you were not sure")
    assert first["notes"] == ["You said: “I'm not sure what paper that is.”"]
    assert {one["reason"] for one in rest} == {"not asked"}
    assert sure in report["strengths"]


def test_stored_lists_lose_the_details_that_nobody_asked_for(demo: Demo) -> None:
    exam = new_exam(demo.student, questions=5)
    kept = {"code": "PA.I.A.K1", "reason": "partly answered"}
    exam.result = {"result": "pass", "study": [kept, {"code": "PA.I.A.K2", "reason": "details left out"}]}
    exam.save(update_fields=["result"])
    import_module("exams.migrations.0016_only_what_was_not_known").drop_details(apps, None)
    exam.refresh_from_db()
    assert exam.result == {"result": "pass", "study": [kept]}


def test_the_pdf_says_what_the_report_says_and_that_it_is_practice(demo: Demo, student: Client) -> None:
    exam = sat(student, demo, questions=5)
    Answer.objects.filter(exam=exam, client_id="a0").update(text="<b>Bold</b> & “quoted” § 91.155 – ½")
    answer = student.get(f"/exams/{exam.pk}/report.pdf")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert re.match(r'attachment; filename="debrief-.*\.pdf"', answer["Content-Disposition"])
    pages = pages_of(answer.content)
    assert all(f"Page {number} of {len(pages)}" in page for number, page in enumerate(pages, 1))
    assert all("Not an FAA document" in page for page in pages)
    whole = " ".join(pages)
    assert "<b>Bold</b> & “quoted” § 91.155 – ½" in whole
    assert exam.result_words in pages[0]
    report = student.get(f"/api/v1/exams/{exam.pk}/report/").json()
    for area in report["areas"]:
        for task in area["tasks"]:
            assert all(element["code"] in whole for element in task["elements"])


@pytest.mark.long
def test_an_oral_ended_before_its_first_answer_has_a_pdf_too(demo: Demo, student: Client) -> None:
    exam = sat(student, demo, answers=0, questions=5)
    assert "Study these first" in pages_of(student.get(f"/exams/{exam.pk}/report.pdf").content)[0]


def test_a_pdf_is_made_only_for_its_student_and_only_when_it_is_over(demo: Demo, student: Client) -> None:
    exam = opened(new_exam(demo.student))
    assert student.get(f"/exams/{exam.pk}/report.pdf").headers["Location"] == f"/exams/{exam.pk}/"
    student.post(f"/api/v1/exams/{exam.pk}/end/")
    stranger = Client()
    stranger.force_login(get_user_model().objects.create(username="stranger"))
    assert stranger.get(f"/exams/{exam.pk}/report.pdf").status_code == 404
    assert Client().get(f"/exams/{exam.pk}/report.pdf").status_code == 302


@pytest.mark.long
def test_a_long_answer_in_one_word_is_laid_out(demo: Demo, student: Client) -> None:
    exam = sat(student, demo, answers=1, questions=5)
    Answer.objects.filter(exam=exam).update(text="m" * 9_000 + "\n" * 200 + "end")
    pages = pages_of(student.get(f"/exams/{exam.pk}/report.pdf").content)
    assert 1 < len(pages) < 60
