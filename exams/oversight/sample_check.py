"""Checks a sample of exchanges again: does each statement of the examiner's follow from the sources that it cited?

A worker does it some time after the exchange, and no oral waits for it. Which exchanges belong to the sample follows
from the turn's id alone, and an exchange has one row, so that a task that runs twice adds nothing. What is refused goes
to the reviewers as a dispute, each statement once in a school. What a reviewer has approved beside its evidence goes
back to one only if a model refuses it: most statements that the local check alone refuses are true.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from hashlib import sha256
from typing import Any, Final

import structlog
from django.db import transaction
from django.db.models import Count, Exists, F, Func, IntegerField, OuterRef, Prefetch, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Mod, TruncDate
from django.utils import timezone
from prometheus_client import Gauge
from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.models import Assessment, CheckedExchange, Dispute, Turn
from exams.oversight.statements import Stated, statements_of
from knowledge import conf as knowledge_conf
from knowledge.flags import SAMPLE_BY_MODEL, is_on
from knowledge.grounding.support_model import CHANGES
from knowledge.models import Chunk, ConceptChunkEvidence, Tenant
from knowledge.models.graph import ValidationStatus
from llm.errors import ModelError
from llm.interfaces import ChatModel, ChatRequest, Message
from llm.prompts import fence_text, load_prompt
from llm.registry import chat_model
from llm.structured import ask_model

ROLE: Final = "sample_check"
NOTE: Final = "The sample check found no support for: {}"
STATEMENTS: Final = Gauge(
    "heydpe_sampled_statements",
    f"Statements of exchanges of the last {conf.SAMPLE_GAUGE_DAYS} days that were checked again, by outcome",
    ["outcome"],
)

_SUMS: Final = {
    name: Coalesce(Sum(Func(F(column), function=size, output_field=IntegerField())), 0)
    for name, column, size in (
        ("stated", "statements", "jsonb_array_length"),
        ("denied", "refused", "cardinality"),
    )
}
_SPREAD, _PLACES = 2_654_435_761, 2**32  # Knuth's multiplicative hash: neighboring ids lie far apart

log = structlog.get_logger(__name__)


class FindingReply(BaseModel):
    model_config = ConfigDict(extra="forbid")

    n: int
    supported: bool
    lacks: str = Field(default="", max_length=600)


class SampleReply(BaseModel):
    """A model's findings on the statements of one exchange."""

    model_config = ConfigDict(extra="forbid")

    findings: list[FindingReply] = Field(max_length=60)


def sampled_turns() -> QuerySet[Turn]:
    """The turns that belong to the sample, at any time: `SAMPLE_SHARE` of all ids."""
    place = Mod(Mod(F("id"), 2**31) * _SPREAD, _PLACES)
    return Turn.objects.alias(place=place).filter(place__lt=int(conf.SAMPLE_SHARE * _PLACES))


def check_sample(model: ChatModel | None = None) -> int:
    """Checks what is due, the oldest first; returns how many exchanges were stored. A second run adds nothing.

    Due are sampled turns of the last days that have been judged and are over: their verdict is final, or something
    else has been asked since.
    """
    since = timezone.now() - timedelta(hours=conf.SAMPLED_WITHIN_HOURS)
    judged = Assessment.objects.filter(turn=OuterRef("pk"))
    later = Turn.objects.filter(exam=OuterRef("exam"), number__gt=OuterRef("number"))
    due = sampled_turns().filter(
        Exists(judged.filter(final=True)) | Exists(judged) & Exists(later),
        ~Exists(CheckedExchange.objects.filter(turn=OuterRef("pk"))),
        created_at__gte=since,
    )
    finals = Prefetch("assessments", Assessment.objects.filter(final=True), to_attr="finals")
    turns = list(due.select_related("exam").prefetch_related(finals).order_by("id")[: conf.SAMPLED_AT_ONCE])
    near = {one["chunk_id"] for turn in turns for final in turn.finals for one in final.near}
    passages = {str(key): text for key, text in Chunk.objects.filter(pk__in=near).values_list("pk", "text")}
    reader = model or (chat_model(ROLE) if turns and is_on(SAMPLE_BY_MODEL) else None)
    done = 0
    for turn in turns:
        try:
            stated = statements_of(turn, next(iter(turn.finals), None), passages)
            done += _store(turn, *_findings_on(stated, reader if reader and reader.external else None))
        except Exception:  # one that fails holds up no other, and is left after two days
            log.exception("sample_check_failed", turn=turn.pk)
    return done


def _findings_on(
    stated: Sequence[Stated], reader: ChatModel | None
) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Each statement with what was found, and the versions of what found it."""
    checker: dict[str, Any] = {"check": version_of_check()}
    by_model: dict[int, FindingReply] = {}
    if reader and stated:
        try:
            by_model, read_by = _ask_reader(stated, reader)
            checker |= read_by
        except ModelError as error:  # the local finding stands alone
            checker["model_failed"] = error.code
    rows = []
    for n, one in enumerate(stated, start=1):
        found, read = one.check(), by_model.get(n)
        row = {
            "kind": one.kind,
            "text": one.text,
            "digest": one.digest,
            "sources": [dict(source) for source in one.sources],
            "supported": read.supported if read else found.supported,
            "local": found.supported,
            "score": found.score,
            "reasons": list(found.reasons),
        }
        if read:
            row |= {"model": read.supported, "lacks": read.lacks}
        rows.append(row)
    return rows, checker


def _ask_reader(
    stated: Sequence[Stated], reader: ChatModel
) -> tuple[dict[int, FindingReply], dict[str, Any]]:
    """The model's findings by number. Raises ModelError; one that leaves a statement out has found nothing on it."""
    told = "\n\n".join(
        "\n".join(
            (
                f"Statement {n}:",
                fence_text("statement", one.text),
                *(fence_text("source", f"{source['label']}\n{source['quote']}") for source in one.sources),
                *(fence_text("passage", passage) for passage in one.passages),
            )
        )
        for n, one in enumerate(stated, start=1)
    )
    prompt = load_prompt("exams", "sample_check", statements=told)
    reply = ask_model(
        reader,
        ChatRequest(
            role=ROLE,
            system=prompt.text,
            messages=(Message("user", "Check them now."),),
            schema=SampleReply,
            prompt_version=prompt.version,
            timeout=conf.SAMPLE_CHECK_TIMEOUT_S,
        ),
    )
    names = {"provider": reply.provider, "model": reply.model, "prompt_version": reply.prompt_version}
    return {one.n: one for one in reply.value.findings}, names


@cache
def version_of_check() -> str:
    """Changes with the weights and the bars of the entailment check."""
    bars = (
        knowledge_conf.SUPPORT_SURE,
        knowledge_conf.SUPPORT_SURE_IN_DOUBT,
        knowledge_conf.ENTAILMENT_WINDOW,
    )
    return sha256(CHANGES.read_bytes() + repr(bars).encode()).hexdigest()[:12]


def _store(turn: Turn, statements: list[dict[str, Any]], checker: dict[str, Any]) -> bool:
    """The row and, for what the school's reviewers have not decided before, a dispute; False if somebody was faster."""
    refused = [one for one in statements if not one["supported"]]
    approved = _approved_words(turn, refused)
    for one in refused:
        quotes = {(one["text"], _one_line(source["quote"])) for source in one["sources"]}
        one["approved"] = "model" not in one and not quotes.isdisjoint(approved)
    digests = [one["digest"] for one in refused]
    with transaction.atomic():
        earlier = CheckedExchange.objects.filter(
            turn__exam__tenant=turn.exam.tenant_id, refused__overlap=digests, turn__disputes__isnull=False
        )
        known = {
            one["digest"]
            for rows in earlier.values_list("statements", flat=True)
            for one in rows
            if not one["supported"] and not one.get("approved")
        }
        row = {"statements": statements, "refused": digests, "checker": checker}
        _, is_new = CheckedExchange.objects.get_or_create(
            turn=turn, defaults={"asked_at": turn.created_at, **row}
        )
        new = [one["text"] for one in refused if not one["approved"] and one["digest"] not in known]
        if is_new and new:
            note = NOTE.format(" ".join(f"“{text}”" for text in new))[: conf.NOTE_CHARACTERS_MOST]
            raised = {"exam": turn.exam, "note": note, "by_sample": True}
            Dispute.objects.get_or_create(turn=turn, defaults=raised)
    return is_new


def _approved_words(turn: Turn, refused: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """Statements that reviewers have approved, with a quote beside which they did."""
    rows = ConceptChunkEvidence.objects.filter(
        Q(concept__tenant=None) | Q(concept__tenant=turn.exam.tenant_id),
        concept__name__in=[one["text"] for one in refused],
        concept__validation_status=ValidationStatus.VALIDATED,
        concept__stale=False,
    )
    return {(name, _one_line(quote)) for name, quote in rows.values_list("concept__name", "quote")}


def _one_line(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True, slots=True)
class SampledDay:
    """Exchanges of a day that were checked, the statements in them, and how many of these were refused."""

    day: date
    exchanges: int
    statements: int
    refused: int


def sampled_days(school: Tenant | None, since: datetime) -> list[SampledDay]:
    """Of one school (None: of users without a school), the earliest first; days without any are left out."""
    rows = CheckedExchange.objects.filter(turn__exam__tenant=school, asked_at__gte=since)
    days = rows.annotate(day=TruncDate("asked_at")).values("day").order_by("day")
    sums = days.annotate(exchanges=Count("pk"), **_SUMS)
    return [SampledDay(*one) for one in sums.values_list("day", "exchanges", "stated", "denied")]


def set_gauges() -> None:
    """Counts for `/metrics`, of all schools. Waiting are disputes of the sample, however old."""
    since = timezone.now() - timedelta(days=conf.SAMPLE_GAUGE_DAYS)
    counts = CheckedExchange.objects.filter(asked_at__gte=since).aggregate(**_SUMS)
    waiting = Dispute.objects.filter(by_sample=True, resolved=False).count()
    STATEMENTS.labels("checked").set(counts["stated"])
    STATEMENTS.labels("refused").set(counts["denied"])
    STATEMENTS.labels("waiting").set(waiting)
