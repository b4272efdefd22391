"""Estimate the cost of a file before it is ingested: pages, tokens, requests, cost, and seconds.

A sample of a PDF's pages is read, a file without pages as a whole, in the same processes and with the same limits as in
a job. Tokens are those of the models whose vectors are kept. Cached texts cost nothing, so the figures are an upper
bound. Seconds come from the steps of earlier jobs on this installation.
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
from knowledge.ingestion.jobs.eta import TOKENS_A_PASSAGE, duration_in_words, expected_seconds, work_of
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
    """Of one file. `cost_usd` is None if the price of a model is not known; `error` says why there is no estimate."""

    pages: int = 0
    tokens: int = 0
    passages: int = 0
    requests: int = 0
    cost_usd: float | None = 0.0
    seconds: float = 0.0
    models: tuple[str, ...] = ()
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "models": list(self.models), "told": duration_in_words(self.seconds)}


@dataclass(frozen=True, slots=True)
class _Measured:
    """`characters` of text on `pages` (0 for a file without pages); `sample` is some of it. `sections` are the
    characters of each section, if known: a passage never runs over a section's end."""

    pages: int
    characters: int
    sample: str
    sections: tuple[int, ...] = ()

    def tokens(self, model: EmbeddingModel) -> int:
        if not self.sample.strip():
            return 0
        share = self.characters / len(self.sample)
        return round(model.count_tokens(self.sample) * share * conf.EMBEDDED_SHARE)

    def passages(self, tokens: int) -> int:
        """As many per section as its tokens fill; without sections, by the average of earlier documents."""
        if not self.sections:
            return round(tokens / TOKENS_A_PASSAGE) or 1
        share = tokens / max(1, self.characters)
        return sum(ceil(characters * share / conf.CHUNK_TOKENS) for characters in self.sections)


def estimate_file(path: Path, suffix: str = "") -> Estimate:
    """What the file would cost; never raises for a faulty file."""
    try:
        form = SUFFIXES.get((suffix or path.suffix).lower())
        if form is None:
            return Estimate(error="This kind of file is not read.")
        return _estimate_measured(_measure_pdf(path) if form is Format.PDF else _measure_text(path, form))
    except (IngestionError, OSError) as error:
        return Estimate(error=str(error))


def estimate_job(job: IngestionJob) -> Estimate:
    """The estimate for the file of a waiting job, which is stored with it."""
    found = estimate_file(Path(default_storage.path(str(job.file.name))))
    job.estimate = found.to_dict()
    IngestionJob.objects.filter(pk=job.pk).update(estimate=job.estimate)
    return found


def total_estimate(estimates: Iterable[Estimate]) -> Estimate:
    """Several files, one after the other."""
    found = list(estimates)
    return Estimate(
        pages=sum(one.pages for one in found),
        tokens=sum(one.tokens for one in found),
        passages=sum(one.passages for one in found),
        requests=sum(one.requests for one in found),
        cost_usd=_total_cost([one.cost_usd for one in found]),
        seconds=round(sum(one.seconds for one in found), 1),
        models=tuple(dict.fromkeys(name for one in found for name in one.models)),
    )


def _total_cost(costs: Sequence[float | None]) -> float | None:
    return None if None in costs else round(sum(cost or 0.0 for cost in costs), 9)


def _measure_pdf(path: Path) -> _Measured:
    (found,) = messages_of(
        _CHILD, "measure", str(path), str(conf.ESTIMATE_PAGES), seconds=conf.ESTIMATE_SECONDS
    )
    share = found["pages"] / max(1, found["read"])
    return _Measured(found["pages"], round(found["characters"] * share), found["sample"])


def _measure_text(path: Path, form: Format) -> _Measured:
    sections = read_text(path, form, path.name).sections
    texts = ["\n".join(paragraph.text for paragraph in section.paragraphs) for section in sections]
    text = "\n".join(filter(None, texts))
    return _Measured(0, len(text), text[:SAMPLE], tuple(map(len, filter(None, texts))))


def _estimate_measured(measured: _Measured) -> Estimate:
    *beside, first = kept_models(registry.embedding_model())
    models = [*beside, first]
    tokens = {model.name: measured.tokens(model) for model in models}
    passages = measured.passages(tokens[first.name])
    rates = measured_rates(first)
    work = work_of(measured.pages, tokens[first.name], passages)
    seconds = sum(
        expected_seconds(step, work, rates) for step in rates if step not in ("recognise", "embed_library")
    )
    seconds += sum(tokens[model.name] * measured_rates(model)["embed"] for model in beside)
    return Estimate(
        pages=measured.pages,
        tokens=sum(tokens.values()),
        passages=passages,
        requests=sum(ceil(passages / conf.EMBED_BATCH) for model in models if model.external),
        cost_usd=_total_cost([cost_of(tokens[model.name], price_of(model.name)) for model in models]),
        seconds=round(seconds, 1),
        models=tuple(tokens),
    )
