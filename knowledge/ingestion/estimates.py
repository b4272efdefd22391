"""What a file is expected to take before it is uploaded: pages, tokens, requests, cost and seconds.

A sample of a PDF's pages is read, a file without pages as a whole, in the same processes and with the same limits as a
job would read it. Tokens are those of the models whose vectors are kept; what the cache knows already costs nothing, so
the figures are an upper bound. Seconds are what the steps of earlier jobs took here.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import ceil
from pathlib import Path
from typing import Any

from django.core.files.storage import default_storage

from knowledge import conf
from knowledge.ingestion.chunking.token_counting import cost_of
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.eta import TOKENS_A_PASSAGE, expected_seconds, told, work_of
from knowledge.ingestion.jobs.step_rates import measured_rates
from knowledge.ingestion.parsing.detect import SUFFIXES, Format
from knowledge.ingestion.parsing.sandbox import messages_of
from knowledge.ingestion.parsing.text_files import read_text
from knowledge.ingestion.vectors.sets import kept_models, price_of
from knowledge.models import IngestionJob
from llm import registry
from llm.interfaces import EmbeddingModel

SAMPLE = 20_000  # characters of a text whose tokens are counted: four pages
_CHILD = "knowledge.ingestion.parsing.measure_worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Of one file. `cost_usd` is None where the price of a model is not known; `error` says why nothing can be told."""

    pages: int = 0
    tokens: int = 0
    passages: int = 0
    requests: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0
    models: tuple[str, ...] = ()
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "models": list(self.models), "told": told(self.seconds)}


@dataclass(frozen=True, slots=True)
class Measured:
    """`characters` of text on `pages` (0 for a file without pages); `sample` is some of it. `sections` are the
    characters of each, where they are known: a passage never runs over a section's end.
    """

    pages: int
    characters: int
    sample: str
    sections: tuple[int, ...] = ()


def estimate_file(path: Path, suffix: str = "") -> Estimate:
    """What the file would take; never raises for what is wrong with it."""
    try:
        form = SUFFIXES.get((suffix or path.suffix).lower())
        if form is None:
            return Estimate(error="This kind of file is not read.")
        return _estimate(_measured_pdf(path) if form is Format.PDF else _measured_text(path, form))
    except (IngestionError, OSError) as error:
        return Estimate(error=str(error))


def estimate_job(job: IngestionJob) -> Estimate:
    """The same for a job that waits, kept in its row."""
    found = estimate_file(Path(default_storage.path(str(job.file.name))))
    IngestionJob.objects.filter(pk=job.pk).update(estimate=found.to_dict())
    job.estimate = found.to_dict()
    return found


def in_all(estimates: Iterable[Estimate]) -> Estimate:
    """Several files, one after the other."""
    found = list(estimates)
    costs = [one.cost_usd for one in found]
    return Estimate(
        pages=sum(one.pages for one in found),
        tokens=sum(one.tokens for one in found),
        passages=sum(one.passages for one in found),
        requests=sum(one.requests for one in found),
        cost_usd=None if None in costs else round(sum(cost or 0.0 for cost in costs), 9),
        seconds=round(sum(one.seconds for one in found), 1),
        models=tuple(dict.fromkeys(name for one in found for name in one.models)),
    )


def _measured_pdf(path: Path) -> Measured:
    (found,) = messages_of(
        _CHILD, "measure", str(path), str(conf.ESTIMATE_PAGES), seconds=conf.ESTIMATE_SECONDS
    )
    share = found["pages"] / max(1, found["read"])
    return Measured(found["pages"], round(found["characters"] * share), found["sample"])


def _measured_text(path: Path, form: Format) -> Measured:
    sections = read_text(path, form, path.name).sections
    texts = ["\n".join(paragraph.text for paragraph in section.paragraphs) for section in sections]
    text = "\n".join(filter(None, texts))
    return Measured(0, len(text), text[:SAMPLE], tuple(map(len, filter(None, texts))))


def _estimate(measured: Measured) -> Estimate:
    models = list(kept_models(registry.embedding_model()))
    tokens = {model.name: _tokens(model, measured) for model in models}
    passages = _passages(tokens[models[-1].name], measured)
    batches = -(-passages // conf.EMBED_BATCH)
    costs = [cost_of(tokens[model.name], price_of(model.name)) for model in models]
    return Estimate(
        pages=measured.pages,
        tokens=sum(tokens.values()),
        passages=passages,
        requests=sum(batches for model in models if model.external),
        cost_usd=None if None in costs else round(sum(cost or 0.0 for cost in costs), 9),
        seconds=round(_seconds(models, tokens, measured.pages, passages), 1),
        models=tuple(tokens),
    )


def _passages(tokens: int, measured: Measured) -> int:
    """At least one a section, as many as its tokens fill; without sections by the average of earlier documents."""
    if not measured.sections:
        return round(tokens / TOKENS_A_PASSAGE) or 1
    share = tokens / max(1, measured.characters)
    return sum(ceil(characters * share / conf.CHUNK_TOKENS) for characters in measured.sections)


def _tokens(model: EmbeddingModel, measured: Measured) -> int:
    if not measured.sample.strip():
        return 0
    share = measured.characters / len(measured.sample)
    return round(model.count_tokens(measured.sample) * share * conf.EMBEDDED_SHARE)


def _seconds(models: Sequence[EmbeddingModel], tokens: dict[str, int], pages: int, passages: int) -> float:
    """All steps once, and embedding once more for each further model."""
    *beside, first = models
    rates = measured_rates(first)
    work = work_of(pages, tokens[first.name], passages)
    once = sum(
        expected_seconds(step, work, rates) for step in rates if step not in ("recognise", "embed_library")
    )
    more = sum(tokens[model.name] * measured_rates(model)["embed"] for model in beside)
    return once + more
