"""A job as the operator sees it: its progress, its result, and what to do next.

Reads only the job's row and its document. A template reads the properties of `JobStatus`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property

from django.utils import timezone

from desk.operations.job_results import (
    Next,
    count_noun,
    is_without_kind,
    numbers_of,
    sentences_of,
    steps_after_success,
)
from knowledge.conf import LARGE_WAITS_SECONDS
from knowledge.documents.standard_intake import TOLD
from knowledge.ingestion.chunking.token_counting import estimate_line, spent_line
from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.jobs.jobs import OPEN_STATES, Place
from knowledge.ingestion.run import steps_of
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState

SHORT_FIRST = timedelta(seconds=LARGE_WAITS_SECONDS)
OWN_FAULTS = {"failed", "internal", "pages_missing", "embedding_incomplete"}  # not the file's
MEND = "Mend the file, then upload it again."
ADVICE = {
    "bad_file": MEND,
    "not_rules": MEND,
    "no_standard": "Download the PDF from the FAA again, then upload that.",
    "outdated": "Upload the file again, and read what it would change now.",
    "no_vendor": "Set a key for the model, then retry.",
    "model_bad_key": "The model's vendor does not accept the key. Set another one in the environment, then retry.",
    "model_out_of_credit": "The account at the model's vendor is out of credit. Add credit there, then retry.",
    "empty": "Save the file again at its source, then upload that.",
    "no_pages": "The file is incomplete or damaged. Download it again, then upload that.",
    "broken": "Download the file again, then upload that.",
}
CANCELLED = {
    JobKind.DOCUMENT: (
        "Searches find nothing of this run. Retry starts it again; finished embeddings are not repeated."
    ),
    JobKind.STANDARD: "Nothing was loaded. Retry starts it again.",
    JobKind.EVALUATION: "There are no figures. Retry measures from the start.",
    JobKind.BACKUP: "No backup was made. Retry starts it again.",
    JobKind.GRAPH: "What was proposed so far waits for reviewers. Retry goes on from there.",
}


STEPS = {
    "read": "read",
    "recognise": "recognize scans",
    "structure": "find headings",
    "chunk": "divide into passages",
    "figures": "store figures",
    "link": "link figures",
    "store": "store passages",
    "embed": "make vectors",
    "embed_library": "make vectors",
    "publish": "publish",
    "extract": "extract claims",
    "load": "load",
    "anchor": "look up passages",
    "measure": "measure",
    "dump": "copy the database",
    "files": "copy the files",
    "ask": "ask the model",
    "decide": "decide on claims",
}
"""Each step of a job in words; the rows have the names of `settings.JOB_STEPS`."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a job; `state` is "done", "now", "stopped", "failed" or "ahead"."""

    name: str
    state: str
    done: int = 0
    total: int = 0
    seconds: float | None = None
    note: str = ""

    @property
    def words(self) -> str:
        return STEPS.get(self.name, self.name)


@dataclass(frozen=True)
class JobStatus:
    """What a page shows about one job. `place` is its place in the queue, if it waits for a worker."""

    job: IngestionJob
    place: Place | None = None

    @property
    def underway(self) -> bool:
        return self.job.state in (JobState.RUNNING, JobState.CANCELLING)

    @property
    def open(self) -> bool:
        return self.job.state in OPEN_STATES

    @property
    def label(self) -> str:
        if self._is_refused:
            return "refused"
        if self.needs_kind or (self.job.held and self.job.state == JobState.QUEUED):
            return "waits for you"
        return "stopping" if self.job.state == JobState.CANCELLING else str(self.job.state)

    @property
    def badge(self) -> str:
        """The class of its badge: a green one means that nothing is left to do."""
        return "half" if self.needs_kind else str(self.job.state)

    @property
    def needs_kind(self) -> bool:
        """Whether the job is done, but its document stays a draft until somebody enters what it is."""
        done = self.job.state == JobState.SUCCEEDED and self.job.kind == JobKind.DOCUMENT
        return done and self.job.document is not None and is_without_kind(self.job.document)

    @property
    def _is_refused(self) -> bool:
        """Whether the job failed because of the file itself."""
        code = self.job.counts.get("code")
        failed = self.job.kind == JobKind.DOCUMENT and self.job.state == JobState.FAILED
        return failed and bool(code) and code not in OWN_FAULTS

    @cached_property
    def begun(self) -> list[Step]:
        """The steps that the job has begun."""
        here = "stopped" if self.job.state == JobState.CANCELLED else "now"
        return [
            Step(
                str(one["name"]),
                str(one["state"]) if one["state"] in ("done", "failed") else here,
                int(one.get("done") or 0),
                int(one.get("total") or 0),
                one.get("seconds"),
                one.get("note", ""),
            )
            for one in self.job.steps
        ]

    @cached_property
    def steps(self) -> list[Step]:
        """The steps begun and, while the job runs, those ahead; none once it has succeeded."""
        if self.job.state == JobState.SUCCEEDED or not self.job.steps:
            return []
        names = {step.name for step in self.begun}
        ahead = [name for name in steps_of(self.job.kind) if self.underway and name not in names]
        return [*self.begun, *(Step(name, "ahead") for name in ahead)]

    @property
    def position(self) -> str:
        """Where a running job is: "Step 4 of 6, 1,200 of 9,180"."""
        if not self.underway or not self.job.steps:
            return ""
        step = f"Step {len(self.job.steps)} of {len(self.steps)}"
        return f"{step}, {self.done:,} of {self.total:,}" if self.total else step

    @property
    def can_cancel(self) -> bool:
        return self.job.state in (JobState.QUEUED, JobState.RUNNING)

    @property
    def can_retry(self) -> bool:
        over = self.job.state in (JobState.FAILED, JobState.CANCELLED)
        return over and (bool(self.job.file) or self.job.kind != JobKind.DOCUMENT)

    @property
    def can_dismiss(self) -> bool:
        return self.job.state not in OPEN_STATES and self.job.dismissed_at is None

    @property
    def can_start(self) -> bool:
        return self.job.held and self.job.state == JobState.QUEUED and not self.job.estimate.get("error")

    @property
    def can_move_up(self) -> bool:
        return self.job.state == JobState.QUEUED and self.place is not None and self.place.can_move_up

    @property
    def done(self) -> int:
        """How much of the latest step is done, of `total`."""
        return self.begun[-1].done if self.begun else 0

    @property
    def total(self) -> int:
        return self.begun[-1].total if self.begun else 0

    @property
    def left(self) -> str:
        """The worker's last estimate, less the time since."""
        if self.job.state != JobState.RUNNING or self.job.seconds_left is None:
            return ""
        since = max(0.0, (timezone.now() - self.job.updated_at).total_seconds())
        return f"{duration_in_words(max(0.0, self.job.seconds_left - since))} left"

    @property
    def waits(self) -> str:
        """The job's place in the queue, and why it has to wait."""
        job, place = self.job, self.place
        if job.state != JobState.QUEUED:
            return ""
        if job.held:
            return "It waits until you start it" if self.can_start else ""
        if place is None:
            return f"It is tried again at {job.lease_until:%H:%M} UTC" if job.lease_until else ""
        parts = []
        if place.before:
            others = f" ({place.of_others:,} of other schools)" if place.of_others else ""
            parts.append(f"{count_noun(place.before, 'job')} before it{others}")
        elif not place.large_runs:
            parts.append("It is next")
        if job.priority > 0:
            parts.append("put first by an operator")
        if place.large_runs:
            parts.append("only one long job runs at a time, so it waits until the running one has finished")
        elif (
            job.priority <= 0 and job.large and place.before and timezone.now() - job.created_at < SHORT_FIRST
        ):
            parts.append(
                f"it is long, and short jobs go first for {duration_in_words(SHORT_FIRST.total_seconds())}"
            )
        words = "; ".join(parts)
        return words[0].upper() + words[1:]

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
        return self.job.estimate.get(TOLD, []) if self.open else []

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
        """What the job did, in numbers: "3 pages, 12 passages"."""
        return numbers_of(self.job) if self.job.state == JobState.SUCCEEDED else ""

    @property
    def said(self) -> list[str]:
        """Sentences about the result of a job that succeeded."""
        return list(sentences_of(self.job)) if self.job.state == JobState.SUCCEEDED else []

    @cached_property
    def next(self) -> list[Next]:
        """What to do next."""
        if self._is_refused:
            return [Next(f"Nothing was stored. {ADVICE.get(self.job.counts['code'], '')}".strip())]
        if self.job.state == JobState.FAILED and (code := self.job.counts.get("code")) in ADVICE:
            kept = "" if code.startswith("model_") else "Nothing was changed. "
            return [Next(f"{kept}{ADVICE[code]}")]
        if self.job.state == JobState.FAILED:
            return [Next("Retry it. If it fails again, see the worker's log.")]
        if self.job.state == JobState.CANCELLED:
            return [
                Next(
                    CANCELLED.get(
                        JobKind(self.job.kind), "What it did so far is kept. Retry goes on from there."
                    )
                )
            ]
        return list(steps_after_success(self.job)) if self.job.state == JobState.SUCCEEDED else []
