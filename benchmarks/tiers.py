"""How many of an exam's look-ups need a search: 200 exams of simulated students, one after another, offline.

`python -m benchmarks.tiers` prints one JSON document. It works in a scratch database beside the configured one, which
is removed afterwards, on the demo library, with a cache of its own that is empty at first. Exams go through the
session's own code; they and their students are drawn with SEED. Process caches are cleared as if PROCESSES processes
each ran an equal part of the exams, so that the shared cache is used. "hits" is the share that neither tier left to the
database. All of it takes less than the hour for which a ranking is kept.

Answers are judged by whether they say what is expected word for word, since students here do just that or nothing of
it: what a verdict is worth is measured elsewhere (`offline_assessor`), and judging takes most of an exam's time.
"""

import json
import os
import sys
import time
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from tempfile import TemporaryDirectory  # noqa: E402 - what needs Django set up comes after it

from django.conf import settings  # noqa: E402
from django.test.utils import override_settings  # noqa: E402

from benchmarks.scratch import scratch_database  # noqa: E402
from desk.demo.load import load_demo  # noqa: E402
from desk.evaluation.simulate import simulate  # noqa: E402
from exams.examiner.assessor import ROLE as ASSESSOR  # noqa: E402
from exams.examiner.assessor import AssessmentReply, Material  # noqa: E402
from exams.examiner.finding_checks import PointReply  # noqa: E402
from knowledge.retrieval import cache as search_cache  # noqa: E402
from llm import registry  # noqa: E402
from llm.offline import OfflineChatModel  # noqa: E402

EXAMS = 200
QUESTIONS = 8
PROCESSES = 4
SEED = 4


def measure(exams: int = EXAMS) -> dict[str, Any]:
    """Look-ups by what they went by and the tier that answered them; exams, verdicts and vectors beside them."""
    caches: dict[str, Any] = settings.CACHES
    cache = {**caches["default"], "KEY_PREFIX": f"heydpe-tiers-{os.getpid()}"}
    with TemporaryDirectory() as media:
        apart: dict[str, Any] = {
            "DEBUG": True,
            "MEDIA_ROOT": media,
            "CACHES": {**caches, "default": cache},
        }
        with scratch_database(), override_settings(**apart):
            load_demo()
            _judge_by_words()
            started = time.monotonic()
            found = simulate(exams, seed=SEED, questions=QUESTIONS, processes=PROCESSES, ready=_told)
            taken = time.monotonic() - started
    what = f"{exams} exams of {QUESTIONS} questions on the demo library, {PROCESSES} processes, seed {SEED}"
    known, asked = _count(search_cache.VECTOR_HITS), _count(search_cache.VECTOR_MISSES)
    return {
        "what": what,
        **{
            name: value
            for name, value in found.to_dict().items()
            if name not in ("verdicts", "right", "accuracy")
        },
        "vectors_of_questions": {
            "known": known,
            "embedded": asked,
            "hits": round(known / (known + asked), 4),
        },
        "seconds_an_exam": round(taken / exams, 2),
    }


def _judge_by_words() -> None:
    usual, embedding = registry.chat_model(registry.ANY_ROLE), registry.embedding_model()
    assessor = OfflineChatModel({ASSESSOR: _by_words})
    registry.configure_models(
        chat={registry.ANY_ROLE: lambda: usual, ASSESSOR: lambda: assessor}, embedding=lambda: embedding
    )


def _by_words(material: object) -> AssessmentReply:
    if not isinstance(material, Material):
        raise TypeError("an assessor works from material of its own")
    said = [
        PointReply(key=one.key, met="met" if one.text in material.answer else "missing")
        for one in material.expectations
    ]
    return AssessmentReply(points=said)


def _count(counter: Any) -> int:
    return int(counter.collect()[0].samples[0].value)


def _told(over: int) -> None:
    if over % 20 == 0:
        print(f"{over} exams", file=sys.stderr, flush=True)


def main() -> None:
    json.dump(measure(int(sys.argv[1]) if len(sys.argv) > 1 else EXAMS), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
