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
from knowledge.ingestion.jobs.eta import duration_in_words, expected_seconds, work_of
from knowledge.ingestion.jobs.step_rates import measured_rates, tokens_a_passage
from knowledge.ingestion.parsing.detect import SUFFIXES, Format
from knowledge.ingestion.parsing.sandbox import messages_of
from knowledge.ingestion.parsing.text_files import read_text
from knowledge.ingestion.vectors.sets import kept_models, price_of
from knowledge.models import IngestionJob
from llm import registry

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


def estimate_file(path: Path) -> Estimate:
    """What the file would take; never raises for what is wrong with it."""
    try:
        form = SUFFIXES.get(path.suffix.lower())
        if form is None:
            return Estimate(error="This kind of file is not read.")
        if form is Format.PDF:
            (found,) = messages_of(
                _CHILD, "measure", str(path), str(conf.ESTIMATE_PAGES), seconds=conf.ESTIMATE_SECONDS
            )
            characters = round(found["characters"] * (found["pages"] / max(1, found["read"])))
            return _estimate_text(found["sample"], characters, pages=found["pages"])
        sections = read_text(path, form, path.name).sections
        texts = ["\n".join(paragraph.text for paragraph in section.paragraphs) for section in sections]
        text = "\n".join(filter(None, texts))
        return _estimate_text(text[:SAMPLE], len(text), sections=[len(one) for one in texts if one])
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


def _estimate_text(sample: str, characters: int, *, pages: int = 0, sections: Sequence[int] = ()) -> Estimate:
    """The estimate for so many characters of text, of which `sample` is some. `pages` is 0 for a file without pages;
    `sections` are the characters of each section if known: a passage never runs over a section's end."""
    *beside, first = kept_models(registry.embedding_model())
    models = [*beside, first]
    share = characters / len(sample) if sample.strip() else 0.0
    tokens = {model.name: round(model.count_tokens(sample) * share * conf.EMBEDDED_SHARE) for model in models}
    if sections:
        tokens_a_character = tokens[first.name] / max(1, characters)
        passages = sum(ceil(length * tokens_a_character / conf.CHUNK_TOKENS) for length in sections)
    else:
        passages = round(tokens[first.name] / tokens_a_passage(first)) or 1
    rates = measured_rates(first)
    work = work_of(pages, tokens[first.name], passages)
    seconds = sum(
        expected_seconds(step, work, rates) for step in rates if step not in ("recognise", "embed_library")
    )
    seconds += sum(tokens[model.name] * measured_rates(model)["embed"] for model in beside)
    return Estimate(
        pages=pages,
        tokens=sum(tokens.values()),
        passages=passages,
        requests=sum(ceil(passages / conf.EMBED_BATCH) for model in models if model.external),
        cost_usd=_total_cost([cost_of(tokens[model.name], price_of(model.name)) for model in models]),
        seconds=round(seconds, 1),
        models=tuple(tokens),
    )
