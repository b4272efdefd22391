"""One run of one job: the results of its steps so far, and how it reports its progress.

It knows no step: `settings.JOB_STEPS` names those of each kind of job, and `pipeline` runs them.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import reset_queries
from django.utils.module_loading import import_string

from knowledge import conf
from knowledge.ingestion.chunking.chunker import ChunkDraft
from knowledge.ingestion.chunking.token_counting import EmbeddingCount, cost_of, count_from
from knowledge.ingestion.document_model import ParsedDocument
from knowledge.ingestion.figures.deduplication import Figure
from knowledge.ingestion.figures.linking import Link
from knowledge.ingestion.jobs.eta import BYTES_A_TOKEN, Countdown, seconds_left, work_of
from knowledge.ingestion.jobs.jobs import Lease
from knowledge.ingestion.source_files import PDF_SUFFIX, Source
from knowledge.ingestion.vectors.sets import price_of
from knowledge.models import Document, IngestionJob
from llm.interfaces import EmbeddingModel


@dataclass(frozen=True, slots=True)
class Progress:
    """The step that a run is in, and how much of it is done."""

    job_id: UUID
    step: str
    done: int
    total: int
    seconds_left: float | None = None


OnProgress = Callable[[Progress], None]


@dataclass(slots=True)
class Run:
    """One run of one job, and the results of its steps so far."""

    job: IngestionJob
    lease: Lease
    model: EmbeddingModel
    on_progress: OnProgress
    steps: list[dict[str, Any]] = field(default_factory=list)
    counts: dict[str, Any] = field(default_factory=dict)
    source: Source | None = None
    parsed: ParsedDocument | None = None
    chunks: tuple[ChunkDraft, ...] = ()
    figures: tuple[Figure, ...] = ()
    links: tuple[Link, ...] = ()
    document: Document | None = None
    read: Any = None  # what a step of another kind of job read, for the step after it
    reported_at: float = 0.0
    began_at: float = 0.0
    names: tuple[str, ...] = ()
    size: int = 0
    rates: dict[str, float] = field(default_factory=dict)
    countdown: Countdown = field(default_factory=Countdown)
    only: bool = False  # only this model makes vectors, whichever sets are kept
    progressed: Callable[[], None] = lambda: None  # tells the heartbeat that a step made progress
    moved_on: bool = False  # something was stored, so another start continues after it

    @property
    def path(self) -> Path:
        """The file that the job works on: one of this machine that a command named, or of the storage."""
        if "path" in self.job.options:
            return Path(self.job.options["path"])
        return Path(default_storage.path(str(self.job.file.name)))

    def begin(self, step: str) -> None:
        self.steps.append(
            {"name": step, "state": "running", "done": 0, "total": 0, "seconds": 0.0, "note": ""}
        )
        self.began_at = time.monotonic()
        self.progressed()
        self._report_progress()

    def tick(self, done: int, total: int) -> None:
        """Report how far the step is; the first report may say what earlier starts of the job did. Raises Stopped when
        the job is no longer ours."""
        self.progressed()
        learned = total > 0 and not self.steps[-1]["total"]
        if learned and done:
            self.steps[-1]["before"] = done
        self.steps[-1] |= {"done": done, "total": total}
        if learned or time.monotonic() - self.reported_at >= conf.PROGRESS_SECONDS:
            self._report_progress()

    def end(self, seconds: float) -> None:
        self.steps[-1] |= {"state": "done", "seconds": round(seconds, 3)}

    def note(self, text: str) -> None:
        self.steps[-1]["note"] = text

    def keep(self, **values: Any) -> None:
        """Write the counts and `values` now, in the transaction of what they count. Raises Stopped when the job is no
        longer ours, so that nothing of a cancelled job is stored."""
        self.lease.keep(counts=self.counts, **values)
        self.moved_on = True

    def spend(self, model: EmbeddingModel, count: EmbeddingCount) -> None:
        """Add up what embedding took, over all starts of the job. The row has what was paid for before the next request
        goes out."""
        spent: dict[str, Any] = self.counts.setdefault("embedding", {})
        total = count_from(spent.get(model.name, {})) + count
        cost = cost_of(total.tokens, price_of(model.name))
        spent[model.name] = {**total.to_dict(), "cost_usd": cost}
        self.moved_on = self.moved_on or count.misses > 0
        if count.requests:
            self._report_progress()

    def _report_progress(self) -> None:
        self.reported_at = time.monotonic()
        reset_queries()  # with DEBUG Django keeps the last 9,000, and ours contain whole documents
        step = self.steps[-1]
        # How much there is to do, as far as it is known by now.
        totals = {one["name"]: one["total"] for one in self.steps}
        pages = self.counts.get("pages") or totals.get("read") or self.job.estimate.get("pages", 0)
        tokens = self.counts.get("tokens") or self.job.estimate.get("tokens", 0)
        is_known = bool(pages or tokens or not self.size)
        if not is_known and self.path.suffix != PDF_SUFFIX:  # most of a PDF's bytes are pictures
            is_known, tokens = True, self.size // BYTES_A_TOKEN
        recognised = self.counts.get("recognised") or totals.get("recognise", 0)
        work = work_of(pages, tokens, len(self.chunks), recognised)
        running = time.monotonic() - self.began_at
        expected = seconds_left(self.names, self.steps, running, work, self.rates) if is_known else None
        left = None
        if expected is not None:
            left = round(self.countdown.bend_to(expected, time.monotonic()), 1)
        self.lease.keep(step=step["name"], steps=self.steps, counts=self.counts, seconds_left=left)
        self.on_progress(Progress(self.job.pk, step["name"], step["done"], step["total"], left))


Step = Callable[[Run], None]


def steps_of(kind: str) -> Mapping[str, Step]:
    """The steps of a kind of job, in order, under their names in rows and on pages."""
    found: Mapping[str, Step] = import_string(settings.JOB_STEPS[kind])
    return found
