"""What each arm of the search finds for long questions, compared with plain methods over the same passages in one run.

`python -m benchmarks.stories` prints one JSON document. The stories of tests/data/stories are asked over the sections
of `../shared/data/retrieval/cfr_aim` as `benchmarks.retrieval` asks its questions. **The numbers that
split long questions were chosen on these stories**: the figures only show that the numbers work as intended. The
scenarios of `benchmarks.golden` were not used. "with small talk" puts four sentences that have
nothing to do with the question into each of them, and into each question of the labelled set, with a fixed seed.
"""

import json
import os
import random
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import django
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.retrieval import DATA, found_in  # noqa: E402 - models need Django set up
from benchmarks.scratch import no_cache, scratch_database  # noqa: E402
from desk.evaluation.beir import Folder, Question, judged_questions, read_folder  # noqa: E402
from knowledge.retrieval.query.builder import split_into_parts  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

STORIES = Path(__file__).resolve().parents[1] / "tests" / "data" / "stories"
SENTENCES = 4
SEED = 20260102


def measure() -> dict[str, Any]:
    read = read_folder(DATA / "cfr_aim")
    stories = judged_questions(STORIES)
    talk = (STORIES / "small_talk.txt").read_text("utf-8").splitlines()
    asked = {
        "stories": stories,
        "stories with small talk": with_talk(stories, talk),
        "questions with small talk": with_talk(read.questions, talk),
    }
    with scratch_database(), override_settings(CACHES=no_cache()):
        return {
            "what": "nDCG@10 and other measures of long questions, and differences from the plain 0.65 / 0.35",
            "sets": {
                name: found_in(Folder(read.texts, questions), embedding_model())
                for name, questions in asked.items()
            },
        }


def with_talk(questions: Sequence[Question], talk: Sequence[str]) -> tuple[Question, ...]:
    chance = random.Random(SEED)
    return tuple(replace(question, text=_among(question.text, talk, chance)) for question in questions)


def _among(text: str, talk: Sequence[str], chance: random.Random) -> str:
    parts = list(split_into_parts(text))
    for sentence in chance.sample(talk, SENTENCES):
        parts.insert(chance.randint(0, len(parts)), sentence)
    return " ".join(parts)


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
