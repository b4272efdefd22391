"""A Redis that accepts and never answers: nobody waits for it for ever.

Each client is made from the product's settings in a process of its own, which the test ends when it hangs.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles.silent_redis import silent_redis

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 90

CLIENTS = {
    "cache": "from django.core.cache import cache; cache.get('a')",
    "channels": """
import asyncio
from channels.layers import get_channel_layer
asyncio.run(get_channel_layer().group_send('exam.1', {'type': 'exam.frames'}))""",
    "broker": """
import uuid
from knowledge.ingestion.jobs.jobs import wake_worker
from knowledge.models import IngestionJob
wake_worker(IngestionJob(pk=uuid.uuid4()))""",
}


@pytest.fixture(scope="module")
def asked() -> Iterator[dict[str, "subprocess.Popen[str]"]]:
    """All clients at once: each waits for the same silence."""
    with silent_redis() as address:
        clients = {name: _started(code, address) for name, code in CLIENTS.items()}
        yield clients
        for client in clients.values():
            client.kill()
            client.wait()


@pytest.mark.parametrize("name", ["cache", "channels"])
def test_a_client_says_that_it_is_away(name: str, asked: dict[str, "subprocess.Popen[str]"]) -> None:
    _, said = asked[name].communicate(timeout=PATIENCE_SECONDS)
    assert asked[name].returncode == 1
    assert "Timeout" in said.splitlines()[-1], said[-2000:]


def test_a_job_is_handed_in_all_the_same(asked: dict[str, "subprocess.Popen[str]"]) -> None:
    """The row is the truth; that nobody could be woken is a line in the log."""
    told, said = asked["broker"].communicate(timeout=PATIENCE_SECONDS)
    assert asked["broker"].returncode == 0, said
    assert "broker_away" in told + said


def _started(code: str, address: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", f"import django; django.setup()\n{code}"],
        cwd=ROOT,
        env={**os.environ, "REDIS_URL": address, "DJANGO_SETTINGS_MODULE": "heydpe.settings"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
