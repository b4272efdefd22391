"""Ten thousand pages: the memory of the worker's processes before, at most, and afterwards."""

import threading
import time
from pathlib import Path

import psutil

from tests.soak.conftest import Files
from tests.soak.house import House, house
from tests.soak.material import long_pdf
from tests.soak.outcome import tell

FILES, PAGES = 4, 2500  # of one file at most 3,000 are read
GROWTH_MB = 50


def test_ten_thousand_pages(room: Path, files: Files) -> None:
    with house(room / "long") as one:
        one.start_worker(concurrency=1)
        one.start_beat()
        one.ask("submit", *map(str, files.numbered(0, 6)))  # the model is loaded, all code has run once
        one.wait_for_the_end()
        before, most, over = _megabytes(one), [0.0], threading.Event()
        watch = threading.Thread(target=_watch, args=(one, most, over))
        watch.start()
        began = time.monotonic()
        paths = [long_pdf(room / f"long-{at}.pdf", PAGES, at) for at in range(FILES)]
        one.ask("submit", *map(str, paths))
        one.wait_for_the_end()
        seconds = time.monotonic() - began
        over.set()
        watch.join()
        after = _megabytes(one)
        jobs = one.ask("jobs")
        assert {job["state"] for job in jobs} == {"succeeded"}, jobs
    tell(
        "pages",
        {
            "pages": FILES * PAGES,
            "files": FILES,
            "megabytes before": before,
            "megabytes at most": round(most[0]),
            "megabytes after": after,
            "growth": after - before,
            "seconds": round(seconds),
        },
    )
    assert after - before <= GROWTH_MB


def _watch(one: House, most: list[float], over: threading.Event) -> None:
    while not over.wait(0.3):
        most[0] = max(most[0], _megabytes(one))


def _megabytes(one: House) -> int:
    """Of the worker and the processes of its pool; not of those that read files."""
    worker = psutil.Process(one.workers["one"].pid)
    found = 0
    for process in (worker, *worker.children()):
        try:
            found += process.memory_info().rss
        except psutil.Error:
            continue
    return round(found / 1024**2)
