"""A Redis that hangs: it accepts every connection and never answers."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def silent_redis() -> Iterator[str]:
    """Its address, for as long as it hangs."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        held: list[socket.socket] = []
        threading.Thread(target=_hold, args=(server, held), daemon=True).start()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"
        server.shutdown(socket.SHUT_RDWR)
        for connection in held:
            connection.close()


def _hold(server: socket.socket, held: list[socket.socket]) -> None:
    with suppress(OSError):  # it was closed
        while True:
            held.append(server.accept()[0])
