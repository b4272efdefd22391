"""Measure how long each step takes per unit, and how long passages are, from earlier jobs."""

from collections import defaultdict
from statistics import median

from knowledge.ingestion.chunking.token_counting import count_from
from knowledge.ingestion.jobs.eta import DEFAULT_RATES, REMOTE_TOKENS, TOKENS_A_PASSAGE, Work, rates_from
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState
from llm.interfaces import EmbeddingModel

JOBS = 30  # the latest ones: the machine may have changed
EMBEDDING = ("embed", "embed_library")
MEASURED = (JobKind.DOCUMENT, JobKind.VECTORS)  # kinds of job whose steps are timed per unit


def measured_rates(model: EmbeddingModel) -> dict[str, float]:
    """Seconds per unit of each step, from the jobs that succeeded here; of embedding, with this model only."""
    measured: dict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
    jobs = IngestionJob.objects.filter(state=JobState.SUCCEEDED, kind__in=MEASURED).order_by("-finished_at")
    for steps, counts in jobs.values_list("steps", "counts")[:JOBS]:
        work = Work(
            pages=counts.get("pages", 0),
            tokens=counts.get("tokens", 0),
            passages=counts.get("chunks", 0),
            recognised=counts.get("recognised", 0),
        )
        parts = [(one["name"], work.units_of(one["name"]), float(one["seconds"])) for one in steps]
        parts = [part for part in parts if part[0] not in EMBEDDING]
        spent = count_from(counts.get("embedding", {}).get(model.name, {}))  # texts in the cache cost nothing
        if spent.tokens:
            parts += [(name, spent.tokens, spent.seconds) for name in EMBEDDING]
        for step, units, seconds in parts:
            measured[step] = measured[step][0] + units, measured[step][1] + seconds
    embedding = REMOTE_TOKENS if model.external else DEFAULT_RATES["embed"]
    return rates_from(measured, {**DEFAULT_RATES, **dict.fromkeys(EMBEDDING, embedding)})


def tokens_a_passage(model: EmbeddingModel) -> float:
    """Tokens that this model embedded for a passage of a paged file: the median of the latest jobs here."""
    jobs = IngestionJob.objects.filter(state=JobState.SUCCEEDED, kind=JobKind.DOCUMENT, counts__pages__gt=0)
    counts = jobs.order_by("-finished_at").values_list("counts", flat=True)[:JOBS]
    spent = [count_from(one.get("embedding", {}).get(model.name, {})) for one in counts]
    return median(
        [one.tokens / one.misses for one in spent if one.tokens and one.misses] or [TOKENS_A_PASSAGE]
    )
