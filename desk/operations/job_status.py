"""A job as the operator sees it: its progress, its result, and what to do next.

Reads only the job's row and its document. A template reads the properties of `JobStatus`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.urls import reverse
from django.utils import timezone

from knowledge.documents.standard_intake import TOLD
from knowledge.ingestion.chunking.token_counting import estimate_line, spent_line
from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.pipeline import STEPS
from knowledge.models import Document, IngestionJob
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.telemetry import JobKind, JobState

STEP_NAMES = tuple(STEPS)
OWN_FAULTS = {"failed", "internal", "pages_missing", "embedding_incomplete"}  # not the file's
ADVICE = {
    "empty": "Save the file again at its source, then upload that.",
    "no_pages": "The file is incomplete or damaged. Download it again, then upload that.",
    "broken": "Download the file again, then upload that.",
}
PLACES = 12  # places that a sentence lists
OVER = (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a job; `state` is "done", "now", "stopped", "failed" or "ahead"."""

    name: str
    state: str


@dataclass(frozen=True, slots=True)
class Next:
    """What to do next, and where."""

    text: str
    link: str = ""
    label: str = ""


@dataclass(frozen=True)
class JobStatus:
    """What a page shows about one job. `before` is the number of waiting jobs that a worker takes first, if known."""

    job: IngestionJob
    before: int | None = None

    @property
    def underway(self) -> bool:
        return self.job.state in (JobState.RUNNING, JobState.CANCELLING)

    @property
    def label(self) -> str:
        if self._is_refused:
            return "refused"
        if self.job.held and self.job.state == JobState.QUEUED:
            return "waits for you"
        return "stopping" if self.job.state == JobState.CANCELLING else str(self.job.state)

    @property
    def _is_refused(self) -> bool:
        """Whether the job failed because of the file itself."""
        code = self.job.counts.get("code")
        return self.job.state == JobState.FAILED and bool(code) and code not in OWN_FAULTS

    @cached_property
    def steps(self) -> list[Step]:
        """The steps begun and, while the job runs, those ahead; none once it has succeeded."""
        job = self.job
        if job.state == JobState.SUCCEEDED or not job.steps:
            return []
        here = "stopped" if job.state == JobState.CANCELLED else "now"
        begun = [
            Step(str(one["name"]), state if (state := str(one["state"])) in ("done", "failed") else here)
            for one in job.steps
        ]
        names = [step.name for step in begun]
        if not (self.underway and names[0] in STEP_NAMES and names[-1] in STEP_NAMES):
            return begun
        ahead = STEP_NAMES[STEP_NAMES.index(names[-1]) + 1 :]
        return [*begun, *(Step(name, "ahead") for name in ahead if name not in names)]

    @property
    def done(self) -> int:
        """How much of the latest step is done, of `total`."""
        return int(self.job.steps[-1].get("done") or 0) if self.job.steps else 0

    @property
    def total(self) -> int:
        return int(self.job.steps[-1].get("total") or 0) if self.job.steps else 0

    @property
    def left(self) -> str:
        """The worker's last estimate, less the time since."""
        if self.job.state != JobState.RUNNING or self.job.seconds_left is None:
            return ""
        since = max(0.0, (timezone.now() - self.job.updated_at).total_seconds())
        return f"{duration_in_words(max(0.0, self.job.seconds_left - since))} left"

    @property
    def waits(self) -> str:
        """The job's place in the queue."""
        if self.job.state != JobState.QUEUED or self.job.held or self.before is None:
            return ""
        return f"{_count_noun(self.before, 'job')} before it" if self.before else "It is next"

    @property
    def estimate(self) -> str:
        if self.job.state in (JobState.FAILED, JobState.CANCELLED):
            return ""
        if error := self.job.estimate.get("error"):
            return f"It would be refused: {error}"
        return f"Expected: {estimate_line(self.job.estimate)}." if "tokens" in self.job.estimate else ""

    @property
    def changes(self) -> list[str]:
        """What a certification standard would change, until the job is over."""
        return [] if self.job.state in OVER else self.job.estimate.get(TOLD, [])

    @property
    def spent(self) -> list[str]:
        """What the job took: tokens by model, and time."""
        job = self.job
        lines = [spent_line(name, spent) for name, spent in job.counts.get("embedding", {}).items()]
        if job.state == JobState.SUCCEEDED and job.started_at and job.finished_at:
            lines.append(f"It took {duration_in_words((job.finished_at - job.started_at).total_seconds())}")
        return lines

    @property
    def facts(self) -> str:
        """How much the job stored: "3 pages, 12 passages"."""
        if self.job.state != JobState.SUCCEEDED:
            return ""
        words = {"pages": "page", "chunks": "passage", "images": "figure", "links": "link"}
        counts = {key: self.job.counts.get(key, 0) for key in words}
        return ", ".join(
            _count_noun(count, words[key]) for key, count in counts.items() if count or key == "chunks"
        )

    @property
    def said(self) -> list[str]:
        """Sentences about the result of a job that succeeded."""
        said: list[str] = []
        counts = self.job.counts if self.job.state == JobState.SUCCEEDED else {}
        if skipped := counts.get("skipped"):
            reasons = ", ".join(f"{n} × {reason}" for reason, n in counts.get("skipped_for", {}).items())
            said.append(f"{_count_noun(skipped, 'picture')} refused ({reasons}).")
        if unseen := counts.get("unseen"):
            places = [f"{words} on {where}" for where, words in unseen.items()]
            more = ", …" if len(places) > PLACES else ""
            said.append(f"Invisible words were left out: {', '.join(places[:PLACES])}{more}.")
        if crowded := counts.get("crowded"):
            pages = _count_noun(len(crowded), "page")
            said.append(f"The text of {pages} was left out: a printed page cannot hold that much.")
        if reread := counts.get("reread"):
            said.append(f"{reread['told'][:1].upper()}{reread['told'][1:]}.")
        if edition := counts.get("edition"):
            said.append(_edition_sentence(edition))
        if standard := counts.get(TOLD):
            said.append(f"As a standard: {str(standard).rstrip('.')}.")
        return said

    @cached_property
    def next(self) -> list[Next]:
        """What to do next."""
        if self._is_refused:
            return [Next(f"Nothing was stored. {ADVICE.get(self.job.counts['code'], '')}".strip())]
        if self.job.state == JobState.FAILED:
            return [Next("Retry it. If it fails again, see the worker's log.")]
        if self.job.state == JobState.CANCELLED:
            text = "Searches find nothing of this run. Retry starts it again; finished embeddings are not repeated."
            return [Next(text)]
        return list(_steps_after_success(self.job)) if self.job.state == JobState.SUCCEEDED else []


def _count_noun(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _edition_sentence(edition: Mapping[str, Any]) -> str:
    if edition["older"]:
        return "It is older than the edition in force. It is kept, and searches do not find it."
    claims = edition["claims"]
    text = (
        f"A new edition: {_count_noun(edition['kept'], 'passage')} unchanged, {edition['new']} new, "
        f"{edition['gone']} gone; {_count_noun(claims['reanchored'], 'quote')} found again"
    )
    back = f", {_count_noun(claims['restored'], 'claim')} count again" if claims["restored"] else ""
    return f"{text}{back}, no claim lost." if not claims["stale"] else f"{text}{back}."


def _steps_after_success(job: IngestionJob) -> Iterator[Next]:
    stale = job.counts.get("edition", {}).get("claims", {}).get("stale", 0)
    if stale:
        waits = "claim waits" if stale == 1 else "claims wait"
        yield Next(f"{stale} {waits} for a reviewer:", reverse("desk:upkeep") + "#stale", "what changed")
    if job.kind == JobKind.VECTORS:
        yield Next("Searches work as before until you switch:", reverse("desk:vectors"), "search vectors")
    for name in job.counts.get("behind", []):
        text = f"Vectors of {name} are missing. Build them before you switch to it:"
        yield Next(text, reverse("desk:vectors"), "build them")
    document = job.document
    if document is None:
        return
    page = reverse("desk:upkeep_document", args=[document.pk])
    if scans := job.counts.get("needs_ocr"):
        needs = f"{_count_noun(len(scans), 'page')} need{'s' if len(scans) == 1 else ''}"
        yield Next(f"{needs} OCR before searches can find the text:", page, "run OCR")
    if document.status == DocumentStatus.DRAFT:
        yield Next(f"A draft, which searches do not find: {why_draft(document)}.", page, "Look at it")


def why_draft(document: Document) -> str:
    """Why a document is a draft, in words that follow a colon."""
    if document.doc_type == DocType.OTHER:
        return "its kind could not be determined"
    if not document.chunking:
        return "it has not been read yet"
    latest = document.jobs.order_by("-created_at").first()
    reasons: dict[str, str] = {
        JobState.CANCELLED: "its job was cancelled",
        JobState.FAILED: "its job failed",
        JobState.QUEUED: "its job is not over",
        JobState.RUNNING: "its job is not over",
    }
    return reasons.get(latest.state if latest else "", "nobody has published it")
