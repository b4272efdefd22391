"""The product's web server in a process of its own, over whatever settings this one has just now."""

import multiprocessing
import socket
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from heydpe.runtime.cli import close_connections

START_SECONDS = 60
STOP_SECONDS = 20


@contextmanager
def web_server() -> Iterator[str]:
    """Its host and port. A fork, so that overridden settings and the scratch database are the child's as well."""
    close_connections()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        listening.listen(1024)
        port = listening.getsockname()[1]
        child = multiprocessing.get_context("fork").Process(target=_serve, args=(listening,), daemon=True)
        child.start()
        try:
            _wait_until_up(port)
            yield f"127.0.0.1:{port}"
        finally:
            child.terminate()
            child.join(STOP_SECONDS)


def _serve(listening: socket.socket) -> None:
    config = uvicorn.Config("heydpe.asgi:application", lifespan="off", log_level="error", proxy_headers=False)
    uvicorn.Server(config).run(sockets=[listening])


def _wait_until_up(port: int) -> None:
    """The socket listens from the start; the first answer says that the server does."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz/", timeout=START_SECONDS) as answer:
        answer.read()
