"""A package with a known vulnerability fails the audit; a database that is out of reach does not."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from tools import audit


@contextmanager
def database(answer: Callable[[Any], bytes]) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()
            self.wfile.write(answer(asked["queries"]))

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1/querybatch"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def vulnerable(*names: str) -> Callable[[Any], bytes]:
    def answer(queries: Any) -> bytes:
        found = [
            {"vulns": [{"id": "GHSA-1"}, {"id": "CVE-2"}]} if one["package"]["name"] in names else {}
            for one in queries
        ]
        return json.dumps({"results": found}).encode()

    return answer


def test_every_pin_is_asked_about_with_its_version() -> None:
    pins = dict(audit.pins_in(audit.REQUIREMENTS.read_text("utf-8")))
    assert {"django", "celery", "psycopg"} < pins.keys()
    assert len(pins) > 40
    assert all(version[0].isdigit() for version in pins.values())


def test_a_vulnerable_package_is_named_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    with database(vulnerable("django")) as address:
        assert audit.main(address) == 1
    told = capsys.readouterr().out
    assert ": CVE-2, GHSA-1" in told
    assert "1 of " in told


def test_without_any_it_passes(capsys: pytest.CaptureFixture[str]) -> None:
    with database(vulnerable()) as address:
        assert audit.main(address) == 0
    assert capsys.readouterr().out.startswith("0 of ")


def test_what_is_accepted_with_a_reason_does_not_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(audit, "ACCEPTED", {"GHSA-1": "not called", "CVE-2": "not called"})
    with database(vulnerable("django")) as address:
        assert audit.main(address) == 0


@pytest.mark.parametrize("answer", [b"", b"[]", b"<html>", b'{"results": []}', b'{"results": [7]}'])
def test_a_strange_answer_is_no_answer(answer: bytes, capsys: pytest.CaptureFixture[str]) -> None:
    with database(lambda queries: answer) as address:
        assert audit.main(address) == 0
    assert capsys.readouterr().out.startswith("Skipped: ")


def test_without_a_network_one_line_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit.main("http://127.0.0.1:9/") == 0
    assert len(capsys.readouterr().out.splitlines()) == 1
