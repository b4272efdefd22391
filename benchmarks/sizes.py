"""How search time grows: a small library and a large one take turns, each in a separate process and database.

No machine is equally quick all day, and a quarter of an hour lies between measuring among 10,000 passages and among a
million. So the small library is kept as a copy, and both are measured at the same time. `python -m benchmarks.sizes
DATABASE` is one of the two processes: for the name of a way in a line of its input it asks the next 20 questions and
writes a line with how long each took, and what they took of the processor together.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import IO

import django
from django.db import connection
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import no_cache  # noqa: E402 - models need Django set up
from benchmarks.search_ways import TURN, Processor, questions_of, timed, ways_of, working_list  # noqa: E402
from knowledge import conf  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
COMPARED = ("bare HNSW", "search", "search, filtered")
TURNS = 16


@dataclass(slots=True)
class Taken:
    """Of one way in one library: milliseconds of each question, and those of the processor together."""

    times: list[float] = field(default_factory=list)
    processor: float | None = 0.0

    def add(self, times: Sequence[float], processor: float | None) -> None:
        self.times += times
        self.processor = None if processor is None or self.processor is None else self.processor + processor


def growth(small: str, large: str) -> dict[str, dict[str, float | None]]:
    """Of each way what it takes in the large database over what it takes in the small one."""
    with ExitStack() as stack:
        pair = [stack.enter_context(_asking(name)) for name in (small, large)]
        taken = {way: [Taken(), Taken()] for way in COMPARED}
        for turn in range(TURNS):
            for way, both in taken.items():
                order = (0, 1) if turn % 2 else (1, 0)
                for at in order:
                    both[at].add(*_turn(pair[at], way))
    return {
        way: {
            "p50": round(median(last.times) / median(first.times), 2),
            "processor": round(last.processor / first.processor, 2)
            if first.processor and last.processor
            else None,
        }
        for way, (first, last) in taken.items()
    }


@contextmanager
def _asking(database: str) -> Iterator["subprocess.Popen[str]"]:
    command = [sys.executable, "-m", "benchmarks.sizes", database]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        _line(process)  # it is ready
        yield process  # which ends with its input


def _turn(process: "subprocess.Popen[str]", way: str) -> tuple[list[float], float | None]:
    _pipe(process.stdin).write(f"{way}\n")
    _pipe(process.stdin).flush()
    times, processor = json.loads(_line(process))
    return times, processor


def _line(process: "subprocess.Popen[str]") -> str:
    line = _pipe(process.stdout).readline()
    if not line:
        raise RuntimeError(f"{process.args!r} ended: what was wrong stands above")
    return line


def _pipe(one: IO[str] | None) -> IO[str]:
    assert one is not None
    return one


def main(database: str) -> None:
    """Every question is answered once in each way before anything counts."""
    connection.settings_dict["NAME"] = database
    model = embedding_model()
    with override_settings(CACHES=no_cache()):
        questions, _ = questions_of(model)
        working_list(conf.EF_SEARCH)
        processor = Processor.of_this_connection()
        ways = {way: run for way, run in ways_of(model).items() if way in COMPARED}
        for run in ways.values():
            for one in questions:
                run(one)
        coming = {way: cycle(questions) for way in ways}
        print("ready", flush=True)
        for line in sys.stdin:
            way = line.strip()
            asked = list(islice(coming[way], TURN))
            begun = processor.milliseconds()
            times = timed(asked, {way: ways[way]}, TURN, warm=0)[way]
            ended = processor.milliseconds()
            took = None if begun is None or ended is None else ended - begun
            print(json.dumps([times, took]), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
