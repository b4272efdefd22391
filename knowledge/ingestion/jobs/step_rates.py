"""What the steps of earlier jobs took becomes rates for the next one."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from knowledge.ingestion.chunking.token_counting import count_from
from knowledge.ingestion.jobs.eta import DEFAULT_RATES, REMOTE_TOKENS, Work, rates_from
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobState
from llm.interfaces import EmbeddingModel

LOOKED_AT = 30  # jobs, the latest ones: the machine may have changed
EMBEDDING = ("embed", "embed_library")


def measured_rates(model: EmbeddingModel) -> dict[str, float]:
    """Seconds a unit of each step, from the jobs that ended well here, and what embedding by this model took."""
    measured: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    jobs = IngestionJob.objects.filter(state=JobState.SUCCEEDED).order_by("-finished_at")
    for steps, counts in jobs.values_list("steps", "counts")[:LOOKED_AT]:
        for step, units, seconds in _parts(steps, counts, model.name):
            measured[step] = measured[step][0] + units, measured[step][1] + seconds
    return rates_from(measured, default_rates(model))


def default_rates(model: EmbeddingModel) -> dict[str, float]:
    embedding = REMOTE_TOKENS if model.external else DEFAULT_RATES["embed"]
    return {**DEFAULT_RATES, **dict.fromkeys(EMBEDDING, embedding)}


def _parts(
    steps: list[dict[str, Any]], counts: Mapping[str, Any], model: str
) -> list[tuple[str, float, float]]:
    """(step, units, seconds) of one job; embedding from what its texts took, without those that were known."""
    spent = count_from(counts.get("embedding", {}).get(model, {}))
    work = Work(
        pages=counts.get("pages", 0),
        tokens=counts.get("tokens", 0),
        passages=counts.get("chunks", 0),
        recognised=counts.get("recognised", 0),
    )
    found = [
        (step["name"], work.units(step["name"]), float(step["seconds"]))
        for step in steps
        if step["name"] not in EMBEDDING
    ]
    return found + [(name, spent.tokens, spent.seconds) for name in EMBEDDING if spent.tokens]
