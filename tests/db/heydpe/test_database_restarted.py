"""A database that was restarted: idle connections are dead, and no request meets them; one that is away is told of."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.contrib.auth import get_user_model
from django.db import InterfaceError, OperationalError, connection
from django.test import Client
from kombu.exceptions import OperationalError as BrokerAway
from redis.exceptions import ConnectionError as RedisAway

from heydpe.postgresql import base

CONNECTIONS = 20
AWAY = [
    OperationalError("the connection is lost"),
    InterfaceError("the connection is closed"),
    RedisAway(),
    BrokerAway(),
]


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("select pg_backend_pid()")
        return int(cursor.fetchone()[0])


def fill_the_pool() -> set[int]:
    """So many connections in use at once, all given back; the processes that serve them."""
    together, found = threading.Barrier(CONNECTIONS), []

    def borrow() -> None:
        pid = backend()
        together.wait(30)
        found.append(pid)
        connection.close()

    threads = [threading.Thread(target=borrow) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return set(found)


def end(pids: set[int]) -> None:
    parameters = connection.get_connection_params()
    with psycopg.connect(**parameters) as own:
        own.execute("select pg_terminate_backend(pid, 5000) from unnest(%s::int[]) as pid", [list(pids)])


@pytest.mark.django_db(transaction=True)
def test_no_query_meets_a_connection_that_died_while_idle() -> None:
    dead = fill_the_pool()
    assert len(dead) == CONNECTIONS
    connection.close()
    end(dead)
    for _ in range(CONNECTIONS):
        assert backend() not in dead
        connection.close()


def test_a_server_that_is_back_is_noticed_soon() -> None:
    """The pool's own pauses double for five minutes."""
    options = base.pool_options(max_size=1)
    assert options["reconnect_timeout"] <= 5
    assert options["reconnect_failed"] is not None


@contextmanager
def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> Iterator[None]:
    def fail(*_: Any, **__: Any) -> None:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(base.DatabaseWrapper, "cursor", fail)
        yield


@pytest.mark.django_db
@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__module__)
@pytest.mark.parametrize("debug", [True, False])
def test_a_page_during_an_outage_says_when_to_come_back(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, error: Exception, debug: bool
) -> None:
    settings.DEBUG = debug
    client.force_login(get_user_model().objects.create_user("somebody"))
    with failing(monkeypatch, error):
        page = client.get("/exams/", secure=True)
        form = client.post("/exams/begin/", {"mode": "full"}, secure=True)
    for answer in (page, form):
        assert (answer.status_code, answer["Retry-After"]) == (503, "5")
        assert "unavailable for a moment" in answer.content.decode()
    assert "http-equiv" in page.content.decode()
    assert "http-equiv" not in form.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("error", AWAY, ids=lambda error: type(error).__module__)
def test_the_api_during_an_outage_says_so_in_its_shape(
    client: Client, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    client.force_login(get_user_model().objects.create_user("somebody"))
    with failing(monkeypatch, error):
        answer = client.get("/api/v1/exams/", secure=True)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert answer.json() == {"code": "service_away", "message": answer.json()["message"], "fields": {}}
