"""Sockets as a browser has them: a real web server, a real Redis, a client that knows nothing of either.

Each test runs its clients in one loop of its own; the rows are made before it, and looked at after it.
"""

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from exams.exchange import answer_processing, session
from exams.models import Answer, Assessment, Exam, Frame, Turn
from tests.doubles.demo_library import Demo, demo, demo_rows
from tests.doubles.live_web import LiveWeb
from tests.doubles.rooms import new_exam, right_answer

__all__ = ["demo", "demo_rows"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]

IDLE_SECONDS = 15  # FACTS.md: a blocking read of 5 s closed every idle socket
MANY = 500
RECONNECTS = 10_000
AT_ONCE = 20
PATIENCE_SECONDS = 40
Json = dict[str, Any]


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWeb]:
    """Whatever its clients did, the server must have had nothing to complain of."""
    found = LiveWeb(tmp_path_factory.mktemp("web") / "web.log")
    found.start()
    yield found
    found.stop()
    found.complained_of_nothing()


@pytest.fixture(autouse=True)
def at_rest(demo: Demo, web: LiveWeb) -> Iterator[None]:
    """A question that is made ready while the student reads ends before the tables are emptied."""
    yield
    web.come_to_rest()


def cookie_of(user: Any) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


def opening(web: LiveWeb, exam: Any, cookie: str = "", **headers: str) -> Any:
    return connect(
        f"ws://{web.host}/ws/exams/{exam}/",
        additional_headers={**({"Cookie": cookie} if cookie else {}), **headers},
        open_timeout=PATIENCE_SECONDS,
        ping_interval=None,
    )


async def hear(socket: ClientConnection, *types: str) -> Json:
    while True:
        frame: Json = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_SECONDS))
        if frame["type"] in types:
            return frame


async def say(socket: ClientConnection, **frame: Any) -> None:
    await socket.send(json.dumps(frame))


async def closing_code(socket: ClientConnection) -> int | None:
    """Reads what is left, then says with which code the server closed."""
    try:
        while True:
            await asyncio.wait_for(socket.recv(), PATIENCE_SECONDS)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else None


def asked(student: Any) -> Exam:
    """An exam whose first question is out."""
    exam = new_exam(student)
    opened = session.open_connection(exam.pk, student.pk)
    assert opened.work is not None
    answer_processing.begin_exam(exam.pk)
    exam.refresh_from_db()
    return exam


def copies(exam: Exam, count: int) -> list[Exam]:
    """The same exam under other ids, each with its question out."""
    turn, frame = Turn.objects.get(exam=exam), Frame.objects.get(exam=exam)
    rows = [Exam(**{**_columns(exam), "id": uuid4()}) for _ in range(count)]
    Exam.objects.bulk_create(rows)
    Turn.objects.bulk_create(Turn(**{**_columns(turn), "id": None, "exam_id": row.pk}) for row in rows)
    Frame.objects.bulk_create(Frame(**{**_columns(frame), "id": None, "exam_id": row.pk}) for row in rows)
    return rows


def _columns(row: Any) -> Json:
    return {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}


@pytest.mark.long
def test_five_hundred_idle_sockets_stay_open_and_one_of_them_is_examined(demo: Demo, web: LiveWeb) -> None:
    exam = asked(demo.student)
    exams = [exam, *copies(exam, MANY - 1)]
    cookie, text = cookie_of(demo.student), right_answer(exam)

    async def clients() -> Json:
        async with AsyncExitStack() as stack:
            sockets = []
            for one in exams:
                sockets.append(await stack.enter_async_context(opening(web, one.pk, cookie)))
            for socket in sockets:
                await hear(socket, "question")
            await asyncio.sleep(IDLE_SECONDS)
            for socket in sockets:
                await say(socket, type="ping")
            for socket in sockets:
                await hear(socket, "pong")
            await say(sockets[MANY // 2], type="answer", id="a1", text=text)
            return await hear(sockets[MANY // 2], "assessment", "error")

    assert asyncio.run(clients())["verdict"] == "satisfactory"
    assert Assessment.objects.get().turn.exam_id == exams[MANY // 2].pk


@pytest.mark.long
def test_ten_thousand_reconnects_hear_the_same_question_and_cost_no_memory(demo: Demo, web: LiveWeb) -> None:
    exam = asked(demo.student)
    exams = [exam, *copies(exam, AT_ONCE - 1)]
    cookie, frames = cookie_of(demo.student), Frame.objects.count()

    async def client(one: Exam, times: int) -> set[tuple[int, str]]:
        heard = set()
        for number in range(times):
            async with opening(web, one.pk, cookie) as socket:
                if number % 2:
                    await say(socket, type="resume", last_seq=0)
                question = await hear(socket, "question")
                heard.add((question["seq"], question["text"]))
        return heard

    async def clients(times: int) -> list[set[tuple[int, str]]]:
        return await asyncio.gather(*(client(one, times) for one in exams))

    # Pools and caches fill over the first 4,000: 373 MB after 1,000, 424 after 5,000, and 431 after 16,000.
    asyncio.run(clients(RECONNECTS // AT_ONCE // 2))
    before = web.memory()
    heard = asyncio.run(clients(RECONNECTS // AT_ONCE))
    assert web.memory() < 1.1 * before
    assert {question for some in heard for question in some} == heard[0]
    assert all(len(some) == 1 for some in heard)
    assert Frame.objects.count() == frames


@pytest.mark.long
def test_a_restart_in_mid_exchange_is_told_and_the_answer_is_assessed_once(demo: Demo, web: LiveWeb) -> None:
    exam = asked(demo.student)
    cookie, text = cookie_of(demo.student), right_answer(exam)

    async def clients() -> tuple[int | None, Json]:
        async with opening(web, exam.pk, cookie) as socket:
            question = await hear(socket, "question")
            await say(socket, type="answer", id="a1", text=text)
            stopping = asyncio.create_task(asyncio.to_thread(web.stop))
            code = await closing_code(socket)
            await stopping
        await asyncio.to_thread(web.start)
        async with opening(web, exam.pk, cookie) as socket:
            await say(socket, type="resume", last_seq=question["seq"])
            await say(socket, type="answer", id="a1", text=text)
            found = await hear(socket, "assessment")
            await say(socket, type="answer", id="a1", text=text)
            again = await hear(socket, "assessment")
            assert again["seq"] == found["seq"]
            return code, found

    code, found = asyncio.run(clients())
    assert code == 1012
    assert (found["answer_id"], found["verdict"]) == ("a1", "satisfactory")
    assert (Answer.objects.count(), Assessment.objects.count()) == (1, 1)
    assert Frame.objects.filter(type="assessment").count() == 1


@pytest.mark.long
def test_a_server_that_is_killed_loses_nothing(demo: Demo, web: LiveWeb) -> None:
    exam = asked(demo.student)
    cookie, text = cookie_of(demo.student), right_answer(exam)

    async def clients() -> tuple[Json, Json]:
        async with opening(web, exam.pk, cookie) as socket:
            before = await hear(socket, "question")
            await say(socket, type="answer", id="a1", text=text)
            await hear(socket, "taken")
            await asyncio.to_thread(web.stop, signal.SIGKILL)
        await asyncio.to_thread(web.start)
        async with opening(web, exam.pk, cookie) as socket:
            await say(socket, type="resume", last_seq=before["seq"])
            await say(socket, type="answer", id="a1", text=text)
            return await hear(socket, "assessment"), await hear(socket, "question")

    found, following = asyncio.run(clients())
    assert (found["answer_id"], following["turn"]) == ("a1", 2)
    assert (Answer.objects.count(), Assessment.objects.count()) == (1, 1)


def test_whoever_may_not_come_in_is_told_by_a_close_code(demo: Demo, web: LiveWeb) -> None:
    exam = new_exam(demo.student)
    student, reviewer = cookie_of(demo.student), cookie_of(demo.reviewer)
    ways: list[tuple[int, Any, str, dict[str, str]]] = [
        (4401, exam.pk, "", {}),
        (4401, exam.pk, "sessionid=nobody", {}),
        (4401, exam.pk, "", {"Authorization": "Token nothing"}),
        (4403, exam.pk, student, {"Origin": "http://elsewhere.example"}),
        (4403, exam.pk, student, {"Origin": "null"}),
        (4404, exam.pk, reviewer, {}),
        (4404, uuid4(), student, {}),
    ]

    async def clients() -> list[int | None]:
        codes = []
        for _, exam_id, cookie, headers in ways:
            async with opening(web, exam_id, cookie, **headers) as socket:
                codes.append(await closing_code(socket))
        return codes

    assert asyncio.run(clients()) == [code for code, *_ in ways]
    assert Frame.objects.count() == 0


def test_the_pages_own_origin_is_let_in(demo: Demo, web: LiveWeb) -> None:
    exam, cookie = asked(demo.student), cookie_of(demo.student)

    async def client() -> Json:
        async with opening(web, exam.pk, cookie, Origin=f"http://{web.host}") as socket:
            return await hear(socket, "question")

    assert asyncio.run(client())["turn"] == 1


def test_the_newest_of_three_windows_is_the_one_that_is_heard(demo: Demo, web: LiveWeb) -> None:
    exam, cookie = asked(demo.student), cookie_of(demo.student)
    text = right_answer(exam)

    async def clients() -> tuple[list[Json], list[int | None], Json]:
        async with AsyncExitStack() as stack:
            older, errors = [], []
            for _ in range(2):
                older.append(await stack.enter_async_context(opening(web, exam.pk, cookie)))
                await hear(older[-1], "question")
            newest = await stack.enter_async_context(opening(web, exam.pk, cookie))
            await hear(newest, "question")
            for socket in older:
                errors.append(await hear(socket, "error"))
            codes = [await closing_code(socket) for socket in older]
            await say(newest, type="answer", id="new", text=text)
            return errors, codes, await hear(newest, "assessment")

    errors, codes, found = asyncio.run(clients())
    assert [error["code"] for error in errors] == ["superseded", "superseded"]
    assert codes == [4409, 4409]
    assert found["answer_id"] == "new"


@pytest.mark.long
def test_what_an_older_window_sends_before_it_knows_is_refused(demo: Demo, web: LiveWeb) -> None:
    exam, cookie = asked(demo.student), cookie_of(demo.student)

    async def clients() -> tuple[Json, int | None]:
        async with opening(web, exam.pk, cookie) as older:
            await hear(older, "question")
            await asyncio.to_thread(session.open_connection, exam.pk, demo.student.pk)
            await say(older, type="answer", id="old", text="I do not know.")
            return await hear(older, "error", "taken"), await closing_code(older)

    error, code = asyncio.run(clients())
    assert (error["code"], code) == ("superseded", 4409)
    assert not Answer.objects.exists()


@pytest.mark.long
def test_an_oral_goes_on_at_another_host(demo: Demo, web: LiveWeb) -> None:
    """Two web servers over one PostgreSQL and Redis: each closes the other's older socket, and what one of them was
    killed over the other one finishes."""
    exam, cookie = asked(demo.student), cookie_of(demo.student)
    other = LiveWeb(web.log.with_name("other.log"))
    other.start()

    async def clients() -> tuple[int | None, Json]:
        async with AsyncExitStack() as stack:
            first = await stack.enter_async_context(opening(web, exam.pk, cookie))
            before = await hear(first, "question")
            second = await stack.enter_async_context(opening(other, exam.pk, cookie))
            assert (await hear(second, "question"))["seq"] == before["seq"]
            code = await closing_code(first)
            await say(second, type="answer", id="a1", text=text)
            await hear(second, "taken")
            await asyncio.to_thread(other.stop, signal.SIGKILL)
            back = await stack.enter_async_context(opening(web, exam.pk, cookie))
            await say(back, type="resume", last_seq=before["seq"])
            await say(back, type="answer", id="a1", text=text)
            found = await hear(back, "assessment")
            await hear(back, "question")
            return code, found

    text = right_answer(exam)
    try:
        code, found = asyncio.run(clients())
    finally:
        other.stop()
    assert code == 4409
    assert found["verdict"] == "satisfactory"
    stored = list(Frame.objects.filter(exam=exam).order_by("seq").values_list("seq", "type"))
    assert [seq for seq, _ in stored] == list(range(1, len(stored) + 1))
    assert [kind for _, kind in stored].count("assessment") == 1
    assert (Answer.objects.count(), Assessment.objects.count()) == (1, 1)
