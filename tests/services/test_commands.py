"""`manage.py` brings what a command needs, and its exit status says what was wrong."""

import os
import subprocess
import sys
from pathlib import Path

from .watching import PROJECT, processes_for, query, start_user


def manage(data_dir: Path, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env |= {"HEYDPE_DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "heydpe.settings", **settings}
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(command, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)


def test_a_command_starts_what_it_needs_and_fills_an_empty_database(fresh_dir: Path) -> None:
    count = "from django.contrib.auth import get_user_model as model; print(model().objects.count())"
    done = manage(fresh_dir, "shell", "-v", "0", "-c", count)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "0\n"
    assert done.stderr.strip() == "The database is empty; making its tables."
    assert processes_for(fresh_dir) == []


def test_a_command_leaves_services_that_others_use(data_dir: Path) -> None:
    other = start_user(data_dir)
    assert manage(data_dir, "showmigrations", "contenttypes").returncode == 0
    assert query(data_dir, "select 1") == 1
    other.communicate(timeout=30)


def test_a_command_that_needs_nothing_starts_nothing(fresh_dir: Path) -> None:
    assert manage(fresh_dir, "check").returncode == 0
    assert manage(fresh_dir, "makemigrations", "--check", "--dry-run").returncode == 0
    assert not fresh_dir.exists()


def test_wrong_arguments_are_status_2_and_start_nothing(fresh_dir: Path) -> None:
    for arguments in (["migrate", "--nonsense"], ["nonsense"]):
        done = manage(fresh_dir, *arguments)
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


def test_a_redis_that_is_away_is_status_3_and_one_line(data_dir: Path) -> None:
    ask = "from django.core.cache import cache; cache.get('a')"
    done = manage(data_dir, "shell", "-v", "0", "-c", ask, REDIS_URL="redis://127.0.0.1:9/0")
    assert done.returncode == 3
    assert done.stderr.strip().splitlines()[-1].startswith("Redis does not answer")
    assert "Traceback" not in done.stderr


def test_services_that_cannot_start_are_status_3_and_one_line(fresh_dir: Path) -> None:
    (fresh_dir / "postgres").mkdir(parents=True)
    (fresh_dir / "postgres" / "PG_VERSION").write_text("15\n")
    done = manage(fresh_dir, "showmigrations")
    assert done.returncode == 3
    assert "made by PostgreSQL 15" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
