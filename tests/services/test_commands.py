"""`manage.py` brings what a command needs, and its exit status says what was wrong."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .watching import PROJECT, end_all_for, processes_for, query, start_user


def manage(data_dir: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env |= {"HEYDPE_DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "heydpe.settings", **settings}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


SHOW = (
    "from django.conf import settings; from django.contrib.auth import get_user_model as model;"
    " print(model().objects.count(), settings.SECRET_KEY)"
)
NO_KEY = {"DEBUG": "", "SECRET_KEY": ""}


@dataclass(frozen=True)
class FirstCommand:
    data_dir: Path
    done: subprocess.CompletedProcess[str]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[FirstCommand]:
    """A command in a directory that was not there, without DEBUG and without a key. Making the tables takes long."""
    data_dir = tmp_path_factory.mktemp("first") / "d"
    yield FirstCommand(data_dir, manage(data_dir, "shell", "-v", "0", "-c", SHOW, **NO_KEY))
    end_all_for(data_dir)


@pytest.mark.long
def test_a_command_starts_what_it_needs_and_fills_an_empty_database(first: FirstCommand) -> None:
    assert first.done.returncode == 0, first.done.stderr
    assert first.done.stdout.split()[0] == "0"
    told, *more = first.done.stderr.splitlines()
    assert told == "The database is empty; making its tables."
    assert all(line.startswith("No account exists yet.") for line in more)
    assert processes_for(first.data_dir) == []


@pytest.mark.long
def test_commands_on_the_embedded_services_share_one_key(first: FirstCommand) -> None:
    """Without DEBUG, too; it is the one that `make run` uses."""
    key = (first.data_dir / "secret_key").read_text()
    second = manage(first.data_dir, "shell", "-v", "0", "-c", SHOW, **NO_KEY)
    assert second.returncode == 0, second.stderr
    assert [one.stdout.split()[1] for one in (first.done, second)] == [key, key]


@pytest.mark.long
def test_a_command_leaves_services_that_others_use(data_dir: Path) -> None:
    other = start_user(data_dir)
    assert manage(data_dir, "showmigrations", "contenttypes").returncode == 0
    assert query(data_dir, "select 1") == 1
    other.communicate(timeout=30)


@pytest.mark.long
def test_a_command_that_needs_nothing_starts_nothing(fresh_dir: Path) -> None:
    assert manage(fresh_dir, "check").returncode == 0
    assert manage(fresh_dir, "makemigrations", "--check", "--dry-run").returncode == 0
    assert not fresh_dir.exists()


def test_wrong_arguments_are_status_2_and_start_nothing(fresh_dir: Path) -> None:
    done = manage(fresh_dir, "migrate", "--nonsense")
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert not fresh_dir.exists()


def test_a_database_that_is_away_is_status_3_and_one_line(fresh_dir: Path) -> None:
    done = manage(fresh_dir, "showmigrations", DATABASE_URL="postgresql://nobody@127.0.0.1:9/none")
    assert done.returncode == 3
    assert done.stdout == ""
    (line,) = done.stderr.strip().splitlines()
    assert "does not answer" in line
    assert "DATABASE_URL" in line


@pytest.mark.long
def test_a_redis_that_is_away_is_status_3_and_one_line(first: FirstCommand) -> None:
    ask = "from django.core.cache import cache; cache.get('a')"
    done = manage(first.data_dir, "shell", "-v", "0", "-c", ask, REDIS_URL="redis://127.0.0.1:9/0")
    assert done.returncode == 3
    assert done.stderr.strip().splitlines()[-1].startswith("Redis does not answer")
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_services_that_cannot_start_are_status_3_and_one_line(fresh_dir: Path) -> None:
    (fresh_dir / "postgres").mkdir(parents=True)
    (fresh_dir / "postgres" / "PG_VERSION").write_text("15\n")
    done = manage(fresh_dir, "showmigrations")
    assert done.returncode == 3
    assert "made by PostgreSQL 15" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
