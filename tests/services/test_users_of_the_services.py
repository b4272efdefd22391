"""The first user starts the services, the last one stops them, and a killed user counts as gone."""

from pathlib import Path

import pytest

from heydpe.runtime.services import services

from .watching import (
    database_answers,
    kill,
    let_go,
    manager,
    postmaster,
    processes_for,
    start_user,
    state_of,
    users_of,
    wait_until,
)


def test_a_second_user_takes_what_runs_and_the_first_may_leave(data_dir: Path) -> None:
    with services(data_dir, durable=False):
        server = postmaster(data_dir)
        other = start_user(data_dir)
        assert postmaster(data_dir) == server
        assert len(users_of(data_dir)) == 2
    assert database_answers(data_dir)
    let_go(other)
    assert processes_for(data_dir) == []


def test_the_services_end_after_their_last_user_was_killed(data_dir: Path) -> None:
    only = start_user(data_dir)
    kill(only)
    only.wait()
    assert wait_until(lambda: processes_for(data_dir) == [])
    assert state_of(data_dir) == "stopped"


@pytest.mark.long
def test_a_killed_user_does_not_take_the_services_from_the_others(running: Path) -> None:
    other = start_user(running)
    kill(other)
    other.wait()
    assert wait_until(lambda: len(users_of(running)) == 1)
    assert database_answers(running)


@pytest.mark.long
def test_two_first_users_at_once_share_one_manager(data_dir: Path) -> None:
    with services(data_dir, durable=False):
        pass  # the cluster is made: both start at once now
    users = [start_user(data_dir) for _ in range(2)]
    assert manager(data_dir).is_running()
    assert len(processes_for(data_dir, "heydpe.runtime.service_manager")) == 1
    for user in users:
        let_go(user)
