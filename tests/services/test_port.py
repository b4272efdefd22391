"""A port that cannot be had is said with what to type instead."""

import socket
from pathlib import Path

import pytest

from heydpe.runtime.paths import make_folders, paths_for
from heydpe.runtime.runner import Refused, free_port, held_port


def test_a_free_port_is_taken() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert free_port(str(port)) == port


def test_a_taken_port_names_the_variable_and_another() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(Refused, match=rf"Port {port} is taken.*`PORT={port + 1} make run`"):
            free_port(str(port))


@pytest.mark.parametrize("asked", ["abc", "0", "-1", "70000", "80 80"])
def test_what_is_no_port_is_said(asked: str) -> None:
    with pytest.raises(Refused, match="no port"):
        free_port(asked)


@pytest.mark.long
def test_second_run_is_refused_while_the_first_restarts_its_web_server(tmp_path: Path) -> None:
    """Nobody listens on the port for that moment, so the port alone does not say that it is taken."""
    paths = paths_for(tmp_path)
    make_folders(paths)
    with held_port(paths, 8000):
        taken = pytest.raises(
            Refused, match=r"Port 8000 is taken by another `make run`.*`PORT=8001 make run`"
        )
        with taken, held_port(paths, 8000):
            pass
        with held_port(paths, 8001):
            pass
    with held_port(paths, 8000):
        pass
