"""A websocket to an address that does not exist is closed like an exam that is not there."""

import asyncio

import pytest
from channels.testing import WebsocketCommunicator

from heydpe.asgi import application
from tests.doubles.rooms import PATIENCE_SECONDS, Room

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("path", ["/", "/ws/exams/7/", "/exams/", "/ws/exams/../../etc/passwd"])
def test_it_is_closed_with_4404(path: str) -> None:
    with asyncio.Runner() as runner:
        room = Room(runner, WebsocketCommunicator(application, path, headers=[(b"host", b"testserver")]))
        assert room.open().closed_with() == 4404
        runner.run(room.socket.disconnect(timeout=PATIENCE_SECONDS))
