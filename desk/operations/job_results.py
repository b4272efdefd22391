"""What a job did, in words: numbers, sentences, refusals to read, and what to do next. One function reads one kind of
job's counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.urls import reverse

from desk.operations.figure_tables import facts_of
from knowledge.documents.standard_intake import TOLD
from knowledge.ingestion.editions.overlaps import overlaps_of
from knowledge.models import Document, IngestionJob
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.telemetry import JobKind, JobState

PLACES = 12  # places that a sentence lists


@dataclass(frozen=True, slots=True)
class Next:
    """What to do next, and where; whether the place is for reviewers only."""

    text: str
    link: str = ""
    label: str = ""
    reviewers: bool = False


@dataclass(frozen=True, slots=True)
class Refused:
    """One reason for which a job refused something, how often, and examples of what."""

    why: str
    count: int
    examples: tuple[str, ...] = ()


def count_noun(count: int, word: str) -> str:
    return f"{count:,} {word}" if count == 1 else f"{count:,} {word}s"


# --- in numbers ------------------------------------------------------------


def numbers_of(job: IngestionJob) -> str:
    """How much a job did: "3 pages, 12 passages"."""
    if job.kind in NUMBERS:
        return NUMBERS[job.kind](job.counts)
    words = {"pages": "page", "chunks": "passage", "images": "figure", "links": "link"}
    return ", ".join(
        count_noun(job.counts.get(key, 0), word)
        for key, word in words.items()
        if job.counts.get(key, 0) or key == "chunks"
    )


def _numbers_of_items(counts: Mapping[str, Any]) -> str:
    states = counts.get("states", {})
    loaded = f"{count_noun(counts['items'], 'question')} read, " if "items" in counts else ""
    if not counts.get("points"):
        return f"{loaded}no point had to be looked up"
    return (
        f"{loaded}{count_noun(counts.get('points', 0), 'point')} looked up: {states.get('clean', 0):,} with a passage, "
        f"{states.get('doubtful', 0):,} in doubt, {states.get('missing', 0):,} without"
    )


def _numbers_of_rules(counts: Mapping[str, Any]) -> str:
    loaded = counts.get("loaded", {})
    told = ", ".join(
        f"{loaded.get(done, 0):,} {done}" for done in ("added", "changed", "removed", "unchanged")
    )
    return f"{count_noun(counts.get('questions', 0), 'question')} read. Answers: {told}"


def _numbers_of_batch(counts: Mapping[str, Any]) -> str:
    told = {"approved": "approved", "rejected": "rejected", "taken_back": "taken back"}
    what = counts.get("decides_on", "claim")
    said = [f"{count_noun(counts[key], what)} {words}" for key, words in told.items() if counts.get(key)]
    refused = sum(counts.get("reasons", {}).values())
    return ", ".join([*(said or [f"no {what} decided on"]), *([f"{refused:,} refused"] if refused else [])])


NUMBERS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    JobKind.CLAIMS: lambda counts: (
        f"{count_noun(counts.get('chunks', 0), 'passage')} read, {count_noun(counts.get('claims', 0), 'claim')} found, "
        f"{counts.get('new', 0):,} new, {count_noun(counts.get('refused', 0), 'sentence')} refused"
    ),
    JobKind.ITEMS: _numbers_of_items,
    JobKind.STANDARD: lambda counts: (
        f"{count_noun(counts.get('areas', 0), 'Area')}, {count_noun(counts.get('tasks', 0), 'Task')}, "
        f"{count_noun(counts.get('elements', 0), 'element')}"
    ),
    JobKind.RULES: _numbers_of_rules,
    JobKind.EVALUATION: lambda counts: ", ".join(
        f"{name} {value}" for name, value in facts_of(counts.get("figures", {}))
    ),
    JobKind.BACKUP: lambda counts: (
        f"{counts.get('backup', '')}: the database and {count_noun(counts.get('media', 0), 'media file')}, "
        f"{filesizeformat(counts.get('bytes', 0))}"
    ),
    JobKind.GRAPH: lambda counts: (
        f"{count_noun(counts.get('passages', 0), 'passage')} read, "
        f"{count_noun(counts.get('new', 0), 'new relation')}, {counts.get('refused', 0):,} refused"
    ),
    JobKind.BATCH: _numbers_of_batch,
}


# --- in sentences ------------------------------------------------------------


def sentences_of(job: IngestionJob) -> Iterator[str]:
    """Sentences about what a job did, beside its numbers."""
    counts = job.counts
    if skipped := counts.get("skipped"):
        reasons = ", ".join(f"{n} × {reason}" for reason, n in counts.get("skipped_for", {}).items())
        yield f"{count_noun(skipped, 'picture')} refused ({reasons})."
    if unseen := counts.get("unseen"):
        places = [f"{words} on {where}" for where, words in unseen.items()]
        more = ", …" if len(places) > PLACES else ""
        yield f"Invisible words were left out: {', '.join(places[:PLACES])}{more}."
    if crowded := counts.get("crowded"):
        pages = count_noun(len(crowded), "page")
        yield f"The text of {pages} was left out: a printed page cannot hold that much."
    if reread := counts.get("reread"):
        yield f"{reread['told'][:1].upper()}{reread['told'][1:]}."
    if edition := counts.get("edition"):
        yield _edition_sentence(edition)
    if standard := counts.get(TOLD):
        yield f"As a standard: {str(standard).rstrip('.')}."
    if dropped := counts.get("dropped"):
        more = ", …" if len(dropped) > PLACES else ""
        yield f"No longer printed, and archived: {', '.join(dropped[:PLACES])}{more}."
    if mended := counts.get("mended"):
        yield f"{count_noun(mended, 'spelling')} of tags, codes and links corrected."
    if failed := counts.get("failed_chunks"):
        yield f"The model gave no usable answer for {count_noun(failed, 'passage')}."
    if wrong := counts.get("wrong"):
        was = "was" if wrong == 1 else "were"
        read = f"{counts['sample']} {counts.get('decides_on', 'claim')}s"
        yield f"{wrong} of the {read} that were read {was} wrong, so the rest of the batch waits."
    if faults := counts.get("faults"):
        yield f"{count_noun(len(faults), 'fault')} in the files: what is at fault was left out."


def _edition_sentence(edition: Mapping[str, Any]) -> str:
    if edition["older"]:
        return "It is older than the edition in force. It is kept, and searches do not find it."
    claims = edition["claims"]
    text = (
        f"A new edition: {count_noun(edition['kept'], 'passage')} unchanged, {edition['new']} new, "
        f"{edition['gone']} gone; {count_noun(claims['reanchored'], 'quote')} found again"
    )
    back = f", {count_noun(claims['restored'], 'claim')} count again" if claims["restored"] else ""
    return f"{text}{back}, no claim lost." if not claims["stale"] else f"{text}{back}."


def refusals_of(job: IngestionJob) -> list[Refused]:
    """What a job refused, to read: sentences, passages, pictures, faults of files, documents that are missing."""
    counts = job.counts
    examples = counts.get("examples", {})
    sentences = [
        Refused(why, number, tuple(examples.get(why, ())))
        for why, number in sorted(counts.get("reasons", {}).items(), key=lambda one: -one[1])
    ]
    if failed := counts.get("failed_chunks"):
        named = tuple(f"{heading} ({code})" for heading, code in counts.get("failures", ()))
        sentences.append(Refused("no usable answer of the model", failed, named))
    pictures = [Refused(why, number) for why, number in counts.get("skipped_for", {}).items()]
    faults = [
        Refused(f"{one['file']}, line {one['line']}: {one['message']}", 1) for one in counts.get("faults", ())
    ]
    missing = [
        Refused(f"{document} is not in the library", number)
        for document, number in counts.get("missing_documents", {}).items()
    ]
    written = [
        Refused(f"{one['where']}: {one['what']}", 1, (one["said"],) if one["said"] else ())
        for one in counts.get("loaded", {}).get("written", ())
    ]
    found: dict[str, list[str]] = {}
    for place, what, said in counts.get("left_out", ()):
        found.setdefault(what, []).append(f"{place}: {said}" if said else place)
    left_out = [Refused(what, len(places), tuple(places)) for what, places in found.items()]
    if (more := counts.get("left_out_count", 0) - len(counts.get("left_out", ()))) > 0:
        left_out.append(Refused("more was left out; the command load_rules lists all of it", more))
    return [*sentences, *pictures, *faults, *missing, *left_out, *written]


# --- what to do next ------------------------------------------------------------


def steps_after_success(job: IngestionJob) -> Iterator[Next]:
    stale = job.counts.get("edition", {}).get("claims", {}).get("stale", 0)
    if stale:
        waits = "claim waits" if stale == 1 else "claims wait"
        yield Next(f"{stale} {waits} for a reviewer:", reverse("desk:upkeep") + "#stale", "what changed")
    if job.kind == JobKind.VECTORS:
        yield Next("Searches work as before until you switch:", reverse("desk:vectors"), "search vectors")
    for name in job.counts.get("behind", []):
        text = f"Vectors of {name} are missing. Build them before you switch to it:"
        yield Next(text, reverse("desk:vectors"), "build them")
    if job.kind == JobKind.CLAIMS and job.counts.get("new"):
        text = f"{count_noun(job.counts['new'], 'new claim')} for reviewers:"
        yield Next(text, reverse("admin:curation_claim_queue"), "verification queue", True)
    if job.kind == JobKind.GRAPH and job.counts.get("new"):
        yield Next(
            "Nothing counts before a reviewer accepts it:",
            reverse("admin:curation_graph_review"),
            "relations and concepts",
            True,
        )
    if job.kind == JobKind.BATCH:
        points = "points" in job.options
        page, name = ("item_board", "what the exam needs") if points else ("claim_batches", "batches")
        yield Next("Take a batch back, or go on:", reverse(f"admin:curation_{page}"), name, True)
    if job.kind == JobKind.ITEMS:
        yield Next("Reviewers accept the passages:", reverse("exams:coverage"), "what can be asked")
    if job.kind == JobKind.STANDARD:
        yield Next("Exams use it now:", reverse("exams:coverage"), "what can be asked")
    if job.kind == JobKind.RULES:
        yield Next("The rules desk answers with it:", reverse("rules:overview"), "coverage")
    if job.kind == JobKind.BACKUP:
        yield Next(
            "Copy it to another machine:", reverse("desk:backups"), "where it is, and how to restore it"
        )
    if job.kind == JobKind.DOCUMENT and job.document is not None:
        yield from _after_ingestion(job, job.document)


def _after_ingestion(job: IngestionJob, document: Document) -> Iterator[Next]:
    page = reverse("desk:upkeep_document", args=[document.pk])
    if scans := job.counts.get("needs_ocr"):
        needs = f"{count_noun(len(scans), 'page')} need{'s' if len(scans) == 1 else ''}"
        yield Next(f"{needs} OCR before searches can find the text:", page, "run OCR")
    if document.status == DocumentStatus.DRAFT and (asks := job.counts.get("asks")):
        yield Next(f"Nothing was replaced. It {asks['told']}:", page, "read what would go, and decide")
    elif is_without_kind(document):
        text = "Searches do not find it yet: its kind could not be determined."
        yield Next(text, f"{page}#what", "Enter its kind and publish")
    elif overlaps := overlaps_of(document):
        more = f"; the same goes for {count_noun(len(overlaps) - 1, 'more document')}" if overlaps[1:] else ""
        text = f"{overlaps[0]}{more}."
        yield Next(f"{text} Searches return both. Archive one of them:", f"{page}#overlaps", "compare them")
    elif document.status == DocumentStatus.DRAFT:
        yield Next(f"A draft, which searches do not find: {why_draft(document)}.", page, "Look at it")


def is_without_kind(document: Document) -> bool:
    """Whether it is a draft that nobody has said the kind of."""
    draft = document.status == DocumentStatus.DRAFT and document.trashed_at is None
    return draft and document.doc_type == DocType.OTHER


def why_draft(document: Document) -> str:
    """Why a document is a draft, in words that follow a colon."""
    latest = document.jobs.filter(kind=JobKind.DOCUMENT).order_by("-created_at").first()
    return _why_draft(document, latest)


def why_drafts(documents: Sequence[Document]) -> list[tuple[Document, str]]:
    """The same for several documents, by one query."""
    jobs = IngestionJob.objects.filter(document__in=documents, kind=JobKind.DOCUMENT)
    latest = jobs.order_by("document_id", "-created_at").distinct("document_id")
    found = {job.document_id: job for job in latest}
    return [(row, _why_draft(row, found.get(row.pk))) for row in documents]


def _why_draft(document: Document, latest: IngestionJob | None) -> str:
    if document.doc_type == DocType.OTHER:
        return "its kind could not be determined"
    if not document.chunking:
        return "it has not been read yet"
    if latest and "asks" in latest.counts:
        return f"it {latest.counts['asks']['told']}"
    reasons: dict[str, str] = {
        JobState.CANCELLED: "its job was cancelled",
        JobState.FAILED: "its job failed",
        JobState.QUEUED: "its job is not over",
        JobState.RUNNING: "its job is not over",
    }
    return reasons.get(latest.state if latest else "", "nobody has published it")
