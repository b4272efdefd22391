"""Run a job by its steps, and the steps of an ingestion: `STEPS`, from top to bottom.

Each step takes the run, reports its progress, and leaves its result on the run. Nothing is stored before `store`, which
writes all in one transaction; `embed` adds vectors; `publish` makes the document findable. Wherever a run ends, it
leaves either nothing or a whole document, and the next run of the same file and settings gives the same rows.
"""

import ctypes
import gc
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from uuid import UUID

import structlog
from django.conf import settings
from django.db import connection, transaction

from knowledge import conf
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.chunking.diff import Chunking
from knowledge.ingestion.chunking.stable_boundaries import Borders
from knowledge.ingestion.chunking.strategies import Strategy, strategy_named
from knowledge.ingestion.chunking.token_counting import EmbeddingCount, count_from
from knowledge.ingestion.editions.editions import publish_edition, share_passages
from knowledge.ingestion.editions.reingest_policy import chunk_again
from knowledge.ingestion.editions.replacement import replacement_by
from knowledge.ingestion.figures.extraction import extract_figures
from knowledge.ingestion.figures.linking import LinkedChunk, LinkedFigure, find_links
from knowledge.ingestion.formats.metadata import RECOGNIZED
from knowledge.ingestion.jobs.content_storage import store_once, stored_size, work_folder
from knowledge.ingestion.jobs.eta import Countdown
from knowledge.ingestion.jobs.jobs import take_lease
from knowledge.ingestion.jobs.lease_heartbeat import keep_lease_alive
from knowledge.ingestion.jobs.step_rates import MEASURED, measured_rates
from knowledge.ingestion.ocr import recognise_pages
from knowledge.ingestion.reread_jobs import wants_recognition
from knowledge.ingestion.run import OnProgress, Run, Step, steps_of
from knowledge.ingestion.storage import Draft, store_document
from knowledge.ingestion.vectors.embedding import (
    check_embedded,
    chunks_behind,
    embed_document,
    embed_library,
    embed_texts,
)
from knowledge.ingestion.vectors.sets import index_set, keep_first_set, kept_models
from knowledge.library_version import library_changed, model_in_use
from knowledge.models import Document, IngestionJob
from knowledge.models.documents import DocType, DocumentAct, DocumentStatus
from knowledge.models.telemetry import JobKind, JobState
from knowledge.standards.chunk_task_tags import mark_tasks
from llm import registry
from llm.errors import ModelError
from llm.interfaces import EmbeddingModel

from .errors import (
    EmbeddingIncomplete,
    IngestionError,
    Interrupted,
    ReadingKilled,
    Stalled,
    Stopped,
)
from .source_files import PDF_SUFFIX, given_description, parsed_source, read_source

log = structlog.get_logger(__name__)

_NOTED = 12  # places in one note; the job's counts have them all


# --- the steps ------------------------------------------------------------


def read_file(run: Run) -> None:
    """Read the file's pages or text, and note what was left out: hidden words, pages of chart."""
    run.source = source = read_source(run.path, run.tick, run.job.source_name)
    notes = []
    if source.head and source.head.repaired:
        run.counts["repaired"] = True
        notes.append("the file is damaged and had to be repaired: pages may be missing")
    if source.unseen:
        run.counts["unseen"] = {one.where: one.words for one in source.unseen}
        places = ", ".join(f"{one.where} ({one.words})" for one in source.unseen[:_NOTED])
        more = "…" if len(source.unseen) > _NOTED else ""
        words = sum(one.words for one in source.unseen)
        notes.append(f"{words} words that no reader sees were left out: {places}{more}")
    if source.crowded:
        run.counts["crowded"] = list(source.crowded)
        places = ", ".join(map(str, source.crowded[:_NOTED]))
        notes.append(
            f"the text of {len(source.crowded)} pages was left out, it is more than print has: {places}"
        )
    if notes:
        run.note("; ".join(notes))


def recognise_scans(run: Run) -> None:
    """Read the text of scanned pages, if somebody asked for it."""
    assert run.source is not None
    if run.source.pages and wants_recognition(run.job):
        found = recognise_pages(run.path, run.source.pages, run.tick)
        run.source = replace(run.source, pages=found.pages)
        run.counts |= {"recognised": len(found.read), "doubtful_words": found.doubtful}
        words = found.sure + found.doubtful
        run.note(f"{len(found.read)} pages recognized; {found.doubtful} of {words} words in doubt")


def find_structure(run: Run) -> None:
    """Find reading order, paragraphs, headings, and what the document is."""
    assert run.source is not None
    given = given_description(run.job.options)
    run.parsed = parsed_source(run.source, run.job.source_name, given)
    run.source = None  # it takes as much memory as the result
    run.counts["pages"] = len(run.parsed.pages)
    scans = [page.number for page in run.parsed.pages if page.needs_ocr]
    if scans:
        run.counts["needs_ocr"] = scans
        run.note(f"{len(scans)} pages are pictures of text and hold none: they need OCR")


def cut_chunks(run: Run) -> None:
    """Cut the text into chunks, by the strategy of the job or the general setting."""
    assert run.parsed is not None
    parsed, strategy = run.parsed, _strategy_of(run)

    def embed(sentences: Sequence[str]) -> list[list[float]]:
        """In batches through the cache."""
        vectors: list[list[float]] = []
        for at in range(0, len(sentences), conf.EMBED_BATCH):
            run.tick(at, len(sentences))
            batch = sentences[at : at + conf.EMBED_BATCH]
            vectors += embed_texts(run.model, batch, partial(run.spend, run.model))[0]
        return vectors

    def cut(borders: Borders | None) -> tuple[ChunkDraft, ...]:
        return chunk_pages(
            parsed, strategy=strategy, count_tokens=run.model.count_tokens, embed=embed, borders=borders
        )

    wanted = Chunking(strategy=strategy.label, model=run.model.name)
    run.chunks, again = chunk_again(run.job, parsed.description, wanted, cut)
    run.counts |= {"chunks": len(run.chunks), "tokens": sum(draft.tokens for draft in run.chunks)}
    run.countdown = Countdown()  # how much there is to do is known from here on
    if again is not None:
        run.counts["reread"] = again.to_dict()
        run.note(again.in_words())


def _strategy_of(run: Run) -> Strategy:
    return strategy_named(run.job.options.get("chunking") or settings.CHUNKING, run.model.name)


def store_figures(run: Run) -> None:
    """Store the pictures worth keeping, each as a file."""
    assert run.parsed is not None
    run.counts |= {"images": 0, "skipped": 0, "skipped_for": {}}
    if run.path.suffix == PDF_SUFFIX:
        with work_folder(run.lease.job_id, run.lease.fence) as out:
            extracted = extract_figures(run.path, run.parsed, out, run.tick)
            for figure in extracted.figures:
                data = (out / figure.picture.file).read_bytes()
                store_once(figure.stored_as, len(data), [data])
            run.figures = extracted.figures
        run.counts |= {
            "images": len(run.figures),
            "skipped": sum(extracted.refused.values()),
            "skipped_for": dict(extracted.refused.most_common()),
            "without_picture": list(extracted.without_picture),
        }


def link_figures(run: Run) -> None:
    """Find which chunk refers to which figure."""
    assert run.parsed is not None
    run.links = find_links(
        [LinkedChunk(draft.text, tuple({line.page for line in draft.lines})) for draft in run.chunks],
        [LinkedFigure(figure.label, figure.caption, figure.pages) for figure in run.figures],
        (run.parsed.description.title, run.parsed.description.abbreviation),
    )
    run.counts["links"] = len(run.links)


def store_rows(run: Run) -> None:
    """Write all rows in one transaction, which also checks that the job is still ours."""
    assert run.parsed is not None
    draft = Draft(
        parsed=run.parsed,
        chunks=run.chunks,
        figures=run.figures,
        links=run.links,
        chunking=_strategy_of(run).label,
        counted_by=run.model.name,
    )
    with transaction.atomic():
        run.lease.keep()
        run.document = store_document(run.job, draft)
        mark_tasks(run.document)
        before = share_passages(run.document, run.job.options.get("edition_of", ""))
        run.lease.keep(document=run.document)
        library_changed(run.document.tenant_id)
    run.parsed, run.chunks, run.links = None, (), ()  # free memory: vectors may take an hour
    if run.document.superseded_by is not None:
        run.note(
            f"this edition is superseded by {run.document.superseded_by}; bring it back to serve it again"
        )
    if before is not None:
        run.counts["shared"] = run.document.places.count()
        run.note(f"{run.counts['shared']} passages are the same in {before}, {before.edition or 'before'}")


def embed_passages(run: Run) -> None:
    """Give each chunk a vector of each kept model, from the cache where the text is known."""
    assert run.document is not None
    if run.only:
        models = [run.model]
    else:
        run.model = registry.embedding_model()  # it may have been switched since the job began
        keep_first_set(run.model)
        models = list(kept_models(run.model))
    for model in models:
        try:
            embed_document(run.document, model, run.tick, partial(run.spend, model), run.lease.keep)
        except ModelError as error:
            if model is run.model:
                raise
            # A set that is not searched may wait; it cannot be switched to before it is complete.
            log.warning("ingestion.set_behind", job=str(run.job.pk), model=model.name, error=str(error))
            run.counts.setdefault("behind", []).append(model.name)
            run.note(f"vectors of {model.name} are missing ({error}); build them before you switch to it")
    _count_vectors(run)


def _count_vectors(run: Run) -> None:
    """Add up what embedding took, for the operator."""
    count = sum(map(count_from, run.counts.get("embedding", {}).values()), EmbeddingCount())
    run.counts |= {"embedded": count.misses, "from_cache": count.hits}
    if count.failed_writes:
        run.counts["cache_failed_writes"] = count.failed_writes
        run.note(f"{count.failed_writes} vectors could not be kept in the cache")


def publish_document(run: Run) -> None:
    """Make the document findable, unless its type is unknown or a draft was asked for."""
    document = run.document
    assert document is not None
    check_embedded(document, run.model.name if run.only else registry.embedding_model().name)
    if not run.counts["chunks"]:
        run.note("there is no text in it: it stays a draft until its pages are recognized (OCR)")
        return
    told = (
        document.doc_type != DocType.OTHER
        or document.abbreviation in RECOGNIZED
        or "doc_type" in run.job.options
    )
    wanted = run.job.options.get("status") or (DocumentStatus.PUBLISHED if told else DocumentStatus.DRAFT)
    document.refresh_from_db()
    # Whoever names the status of this file has decided; otherwise somebody has to see what an edition would take away.
    replaces = replacement_by(document, bool(run.counts.get("repaired"))) if told else None
    decided = "status" in run.job.options and not run.job.options.get("listed")
    if not decided and replaces is not None and replaces.asks:
        run.counts["asks"] = replaces.to_dict()
        run.note(f"it stays a draft until somebody decides: it {replaces.in_words()}")
        return
    with transaction.atomic():
        run.lease.keep()
        if document.status == DocumentStatus.DRAFT and wanted == DocumentStatus.PUBLISHED:
            served = publish_edition(document, by=run.job.created_by)
            if served.superseded is not None:
                run.counts["edition"] = served.to_dict()
                run.note(served.in_words())
        elif document.superseded_by_id is None and "status" in run.job.options:
            if wanted == DocumentStatus.PUBLISHED != document.status:
                by = run.job.created_by
                document.events.create(act=DocumentAct.PUBLISHED, was=document.status, made_by=by)
            Document.objects.filter(pk=document.pk).update(status=wanted)
        library_changed(document.tenant_id)
    document.refresh_from_db()
    if not told:
        run.note("the kind of document could not be determined: it stays a draft until you enter it")


STEPS: Mapping[str, Step] = {
    "read": read_file,
    "recognise": recognise_scans,
    "structure": find_structure,
    "chunk": cut_chunks,
    "figures": store_figures,
    "link": link_figures,
    "store": store_rows,
    "embed": embed_passages,
    "publish": publish_document,
}
"""In order, under their names in rows and on pages."""
_MAKES_VALUES = frozenset({"read", "structure", "chunk", "link", "store"})


def embed_library_set(run: Run) -> None:
    """Make vectors of another model for all that searches find, beside those they read."""
    count = embed_library(model_in_use(), run.model, run.tick, partial(run.spend, run.model), run.lease.keep)
    index_set(run.model)
    _count_vectors(run)
    run.counts["chunks"] = count.hits + count.misses
    behind = chunks_behind(run.model.name, model_in_use()).count()
    if behind:
        raise EmbeddingIncomplete(
            f"{behind} passages have no vector of {run.model.name}. Start the job again."
        )


LIBRARY_STEPS: Mapping[str, Step] = {"embed_library": embed_library_set}


# --- running ------------------------------------------------------------


def run_job(
    job_id: UUID,
    on_progress: OnProgress | None = None,
    *,
    model: EmbeddingModel | None = None,
    steps: Mapping[str, Step] | None = None,
    in_turn: bool = False,
) -> bool:
    """Run a job to its end if it is free; returns whether it was. The result is in its row. With `model`, only that one
    makes vectors, whichever sets are kept; with `in_turn`, a large job is not free while another large one runs."""
    found = IngestionJob.objects.filter(pk=job_id).values_list("kind", "options").first()
    if found is None:
        return False
    kind, options = found
    wanted = options["model"] if kind == JobKind.VECTORS else ""
    chosen = model or registry.embedding_model(wanted)  # before the lease: a missing model holds up nobody
    lease = take_lease(job_id, in_turn=in_turn)
    if lease is None:
        return False
    job = IngestionJob.objects.select_related("tenant", "created_by", "document").get(pk=job_id)
    steps = steps or steps_of(kind)
    measured = kind in MEASURED
    # Jobs of other kinds keep in their counts how far they are, and go on there.
    kept = job.counts.keys() & {"embedding"} if measured else job.counts.keys() - {"code"}
    run = Run(
        job,
        lease,
        chosen,
        on_progress or (lambda progress: None),
        counts={key: value for key, value in job.counts.items() if key in kept},
        names=tuple(steps),
        size=stored_size(str(job.file.name or "")),
        rates=measured_rates(chosen) if measured else {},
        only=model is not None,
    )
    _run_steps(run, steps)
    if run.counts.get("pages", 0) >= conf.LONG_DOCUMENT:
        del run, job  # Python and the C library would keep their memory for later
        gc.collect()
        with suppress(AttributeError):  # no glibc
            ctypes.CDLL(None).malloc_trim(0)
    return True


def _run_steps(run: Run, steps: Mapping[str, Step]) -> None:
    """Run the steps, and write into the job's row how they ended."""
    try:
        try:
            with keep_lease_alive(run.lease) as run.progressed:
                for name, step in steps.items():
                    run.begin(name)
                    began = time.monotonic()
                    with _gc_paused() if name in _MAKES_VALUES else nullcontext():
                        step(run)
                    run.end(time.monotonic() - began)
        except (Interrupted, Stalled):
            connection.close()  # it may have been interrupted in the middle of a statement
            raise
        run.lease.finish(JobState.SUCCEEDED, step="", steps=run.steps, counts=run.counts, seconds_left=None)
    except Stopped as stopped:
        run.lease.let_go()
        log.info("ingestion.stopped", job=str(run.job.pk), why=str(stopped))
    except ReadingKilled as error:
        if run.job.attempts >= conf.MAX_ATTEMPTS:
            _fail_job(run, str(error), error.code)
            return
        # Memory may be free at the next sweep, and the file may not be the reason.
        run.lease.give_back(0, str(error))
        log.warning("ingestion.reading_killed", job=str(run.job.pk), attempt=run.job.attempts)
    except IngestionError as error:
        _fail_job(run, str(error), error.code)
    except ModelError as error:
        _after_model_error(run, error)
    except Exception:
        log.exception("ingestion.failed", job=str(run.job.pk))
        name = run.steps[-1]["name"] if run.steps else "start"
        _fail_job(run, f"The step “{name}” failed for a reason of our own; see the log.", "internal")
        raise


def _after_model_error(run: Run, error: ModelError) -> None:
    """If that may help, let the job wait and continue after the vectors that it has; a start that made some does not
    count as failed."""
    starts = 0 if run.moved_on else run.job.attempts
    if not error.retryable or starts >= conf.MAX_ATTEMPTS:
        _fail_job(run, f"The model refused: {error}", error.code)
        return
    seconds = min(conf.AWAY_MOST_SECONDS, conf.AWAY_SECONDS * 2 ** max(0, starts - 1))
    run.lease.give_back(
        max(seconds, error.retry_after or 0.0),
        f"The model is unavailable ({error}).",
        attempts=starts,
        steps=run.steps,
        counts=run.counts,
    )
    log.warning("ingestion.model_away", job=str(run.job.pk), error=str(error))


def _fail_job(run: Run, message: str, code: str) -> None:
    if run.steps:
        run.steps[-1] |= {"state": "failed", "note": message}
    run.counts["code"] = code
    try:
        run.lease.finish(JobState.FAILED, error=message, steps=run.steps, counts=run.counts)
    except Stopped as stopped:
        log.info("ingestion.stopped", job=str(run.job.pk), why=str(stopped))


# --- memory ----------------------------------------------------------------------------------------------


@contextmanager
def _gc_paused() -> Iterator[None]:
    """For work that makes many values and ends soon; it pauses for other threads too.

    Pages, lines, paragraphs and chunks form no cycles; looking for some took a third of the time on the FAA's PDFs.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
