"""A job as the operator sees it: its progress, its result, and what to do next. Reads only its row and document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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

NAMES = tuple(STEPS)
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """`said` are sentences about the result; `spent` is what it took."""

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
    """`before` is the number of waiting jobs that a worker takes first."""
    running = dict(job.steps[-1]) if job.steps else {}
    succeeded = job.state == JobState.SUCCEEDED
    return Outcome(
        job=job,
        label=_label_for(job),
        steps=tuple(_steps_of(job)),
        done=running.get("done", 0),
        total=running.get("total", 0),
        left=_time_left(job),
        waits=_queue_place(job, before),
        estimate=_estimate_of(job),
        changes=() if job.state in OVER else tuple(job.estimate.get(TOLD, ())),
        spent=tuple(_resources_spent(job)),
        facts=_count_facts(job.counts) if succeeded else "",
        said=tuple(_result_sentences(job.counts)) if succeeded else (),
        next=tuple(_next_steps(job)),
    )


def _label_for(job: IngestionJob) -> str:
    if job.state == JobState.FAILED and _is_refused(job):
        return "refused"
    if job.held and job.state == JobState.QUEUED:
        return "waits for you"
    return "stopping" if job.state == JobState.CANCELLING else str(job.state)


def _is_refused(job: IngestionJob) -> bool:
    """The file itself was the reason."""
    return bool(job.counts.get("code")) and job.counts["code"] not in OWN_FAULTS


def _steps_of(job: IngestionJob) -> Iterator[Step]:
    if job.state == JobState.SUCCEEDED or not job.steps:
        return
    started = [str(step["name"]) for step in job.steps]
    here = "stopped" if job.state == JobState.CANCELLED else "now"
    for step in job.steps:
        state = str(step["state"])
        yield Step(str(step["name"]), state if state in ("done", "failed") else here)
    if job.state in (JobState.RUNNING, JobState.CANCELLING) and started[0] in NAMES and started[-1] in NAMES:
        ahead = NAMES[NAMES.index(started[-1]) + 1 :]
        yield from (Step(name, "ahead") for name in ahead if name not in started)


def _time_left(job: IngestionJob) -> str:
    """The worker's last estimate, less the time since."""
    if job.state != JobState.RUNNING or job.seconds_left is None:
        return ""
    since = max(0.0, (timezone.now() - job.updated_at).total_seconds())
    return f"{duration_in_words(max(0.0, job.seconds_left - since))} left"


def _resources_spent(job: IngestionJob) -> Iterator[str]:
    for name, spent in job.counts.get("embedding", {}).items():
        yield spent_line(name, spent)
    if job.state == JobState.SUCCEEDED and job.started_at and job.finished_at:
        yield f"It took {duration_in_words((job.finished_at - job.started_at).total_seconds())}"


def _queue_place(job: IngestionJob, before: int | None) -> str:
    if job.state != JobState.QUEUED or job.held or before is None:
        return ""
    return f"{_count_noun(before, 'job')} before it" if before else "It is next"


def _estimate_of(job: IngestionJob) -> str:
    if job.state in (JobState.FAILED, JobState.CANCELLED):
        return ""
    if error := job.estimate.get("error"):
        return f"It would be refused: {error}"
    return f"Expected: {estimate_line(job.estimate)}." if "tokens" in job.estimate else ""


def _count_noun(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


# --- what came of it ---


def _count_facts(counts: Mapping[str, Any]) -> str:
    named = [("pages", "page"), ("chunks", "passage"), ("images", "figure"), ("links", "link")]
    shown = [(counts.get(key, 0), word) for key, word in named if counts.get(key) or key == "chunks"]
    return ", ".join(_count_noun(count, word) for count, word in shown)


def _result_sentences(counts: Mapping[str, Any]) -> Iterator[str]:
    if skipped := counts.get("skipped"):
        reasons = ", ".join(f"{count} × {reason}" for reason, count in counts.get("skipped_for", {}).items())
        yield f"{_count_noun(skipped, 'picture')} refused ({reasons})."
    if unseen := counts.get("unseen"):
        places = [f"{words} on {where}" for where, words in unseen.items()]
        more = ", …" if len(places) > PLACES else ""
        yield f"Invisible words were left out: {', '.join(places[:PLACES])}{more}."
    if crowded := counts.get("crowded"):
        yield f"The text of {_count_noun(len(crowded), 'page')} was left out: a printed page cannot hold that much."
    if reread := counts.get("reread"):
        yield f"{reread['told'][:1].upper()}{reread['told'][1:]}."
    if edition := counts.get("edition"):
        yield _edition_sentence(edition)
    if standard := counts.get(TOLD):
        yield f"As a standard: {str(standard).rstrip('.')}."


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


# --- what to do next ---


def _next_steps(job: IngestionJob) -> Iterator[Next]:
    if job.state == JobState.FAILED and _is_refused(job):
        yield Next(f"Nothing was stored. {ADVICE.get(job.counts['code'], '')}".strip())
    elif job.state == JobState.FAILED:
        yield Next("Retry it. If it fails again, see the worker's log.")
    elif job.state == JobState.CANCELLED:
        yield Next(
            "Searches find nothing of this run. Retry starts it again; finished embeddings are not repeated."
        )
    elif job.state == JobState.SUCCEEDED:
        yield from _after_success(job)


def _after_success(job: IngestionJob) -> Iterator[Next]:
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
