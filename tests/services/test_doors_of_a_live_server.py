"""The doors of a real uvicorn: how much of a body is read, whose address counts, which Host is served."""

import asyncio
import json
import socket
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.test import Client
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from desk.conf import GUESSES_ADDRESS_MOST
from knowledge.access.signed_in import new_key
from tests.doubles.demo_library import Demo, demo, demo_rows
from tests.doubles.live_web import LiveWeb
from tests.doubles.rooms import new_exam

__all__ = ["demo", "demo_rows"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]
MB = 1024 * 1024
LARGE = 300 * MB
PATIENCE_SECONDS = 60


@pytest.fixture(scope="module")
def web(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveWeb]:
    """Its demo password is none that an account of the tests has."""
    found = LiveWeb(tmp_path_factory.mktemp("web") / "web.log")
    found.start()
    yield found
    found.stop()


@pytest.mark.parametrize(
    "path", ["/accounts/invitation/{}/", "/accounts/reset/MQ/{}/", "/accounts/first/?key={}"]
)
def test_the_secret_of_a_link_is_in_no_log(web: LiveWeb, path: str) -> None:
    secret = "s3cr3t-that-opens-an-account"
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE_SECONDS) as line:
        request = f"GET {path.format(secret)} HTTP/1.1\r\nHost: {web.host}\r\nConnection: close\r\n\r\n"
        line.sendall(request.encode())
        assert line.recv(65536).startswith(b"HTTP/1.1")
    logged = web.log.read_text(encoding="utf-8")
    assert path.partition("{")[0].removesuffix("key=") + "…" in logged
    assert secret not in logged


def head(web: LiveWeb, path: str, *lines: str) -> bytes:
    return "\r\n".join([f"POST {path} HTTP/1.1", f"Host: {web.host}", *lines, "", ""]).encode()


def sent_until_refused(web: LiveWeb, start: bytes, piece: bytes, most: int) -> tuple[int, bytes]:
    """How many bytes of a body went out until the server answered, and its answer."""
    sent = 0
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE_SECONDS) as line:
        line.sendall(start)
        line.settimeout(0.001)
        answer = b""
        while sent < most and not answer:
            try:
                sent += line.send(piece)
                answer = line.recv(65536)
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                break
        line.settimeout(PATIENCE_SECONDS)
        try:
            while more := line.recv(65536):
                answer += more
        except OSError:
            pass
    return sent, answer


@pytest.mark.parametrize(
    "path", ["/accounts/login/", "/api/v1/token/", "/operations/upload/", "/api/v1/documents/"]
)
def test_a_long_body_of_a_stranger_is_refused_by_its_length(web: LiveWeb, path: str) -> None:
    sent, answer = sent_until_refused(web, head(web, path, f"Content-Length: {LARGE}"), b"x", 1)
    assert answer.startswith(b"HTTP/1.1 413"), (sent, answer)
    assert b"connection: close" in answer.lower()
    assert b"15 MB" in answer


def test_a_long_body_in_chunks_is_cut_off(web: LiveWeb) -> None:
    piece = b"%x\r\n" % MB + b"x" * MB + b"\r\n"
    start = head(web, "/api/v1/token/", "Transfer-Encoding: chunked", "Content-Type: application/json")
    sent, answer = sent_until_refused(web, start, piece, LARGE)
    assert sent < settings.BODY_LIMIT_BYTES + 30 * MB
    assert not answer or answer.startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(("who", "refused"), [("operator", False), ("student", True)])
def test_an_operator_alone_uploads_more(demo: Demo, web: LiveWeb, who: str, refused: bool) -> None:
    key = new_key(getattr(demo, who), "test")[1]
    size = settings.BODY_LIMIT_BYTES + MB
    lines = (
        f"Authorization: Token {key}",
        f"Content-Length: {size}",
        "Content-Type: multipart/form-data; boundary=b",
    )
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE_SECONDS) as line:
        line.sendall(head(web, "/api/v1/documents/", *lines))
        if not refused:
            line.sendall(b"x" * size)
        answer = line.recv(65536)
    assert answer.startswith(b"HTTP/1.1 413") is refused, answer


def test_an_operators_session_uploads_more_as_well(demo: Demo, web: LiveWeb) -> None:
    client = Client()
    client.force_login(demo.operator)
    size = settings.BODY_LIMIT_BYTES + MB
    cookie = f"Cookie: sessionid={client.cookies['sessionid'].value}"
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE_SECONDS) as line:
        line.sendall(head(web, "/operations/upload/", cookie, f"Content-Length: {size}") + b"x" * size)
        assert line.recv(65536).startswith(b"HTTP/1.1 403")  # no CSRF token: it was read, and looked at


def status_of(web: LiveWeb, path: str, body: str = "", *lines: str) -> bytes:
    told = [*lines, f"Content-Length: {len(body)}", "Content-Type: application/json", "Connection: close"]
    with socket.create_connection(("127.0.0.1", web.port), timeout=PATIENCE_SECONDS) as line:
        line.sendall(head(web, path, *told) + body.encode())
        return line.recv(65536).split(b"\r\n")[0]


def test_an_address_that_this_machine_writes_is_not_believed(demo: Demo, web: LiveWeb) -> None:
    """Nor do sixty names that are tried with one password get round the count."""
    answers = []
    for number in range(GUESSES_ADDRESS_MOST + 2):
        body = json.dumps({"username": f"pilot{number}", "password": "summer2026"})
        answers.append(status_of(web, "/api/v1/token/", body, f"X-Forwarded-For: 203.0.113.{number}"))
    assert b"429" in answers[-1]


@pytest.mark.parametrize("host", ["elsewhere.example", "localhost.elsewhere.example", "127.0.0.1.nip.io"])
def test_a_socket_of_another_host_is_closed(demo: Demo, web: LiveWeb, host: str) -> None:
    """Even where the page comes from that host: its own origin is none of ours."""
    exam = new_exam(demo.student)
    client = Client()
    client.force_login(demo.student)
    extra = {
        "Cookie": f"sessionid={client.cookies['sessionid'].value}",
        "Origin": f"http://{host}",
    }

    async def code() -> int | None:
        with socket.create_connection(("127.0.0.1", web.port)) as line:
            address = f"ws://{host}/ws/exams/{exam.pk}/"
            try:
                async with connect(address, sock=line, additional_headers=extra) as opened:
                    await asyncio.wait_for(opened.recv(), PATIENCE_SECONDS)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd else None
        return None

    assert asyncio.run(code()) == 4403
