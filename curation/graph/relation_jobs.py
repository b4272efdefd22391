"""The job that lets a vendor's model read passages and propose relations of the graph.

Its passages are chosen when it is requested, so that it can be estimated before anything is sent. Its progress is
stored with the relations of each passage, so another start continues there and pays for nothing twice.
"""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When

from curation import conf
from curation.graph.candidates import ROLE, Proposed, propose_relations, store_relations
from knowledge.db.connections import give_connection_back
from knowledge.ingestion.errors import IngestionError
from knowledge.ingestion.jobs.eta import duration_in_words
from knowledge.ingestion.jobs.jobs import OPEN_STATES, PENDING_STATES, lock_work, submit_work
from knowledge.ingestion.run import Run
from knowledge.models import Chunk, ChunkTask, ConceptChunkEvidence, Document, IngestionJob, Tenant
from knowledge.models.documents import DocType, DocumentStatus
from knowledge.models.telemetry import JobKind
from knowledge.usage import cost_of_use
from llm.errors import ModelError
from llm.interfaces import ChatModel
from llm.metering import Use
from llm.registry import chat_model

log = structlog.get_logger(__name__)

NAME: Final = "Relations of the graph"
COUNTED: Final = ("passages", "new", "refused", "failed_chunks")
"""Numbers in the counts of a job: passages read, new relations, relations refused, failed passages."""
NOTHING_LEFT: Final = (
    "There is no passage left that can join concepts: the model has read all of this library. Upload more documents"
    " first."
)


class NoVendor(ValueError):
    """Relations are proposed by a vendor's model only, and none is configured."""


class NothingToAsk(ValueError):
    """There is no passage that the model has not read."""


def request_relations(
    most: int, *, tenant: Tenant | None = None, held: bool = False, created_by: Any = None, wake: bool = True
) -> IngestionJob:
    """A job that reads at most so many passages of a school, or of the shared library, the open one if there is one.
    `held`, it waits for its operator, who reads the estimate. Raises NoVendor, NothingToAsk."""
    model = vendors_model()
    with transaction.atomic():
        lock_work(JobKind.GRAPH, tenant)  # of two who ask at once, the second gets the job of the first
        pending = IngestionJob.objects.filter(kind=JobKind.GRAPH, tenant=tenant, state__in=PENDING_STATES)
        if same := pending.first():
            return same
        chosen = list(passages_to_ask(tenant)[:most])
        if not chosen:
            raise NothingToAsk(NOTHING_LEFT)
        job = submit_work(
            JobKind.GRAPH,
            NAME,
            tenant=tenant,
            options={"passages": [str(chunk.pk) for chunk in chosen]},
            held=held,
            created_by=created_by,
            wake=wake,
        )
        read = sum(chunk.tokens for chunk in chosen) + len(chosen) * conf.RELATION_PROMPT_TOKENS
        written = len(chosen) * conf.RELATION_REPLY_TOKENS
        use = Use(
            provider=model.provider, model=model.model, purpose=ROLE, input_tokens=read, output_tokens=written
        )
        job.estimate = {  # in the words of `estimate_line`
            "passages": len(chosen),
            "tokens": read + written,
            "requests": len(chosen),
            "cost_usd": cost_of_use(use),
            "price": "CHAT_PRICE",
            "told": duration_in_words(len(chosen) * conf.RELATION_SECONDS),
        }
        IngestionJob.objects.filter(pk=job.pk).update(estimate=job.estimate)
        return job


def vendors_model() -> ChatModel:
    """The model that is asked. Raises NoVendor."""
    model = chat_model(ROLE)
    if not model.external:
        raise NoVendor(
            "Set a vendor's key first (LLM_PROVIDER and its key): without one no relations are proposed."
        )
    return model


def passages_to_ask(tenant: Tenant | None) -> QuerySet[Chunk]:
    """The passages in force that no job had read by a model yet, and that may join concepts; handbooks first."""
    jobs = IngestionJob.objects.filter(kind=JobKind.GRAPH, tenant=tenant, counts__has_key="read")
    read = list(chain.from_iterable(jobs.values_list("counts__read", flat=True)))
    papers = Document.objects.filter(
        tenant=tenant, status=DocumentStatus.PUBLISHED, deprecated_at=None, superseded_by=None
    ).exclude(doc_type=DocType.ACS)
    rests = Exists(ConceptChunkEvidence.objects.filter(chunk=OuterRef("pk")))
    serves = Exists(ChunkTask.objects.filter(chunk=OuterRef("pk")))
    found = Chunk.objects.filter(Q(rests) | Q(serves), document__in=papers).exclude(kind__in=("toc", "index"))
    handbooks_first = Case(When(document__doc_type=DocType.HANDBOOK, then=Value(0)), default=Value(1))
    return found.exclude(pk__in=read).order_by(handbooks_first, "document", "index")


def ask_passages(run: Run) -> None:
    """Let the model read the job's passages, one call each, and store what it says as pending.

    A passage that is no longer in force, or that another job had read meanwhile or is reading, is passed over. One for
    which the model gives no usable answer is listed, and left for another job. Raises ModelError if the model is away,
    IngestionError if none is set up any more.
    """
    try:
        model = vendors_model()
    except NoVendor as error:
        raise IngestionError(str(error), "no_vendor") from error
    empty: dict[str, Any] = {"done": 0, "read": [], "reasons": {}, "examples": {}, "failures": []}
    run.counts |= {**dict.fromkeys(COUNTED, 0), **empty, **run.counts}
    chosen, by_id = run.job.options["passages"], take_passages(run)
    for at in range(run.counts["done"], len(chosen)):
        run.tick(at, len(chosen))
        if chunk := by_id.get(chosen[at]):
            ask_about(chunk, model, run)
        else:  # it has been divided anew, withdrawn, or taken by another job since
            run.counts["done"] += 1
    run.tick(len(chosen), len(chosen))


def take_passages(run: Run) -> dict[str, Chunk]:
    """The job's passages that are left to read, by id. The job's row lists them, so that of two jobs that run at once,
    such as a new one and one that is retried, only one reads a passage."""
    job = run.job
    with transaction.atomic():
        lock_work(JobKind.GRAPH, job.tenant)
        others = IngestionJob.objects.filter(
            kind=JobKind.GRAPH, tenant=job.tenant, state__in=OPEN_STATES, counts__has_key="taken"
        ).exclude(pk=job.pk)
        elsewhere = set(chain.from_iterable(others.values_list("counts__taken", flat=True)))
        wanted = [name for name in job.options["passages"][run.counts["done"] :] if name not in elsewhere]
        chunks = passages_to_ask(job.tenant).select_related("document").in_bulk(wanted)
        by_id = {str(pk): chunk for pk, chunk in chunks.items()}
        run.counts["taken"] = list(by_id)
        run.lease.keep(counts=run.counts)
    return by_id


def ask_about(chunk: Chunk, model: ChatModel, run: Run) -> None:
    """Store what the model says that one passage joins, and count it in the job. Raises ModelError if it is away."""
    counts, proposed, failure = run.counts, Proposed(), ""
    give_connection_back()
    try:
        proposed = propose_relations(chunk, model)
        counts["read"].append(str(chunk.pk))
    except ModelError as error:
        if error.away:
            raise
        failure = error.code
        log.warning("passage_not_joined", chunk=str(chunk.pk), code=failure)
        counts["failures"] = [*counts["failures"], [chunk.heading or str(chunk), failure]][
            : conf.FAILURES_SHOWN
        ]
    counts["reasons"] = dict(Counter(counts["reasons"]) + proposed.refused)
    for reason, words in proposed.examples:
        kept = counts["examples"].setdefault(reason, [])
        kept[:] = [*kept, words][: conf.REFUSALS_SHOWN]
    counts["done"] += 1
    with transaction.atomic():
        found = (1, store_relations(chunk, proposed.relations), proposed.refused.total(), int(bool(failure)))
        for name, number in zip(COUNTED, found, strict=True):
            counts[name] += number
        run.keep()


RELATION_STEPS: Final = {"ask": ask_passages}
