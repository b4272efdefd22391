"""A setting that cannot be is told with what to do, by the check, by a start, before anything is started."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sampling import sample_of

from .watching import PROJECT

WRONG = [
    ({"LLM_PROVIDER": "wrong"}, "“wrong” is not known", "offline, anthropic, openai"),
    ({"LLM_PROVIDER": "anthropic"}, "ANTHROPIC_API_KEY is not set", "Set ANTHROPIC_API_KEY"),
    (
        {"LLM_PROVIDER": "", "ANTHROPIC_API_KEY": "k", "OPENAI_API_KEY": "k"},
        "two vendors",
        "Set LLM_PROVIDER",
    ),
    ({"EMBEDDING_PROVIDER": "wrong"}, "“wrong” is not known", "local, openai"),
    ({"RERANKER": "wrong"}, "“wrong” is not known", "none, keyword, late, openai, cohere"),
    ({"RERANKER": "cohere"}, "COHERE_API_KEY is not set", "Set COHERE_API_KEY"),
    ({"CHUNKING": "smart"}, "is not known", "Leave it out"),
    ({"ANSWER_WORKERS": "none"}, "not a whole number", "Leave it out"),
]


def run(data_dir: Path, *command: str, **settings: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "REDIS_URL")}
    env |= {
        "HEYDPE_DATA_DIR": str(data_dir),
        "DJANGO_SETTINGS_MODULE": "heydpe.settings",
        "PORT": "0",
        **settings,
    }
    return subprocess.run(
        [sys.executable, *command],
        cwd=PROJECT,
        env=env,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.mark.long
@pytest.mark.parametrize(("settings", "what", "hint"), WRONG)
def test_the_check_says_what_is_wrong_and_what_to_do(
    fresh_dir: Path, settings: dict[str, str], what: str, hint: str
) -> None:
    done = run(fresh_dir, "manage.py", "check", **settings)
    assert done.returncode == 1
    assert "heydpe.E001" in done.stderr
    assert what in done.stderr
    assert hint in done.stderr.partition("HINT:")[2]


@pytest.mark.parametrize(("settings", "what", "hint"), sample_of(WRONG, len(WRONG)))
def test_a_start_is_refused_before_anything_is_started(
    fresh_dir: Path, settings: dict[str, str], what: str, hint: str
) -> None:
    done = run(fresh_dir, "-m", "heydpe.run", **settings)
    assert done.returncode == 1
    assert what in done.stdout
    assert hint in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
    assert not fresh_dir.exists()


@pytest.mark.long
def test_a_start_without_its_database_ends_with_one_line_and_stops_what_it_began(data_dir: Path) -> None:
    settings = {"DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none", "PORT": "18763"}
    done = run(data_dir, "-m", "heydpe.run", **settings)
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "The database at 127.0.0.1 does not answer" in said
    assert "Look at DATABASE_URL" in said
    assert "Traceback" not in said


@pytest.fixture
def production(fresh_dir: Path) -> dict[str, str]:
    """A host with a database of its own and without DEBUG, where SECRET_KEY was forgotten."""
    away = {"DATABASE_URL": "postgresql://127.0.0.1:9/none", "REDIS_URL": "redis://127.0.0.1:9/0"}
    return {"DEBUG": "", "SECRET_KEY": "", "ALLOWED_HOSTS": "exam.example.org", **away}


@pytest.mark.long
@pytest.mark.parametrize("key", sample_of(["change-me-to-fifty-random-characters", " ", ""], 3))
def test_a_missing_secret_key_is_an_error_of_the_check(
    fresh_dir: Path, production: dict[str, str], key: str
) -> None:
    done = run(fresh_dir, "manage.py", "check", **{**production, "SECRET_KEY": key})
    assert (done.returncode, "heydpe.E002" in done.stderr) == (1, True)


@pytest.mark.long
def test_nor_has_a_fresh_clone_without_debug_a_key(fresh_dir: Path) -> None:
    embedded = run(fresh_dir, "manage.py", "check", DEBUG="", SECRET_KEY="")
    assert (embedded.returncode, "heydpe.E002" in embedded.stderr) == (1, True)


@pytest.mark.parametrize(
    "program",
    sample_of(
        [
            ("uvicorn", "heydpe.asgi:application", "--port", "0"),
            ("celery", "-A", "heydpe", "worker"),
            ("celery", "-A", "heydpe", "beat", "--schedule", "{folder}/schedule"),
        ],
        3,
    ),
    ids=lambda program: program[-1],
)
def test_no_program_serves_without_a_secret_key(
    fresh_dir: Path, tmp_path: Path, production: dict[str, str], program: tuple[str, ...]
) -> None:
    done = run(fresh_dir, "-m", *(one.format(folder=tmp_path) for one in program), **production)
    assert done.returncode != 0
    assert "SECRET_KEY is not set. Set it to 50 random characters" in done.stderr
    assert "Traceback" not in done.stderr
