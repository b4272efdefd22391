"""An omitted field gave a 500. Every field of every frame and request, broken in every way, is answered clearly."""

import json
from typing import Any

import pytest
from rest_framework.test import APIClient

from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.exam_records import records_of
from tests.doubles.rooms import Enter, new_exam
from tests.sampling import sample_of

FRAMES: dict[str, dict[str, Any]] = {
    "answer": {"id": "a1", "text": "Three miles."},
    "resume": {"last_seq": 0},
    "look_up": {"turn": 1},
    "dispute": {"turn": 1, "note": "No."},
    "rate": {"turn": 1, "fair": True, "note": "Yes."},
    "continue": {"go_on": True},
}
MAY_BE_MISSING = {("dispute", "note"), ("rate", "note")}
MAY_BE_EMPTY = MAY_BE_MISSING
LONG = "x" * 100_000
WRONG: list[Any] = [None, [], {}, ["a"], {"a": 1}, 1.5, -1, 10**12, LONG, "\x00", "\u202e"]
BY_TYPE: dict[type, list[Any]] = {str: [7, True], int: ["1", True], bool: ["true", 1]}


def broken(kind: str) -> list[dict[str, Any]]:
    """The frame with one field missing, null, empty, of another type, or far too long."""
    good = FRAMES[kind]
    frames: list[dict[str, Any]] = []
    for name, value in good.items():
        if (kind, name) not in MAY_BE_MISSING:
            frames.append({key: one for key, one in good.items() if key != name})
        wrong = [*WRONG, *BY_TYPE[type(value)]]
        if (kind, name) not in MAY_BE_EMPTY:
            wrong.append("")
        else:
            wrong = [
                one for one in wrong if one not in ("\x00", "\u202e")
            ]  # cleaned away, which leaves nothing
        frames += [good | {name: one} for one in wrong]
    return [{"type": kind} | frame for frame in frames]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", FRAMES)
def test_lesson_13_every_broken_frame_gets_an_error_frame(demo: Demo, enter: Enter, kind: str) -> None:
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    before = records_of(demo.student)
    for frame in sample_of(broken(kind), 3):
        room.say(frame)
        answer = room.hear("error", "assessment", "taken", "question", "pong")
        assert answer["type"] == "error", str(frame)[:200]
        assert answer["message"]
        assert answer["code"] != "internal"
    assert records_of(demo.student) == before


NO_FRAMES = [
    *((raw, "not_json") for raw in (" ", "{", "[]", "7", "NaN", "[" * 5000)),
    *(
        (raw, "unknown_type")
        for raw in ("{}", '{"type": null}', '{"type": ["answer"]}', '{"type": "grade_me"}')
    ),
    (json.dumps({"type": "answer", "id": "a1", "text": "é" * 200_000}), "too_long"),
]


@pytest.mark.django_db(transaction=True)
def test_lesson_13_input_that_is_not_a_frame_gets_an_error_frame(demo: Demo, enter: Enter) -> None:
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    for raw, code in NO_FRAMES:
        room.say(raw)
        assert room.hear("error")["code"] == code, raw[:40]
    room.say({"type": "ping"})
    assert room.hear("pong")


ORDER: dict[str, Any] = {
    "certificate": "private",
    "class": "ASEL",
    "mode": "full",
    "manner": "coach",
    "areas": ["I"],
    "codes": [],
    "aircraft": None,
    "questions": 5,
    "difficulty": "standard",
    "continues": None,
}
BAD_VALUES: list[Any] = [
    "",
    "nothing that exists",
    LONG,
    0,
    -1,
    67,
    1.5,
    True,
    {},
    {"a": 1},
    "\x00",
    "\u202e",
]


@pytest.fixture
def api(demo: Demo) -> APIClient:
    client = APIClient()
    client.force_authenticate(demo.student)
    return client


@pytest.mark.django_db
@pytest.mark.parametrize("field", sample_of([*ORDER], 3))
def test_lesson_13_a_field_that_is_missing_or_null_has_a_default(api: APIClient, field: str) -> None:
    rest = {key: value for key, value in ORDER.items() if key != field}
    for order in (rest, rest | {field: None}):
        answer = api.post("/api/v1/exams/", order, format="json")
        assert answer.status_code == 201, answer.data


@pytest.mark.django_db
@pytest.mark.parametrize("field", sample_of([*ORDER], 3))
def test_lesson_13_a_field_that_is_wrong_is_named(api: APIClient, field: str) -> None:
    for value in BAD_VALUES:
        answer = api.post("/api/v1/exams/", ORDER | {field: value}, format="json")
        assert answer.status_code == 400, (value, answer.data)
        assert set(answer.data) == {"code", "message", "fields"}
        assert field in answer.data["fields"], (value, answer.data)
    assert not Exam.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("field", ["areas", "codes"])
@pytest.mark.parametrize("value", ["I", [None], [7], [""], [LONG], [[]], ["I"] * 1000, ["XCIX"]])
def test_lesson_13_a_list_is_a_list_of_known_codes(api: APIClient, field: str, value: Any) -> None:
    answer = api.post(
        "/api/v1/exams/", {"questions": 5, "mode": "area", "areas": ["I"], field: value}, format="json"
    )
    assert answer.status_code == 400, answer.data
    assert answer.data["message"]


@pytest.mark.django_db
@pytest.mark.parametrize("body", ["", "{", "[]", "7", "null", '"text"', "[1]"])
def test_lesson_13_a_body_that_is_no_order_is_refused(api: APIClient, body: str) -> None:
    answer = api.post("/api/v1/exams/", body, content_type="application/json")
    assert answer.status_code in ((201, 400) if body == "" else (400,))
    assert answer.status_code == 201 or answer.data["message"]
