"""A minute without Redis, in the middle of a job of many documents: it comes back with what it held, without it, or it
only hung. Workers that are at it go on with what waits, and the work ends right by itself."""

import signal
import time
from pathlib import Path

import pytest

from tests.soak.conftest import Files
from tests.soak.house import House, house, wait_until
from tests.soak.outcome import assert_as_undisturbed, tell

AWAY_SECONDS = 60
DOCUMENTS = 20
LATE = 2  # documents that are handed in while Redis is away


@pytest.mark.parametrize("how", ["with its data", "without its data", "hanging"])
def test_a_minute_without_redis(how: str, room: Path, files: Files) -> None:
    began = time.monotonic()
    with house(room / f"away-{how[:4].strip()}-{len(how)}") as one:
        one.start_worker()
        one.start_beat()
        one.ask("submit", *map(str, files.numbered(0, DOCUMENTS - LATE)))
        assert wait_until(one.works, 120)
        time.sleep(2)
        open_then = one.open_jobs()
        _away(one, how)
        one.ask("submit", *map(str, files.numbered(DOCUMENTS - LATE, DOCUMENTS)))
        time.sleep(AWAY_SECONDS)
        open_after = one.open_jobs()
        back = time.monotonic()
        _back(one, how)
        one.wait_for_the_end()
        ended = time.monotonic()
        jobs = assert_as_undisturbed(one, files, files.numbered(0, DOCUMENTS))
    assert open_then > 0, "nothing was left to do for Redis to matter"
    tell(
        f"redis {how}",
        {
            "documents": DOCUMENTS,
            "jobs open when it went": open_then,
            "jobs open when it came back": open_after,
            "seconds from then to the end": round(ended - back),
            "starts of one job at most": max(job["attempts"] for job in jobs),
            "lost, doubled or different": 0,
            "seconds": round(time.monotonic() - began),
        },
    )


def _away(one: House, how: str) -> None:
    assert one.redis is not None
    if how == "hanging":
        one.redis.send_signal(signal.SIGSTOP)
    else:
        one.stop_redis()


def _back(one: House, how: str) -> None:
    assert one.redis is not None
    if how == "hanging":
        one.redis.send_signal(signal.SIGCONT)
    else:
        one.start_redis(with_data=how == "with its data")
