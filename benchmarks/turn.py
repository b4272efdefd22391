"""How long a student waits for the server in a live exam, with 1 exam, with 20, and with 200, offline.

`python -m benchmarks.turn` prints one JSON document. It works in a scratch database beside the configured one, which is
removed afterwards, on the demo library. The product's web server runs in a process of its own; each student is a
websocket to it from this one. What is timed begins when the answer is sent: `taken`, until the student is told that it
is stored; `verdict`; `turn`, until the next question is there, too. Answers are right, half and "I do not know" by
turns.

A question is read for READING_SECONDS; then all students answer at the same moment, and the next round begins when the
last of them has a question: the worst that 20 students who read can do to one process. "Without reading", each answers
as soon as it is asked, which nobody does: what the server can do at most. "At their own pace", each of 200 students
reads for 20 to 60 seconds, faster than people answer an examiner, and none waits for another.
"""

import asyncio
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from random import Random
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import django
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connections
from django.test.utils import override_settings
from websockets.asyncio.client import ClientConnection, connect

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()


from benchmarks.scratch import scratch_database  # noqa: E402
from benchmarks.web import web_server  # noqa: E402
from desk.demo.load import load_demo  # noqa: E402
from exams.domain.exam_request import order_from  # noqa: E402
from exams.exchange import session  # noqa: E402
from exams.models import Exam, Turn  # noqa: E402
from knowledge.access.signed_in import new_key  # noqa: E402

QUESTIONS = 5
QUESTIONS_ALONE = 10
READING_SECONDS = 2.0
PATIENCE_SECONDS = 120
WARMING = 4


@dataclass(frozen=True)
class Setting:
    """So many exams at once, of so many questions, each of which is read for so long; all students answer at the same
    moment, or each at their own pace, half as long to one and a half times as long."""

    name: str
    exams: int
    questions: int
    reading: float
    own_pace: bool = False


SETTINGS = (
    Setting("1", 1, QUESTIONS_ALONE, READING_SECONDS),
    Setting("20", 20, QUESTIONS, READING_SECONDS),
    Setting("20 without reading", 20, QUESTIONS, 0, own_pace=True),
    Setting("200 at their own pace", 200, 4, 40, own_pace=True),
)


@dataclass
class Student:
    """One exam over one socket; times in milliseconds."""

    exam: Exam
    socket: ClientConnection
    answers: int = 0
    over: bool = False
    taken: list[float] = field(default_factory=list)
    verdict: list[float] = field(default_factory=list)
    turn: list[float] = field(default_factory=list)

    async def hear(self, *types: str) -> str:
        while True:
            frame = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE_SECONDS))
            if frame["type"] == "error":
                raise RuntimeError(f"{self.exam.pk}: {frame['message']}")
            if frame["type"] in types:
                return str(frame["type"])

    async def answer(self, text: str) -> None:
        self.answers += 1
        message = json.dumps({"type": "answer", "id": f"a{self.answers}", "text": text})
        started = time.perf_counter()
        await self.socket.send(message)
        await self.hear("taken")
        self.taken.append((time.perf_counter() - started) * 1000)
        await self.hear("assessment")
        self.verdict.append((time.perf_counter() - started) * 1000)
        self.over = await self.hear("question", "finished") == "finished"
        self.turn.append((time.perf_counter() - started) * 1000)


def measure(several: Sequence[Setting] = SETTINGS) -> dict[str, Any]:
    """Milliseconds, p50 and p95, and turns a second, by number of exams at once."""
    with _demo():
        warming = _exams(Setting("warm", WARMING, QUESTIONS, 0))
        exams = {one.name: _exams(one) for one in several}
        with web_server() as host:
            asyncio.run(_sit(host, warming, Setting("warm", WARMING, QUESTIONS, 0, own_pace=True)))
            return {
                "what": "exams on the demo library with the offline model and one web process; students read for "
                f"{READING_SECONDS:.0f} s",
                "exams": {one.name: asyncio.run(_sit(host, exams[one.name], one)) for one in several},
            }


@contextmanager
def _demo() -> Iterator[None]:
    with TemporaryDirectory() as media, scratch_database(), override_settings(**_apart(media)):
        load_demo()
        yield


def _apart(media: str) -> dict[str, Any]:
    """Files, cache and channels of its own; nothing of the configured house is touched."""
    mine = f"heydpe-bench-{os.getpid()}"
    caches: dict[str, Any] = settings.CACHES
    cache = {**caches["default"], "KEY_PREFIX": mine}
    layer: dict[str, Any] = settings.CHANNEL_LAYERS["default"]
    channels = {**layer, "CONFIG": {**layer["CONFIG"], "prefix": mine}}
    return {
        "DEBUG": True,
        "MEDIA_ROOT": media,
        "CACHES": {**caches, "default": cache},
        "CHANNEL_LAYERS": {"default": channels},
    }


def _exams(setting: Setting) -> list[tuple[Exam, str]]:
    """Planned exams, each with the token of its student."""
    users = [get_user_model().objects.create_user(f"{setting.name} {n}") for n in range(setting.exams)]
    order = order_from({"questions": setting.questions})
    return [(session.create_exam(user, None, order), new_key(user, "benchmark")[1]) for user in users]


async def _sit(host: str, exams: Sequence[tuple[Exam, str]], setting: Setting) -> dict[str, Any]:
    """Take all exams to their end."""
    async with AsyncExitStack() as stack:
        students = []
        for exam, token in exams:
            opening = connect(
                f"ws://{host}/ws/exams/{exam.pk}/",
                additional_headers={"Authorization": f"Token {token}"},
                open_timeout=PATIENCE_SECONDS,
                ping_interval=None,
            )
            students.append(Student(exam, await stack.enter_async_context(opening)))
        await asyncio.gather(*(student.hear("question") for student in students))
        started = time.perf_counter()
        pausing = await (_at_will if setting.own_pace else _by_rounds)(students, setting.reading)
        return _result(students, time.perf_counter() - started - pausing)


async def _by_rounds(students: Sequence[Student], reading: float) -> float:
    """All answer at the same moment. Returns the seconds in which nobody did anything."""
    pauses = 0.0
    while open_ones := [student for student in students if not student.over]:
        texts = [await _text_for(student) for student in open_ones]
        await asyncio.sleep(reading)
        pauses += reading
        await asyncio.gather(*(one.answer(text) for one, text in zip(open_ones, texts, strict=True)))
    return pauses


async def _at_will(students: Sequence[Student], reading: float) -> float:
    async def sit(student: Student, chance: Random) -> None:
        while not student.over:
            text = await _text_for(student)
            await asyncio.sleep(reading * chance.uniform(0.5, 1.5))
            await student.answer(text)

    await asyncio.gather(*(sit(student, Random(n)) for n, student in enumerate(students)))
    return 0.0


@sync_to_async
def _text_for(student: Student) -> str:
    try:
        turn = Turn.objects.filter(exam=student.exam).order_by("-number")[0]
    finally:
        connections.close_all()
    expected = [expectation["text"] for expectation in turn.expectations]
    return (" ".join(expected), expected[0], "I do not know.")[student.answers % 3]


def _result(students: Sequence[Student], seconds: float) -> dict[str, Any]:
    turns = sum(student.answers for student in students)
    return {
        "turns": turns,
        "turns_per_second": round(turns / seconds, 1),
        "milliseconds": {
            "taken": _percentiles(one for student in students for one in student.taken),
            "verdict": _percentiles(one for student in students for one in student.verdict),
            "turn": _percentiles(one for student in students for one in student.turn),
        },
    }


def _percentiles(times: Iterable[float]) -> dict[str, float]:
    cuts = quantiles(times, n=20, method="inclusive")
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
