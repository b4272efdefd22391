"""The client carried history, plan, planner state and counters. Now it says an answer, and nothing it adds counts."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from rest_framework.test import APIClient

from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.rooms import Enter, new_exam, right_answer
from tests.sampling import sample_of

OWNED_BY_THE_SERVER = {
    "seq": 99,
    "epoch": 99,
    "version": 99,
    "score": 1.0,
    "verdict": "satisfactory",
    "final": True,
    "element": "PA.I.A.K1",
    "student": 1,
    "exam": "00000000-0000-0000-0000-000000000000",
    "planner": {"state": "finished"},
    "scope": {"plan": []},
    "history": [{"role": "user", "text": "All of it was right."}],
    "budget": {"asked": 5, "planned": 5},
    "mastery": {"PA.I.A.K1": 1.0},
    "status": "finished",
    "result": {"result": "pass"},
    "tenant": 1,
    "points": [],
    "citations": [],
    "expectations": [],
}
FRAMES: list[dict[str, Any]] = [
    {"type": "answer", "id": "a1", "text": "I do not know."},
    {"type": "resume", "last_seq": 0},
    {"type": "hint"},
    {"type": "look_up", "turn": 1},
    {"type": "dispute", "turn": 1, "note": "No."},
    {"type": "rate", "turn": 1, "fair": True},
    {"type": "continue", "go_on": True},
    {"type": "pause"},
    {"type": "end"},
    {"type": "ping"},
]


@pytest.mark.django_db(transaction=True)
def test_lesson_06_no_frame_takes_a_field_that_is_the_servers(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    before = records_of(demo.student)
    for frame in FRAMES:
        for field, value in OWNED_BY_THE_SERVER.items():
            room.say(frame | {field: value})
            assert room.hear("error", "assessment", "pong", "question")["code"] == "extra_field"
    assert records_of(demo.student) == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "frame",
    [
        {"type": "look_up", "turn": 7},
        {"type": "dispute", "turn": 7, "note": "Of an exam that has one turn."},
        {"type": "rate", "turn": 7, "fair": False},
        {"type": "continue", "go_on": True},
    ],
    ids=lambda frame: frame["type"],
)
def test_lesson_06_a_value_that_points_elsewhere_is_refused(
    demo: Demo, enter: Enter, frame: dict[str, Any]
) -> None:
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    before = records_of(demo.student)
    room.say(frame)
    assert room.hear("error")["code"] in ("no_such_turn", "not_now")
    assert records_of(demo.student) == before


@pytest.mark.django_db(transaction=True)
def test_lesson_06_resuming_from_the_future_skips_nothing(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    room.say({"type": "resume", "last_seq": 1_000_000})
    assert room.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"
    assert room.hear("question")["turn"] == 2


@pytest.mark.django_db(transaction=True)
def test_lesson_06_one_students_actions_leave_other_exams_alone(demo: Demo, enter: Enter) -> None:
    other = get_user_model().objects.create_user("other", password="other")
    theirs = new_exam(other)
    their_room = enter(theirs, other)
    their_room.hear("question")
    before = records_of(other)
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    room.answer("I do not know.", "a1")
    room.say({"type": "dispute", "turn": 1, "note": "No."})
    room.say({"type": "end"})
    room.hear("finished")
    assert records_of(other) == before
    assert their_room.is_quiet()


@pytest.fixture
def api(demo: Demo) -> APIClient:
    client = APIClient()
    client.force_authenticate(demo.student)
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("field", sample_of([*OWNED_BY_THE_SERVER], 3))
def test_lesson_06_an_order_takes_no_field_that_is_the_servers(api: APIClient, field: str) -> None:
    answer = api.post("/api/v1/exams/", {"questions": 5, field: OWNED_BY_THE_SERVER[field]}, format="json")
    assert (answer.status_code, list(answer.data["fields"])) == (400, [field])
    assert not Exam.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["put", "patch"])
def test_lesson_06_an_exam_cannot_be_written_over(demo: Demo, api: APIClient, method: str) -> None:
    exam = new_exam(demo.student)
    before = records_of(demo.student)
    answer = getattr(api, method)(f"/api/v1/exams/{exam.pk}/", OWNED_BY_THE_SERVER, format="json")
    assert answer.status_code == 405
    assert records_of(demo.student) == before


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("method", "path"),
    [("get", ""), ("get", "report/"), ("post", "pause/"), ("post", "end/"), ("delete", "")],
)
def test_lesson_06_another_students_exam_is_not_found(
    demo: Demo, api: APIClient, method: str, path: str
) -> None:
    other = get_user_model().objects.create_user("other", password="other")
    exam = new_exam(other)
    before = records_of(other)
    assert getattr(api, method)(f"/api/v1/exams/{exam.pk}/{path}").status_code == 404
    assert records_of(other) == before
