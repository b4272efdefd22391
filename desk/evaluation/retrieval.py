"""Evaluate each arm of the product's own search on a folder of judged questions.

A document ranks by its best passage. The arms take turns, question by question, so that a busy machine slows all alike.
`measures` defines the figures.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from typing import Any

from knowledge.models import Tenant
from knowledge.retrieval.search import search
from knowledge.retrieval.values import ARMS, Arm, SearchRequest
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model

from .beir import Question, read_folder
from .labeled_files import Tick, ignore_progress, ticked
from .measures import hit, median_and_p95, ndcg, precision, recall, reciprocal_rank
from .scratch import scratch_library

DEEP = 100  # documents for recall@100; also the passages asked for, since a search gives no more


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one arm found for one question: names of documents, best first, and the time it took."""

    names: tuple[str, ...]
    milliseconds: float


def evaluate_retrieval(folder: Path, k: int = 10, tick: Tick = ignore_progress) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate retrieval --json`. Raises BadFile and Busy."""
    read, model = read_folder(folder), embedding_model()
    texts, total = len(read.texts), len(read.texts) + len(read.questions)
    with scratch_library(read.texts, model, lambda done, _: tick(done, total)) as (tenant, names):
        rankings = rankings_of(
            read.questions, tenant, names, model, tick=lambda done, _: tick(texts + done, total)
        )
    return {
        "questions": len(read.questions),
        "documents": len(read.texts),
        "k": k,
        "arms": {arm: retrieval_figures(found, read.questions, k) for arm, found in rankings.items()},
    }


def rankings_of(
    questions: Sequence[Question],
    tenant: Tenant,
    names: Mapping[str, str],
    model: EmbeddingModel,
    *,
    arms: Sequence[Arm] = ARMS,
    asked: int = DEEP,
    tick: Tick = ignore_progress,
) -> dict[Arm, list[Ranking]]:
    """What each arm finds for each question, `asked` passages at most. `names` are the tenant's documents by id."""
    rankings: dict[Arm, list[Ranking]] = defaultdict(list)
    for question in ticked(questions, tick):
        for arm in arms:
            request = SearchRequest(
                query=question.text,
                tenant=tenant.pk,
                shared=False,
                k=asked,
                threshold=0.0,
                arm=arm,
                recorded=False,
            )
            response = search(request, model)
            found = dict.fromkeys(names[str(one.document_id)] for one in response.results)
            rankings[arm].append(Ranking(tuple(found), response.latency_ms))
    return dict(rankings)


def retrieval_figures(
    rankings: Sequence[Ranking], questions: Sequence[Question], k: int = 10
) -> dict[str, float | None]:
    pairs = [(one.names, question.right) for one, question in zip(rankings, questions, strict=True)]
    measures = {
        f"ndcg@{k}": [ndcg(names, right, k) for names, right in pairs],
        f"recall@{k}": [recall(names, right, k) for names, right in pairs],
        "recall@100": [recall(names, right, DEEP) for names, right in pairs],
        "precision@5": [precision(names, right, 5) for names, right in pairs],
        f"mrr@{k}": [reciprocal_rank(names, right, k) for names, right in pairs],
        "hit@5": [hit(names, right) for names, right in pairs],
    }
    p50, p95 = median_and_p95([one.milliseconds for one in rankings])
    return {
        **{name: round(mean(values), 4) for name, values in measures.items()},
        "p50_ms": p50,
        "p95_ms": p95,
    }
