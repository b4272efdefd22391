"""How long the server works on a turn, with 1 exam and with 20 at once, offline.

`python -m benchmarks.turn` prints one JSON document. It works in a scratch database beside the configured one, which is
removed afterwards, on the demo library. Every exam is a thread that answers as soon as it is asked, so 20 exams are 20
answers at the same moment: the worst that 20 students can do to one process, not what they usually do. What is timed:
`taken`, until the answer is stored and the student told so; `turn`, until assessment, progress and next question are
stored. Answers are right, half and "I do not know" by turns.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Any

import django
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import connections
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import scratch_database  # noqa: E402 - models need Django set up
from desk.demo.load import load_demo  # noqa: E402
from exams import session  # noqa: E402
from exams.models import OPEN_STATUSES, Exam, Turn  # noqa: E402
from exams.ordering import order_from  # noqa: E402

EXAMS = (1, 20)
QUESTIONS = 5
MOST_ANSWERS = 30  # more than any exam of QUESTIONS takes


@dataclass
class Times:
    """Milliseconds."""

    taken: list[float] = field(default_factory=list)
    turn: list[float] = field(default_factory=list)


def measure(exams: Sequence[int] = EXAMS, questions: int = QUESTIONS) -> dict[str, Any]:
    """Milliseconds, p50 and p95, and turns a second, by number of exams at once."""
    with _demo():
        _sit(_new_exams(1, questions, "warm")[0])
        return {
            "what": f"exams of {questions} questions on the demo library, offline model, one process",
            "exams": {str(number): _at_once(number, questions) for number in exams},
        }


@contextmanager
def _demo() -> Iterator[None]:
    with TemporaryDirectory() as media, scratch_database(), override_settings(**_apart(media)):
        load_demo()
        yield


def _apart(media: str) -> dict[str, Any]:
    """Files and cache of its own; nothing of the configured house is touched."""
    cache = {**settings.CACHES["default"], "KEY_PREFIX": f"heydpe-bench-{os.getpid()}"}
    return {"DEBUG": True, "MEDIA_ROOT": media, "CACHES": {**settings.CACHES, "default": cache}}


def _at_once(number: int, questions: int) -> dict[str, Any]:
    exams = _new_exams(number, questions, f"student {number}-")
    started = time.perf_counter()
    with ThreadPoolExecutor(max_workers=number) as pool:
        all_times = list(pool.map(_sit, exams))
    seconds = time.perf_counter() - started
    taken = [one for times in all_times for one in times.taken]
    turns = [one for times in all_times for one in times.turn]
    return {
        "turns": len(turns),
        "turns_per_second": round(len(turns) / seconds, 1),
        "milliseconds": {"taken": _percentiles(taken), "turn": _percentiles(turns)},
    }


def _new_exams(number: int, questions: int, names: str) -> list[Exam]:
    users = [get_user_model().objects.create_user(f"{names}{n}") for n in range(number)]
    return [session.create_exam(user, None, order_from({"questions": questions})) for user in users]


def _sit(exam: Exam) -> Times:
    """Take one exam to its end."""
    times = Times()
    try:
        opened = session.open_connection(exam.pk, exam.student_id)
        _do(opened.work)
        for number in range(MOST_ANSWERS):
            if not Exam.objects.filter(pk=exam.pk, status__in=OPEN_STATUSES).exists():
                break
            _answer(exam, opened.epoch, number, times)
        return times
    finally:
        connections.close_all()


def _answer(exam: Exam, epoch: int, number: int, times: Times) -> None:
    text = _text_for(exam, number)
    started = time.perf_counter()
    taken = session.take_answer(exam.pk, epoch, f"a{number}", text)
    times.taken.append((time.perf_counter() - started) * 1000)
    _do(taken.work)
    times.turn.append((time.perf_counter() - started) * 1000)


def _do(work: tuple[Callable[..., None], Any] | None) -> None:
    if work is not None:
        function, key = work
        function(key)


def _text_for(exam: Exam, number: int) -> str:
    turn = Turn.objects.filter(exam=exam).order_by("-number")[0]
    expected = [expectation["text"] for expectation in turn.expectations]
    return (" ".join(expected), expected[0], "I do not know.")[number % 3]


def _percentiles(times: list[float]) -> dict[str, float]:
    cuts = quantiles(times, n=20, method="inclusive")
    return {"p50": round(cuts[9], 1), "p95": round(cuts[18], 1)}


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
