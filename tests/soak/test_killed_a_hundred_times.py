"""A hundred kills over many documents: nothing lost, nothing doubled, ids stay, and no hand is needed."""

import os
import time
from collections import Counter
from pathlib import Path

from tests.soak.conftest import Files
from tests.soak.house import PATIENCE_SECONDS, House, house, wait_until
from tests.soak.kill_plan import Kill, kill_plan
from tests.soak.outcome import assert_as_undisturbed, tell

KILLS = int(os.environ.get("HEYDPE_SOAK_KILLS", "100"))
SEED = 20
AT_ONCE = 4  # jobs that are open at least, as long as there are kills left
READER_SECONDS = 20  # in which some process reads a file; most of the time is spent elsewhere
SHARE_OF_READING = 0.3  # seconds, of a process that lives for one or two
LOOK_EVERY = 10  # kills between two looks at ids


def test_killed_a_hundred_times(room: Path, files: Files) -> None:
    began, killed, given = time.monotonic(), Counter[str](), 0
    seen: dict[str, str] = {}
    with house(room / "killed") as one:
        one.start_worker()
        one.start_beat()
        for kill in kill_plan(SEED, KILLS):
            if one.open_jobs() < AT_ONCE:
                one.ask("submit", *map(str, files.numbered(given, given + AT_ONCE)))
                given += AT_ONCE
            killed[_killed(one, kill)] += 1
            if kill.number % LOOK_EVERY == 0:
                seen |= one.ask("ids")
        one.wait_for_the_end()
        kept = one.ask("ids")
        assert {key: kept.get(key) for key in seen} == seen
        jobs = assert_as_undisturbed(one, files, files.numbered(0, given))
    tell(
        "kills",
        {
            "kills": dict(killed),
            "documents": given,
            "starts of one job at most": max(job["attempts"] for job in jobs),
            "documents that were hit": sum(job["attempts"] > 1 for job in jobs),
            "lost, doubled or different": 0,
            "seconds": round(time.monotonic() - began),
        },
    )


def _killed(one: House, kill: Kill) -> str:
    """What was killed: a process of the pool where no file is read for a while."""
    assert wait_until(one.works, PATIENCE_SECONDS), one.trouble()
    time.sleep(kill.after * one.pace())
    if kill.target != "child":
        assert wait_until(lambda: one.kill(kill.target), 60), "the worker has no processes"
        return kill.target
    if wait_until(one.reads, READER_SECONDS):
        time.sleep(kill.after * SHARE_OF_READING)
        if one.kill("child"):
            return "child"
    assert wait_until(lambda: one.kill("process"), 60), "the worker has no processes"
    return "process"
