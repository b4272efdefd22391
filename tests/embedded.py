"""The tests' own services: a throw-away data directory with a PostgreSQL and a Redis that nothing else uses.

The environment is set before Django reads its settings (`tests.settings`); the servers start when the first
collected test is not a pure one, and end with the session. `DATABASE_URL` and `REDIS_URL` win where they are set. Where
tests run in several processes side by side (`pytest -n`), each has servers of its own: none sees another's keys.
"""

import os
import shutil
import tempfile
from collections.abc import MutableMapping
from pathlib import Path

import pytest

from heydpe.runtime.embedded import embedded_for
from heydpe.runtime.paths import paths_for
from heydpe.runtime.services import Use, acquire_services

OWN = "HEYDPE_TEST_DATA_DIR"
WHOSE = "HEYDPE_TEST_WORKER"  # whose directory that is: the session's, or one of its workers'
# A test never reaches a vendor: its double is injected, and the environment has no key.
VENDOR_KEYS = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "COHERE_API_KEY")

_made: Path | None = None
_use: Use | None = None


def prepare_environment(environ: MutableMapping[str, str]) -> None:
    """Once per session; the processes that the session starts find what the first one chose."""
    global _made
    worker = environ.get("PYTEST_XDIST_WORKER", "")
    if OWN in environ and environ.get(WHOSE) != worker:
        _forget(environ)
    environ[WHOSE] = worker
    if OWN not in environ:
        _made = Path(tempfile.mkdtemp(prefix="heydpe-test-"))
        environ[OWN] = str(_made)
    environ["HEYDPE_DATA_DIR"] = environ[OWN]
    for name in VENDOR_KEYS:
        environ.pop(name, None)
    environ.update({"SECRET_KEY": "only for tests", "DEBUG": "1"})
    environ.update({"LLM_PROVIDER": "offline", "EMBEDDING_PROVIDER": "local"})
    environ.update(embedded_for(environ).missing)


def _forget(environ: MutableMapping[str, str]) -> None:
    """A worker does not use what the session that started it would have used."""
    theirs = paths_for(Path(environ.pop(OWN))).addresses
    for name, address in (("DATABASE_URL", theirs.database_url), ("REDIS_URL", theirs.redis_url)):
        if environ.get(name) == address:
            del environ[name]


def _needs_services(path: Path) -> bool:
    return "pure" not in path.parts


def are_ours_used() -> bool:
    if OWN not in os.environ:
        return False
    ours = paths_for(Path(os.environ[OWN])).addresses
    return os.environ["DATABASE_URL"] == ours.database_url or os.environ["REDIS_URL"] == ours.redis_url


def start_services(session: pytest.Session) -> None:
    global _use
    wanted = any(_needs_services(item.path) for item in session.items)
    if wanted and _use is None and are_ours_used() and not session.config.option.collectonly:
        _use = acquire_services(Path(os.environ[OWN]), name="tests", durable=False)


def pytest_unconfigure(config: pytest.Config) -> None:
    global _use
    if _use is not None:
        _use.release()
        _use = None
    if _made is not None:
        shutil.rmtree(_made, ignore_errors=True)
