"""The services start, answer on sockets that only their user reaches, and are gone afterwards."""

import stat
from pathlib import Path

import pytest

from heydpe.runtime.paths import paths_for
from heydpe.runtime.postgres import available_memory, shared_memory_mb
from heydpe.runtime.services import services

from .watching import database_answers, processes_for, query, redis_answers, state_of


def test_they_answer_while_used_and_are_gone_afterwards(fresh_dir: Path) -> None:
    with services(fresh_dir, durable=False) as addresses:
        assert addresses == paths_for(fresh_dir).addresses
        assert database_answers(fresh_dir)
        assert redis_answers(fresh_dir)
        assert state_of(fresh_dir) == "ready"
    assert state_of(fresh_dir) == "stopped"
    assert processes_for(fresh_dir) == []


def test_data_outlives_a_stop(data_dir: Path) -> None:
    with services(data_dir):
        query(data_dir, "create table kept (n int)")
        query(data_dir, "insert into kept values (91)")
    with services(data_dir):
        assert query(data_dir, "select n from kept") == 91


def test_the_database_is_the_one_the_product_needs(running: Path) -> None:
    assert str(query(running, "show server_version")).startswith("18.")
    query(running, "create extension vector")
    assert query(running, "show server_encoding") == "UTF8"
    assert query(running, "select lower('ÄÉ')") == "äé"
    assert query(running, "show shared_buffers") == "256MB"


@pytest.mark.parametrize(
    ("machine", "shared"), [(1 << 30, 256), (8 << 30, 1024), (16 << 30, 2048), (512 << 30, 4096)]
)
def test_a_larger_machine_keeps_more_in_memory(machine: int, shared: int) -> None:
    assert shared_memory_mb(machine) == shared


def test_a_container_has_what_it_is_given(tmp_path: Path) -> None:
    limit, machine = tmp_path / "memory.max", available_memory(tmp_path / "none")
    limit.write_text("max\n")
    assert available_memory(limit) == machine > 0
    limit.write_text(f"{machine // 2}\n")
    assert available_memory(limit) == machine // 2


@pytest.mark.long
def test_a_durable_server_has_its_share_of_the_memory(fresh_dir: Path) -> None:
    with services(fresh_dir):
        shared = shared_memory_mb(available_memory())
        kept = query(
            fresh_dir, "select setting::int * 8 / 1024 from pg_settings where name = 'shared_buffers'"
        )
        assert kept == shared


def test_nothing_listens_on_the_network_and_the_sockets_are_private(running: Path) -> None:
    assert query(running, "show listen_addresses") == ""
    folder = running / "sockets"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {path.name for path in folder.iterdir() if path.is_socket()} == {".s.PGSQL.5432", "redis.sock"}
    for process in processes_for(running):
        assert process.net_connections(kind="inet") == []


@pytest.mark.long
def test_two_data_directories_beside_each_other_share_nothing(tmp_path: Path) -> None:
    first, second = tmp_path / "a", tmp_path / "b"
    with services(first, durable=False), services(second, durable=False):
        query(first, "create table only_here (n int)")
        assert query(second, "select to_regclass('only_here')") is None
