"""A room whose student signs out, or is signed out: what comes over the open socket is no longer taken."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from exams.exchange import session
from exams.models import Answer, Exam
from knowledge.access.sessions import end_sessions
from knowledge.access.signed_in import new_key
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Room, new_exam, right_answer
from tests.sampling import sample_of

pytestmark = [pytest.mark.long, pytest.mark.django_db(transaction=True)]


def cookie_of(client: Client) -> str:
    return f"sessionid={client.cookies['sessionid'].value}"


def signs_out(client: Client, student: Any) -> None:
    assert client.post("/accounts/logout/").status_code == 302


def session_expires(client: Client, student: Any) -> None:
    assert end_sessions(student) == 1


def changes_the_password(client: Client, student: Any) -> None:
    student.set_password("another one")
    student.save()


def is_disabled(client: Client, student: Any) -> None:
    student.is_active = False
    student.save()


@pytest.fixture
def exam(demo: Demo, client: Client) -> Exam:
    client.force_login(demo.student)
    return new_exam(demo.student)


@pytest.fixture
def room(exam: Exam, client: Client, enter: Enter) -> Room:
    found = enter(exam, None, cookie=cookie_of(client))
    found.hear("question")
    return found


@pytest.mark.parametrize("way", sample_of([signs_out, session_expires, changes_the_password, is_disabled], 2))
def test_nothing_is_taken_afterwards(
    demo: Demo, exam: Exam, room: Room, client: Client, way: Callable[[Client, Any], None]
) -> None:
    way(client, demo.student)
    room.say({"type": "answer", "id": "a1", "text": "Somebody else at the same machine."})
    assert room.closed_with() == 4401
    assert not Answer.objects.exists()


def test_nor_does_an_idle_room_stay_open(demo: Demo, room: Room, client: Client) -> None:
    signs_out(client, demo.student)
    room.say({"type": "ping"})
    assert room.closed_with() == 4401


@pytest.mark.long
def test_nothing_new_is_shown_there(demo: Demo, exam: Exam, room: Room, client: Client) -> None:
    signs_out(client, demo.student)
    session.end_exam(exam.pk)
    assert room.closed_with() == 4401
    assert all(frame["type"] != "finished" for frame in room.heard)


@pytest.mark.long
def test_signed_in_again_the_same_answer_is_taken(
    demo: Demo, exam: Exam, room: Room, client: Client, enter: Enter
) -> None:
    signs_out(client, demo.student)
    room.say({"type": "answer", "id": "a1", "text": right_answer(exam)})
    assert room.closed_with() == 4401
    client.force_login(demo.student)
    again = enter(exam, None, cookie=cookie_of(client))
    again.hear("question")
    assert again.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"


def test_a_token_that_is_withdrawn_ends_its_socket(demo: Demo, exam: Exam, enter: Enter) -> None:
    key, secret = new_key(demo.student, "test")
    room = enter(exam, None, authorization=f"Token {secret}")
    room.hear("question")
    key.delete()
    room.say({"type": "ping"})
    assert room.closed_with() == 4401
