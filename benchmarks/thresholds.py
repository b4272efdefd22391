"""Thresholds of strong, weak, and none for the embedding model in use: scores of correct passages, and of questions
that the library does not answer.

`python -m benchmarks.thresholds` prints one JSON document. The questions of both labelled sets of
`../shared/data/retrieval`, and the stories of tests/data/stories, go through the product's own search twice: over the
texts that answer them, and over those of the other set, which do not. "weak" is the score that 95 % of the foreign
questions stay below, "strong" that of 99 %, "floor" what 99 % of right passages among the first ten reach. The verdicts
use the current thresholds of `knowledge.retrieval.scoring`: for each verdict, the number of questions and the share of
them with a correct passage among the first five. Each question is searched once; a weak search may be reformulated.
"""

import json
import os
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import django
import numpy as np
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import no_cache, scratch_database  # noqa: E402 - models need Django set up
from desk.evaluation.beir import Question, judged_questions, read_folder  # noqa: E402
from desk.evaluation.scratch import scratch_library  # noqa: E402
from knowledge.models import Tenant  # noqa: E402
from knowledge.retrieval.search import search  # noqa: E402
from knowledge.retrieval.values import SearchRequest  # noqa: E402
from llm.interfaces import EmbeddingModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data" / "retrieval"
STORIES = ROOT / "tests" / "data" / "stories"
ONE, SEVERAL = "one thing asked", "stories"
LIBRARIES = ("cranfield", "cfr_aim")
K = 10


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question found: scores best first, which of them are right, and the verdict. `foreign` has no answer."""

    kind: str
    foreign: bool
    scores: tuple[float, ...]
    right: tuple[bool, ...]
    verdict: str


def measure() -> dict[str, Any]:
    with scratch_database(), override_settings(CACHES=no_cache()):
        model = embedding_model()
        asked = [one for library in LIBRARIES for one in _over(library, model)]
    return {
        "what": f"scores by {model.name} of correct passages, and of questions that the library does not answer",
        "model": model.name,
        **{kind: _bars([one for one in asked if one.kind == kind]) for kind in (ONE, SEVERAL)},
    }


def _over(library: str, model: EmbeddingModel) -> list[Asked]:
    folders = {name: read_folder(DATA / name) for name in LIBRARIES}
    stories = judged_questions(STORIES)
    with scratch_library(folders[library].texts, model) as (tenant, names):
        return [
            *(
                _ask(question, ONE, name != library, tenant, names, model)
                for name, folder in folders.items()
                for question in folder.questions
            ),
            *(_ask(question, SEVERAL, library != "cfr_aim", tenant, names, model) for question in stories),
        ]


def _ask(
    question: Question,
    kind: str,
    foreign: bool,
    tenant: Tenant,
    names: Mapping[str, str],
    model: EmbeddingModel,
) -> Asked:
    request = SearchRequest(
        query=question.text, tenant=tenant.pk, shared=False, k=K, threshold=0.0, recorded=False
    )
    found = search(request, model)
    right = tuple(not foreign and names[str(one.document_id)] in question.right for one in found.results)
    return Asked(kind, foreign, tuple(one.score for one in found.results), right, found.quality)


def _bars(asked: Sequence[Asked]) -> dict[str, Any]:
    own = [one for one in asked if not one.foreign]
    tops = [max(one.scores, default=0.0) for one in asked if one.foreign]
    right = [score for one in own for score, is_right in zip(one.scores, one.right, strict=True) if is_right]
    return {
        "questions": len(own),
        "foreign": len(tops),
        "weak": round(float(np.percentile(tops, 95)), 2),
        "strong": round(float(np.percentile(tops, 99)), 2),
        "floor": round(float(np.percentile(right, 1)), 2),
        "verdicts": _verdicts(own),
        "verdicts of foreign": dict(Counter(one.verdict for one in asked if one.foreign)),
    }


def _verdicts(own: Sequence[Asked]) -> dict[str, dict[str, float]]:
    hits: defaultdict[str, list[bool]] = defaultdict(list)
    for one in own:
        hits[one.verdict].append(any(one.right[:5]))
    return {
        verdict: {"questions": len(found), "right in the first five": round(sum(found) / len(found), 2)}
        for verdict, found in sorted(hits.items())
    }


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
