"""A socket's path has 107 bytes: a data directory that is too deep, or needs quoting, gets a short folder."""

import os
import stat
from pathlib import Path

import dj_database_url
import pytest

from heydpe.celery import broker_url
from heydpe.runtime.paths import paths_for
from heydpe.runtime.services import services

from .watching import database_answers, processes_for, redis_answers


@pytest.mark.parametrize("name", ["x" * 120, "with space", "per%20cent", "ünicode", "quo'te"])
def test_an_awkward_path_gets_a_short_private_folder(tmp_path: Path, name: str) -> None:
    places = paths_for(tmp_path / name)
    assert places.sockets.parent == Path("/tmp")
    assert len(os.fsencode(places.postgres_socket)) <= 107


def test_a_long_path_works(tmp_path: Path) -> None:
    deep = tmp_path / ("x" * 60) / ("y" * 60)
    with services(deep, durable=False):
        assert database_answers(deep)
        assert redis_answers(deep)
        folder = paths_for(deep).sockets
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert processes_for(deep) == []


def test_two_long_paths_have_two_folders(tmp_path: Path) -> None:
    assert paths_for(tmp_path / ("x" * 120)).sockets != paths_for(tmp_path / ("x" * 119 + "y")).sockets


def test_every_client_reads_the_addresses() -> None:
    addresses = paths_for(Path("/srv/Hey/var")).addresses
    assert dj_database_url.parse(addresses.database_url)["HOST"] == "/srv/Hey/var/sockets"
    assert broker_url(addresses.redis_url) == "redis+socket:///srv/Hey/var/sockets/redis.sock?virtual_host=0"
    with_password = "unix://:secret@/run/redis.sock?db=2"
    assert broker_url(with_password) == "redis+socket://:secret@/run/redis.sock?virtual_host=2"
