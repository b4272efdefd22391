"""A server on loopback that speaks the vendors' wire formats, as scripted, well or badly.

    with VendorServer(Says({"verdict": "partial"})) as vendor:
        model = AnthropicChatModel(api_key="k", base_url=vendor.anthropic_url)

Each request takes the next reply of the script; past its end the last one repeats. Requests are kept as they
came in. Like the vendors, the server refuses a request that is not well formed, so that a test fails where
they would.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from tests.doubles import anthropic_wire, cohere_wire, openai_wire

WIRES = {
    "/v1/messages": anthropic_wire.answer,
    "/v1/responses": openai_wire.answer,
    "/v1/embeddings": openai_wire.embeddings,
    "/v2/rerank": cohere_wire.rerank,
}


@dataclass(frozen=True)
class Says:
    """A well-formed answer; a text is sent as it is, anything else as JSON."""

    value: Any
    stop: str = "complete"  # complete | truncated | refused

    @property
    def text(self) -> str:
        return self.value if isinstance(self.value, str) else json.dumps(self.value)


TRUNCATED = Says('{"verdict": "par', stop="truncated")
REFUSED = Says("I cannot help with that.", stop="refused")
EMPTY = Says("")


@dataclass(frozen=True)
class Fails:
    """An error status in the vendor's own error form."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    code: str = "some_error"


@dataclass(frozen=True)
class Hangs:
    """Nothing for so long. The server's end stops it."""

    seconds: float = 30.0


@dataclass(frozen=True)
class Drips:
    """White space, a byte at a time, as a proxy does that keeps a connection warm."""

    seconds: float = 30.0
    every: float = 0.05


@dataclass(frozen=True)
class Raw:
    """Any body at all."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


@dataclass(frozen=True)
class Vectors:
    """Embeddings; `only` leaves out all but these places, `reverse` sends them last first."""

    only: tuple[int, ...] | None = None
    reverse: bool = False


@dataclass(frozen=True)
class Ranks:
    """A ranking by words; `results` are scripted pairs of place and score instead, right or not."""

    results: tuple[tuple[Any, Any], ...] | None = None


Reply = Says | Fails | Hangs | Drips | Raw | Vectors | Ranks


@dataclass(frozen=True)
class Received:
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


Answers = Callable[[Received], Reply]
"""A reply that is made from the request."""


class VendorServer:
    """The server with its script. Use it as a context manager."""

    def __init__(self, *script: Reply | Answers) -> None:
        self.script = list(script)
        self.received: list[Received] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    @property
    def cohere_url(self) -> str:
        return self.anthropic_url

    @property
    def openai_url(self) -> str:
        return f"{self.anthropic_url}/v1"

    def take(self, request: Received) -> Reply:
        with self._lock:
            self.received.append(request)
            reply = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        return reply(request) if callable(reply) else reply

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


def _handler_for(vendor: VendorServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            length = int(self.headers.get("content-length", 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Received(self.path, headers, json.loads(self.rfile.read(length)))
            try:
                _send(self, request, vendor.take(request), vendor.closing)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Quiet."""

    return Handler


def _send(handler: BaseHTTPRequestHandler, request: Received, reply: Reply, closing: threading.Event) -> None:
    if isinstance(reply, Hangs):
        closing.wait(reply.seconds)
        handler.close_connection = True
    elif isinstance(reply, Drips):
        _drip(handler, reply, closing)
    elif isinstance(reply, Raw):
        _send_body(handler, reply.status, reply.body, {"content-type": reply.content_type})
    elif isinstance(reply, Fails):
        body = {"type": "error", "error": {"type": reply.code, "code": reply.code, "message": "scripted"}}
        _send_json(handler, reply.status, body, reply.headers)
    else:
        status, answer = WIRES[request.path](request, reply)
        _send_json(handler, status, answer, {})


def _drip(handler: BaseHTTPRequestHandler, reply: Drips, closing: threading.Event) -> None:
    handler.close_connection = True
    handler.send_response(200)
    handler.send_header("content-type", "application/json")
    handler.send_header("content-length", "100000")
    handler.end_headers()
    end = time.monotonic() + reply.seconds
    while time.monotonic() < end and not closing.wait(reply.every):
        handler.wfile.write(b" ")
        handler.wfile.flush()


def _send_json(
    handler: BaseHTTPRequestHandler, status: int, body: object, headers: Mapping[str, str]
) -> None:
    _send_body(handler, status, json.dumps(body).encode(), {"content-type": "application/json", **headers})


def _send_body(handler: BaseHTTPRequestHandler, status: int, body: bytes, headers: Mapping[str, str]) -> None:
    handler.send_response(status)
    for name, value in {**headers, "content-length": str(len(body))}.items():
        handler.send_header(name, value)
    handler.end_headers()
    handler.wfile.write(body)
