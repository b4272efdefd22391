"""A job's row becomes what an operator reads: where it is, what came of it, and what to do next. Reads the row and
its document, nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils import timezone

from knowledge.documents.standard_intake import TOLD
from knowledge.ingestion.chunking.token_counting import estimate_line, spent_line
from knowledge.ingestion.jobs.eta import told
from knowledge.ingestion.pipeline import STEPS
from knowledge.models import Document, IngestionJob
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.telemetry import JobKind, JobState

NAMES = tuple(STEPS)
OWN_FAULTS = {"failed", "internal", "pages_missing", "embedding_incomplete"}  # not the file's
ADVICE = {
    "empty": "Save the file again where it comes from, and feed that in.",
    "no_pages": "It was cut off or is damaged: fetch it again, and feed that in.",
    "broken": "Fetch it again, and feed that in.",
}
PLACES = 12  # places that a sentence names


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a job; `state` is "done", "now", "failed" or "ahead"."""

    name: str
    state: str


@dataclass(frozen=True, slots=True)
class Next:
    """What to do next, and where."""

    text: str
    link: str = ""
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A job as the page shows it. `said` are sentences about what came of it; the first may be soft."""

    job: IngestionJob
    label: str
    steps: tuple[Step, ...] = ()
    done: int = 0
    total: int = 0
    left: str = ""
    waits: str = ""
    estimate: str = ""
    changes: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    facts: str = ""
    said: tuple[str, ...] = ()
    next: tuple[Next, ...] = ()

    @property
    def underway(self) -> bool:
        return self.job.state in (JobState.RUNNING, JobState.CANCELLING)


def outcome_of(job: IngestionJob, before: int | None = None) -> Outcome:
    """The job as the page shows it; `before` is how many others a worker would take first, where it waits."""
    running = dict(job.steps[-1]) if job.steps else {}
    return Outcome(
        job=job,
        label=_label(job),
        steps=tuple(_steps(job)),
        done=running.get("done", 0),
        total=running.get("total", 0),
        left=_left(job) if job.state == JobState.RUNNING else "",
        waits=_waits(job, before),
        estimate=_estimate(job),
        changes=_changes(job),
        spent=tuple(_spent(job)),
        facts=_facts(job.counts) if job.state == JobState.SUCCEEDED else "",
        said=tuple(_said(job.counts)) if job.state == JobState.SUCCEEDED else (),
        next=tuple(_next(job)),
    )


def _label(job: IngestionJob) -> str:
    if job.state == JobState.FAILED and _refused(job):
        return "refused"
    if job.held and job.state == JobState.QUEUED:
        return "waits for you"
    return "stopping" if job.state == JobState.CANCELLING else str(job.state)


def _refused(job: IngestionJob) -> bool:
    """The file itself was the reason."""
    return bool(job.counts.get("code")) and job.counts["code"] not in OWN_FAULTS


def _steps(job: IngestionJob) -> Iterator[Step]:
    if job.state == JobState.SUCCEEDED or not job.steps:
        return
    begun = [str(step["name"]) for step in job.steps]
    here = "stopped" if job.state == JobState.CANCELLED else "now"
    for step in job.steps:
        state = str(step["state"])
        yield Step(str(step["name"]), state if state in ("done", "failed") else here)
    if job.state in (JobState.RUNNING, JobState.CANCELLING) and begun[0] in NAMES:
        yield from (Step(name, "ahead") for name in NAMES[_place(begun[-1]) + 1 :] if name not in begun)


def _place(name: str) -> int:
    return NAMES.index(name) if name in NAMES else len(NAMES)


def _left(job: IngestionJob) -> str:
    """As the worker last saw it, and the clock has run since."""
    if job.seconds_left is None:
        return ""
    since = max(0.0, (timezone.now() - job.updated_at).total_seconds())
    return f"{told(max(0.0, job.seconds_left - since))} left"


def _spent(job: IngestionJob) -> Iterator[str]:
    """What it really took."""
    for name, spent in job.counts.get("embedding", {}).items():
        yield spent_line(name, spent)
    if job.state == JobState.SUCCEEDED and job.started_at and job.finished_at:
        yield f"It took {told((job.finished_at - job.started_at).total_seconds())}"


def _waits(job: IngestionJob, before: int | None) -> str:
    """Whose turn it is before a job that waits."""
    if job.state != JobState.QUEUED or job.held or before is None:
        return ""
    return f"{_number(before, 'job')} before it" if before else "It is next"


def _estimate(job: IngestionJob) -> str:
    """What was expected of a job before it began."""
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        return ""
    if error := job.estimate.get("error"):
        return f"It would be refused: {error}"
    return f"Expected: {estimate_line(job.estimate)}." if "tokens" in job.estimate else ""


def _changes(job: IngestionJob) -> tuple[str, ...]:
    """What a certification standard changes, until it is done."""
    over = job.state in (JobState.SUCCEEDED, JobState.FAILED, JobState.CANCELLED)
    return () if over else tuple(job.estimate.get(TOLD, ()))


# --- what came of it ------------------------------------------------------------


def _facts(counts: Mapping[str, Any]) -> str:
    named = [("pages", "page"), ("chunks", "passage"), ("images", "figure"), ("links", "link")]
    rows = [_number(counts.get(key, 0), word) for key, word in named if counts.get(key) or key == "chunks"]
    return ", ".join(rows)


def _number(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _said(counts: Mapping[str, Any]) -> Iterator[str]:
    if skipped := counts.get("skipped"):
        why = ", ".join(f"{count} × {reason}" for reason, count in counts.get("skipped_for", {}).items())
        yield f"{_number(skipped, 'picture')} refused ({why})."
    if unseen := counts.get("unseen"):
        places = [f"{words} on {where}" for where, words in unseen.items()]
        yield f"Words that no reader sees were left out: {_listed(places)}."
    if crowded := counts.get("crowded"):
        yield f"The text of {_number(len(crowded), 'page')} was left out: it is more than print has."
    if reread := counts.get("reread"):
        yield f"{_capital(reread['told'])}."
    if edition := counts.get("edition"):
        yield _edition(edition)
    if standard := counts.get(TOLD):
        yield f"As a standard: {str(standard).rstrip('.')}."


def _listed(places: Sequence[str]) -> str:
    return ", ".join(places[:PLACES]) + (", …" if len(places) > PLACES else "")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _edition(edition: Mapping[str, Any]) -> str:
    if edition["older"]:
        return "It is older than the edition in force: kept beside it, and not searched."
    claims = edition["claims"]
    told = (
        f"A new edition: {_number(edition['kept'], 'passage')} unchanged, {edition['new']} new, "
        f"{edition['gone']} gone; {_number(claims['reanchored'], 'quote')} found again"
    )
    back = f", {_number(claims['restored'], 'claim')} count again" if claims["restored"] else ""
    return f"{told}{back}, no claim lost." if not claims["stale"] else f"{told}{back}."


# --- what to do next ------------------------------------------------------------


def _next(job: IngestionJob) -> Iterator[Next]:
    if job.state == JobState.FAILED:
        yield _after_failure(job)
    elif job.state == JobState.CANCELLED:
        yield Next(
            "Nothing of this run is searched. Retry starts it again; what was embedded is not done twice."
        )
    elif job.state == JobState.SUCCEEDED:
        yield from _after_success(job)


def _after_failure(job: IngestionJob) -> Next:
    if _refused(job):
        return Next(f"Nothing of it was stored. {ADVICE.get(job.counts['code'], '')}".strip())
    return Next("Retry it; if it fails again, its log says more.")


def _after_success(job: IngestionJob) -> Iterator[Next]:
    document = job.document
    stale = job.counts.get("edition", {}).get("claims", {}).get("stale", 0)
    if stale:
        waits = "claim waits" if stale == 1 else "claims wait"
        yield Next(f"{stale} {waits} for a reviewer:", reverse("desk:upkeep") + "#stale", "what changed")
    if job.kind == JobKind.VECTORS:
        yield Next("Searches go on as before until you switch:", reverse("desk:vectors"), "search vectors")
    for name in job.counts.get("behind", []):
        text = f"Vectors of {name} are missing, and it cannot be switched to before they are built:"
        yield Next(text, reverse("desk:vectors"), "build them")
    if document is None:
        return
    page = reverse("desk:upkeep_document", args=[document.pk])
    if scans := job.counts.get("needs_ocr"):
        yield Next(
            f"{_number(len(scans), 'page')} need{'s' if len(scans) == 1 else ''} OCR to be found by searches:",
            page,
            "recognise the text",
        )
    if document.status == DocumentStatus.DRAFT:
        yield Next(f"A draft, which no search finds: {why_draft(document)}.", page, "Look at it")


def why_draft(document: Document) -> str:
    """Why a document is not served, in words that follow a colon."""
    if document.doc_type == DocType.OTHER:
        return "its kind could not be told"
    if not document.chunking:
        return "it has not been read yet"
    latest = document.jobs.order_by("-created_at").first()
    if latest is not None and latest.state in (JobState.CANCELLED, JobState.FAILED):
        return "its job was cancelled" if latest.state == JobState.CANCELLED else "its job failed"
    if latest is not None and latest.state in (JobState.QUEUED, JobState.RUNNING):
        return "its job is not over"
    return "nobody has published it"
