"""A Redis that accepts and never answers: nobody waits for it for ever.

Each client is made from the product's settings in a process of its own, which the test ends when it hangs.
"""

import os
import subprocess
import sys
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


@pytest.mark.long
@pytest.mark.parametrize("name", ["cache", "channels"])
def test_a_client_says_that_it_is_away(name: str) -> None:
    done = run_client(name)
    assert done.returncode == 1
    assert "Timeout" in done.stderr.splitlines()[-1], done.stderr[-2000:]


def test_a_job_is_handed_in_all_the_same() -> None:
    """The row is the truth; that nobody could be woken is a line in the log."""
    done = run_client("broker")
    assert done.returncode == 0, done.stderr
    assert "broker_away" in done.stdout + done.stderr


def run_client(name: str) -> subprocess.CompletedProcess[str]:
    with silent_redis() as address:
        return subprocess.run(
            [sys.executable, "-c", f"import django; django.setup()\n{CLIENTS[name]}"],
            cwd=ROOT,
            env={**os.environ, "REDIS_URL": address, "DJANGO_SETTINGS_MODULE": "heydpe.settings"},
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
