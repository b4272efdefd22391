"""What is killed comes back, with its data; what a crash left behind is in nobody's way."""

import os
from contextlib import suppress
from pathlib import Path

import pytest

from heydpe.runtime.services import services

from .watching import (
    database_answers,
    has_ended,
    kill,
    manager,
    postmaster,
    processes_for,
    query,
    redis_answers,
    start_user,
    wait_until,
)


def test_a_killed_postgres_is_started_again_with_its_data(data_dir: Path) -> None:
    with services(data_dir):
        query(data_dir, "create table kept (n int)")
        query(data_dir, "insert into kept values (7)")
        killed = postmaster(data_dir)
        kill(killed)
        assert wait_until(lambda: database_answers(data_dir) and postmaster(data_dir) != killed)
        assert query(data_dir, "select n from kept") == 7


@pytest.mark.long
def test_a_killed_redis_is_started_again(running: Path) -> None:
    (server,) = processes_for(running, "redis.sock")
    kill(server)
    assert wait_until(lambda: redis_answers(running))


def test_with_a_killed_manager_both_servers_end_and_the_next_user_has_new_ones(data_dir: Path) -> None:
    user = start_user(data_dir)
    query(data_dir, "create table kept (n int)")
    kill(manager(data_dir))
    assert wait_until(lambda: processes_for(data_dir, "postgres") == [] and not redis_answers(data_dir))
    with services(data_dir, durable=False):
        assert query(data_dir, "select count(*) from kept") == 0
    user.communicate(timeout=30)


@pytest.mark.long
def test_everything_killed_at_once_heals_at_the_next_start(data_dir: Path) -> None:
    user = start_user(data_dir)
    killed = processes_for(data_dir)
    for process in killed:
        with suppress(ProcessLookupError):  # the servers end with their manager
            kill(process)
    user.wait()
    assert wait_until(lambda: all(map(has_ended, killed)))  # a busy machine lets them live for a moment
    with services(data_dir, durable=False):
        assert database_answers(data_dir)
        assert redis_answers(data_dir)


@pytest.mark.long
def test_a_pid_file_whose_number_is_somebody_elses_by_now_is_ignored(data_dir: Path) -> None:
    with services(data_dir, durable=False):
        left = (data_dir / "postgres" / "postmaster.pid").read_text().splitlines()
        lock = (data_dir / "sockets" / ".s.PGSQL.5432.lock").read_text().splitlines()
    stranger = str(os.getppid())
    (data_dir / "postgres" / "postmaster.pid").write_text("\n".join([stranger, *left[1:]]) + "\n")
    (data_dir / "sockets" / ".s.PGSQL.5432.lock").write_text("\n".join([stranger, *lock[1:]]) + "\n")
    with services(data_dir, durable=False):
        assert database_answers(data_dir)


@pytest.mark.long
def test_a_cluster_that_was_half_made_is_made_anew(fresh_dir: Path) -> None:
    remains = fresh_dir / "postgres.new-123"
    remains.mkdir(parents=True)
    (remains / "PG_VERSION").write_text("18\n")
    with services(fresh_dir, durable=False):
        assert database_answers(fresh_dir)
    assert not remains.exists()


@pytest.mark.long
def test_redis_files_that_cannot_be_read_are_set_aside(data_dir: Path) -> None:
    (data_dir / "redis").mkdir(parents=True)
    (data_dir / "redis" / "appendonly.aof").write_text("*this is no append-only file\r\n" * 20)
    with services(data_dir, durable=False):
        assert redis_answers(data_dir)
    assert list(data_dir.glob("redis.unreadable-*/appendonly.aof"))
