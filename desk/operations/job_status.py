"""A job as the operator sees it: its progress, its result, and what to do next.

Reads only the job's row and its document. A template reads the properties of `JobStatus`.
"""

from __future__ import annotations

from dataclasses import dataclass
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
from knowledge.documents.standard_intake import TOLD
from knowledge.ingestion.chunking.token_counting import estimate_line, spent_line
from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.jobs.jobs import OPEN_STATES
from knowledge.ingestion.run import steps_of
from knowledge.models import IngestionJob
from knowledge.models.telemetry import JobKind, JobState

OWN_FAULTS = {"failed", "internal", "pages_missing", "embedding_incomplete"}  # not the file's
MEND = "Mend the file, then upload it again."
ADVICE = {
    "bad_file": MEND,
    "not_rules": MEND,
    "no_standard": "Download the PDF from the FAA again, then upload that.",
    "outdated": "Upload the file again, and read what it would change now.",
    "no_vendor": "Set a key for the model, then retry.",
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


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a job; `state` is "done", "now", "stopped", "failed" or "ahead"."""

    name: str
    state: str


@dataclass(frozen=True)
class JobStatus:
    """What a page shows about one job. `before` is the number of waiting jobs that a worker takes first, if known;
    `among_own` says that they are all of its school."""

    job: IngestionJob
    before: int | None = None
    among_own: bool = False

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
        begun_names = {step.name for step in begun}
        ahead = [name for name in steps_of(job.kind) if self.underway and name not in begun_names]
        return [*begun, *(Step(name, "ahead") for name in ahead)]

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
    def can_start(self) -> bool:
        return self.job.held and self.job.state == JobState.QUEUED and "error" not in self.job.estimate

    @property
    def can_move_up(self) -> bool:
        return self.job.state == JobState.QUEUED and bool(self.before) and self.among_own

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
        return f"{count_noun(self.before, 'job')} before it" if self.before else "It is next"

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
            return [Next(f"Nothing was changed. {ADVICE[code]}")]
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
