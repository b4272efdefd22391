"""A web server whose Redis is away: pages and API go on where they can, and say so where they cannot. Never a 500."""

import asyncio
import json
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from exams.models import Exam
from knowledge.models import Document, IngestionJob
from knowledge.models.telemetry import JobKind, JobState
from tests.doubles.demo_library import Demo, demo, demo_rows
from tests.doubles.live_web import LiveWeb, free_port
from tests.doubles.rooms import new_exam

__all__ = ["demo", "demo_rows"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
PATIENCE_SECONDS = 40


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWeb]:
    nowhere = {"REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    found = LiveWeb(tmp_path_factory.mktemp("web") / "web.log", nowhere)
    found.start()
    yield found
    found.stop()
    found.complained_of_nothing()


@pytest.fixture(autouse=True)
def at_rest(demo: Demo, web: LiveWeb) -> Iterator[None]:
    yield
    web.come_to_rest()


def signed_in(user: Any) -> str:
    client = Client()
    client.force_login(user)
    return f"sessionid={client.cookies['sessionid'].value}"


def visit(web: LiveWeb, path: str, cookie: str = "", form: dict[str, str] | None = None) -> tuple[int, str]:
    headers = {"Cookie": cookie, "Referer": f"http://{web.host}/"}
    body = urllib.parse.urlencode(form).encode() if form is not None else None
    request = urllib.request.Request(f"http://{web.host}{path}", data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as reply:
            return reply.status, reply.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def with_token(cookie: str, form: dict[str, str] | None = None) -> tuple[str, dict[str, str]]:
    """What a browser sends with a form of ours: the cookie and the field with the same token."""
    token = "t" * 32
    return f"{cookie}; csrftoken={token}", {**(form or {}), "csrfmiddlewaretoken": token}


def test_a_socket_is_told_to_come_back(demo: Demo, web: LiveWeb) -> None:
    exam, cookie = new_exam(demo.student), signed_in(demo.student)

    async def client() -> int | None:
        address = f"ws://{web.host}/ws/exams/{exam.pk}/"
        async with connect(address, additional_headers={"Cookie": cookie}) as socket:
            try:
                await asyncio.wait_for(socket.recv(), PATIENCE_SECONDS)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None
        return None

    assert asyncio.run(client()) == 1012
    assert "socket_service_away" in web.log.read_text()


def test_pages_can_be_read_and_an_oral_be_planned(demo: Demo, web: LiveWeb) -> None:
    cookie, form = with_token(signed_in(demo.student))
    assert visit(web, "/exams/", cookie)[0] == 200
    assert visit(web, "/exams/begin/", cookie, form)[0] == 200  # led on to the room
    exam = Exam.objects.get()
    assert visit(web, f"/exams/{exam.pk}/", cookie)[0] == 200
    assert visit(web, "/library/", cookie)[0] == 200


def test_the_api_answers_without_its_limits(demo: Demo, web: LiveWeb) -> None:
    status, body = visit(web, "/api/v1/exams/", signed_in(demo.student))
    assert (status, json.loads(body)["count"]) == (200, 0)
    assert visit(web, "/api/v1/exams/")[0] == 401
    assert "throttle_away" in web.log.read_text()


def test_an_extraction_that_cannot_be_begun_is_no_error(demo: Demo, web: LiveWeb) -> None:
    document = Document.objects.filter(status="published")[0]
    cookie, form = with_token(signed_in(demo.operator))
    assert visit(web, f"/operations/extract/{document.pk}/", cookie, form)[0] == 200
    assert IngestionJob.objects.get(kind=JobKind.CLAIMS, document=document).state == JobState.QUEUED


def test_what_is_away_is_named(web: LiveWeb) -> None:
    status, body = visit(web, "/readyz/")
    assert (status, json.loads(body)["database"]) == (503, "ok")
    assert json.loads(body)["redis"] != "ok"
