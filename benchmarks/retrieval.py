"""How well the search agrees with what people judged, beside plain ways over the same passages in the same run.

`python -m benchmarks.retrieval` prints one JSON document. Both labelled sets of `../shared/data/retrieval` go through
the product's own search, every arm, as `manage.py evaluate retrieval` does it, in a scratch database. Beside it, over
the very passages and vectors that are then stored: BM25 (k1 1.2, b 0.75), the model alone (a document by its best
passage's cosine), reciprocal ranks of the two (60), and 0.65 / 0.35 of the two, each brought to 0..1 for the
question. Each arm is compared with that plain 0.65 / 0.35 by a paired bootstrap over the questions: mean difference of
nDCG@10 and the bounds of its 95 % interval.
"""

import json
import os
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import log
from pathlib import Path
from typing import Any

import django
import numpy as np
from django.test.utils import override_settings
from numpy.typing import NDArray

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import scratch_database  # noqa: E402 - models need Django set up
from benchmarks.search import no_cache  # noqa: E402
from desk.evaluation.beir import Question, read_folder  # noqa: E402
from desk.evaluation.measures import hit, ndcg, paired_bootstrap  # noqa: E402
from desk.evaluation.retrieval import figures, rankings_of  # noqa: E402
from desk.evaluation.scratch import scratch_library  # noqa: E402
from knowledge.ingestion.embedding import embedded_text  # noqa: E402
from knowledge.models import ChunkEmbedding, Tenant  # noqa: E402
from knowledge.retrieval.query import IDLE  # noqa: E402
from llm.interfaces import EmbeddingModel  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "retrieval"
SETS = ("cranfield", "cfr_aim")
K1, B = 1.2, 0.75
RECIPROCAL = 60
_WORD = re.compile(r"[a-z0-9]+(?:[.'’-][a-z0-9]+)*")

Row = NDArray[np.float64]


def measure(data: Path = DATA) -> dict[str, Any]:
    with scratch_database(), override_settings(CACHES=no_cache()):
        return {
            "what": "nDCG@10 and hit@5 of the product's arms and of plain ways; differences from the plain 0.65 / 0.35",
            "sets": {name: _of_set(data / name, embedding_model()) for name in SETS},
        }


def _of_set(folder: Path, model: EmbeddingModel) -> dict[str, Any]:
    read = read_folder(folder)
    with scratch_library(read.texts, model) as (tenant, names):
        plain = _plain(read.questions, tenant, names, model)
        arms = rankings_of(read.questions, tenant, names, model)
    base = _gains(plain["0.65 / 0.35"], read.questions)
    found: dict[str, Any] = {"questions": len(read.questions), "documents": len(read.texts)}
    for way, ranked in plain.items():
        found[way] = _told(ranked, read.questions)
    for arm, rankings in arms.items():
        told = figures(rankings, read.questions)
        gains = _gains([ranking.names for ranking in rankings], read.questions)
        bounds = [round(bound, 4) for bound in paired_bootstrap(gains, base)]
        found[arm] = {
            **told,
            "beside 0.65 / 0.35": dict(zip(("mean", "lower", "upper"), bounds, strict=True)),
        }
    return found


def _told(ranked: Sequence[Sequence[str]], questions: Sequence[Question]) -> dict[str, float]:
    hits = [hit(names, question.right) for names, question in zip(ranked, questions, strict=True)]
    return {
        "ndcg@10": round(float(np.mean(_gains(ranked, questions))), 4),
        "hit@5": round(float(np.mean(hits)), 4),
    }


def _gains(ranked: Sequence[Sequence[str]], questions: Sequence[Question]) -> list[float]:
    return [ndcg(names, question.right) for names, question in zip(ranked, questions, strict=True)]


# --- the plain ways ------------------------------------------------------------


def _plain(
    questions: Sequence[Question], tenant: Tenant, names: Mapping[str, str], model: EmbeddingModel
) -> dict[str, list[list[str]]]:
    rows = ChunkEmbedding.objects.filter(chunk__document__tenant=tenant, model=model.name)
    stored = list(rows.select_related("chunk").order_by("chunk__document_id", "chunk__index"))
    owners = [names[str(row.chunk.document_id)] for row in stored]
    vectors = np.array([np.asarray(row.vector, dtype=float) for row in stored])
    words = Words([_words(embedded_text(row.chunk)) for row in stored])
    found: dict[str, list[list[str]]] = {}
    for question in questions:
        meaning = vectors @ np.array(model.embed_query(question.text))
        keywords = words.bm25(_words(question.text))
        for way, scores in _ways(meaning, keywords).items():
            found.setdefault(way, []).append(_best(scores, owners))
    return found


def _ways(meaning: Row, keywords: Row) -> dict[str, Row]:
    return {
        "BM25": keywords,
        "model": meaning,
        "reciprocal rank": _reciprocal(meaning) + _reciprocal(keywords),
        "0.65 / 0.35": 0.65 * _unit(meaning) + 0.35 * _unit(keywords),
    }


def _reciprocal(scores: Row) -> Row:
    places = np.empty(len(scores))
    places[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return 1 / (RECIPROCAL + places)


def _unit(scores: Row) -> Row:
    spread = float(np.ptp(scores))
    unit: Row = (scores - scores.min()) / (spread or 1.0)
    return unit


def _best(scores: Row, owners: Sequence[str]) -> list[str]:
    ranked = dict.fromkeys(owners[place] for place in np.argsort(-scores, kind="stable"))
    return list(ranked)[:100]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in IDLE]


class Words:
    """How often each word stands in each passage; words as they are written."""

    def __init__(self, passages: Iterable[Sequence[str]]) -> None:
        counted = [Counter(words) for words in passages]
        self._number = len(counted)
        lengths = np.array([sum(found.values()) for found in counted], dtype=float)
        self._longer = K1 * (1 - B + B * lengths / lengths.mean())
        self._found: dict[str, list[tuple[int, int]]] = {}
        for place, words in enumerate(counted):
            for word, times in words.items():
                self._found.setdefault(word, []).append((place, times))

    def bm25(self, words: Sequence[str]) -> Row:
        scores = np.zeros(self._number)
        for word in words:
            found = self._found.get(word, [])
            rarity = log(1 + (self._number - len(found) + 0.5) / (len(found) + 0.5))
            for place, times in found:
                scores[place] += rarity * times * (K1 + 1) / (times + self._longer[place])
        return scores


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
