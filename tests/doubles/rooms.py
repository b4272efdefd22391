"""Live exams as a browser has them: a websocket through the whole application, its frames read one by one.

A room's loop runs only while something is sent or awaited, so that a test may look into the database in between.
"""

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import pytest
from channels.testing import WebsocketCommunicator
from django.test import Client

from exams.domain.exam_request import order_from
from exams.exchange import executors, session
from exams.models import Assessment, Exam, Turn
from heydpe.asgi import application

Frame = dict[str, Any]
PATIENCE_SECONDS = 30  # for a machine that has other things to do
QUIET_SECONDS = 0.3


class Closed(Exception):
    """The server closed the socket."""

    def __init__(self, code: int) -> None:
        super().__init__(str(code))
        self.code = code


@dataclass
class Room:
    """One connection to one exam; `heard` is every frame that came over it."""

    runner: asyncio.Runner
    socket: WebsocketCommunicator
    heard: list[Frame] = field(default_factory=list)

    def open(self) -> "Room":
        accepted, code = self.runner.run(self.socket.connect(timeout=PATIENCE_SECONDS))
        if not accepted:
            raise Closed(code or 0)
        return self

    def say(self, frame: Frame | str) -> None:
        text = frame if isinstance(frame, str) else json.dumps(frame)
        self.runner.run(self.socket.send_to(text_data=text))

    def hear(self, *types: str) -> Frame:
        """The next frame of one of these types; raises Closed if the socket is closed instead."""
        while True:
            frame = self._next()
            self.heard.append(frame)
            if frame["type"] in types:
                return frame

    def answer(self, text: str, name: str) -> Frame:
        """The assessment of an answer."""
        self.say({"type": "answer", "id": name, "text": text})
        return self.hear("assessment", "error")

    def is_quiet(self) -> bool:
        return bool(self.runner.run(self.socket.receive_nothing(timeout=QUIET_SECONDS)))

    def closed_with(self) -> int:
        try:
            self.hear("nothing that exists")
        except Closed as closed:
            return closed.code
        raise AssertionError("unreachable")

    def leave(self) -> None:
        self.runner.run(self.socket.disconnect(timeout=PATIENCE_SECONDS))

    def _next(self) -> Frame:
        message = self.runner.run(self.socket.receive_output(timeout=PATIENCE_SECONDS))
        if message["type"] == "websocket.close":
            raise Closed(message.get("code", 0))
        return dict(json.loads(message["text"]))


Enter = Callable[..., Room]


@pytest.fixture
def enter() -> Iterator[Enter]:
    """`enter(exam, user)` opens a room as that user; `origin` and `token` stand for other ways in."""
    rooms: list[Room] = []
    with asyncio.Runner() as runner:

        def come_in(exam: Exam | UUID, user: Any, **headers: str) -> Room:
            exam_id = exam.pk if isinstance(exam, Exam) else exam
            socket = WebsocketCommunicator(
                application, f"/ws/exams/{exam_id}/", headers=_headers(user, headers)
            )
            rooms.append(Room(runner, socket))
            return rooms[-1].open()

        yield come_in
        for room in rooms:
            runner.run(_let_go(room.socket))
        _wait_for_threads()


def _wait_for_threads() -> None:
    """What a room has begun goes on when it is left; it must not meet the emptying of the tables."""
    executors.finish_all()


async def _let_go(socket: WebsocketCommunicator) -> None:
    with suppress(TimeoutError, asyncio.CancelledError):
        await socket.disconnect(timeout=1)


def _headers(user: Any, more: dict[str, str]) -> list[tuple[bytes, bytes]]:
    headers = [(b"host", b"testserver")]
    if user is not None:
        client = Client()
        client.force_login(user)
        headers.append((b"cookie", f"sessionid={client.cookies['sessionid'].value}".encode()))
    return headers + [(name.encode(), value.encode()) for name, value in more.items()]


def new_exam(student: Any, **order: Any) -> Exam:
    return session.create_exam(student, None, order_from({"questions": 5, **order}))


def right_answer(exam: Exam) -> str:
    """All that is expected of the turn that is waited on, in the source's own words."""
    turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
    return " ".join(expectation["text"] for expectation in turn.expectations)


def do(work: session.Work | None) -> None:
    """Without a room: what the operation left to be done."""
    assert work is not None
    function, key = work
    function(key)


def opened(exam: Exam) -> Exam:
    """Without a room: the exam with its first question out."""
    do(session.open_connection(exam.pk, exam.student_id).work)
    exam.refresh_from_db()
    return exam


def answer_and_settle(exam: Exam, text: str, name: str) -> None:
    """Without a room: an answer, its verdict and what follows."""
    do(session.take_answer(exam.pk, exam.epoch, name, text).work)


def assessed(exam: Exam, text: str) -> Assessment:
    """The assessment of an answer to the question that stands."""
    exam.refresh_from_db()
    answer_and_settle(exam, text, f"answer {exam.turns.count()}")
    return Assessment.objects.filter(turn__exam=exam).latest("id")
