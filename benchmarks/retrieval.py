"""How well the search agrees with people's judgments, compared with plain methods over the same passages.

`python -m benchmarks.retrieval` prints one JSON document. Both labelled sets of `../shared/data/retrieval` go through
the product's own search, every arm, as `manage.py evaluate retrieval` does it, in a scratch database. Plain methods
search the same stored passages and vectors: BM25 (k1 1.2, b 0.75), the model alone (a document by its best passage's
cosine), reciprocal ranks of the two (60), and 0.65 / 0.35 of the two, each brought to 0..1 for the question. Each arm
is compared with that plain 0.65 / 0.35 by a paired bootstrap over the questions, of each set and of both together
(`pooled`): mean difference of nDCG@10 and the bounds of its 95 % interval. The arms are asked for 100 passages, so that
each leg brings at least as many; the hybrid is also measured with ten.
"""

import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import django
import numpy as np
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.plain_ways import PLAIN_BLEND, plain_rankings  # noqa: E402 - models need Django set up
from benchmarks.scratch import no_cache, scratch_database  # noqa: E402
from desk.evaluation.beir import Folder, Question, read_folder  # noqa: E402
from desk.evaluation.measures import hit, interval_of_differences, ndcg  # noqa: E402
from desk.evaluation.retrieval import rankings_of, retrieval_figures  # noqa: E402
from desk.evaluation.scratch import scratch_library  # noqa: E402
from knowledge.models import ChunkEmbedding, Tenant  # noqa: E402
from llm.interfaces import EmbeddingModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "retrieval"
SETS = ("cranfield", "cfr_aim")
FIRST = 10  # with the spare ones 15, as many as the vectors' leg brings for any search of fewer


Gains = dict[
    str, tuple[list[float], list[float]]
]  # by arm: of its questions, and of the plain way for the same


def measure(data: Path = DATA) -> dict[str, Any]:
    together: Gains = {}
    with scratch_database(), override_settings(CACHES=no_cache()):
        sets = {name: found_in(read_folder(data / name), embedding_model(), together) for name in SETS}
        return {
            "what": "nDCG@10 and hit@5 of the product's search arms and of plain methods, and differences from the "
            "plain 0.65 / 0.35",
            "sets": sets,
            "pooled": {arm: beside(*gains) for arm, gains in together.items()},
        }


def found_in(read: Folder, model: EmbeddingModel, together: Gains | None = None) -> dict[str, Any]:
    """Figures of each arm and of each plain way for these questions over these texts, in a library of their own; what
    each question gained goes into `together`, too."""
    with scratch_library(read.texts, model) as (tenant, names):
        plain = plain_document_rankings(read.questions, tenant, names, model)
        arms = rankings_of(read.questions, tenant, names, model)
        few = rankings_of(read.questions, tenant, names, model, arms=["hybrid"], asked=FIRST)["hybrid"]
    base = _gains(plain[PLAIN_BLEND], read.questions)
    found: dict[str, Any] = {"questions": len(read.questions), "documents": len(read.texts)}
    found[f"hybrid, {FIRST} asked for"] = _told([ranking.names for ranking in few], read.questions)
    for way, ranked in plain.items():
        found[way] = _told(ranked, read.questions)
    for arm, rankings in arms.items():
        told = retrieval_figures(rankings, read.questions)
        gains = _gains([ranking.names for ranking in rankings], read.questions)
        found[arm] = {**told, f"beside {PLAIN_BLEND}": beside(gains, base)}
        if together is not None:
            for collected, new in zip(together.setdefault(arm, ([], [])), (gains, base), strict=True):
                collected.extend(new)
    return found


def beside(ours: Sequence[float], theirs: Sequence[float]) -> dict[str, float]:
    found = interval_of_differences([[one - other] for one, other in zip(ours, theirs, strict=True)])
    bounds = {"mean": found.mean, "lower": found.lower, "upper": found.upper}
    return {name: round(bound or 0.0, 4) for name, bound in bounds.items()}


def _told(ranked: Sequence[Sequence[str]], questions: Sequence[Question]) -> dict[str, float]:
    hits = [hit(names, question.right) for names, question in zip(ranked, questions, strict=True)]
    return {
        "ndcg@10": round(float(np.mean(_gains(ranked, questions))), 4),
        "hit@5": round(float(np.mean(hits)), 4),
    }


def _gains(ranked: Sequence[Sequence[str]], questions: Sequence[Question]) -> list[float]:
    return [ndcg(names, question.right) for names, question in zip(ranked, questions, strict=True)]


def plain_document_rankings(
    questions: Sequence[Question], tenant: Tenant, names: Mapping[str, str], model: EmbeddingModel
) -> dict[str, list[list[str]]]:
    """By plain way the documents found for each question; `names` are the tenant's documents by id."""
    stored = ChunkEmbedding.objects.filter(chunk__document__tenant=tenant, model=model.name)
    rows = list(stored.select_related("chunk").order_by("chunk__document_id", "chunk__index"))
    owners = [names[str(row.chunk.document_id)] for row in rows]
    return plain_rankings([question.text for question in questions], rows, owners, model)


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
