"""How many of the product's modules run for one operation: the fewer, the easier it is to follow.

`python -m tools.snapshots --trace` prints one JSON document: a wrong answer until the next question is stored, and one
search, on the demo in a scratch database.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final
from uuid import UUID

import django
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from django.contrib.auth import get_user_model  # noqa: E402 - models need Django set up

from benchmarks.scratch import no_cache, scratch_database  # noqa: E402
from desk.demo.load import load_demo  # noqa: E402
from exams.domain.exam_request import order_from  # noqa: E402
from exams.exchange import session  # noqa: E402
from knowledge.retrieval.search import search  # noqa: E402
from knowledge.retrieval.values import SearchRequest  # noqa: E402

ROOT: Final = Path(__file__).resolve().parents[2]
APPS: Final = ("heydpe", "desk", "exams", "curation", "rules", "knowledge", "llm")
WRONG: Final = "Nothing at all; it is up to the tower."


def modules_run(work: Callable[[], object]) -> list[str]:
    """The product's modules of which a function was called, in this thread and in those it began."""
    seen: set[str] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code.co_filename)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        work()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    inside = (Path(name).relative_to(ROOT) for name in seen if name.startswith(f"{ROOT}/"))
    return sorted(str(path) for path in inside if path.parts[0] in APPS)


def measure() -> dict[str, Any]:
    with (
        TemporaryDirectory() as media,
        scratch_database(),
        override_settings(CACHES=no_cache(), MEDIA_ROOT=media),
    ):
        load_demo()
        student = get_user_model().objects.create_user("trace")
        exam = session.create_exam(student, None, order_from({"questions": 5}), exam_id=UUID(int=1))
        _do(session.open_connection(exam.pk, student.pk).work)
        exam.refresh_from_db()
        answered = modules_run(lambda: _do(session.take_answer(exam.pk, exam.epoch, "a", WRONG).work))
        searched = modules_run(
            lambda: search(SearchRequest(query="VFR weather minimums in Class G airspace"))
        )
    return {"a wrong answer": len(answered), "one search": len(searched), "modules": [answered, searched]}


def _do(work: session.Work | None) -> None:
    if work is None:
        raise RuntimeError("the exam has nothing to do")
    function, key = work
    function(key)


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
