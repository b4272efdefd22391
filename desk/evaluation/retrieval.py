"""A folder of judged questions becomes figures of each arm of the product's own search.

A document ranks by its best passage. Arms take turns, question by question, so that a busy machine slows all alike.
What a measure means stands in `measures`.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, quantiles
from typing import Any

from knowledge.models import Tenant
from knowledge.retrieval.search import search
from knowledge.retrieval.values import ARMS, Arm, SearchRequest
from llm.interfaces import EmbeddingModel
from llm.registry import embedding_model

from .beir import Question, read_folder
from .measures import hit, ndcg, precision, recall, reciprocal_rank
from .scratch import Tick, scratch_library

DEEP = 100  # documents of which recall@100 speaks; passages asked for, as a search gives no more


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one arm found for one question: names of documents, best first, and how long that took."""

    names: tuple[str, ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Measured:
    """Every arm's rankings, in the order of the questions."""

    questions: tuple[Question, ...]
    documents: int
    rankings: Mapping[Arm, Sequence[Ranking]]


def _silent(done: int, of: int) -> None:
    pass


def evaluate_retrieval(folder: Path, k: int = 10, tick: Tick = _silent) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate retrieval --json`. Raises BadFolder and Busy."""
    measured = measure_folder(folder, embedding_model(), tick)
    return {
        "questions": len(measured.questions),
        "documents": measured.documents,
        "k": k,
        "arms": {arm: figures(measured.rankings[arm], measured.questions, k) for arm in measured.rankings},
    }


def measure_folder(folder: Path, model: EmbeddingModel, tick: Tick = _silent) -> Measured:
    read = read_folder(folder)
    with scratch_library(read.texts, model, tick) as (tenant, names):
        return Measured(read.questions, len(read.texts), rankings_of(read.questions, tenant, names, model))


def rankings_of(
    questions: Sequence[Question],
    tenant: Tenant,
    names: Mapping[str, str],
    model: EmbeddingModel,
    *,
    arms: Sequence[Arm] = ARMS,
    asked: int = DEEP,
) -> dict[Arm, list[Ranking]]:
    """What each arm finds for each question where so many passages are asked for; `names` are those of the tenant's
    documents, by id."""
    rankings: dict[Arm, list[Ranking]] = defaultdict(list)
    for question in questions:
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
            rankings[arm].append(_ranking(request, names, model))
    return dict(rankings)


def _ranking(request: SearchRequest, names: Mapping[str, str], model: EmbeddingModel) -> Ranking:
    response = search(request, model)
    found = dict.fromkeys(names[str(one.document_id)] for one in response.results)
    return Ranking(tuple(found), response.latency_ms)


def figures(rankings: Sequence[Ranking], questions: Sequence[Question], k: int = 10) -> dict[str, float]:
    pairs = [(one.names, question.right) for one, question in zip(rankings, questions, strict=True)]
    times = [one.milliseconds for one in rankings]
    cuts = quantiles(times, n=20) if len(times) > 1 else times * 19
    measures = {
        f"ndcg@{k}": [ndcg(names, right, k) for names, right in pairs],
        f"recall@{k}": [recall(names, right, k) for names, right in pairs],
        "recall@100": [recall(names, right, DEEP) for names, right in pairs],
        "precision@5": [precision(names, right, 5) for names, right in pairs],
        f"mrr@{k}": [reciprocal_rank(names, right, k) for names, right in pairs],
        "hit@5": [hit(names, right) for names, right in pairs],
    }
    found = {name: round(mean(values), 4) for name, values in measures.items()}
    return {**found, "p50_ms": round(cuts[9], 2), "p95_ms": round(cuts[18], 2)}
