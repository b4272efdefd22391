"""Two workers, four processes, one library: each job is worked on once."""

import time
from pathlib import Path

from tests.soak.conftest import Files
from tests.soak.house import house
from tests.soak.outcome import assert_as_undisturbed, tell

DOCUMENTS = 20


def test_two_workers(room: Path, files: Files) -> None:
    began, paths = time.monotonic(), files.numbered(0, DOCUMENTS)
    with house(room / "two") as one:
        for name in ("one", "two"):
            one.start_worker(name)
        one.start_beat()
        one.ask("submit", *map(str, paths))
        one.wait_for_the_end()
        jobs = assert_as_undisturbed(one, files, paths)
        assert {job["fence"] for job in jobs} == {1}
        logs = [(one.folder / f"worker-{name}.log").read_text() for name in ("one", "two")]
        worked = [log.count("knowledge.run_job") for log in logs]
    assert all(worked)
    tell(
        "two workers",
        {
            "documents": DOCUMENTS,
            "starts of one job at most": 1,
            "lost, doubled or different": 0,
            "seconds": round(time.monotonic() - began),
        },
    )
