"""Every hostile file in one folder, through the command and through a worker: each refused or read within 20 s and
512 MB with one line that says why; the worker lives, and the good files of the folder are in the library.
"""

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import Description
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.source_files import check_file, parsed_source, read_source
from tests.doubles.hostile import ALL, READ, Hostile
from tests.soak.house import ROOT, House, house
from tests.soak.outcome import tell

SECONDS, MEGABYTES = 20, 512
PARTS = (
    "read",
    "recognise",
    "structure",
    "chunk",
    "figures",
    "link",
)  # of a job: what a hostile file may hold up
GOOD = (
    "# Rules of the club\n\nRule {at}: always look out for other aircraft, and keep clear of {at} clouds.\n"
)
SHOWN = 300  # characters of a refusal


HEAVY = (
    1024 * 1024
)  # bytes of text that may be read: its vectors would take an hour, and say nothing about hostility


def test_hostile_files(room: Path) -> None:
    folder = room / "hostile-library"
    folder.mkdir()
    for at, hostile in enumerate(ALL):
        if is_heavy(hostile.write(folder)):
            (folder / hostile.name).unlink()
        if at % 20 == 0:
            (folder / f"good_{at}.md").write_text(GOOD.format(at=at))
    oddities(folder)
    with house(room / "hostile") as one:
        watch = Watch()
        said = ingested(one, folder, watch)
        judge(said, {job["source_name"]: job for job in one.ask("jobs")}, watch)
        one.start_worker()
        worker = psutil.Process(one.workers["one"].pid).create_time()
        one.ask("offer", *(str(path) for path in sorted(folder.glob("[a-m]*.pdf")) if path.is_file()))
        one.wait_for_the_end()
        assert psutil.Process(one.workers["one"].pid).create_time() == worker


@pytest.mark.parametrize("one", [one for one in ALL if not one.quick], ids=lambda one: one.name)
def test_a_heavy_text_is_read_or_refused_in_time(one: Hostile, tmp_path: Path) -> None:
    path = one.write(tmp_path)
    if not is_heavy(path):
        pytest.skip("the command reads it, too")
    watch, began = Watch(), time.monotonic()
    looking = threading.Thread(target=watch.look, args=(psutil.Process(),))
    looking.start()
    try:
        became = became_of(path)
    finally:
        watch.over.set()
        looking.join()
    assert became in one.becomes
    assert time.monotonic() - began <= SECONDS
    assert watch.megabytes <= MEGABYTES


def became_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            stored = path.rename(path.with_name(f"stored{check_file(path.name, file).suffix}"))
        document = parsed_source(
            read_source(stored, lambda done, total: None, path.name), path.name, Description()
        )
        chunk_pages(document, strategy=Strategy("fixed", 800, 100), count_tokens=lambda text: len(text) // 4)
    except RefusedFile as refused:
        return refused.code
    return READ


def is_heavy(path: Path) -> bool:
    return path.suffix != ".pdf" and path.stat().st_size > HEAVY


def oddities(folder: Path) -> None:
    (folder / "out.md").symlink_to("/etc/passwd")
    (folder / "round.md").symlink_to(folder / "round.md")
    (folder / "folder.pdf").mkdir()
    os.mkfifo(folder / "pipe.pdf")
    (folder / ("n" * 250 + ".md")).write_text(GOOD.format(at=999))
    (folder / "a\x1b[31m\nb.md").write_text(GOOD.format(at=998))
    with (folder / "endless.pdf").open("wb") as file:
        file.write(b"%PDF-1.7\n")
        file.truncate(20 * 1024**3)


class Watch:
    """The most memory of any process that read a file."""

    def __init__(self) -> None:
        self.megabytes = 0.0
        self.over = threading.Event()

    def look(self, parent: psutil.Process) -> None:
        while not self.over.wait(0.02):
            for child in children(parent):
                self.megabytes = max(self.megabytes, high_water(child.pid))


def children(parent: psutil.Process) -> list[psutil.Process]:
    try:
        found: list[psutil.Process] = parent.children(recursive=True)
    except psutil.NoSuchProcess:
        return []
    return found


def high_water(process: int) -> float:
    try:
        told = Path(f"/proc/{process}/status").read_text()
    except OSError:
        return 0.0
    return max(
        (int(line.split()[1]) / 1024 for line in told.splitlines() if line.startswith("VmHWM")), default=0.0
    )


def ingested(one: House, folder: Path, watch: Watch) -> dict[str, Any]:
    command = [sys.executable, "manage.py", "ingest", str(folder), "--type", "sop", "--json"]
    process = subprocess.Popen(
        command, cwd=ROOT, env=dict(one.environment), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    looking = threading.Thread(target=watch.look, args=(psutil.Process(process.pid),))
    looking.start()
    out, errors = process.communicate()
    watch.over.set()
    looking.join()
    assert process.returncode == 0, errors[-3000:].decode()
    answer: dict[str, Any] = json.loads(out)
    return answer


def judge(said: dict[str, Any], jobs: dict[str, dict[str, Any]], watch: Watch) -> None:
    found = {Path(document["path"]).name: document for document in said["documents"]}
    wrong, seconds = {}, {}
    for one in (one for one in ALL if one.name in found):
        document, job = found[one.name], jobs[one.name]
        seconds[one.name] = sum(step["seconds"] for step in job["steps"] if step["name"] in PARTS)
        became = READ if job["state"] == "succeeded" else job["counts"].get("code")
        if became not in one.becomes or (document["error"] is None) != (became == READ):
            wrong[one.name] = f"{became}: {document['error']}"
        if document["error"] and (len(document["error"]) > SHOWN or "\n" in document["error"]):
            wrong[one.name] = f"its line is no line: {document['error']!r}"
    slowest = sorted(seconds.items(), key=lambda item: -item[1])[:5]
    figures = {
        "files": len(seconds),
        "read": sum(document["error"] is None for document in found.values()),
        "refused": sum(document["error"] is not None for document in found.values()),
        "seconds of the slowest": dict(slowest),
        "megabytes at most": round(watch.megabytes),
    }
    tell("hostile", figures)
    assert wrong == {}
    assert all(found[name]["error"] is None for name in found if name.startswith("good_"))
    assert {name for name, one in jobs.items() if one["state"] not in ("succeeded", "failed")} == set()
    assert [item for item in slowest if item[1] > SECONDS] == []
    assert watch.megabytes <= MEGABYTES
