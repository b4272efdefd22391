"""In a checkride nothing of a verdict is told before the debrief, save that an Area has failed."""

import json
from typing import Any

import pytest
from django.test import Client

from exams.models import Assessment, Exam, Mastery
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Frame, Room, new_exam, right_answer
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)
WRONG = "I would not look at that at all and fly on."


@pytest.fixture
def exam(demo: Demo) -> Exam:
    return new_exam(demo.student, manner="checkride", questions=10)


def answer_until(room: Room, exam: Exam, text: str, *types: str) -> Frame:
    """Gives this answer to each question until a frame of one of these types comes in its place."""
    for number in range(20):
        room.answer(text or right_answer(exam), f"{len(room.heard)}-{number}")
        heard = room.hear("question", "finished", "progress")
        while heard["type"] == "progress" and not room.is_quiet():
            heard = room.hear("question", "finished", "progress")
        if heard["type"] in types:
            return heard
    raise AssertionError(f"no {types} came")


def test_answers_are_taken_without_comment_and_the_debrief_says_all(
    exam: Exam, enter: Enter, client: Client
) -> None:
    room = enter(exam, exam.student)
    room.hear("question")
    end = answer_until(room, exam, "", "finished")
    assert end["result"] in ("pass", "incomplete")
    for frame in room.heard:
        if frame["type"] == "assessment":
            assert frame["withheld"]
            assert (frame["verdict"], frame["score"], frame["points"], frame["citations"]) == (
                None,
                None,
                [],
                [],
            )
        if frame["type"] == "progress":
            assert frame["mastery"] == {}
            assert {task["result"] for area in frame["areas"] for task in area["tasks"]} == {"open"}
    client.force_login(exam.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert Assessment.objects.filter(final=True).first().points[0]["expectation"] in page  # type: ignore[union-attr]


@pytest.mark.long
def test_estimates_count_when_it_is_over(exam: Exam, enter: Enter) -> None:
    room = enter(exam, exam.student)
    room.hear("question")
    room.answer(right_answer(exam), "a1")
    room.hear("question")
    assert not Mastery.objects.exists()
    room.say({"type": "end"})
    room.hear("finished")
    assert Mastery.objects.get(by_mention=False).last_verdict == "satisfactory"


@pytest.mark.parametrize("go_on", sample_of([True, False], 2))
def test_a_failed_area_is_said_and_going_on_is_a_choice(
    exam: Exam, enter: Enter, client: Client, go_on: bool
) -> None:
    room = enter(exam, exam.student)
    room.hear("question")
    told = answer_until(room, exam, WRONG, "progress")
    [failed] = [
        task["task"] for area in told["areas"] for task in area["tasks"] if task["result"] == "unsatisfactory"
    ]
    assert room.answer(WRONG, "too-soon")["code"] == "not_waiting"
    client.force_login(exam.student)
    page = client.get(f"/exams/{exam.pk}/")
    assert page.context["failed_tasks"] == []  # it is told when the room has read the frames
    room.say({"type": "continue", "go_on": go_on})
    heard = room.hear("question", "finished")
    assert heard["type"] == ("question" if go_on else "finished")
    if go_on:
        assert client.get(f"/exams/{exam.pk}/").context["failed_tasks"] == [failed]


@pytest.mark.long
def test_there_are_no_sources_and_no_hints(exam: Exam, enter: Enter) -> None:
    room = enter(exam, exam.student)
    question = room.hear("question")
    room.say({"type": "look_up", "turn": question["turn"]})
    assert "sources open after the oral" in room.hear("error", "sources")["message"]
    room.say({"type": "hint"})
    assert "no hints in a checkride" in room.hear("error", "question")["message"]


def test_no_page_and_no_download_tells_of_an_open_one(exam: Exam, enter: Enter, client: Client) -> None:
    room = enter(exam, exam.student)
    room.hear("question")
    room.answer(right_answer(exam), "a1")
    room.hear("question")
    client.force_login(exam.student)
    kept: Any = json.loads(client.get(f"/exams/{exam.pk}/download/").content)
    told: Any = client.get(f"/api/v1/exams/{exam.pk}/report/").json()
    for report in (kept["report"], told):
        assert (report["areas"], report["strengths"], report["weak"]) == ([], [], [])
    assert "satisfactory" not in json.dumps(kept["frames"])
