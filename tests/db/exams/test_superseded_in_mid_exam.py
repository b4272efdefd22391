"""An edition is superseded or withdrawn while an oral runs: the answer is judged by what was asked; citations open."""

from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from exams.models import Exam, Turn
from knowledge.documents.lifecycle import archive_document
from knowledge.models import Document
from tests.doubles import editions
from tests.doubles.demo_library import Demo
from tests.doubles.editions import document_of, feed
from tests.doubles.rooms import Enter, Room, new_exam, right_answer

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


def supersede(handbook: Document, folder: Path) -> Document:
    """By an edition that has none of its words."""
    path = editions.markdown(folder / "next.md", title=handbook.title)
    job = feed(
        path,
        edition_of=str(handbook.pk),
        title=handbook.title,
        abbreviation=handbook.abbreviation,
        status="published",  # an edition that drops so much asks before it replaces
    )
    handbook.refresh_from_db()
    assert handbook.superseded_by == document_of(job)
    return document_of(job)


@pytest.fixture
def exam(demo: Demo) -> Exam:
    return new_exam(demo.student)


def shown(client: Client, citation: dict[str, Any]) -> str:
    answer = client.get(citation["url"])
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_question_is_judged_and_its_citations_open_as_superseded(
    demo: Demo, exam: Exam, enter: Enter, client: Client, tmp_path: Path
) -> None:
    room: Room = enter(exam, demo.student)
    room.hear("question")
    room.say({"type": "look_up", "turn": 1})
    sources = room.hear("sources")
    said = right_answer(exam)
    handbook = Document.objects.get(demo=True)
    client.force_login(demo.student)
    before = [shown(client, citation) for citation in sources["citations"]]
    assert before
    assert not any("data-superseded" in page for page in before)
    newer = supersede(handbook, tmp_path)

    verdict = room.answer(said, "a1")
    assert (verdict["type"], verdict["verdict"]) == ("assessment", "satisfactory")
    for citation in [*sources["citations"], *verdict["citations"]]:
        page = shown(client, citation)
        assert "data-superseded" in page
        assert str(newer.pk) in page  # the way to the edition in force
    follows = room.hear("question", "finished")  # nothing askable is left, or something of the new edition
    assert follows["type"] == "finished" or follows["citations"]
    turn = Turn.objects.filter(exam=exam).earliest("number")
    assert turn.context["passages"]
    if follows["type"] != "finished":
        assert client.post(f"/api/v1/exams/{exam.pk}/end/").status_code == 200
    report = client.get(f"/exams/{exam.pk}/report/")
    assert report.status_code == 200
    for place in (f"/library/{handbook.pk}/", f"/library/{handbook.pk}/pages/1/", "/library/"):
        assert client.get(place, follow=True).status_code == 200
    picture = client.get(f"/library/{handbook.pk}/pages/1.webp")
    assert picture["Content-Type"] == "image/webp"


@pytest.mark.long
def test_one_that_is_withdrawn_is_still_judged_by_and_no_new_oral_uses_it(
    demo: Demo, exam: Exam, enter: Enter, client: Client
) -> None:
    room: Room = enter(exam, demo.student)
    room.hear("question")
    said = right_answer(exam)
    archive_document(Document.objects.get(demo=True))
    verdict = room.answer(said, "a1")
    assert (verdict["type"], verdict["verdict"]) == ("assessment", "satisfactory")
    client.force_login(demo.student)
    assert verdict["citations"]
    assert all(shown(client, citation) for citation in verdict["citations"])
    room.hear("question", "finished")
    if Exam.objects.get(pk=exam.pk).status != "finished":
        assert client.post(f"/api/v1/exams/{exam.pk}/end/").status_code == 200
    answer = client.post("/api/v1/exams/", {"questions": 2}, content_type="application/json")
    assert answer.status_code == 400
    assert "supports no question" in str(answer.json())
