"""The weekly report on searches, from their log: what the library lacks, and what nobody uses.

One report for each school, and one for users without a school. Each week is stored as a row. Workers count: in a
process that has not read the item bank, that takes seconds.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

import structlog
from celery import current_app
from django.core.cache import cache
from django.db.models import Count, Max, Q, QuerySet
from kombu.exceptions import OperationalError as BrokerAway
from redis.exceptions import RedisError

from desk import conf
from desk.evaluation.measures import median_and_p95
from exams.examiner.element_facts import element_facts
from knowledge.flags import NAMES as FLAG_NAMES
from knowledge.models import Chunk, RetrievalLog, RetrievalReport, Standard, Tenant
from knowledge.models.documents import DocType
from knowledge.models.telemetry import LookUp, Tier
from knowledge.retrieval.results import label_of_chunk
from knowledge.retrieval.searchable import Scope, searchable_chunks
from llm.registry import embedding_model

log = structlog.get_logger(__name__)
Json = dict[str, Any]
WEEK_TASK = "desk.count_week"
QUALITIES = ("strong", "weak", "none")
WEEK = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """Verdicts are about what was asked, not about what was answered. `cut` counts the rows that each list leaves out.
    Times are of searches that no cache answered. `look_ups` are by kind, with the tier that answered; `flags` is the
    number of searches each flag was on for. `unused` documents can be found, and no search found them."""

    start: date
    searches: int
    qualities: dict[str, int]
    cached: int
    filtered: int
    fell_back: int
    degraded: int
    cited: int
    p50: float | None
    p95: float | None
    days: list[Json]
    weak: list[Json]
    uncited: list[Json]
    categories: list[Json]
    unsupported: list[Json]
    cut: dict[str, int]
    look_ups: list[Json] = field(default_factory=list)
    reformulated: int = 0
    flags: dict[str, int] = field(default_factory=dict)
    unused: list[Json] = field(default_factory=list)

    def to_dict(self) -> Json:
        return {**asdict(self), "start": self.start.isoformat()}


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def week_from(body: Mapping[str, Any]) -> Week:
    """From a stored row."""
    return Week(**{**body, "start": date.fromisoformat(body["start"])})


def count_week(tenant: Tenant | None, monday: date, days: int = WEEK.days) -> Week:
    """Count the log of so many days from this one on, now."""
    start = _midnight(monday)
    end = start + timedelta(days=days)
    logs = RetrievalLog.objects.filter(tenant=tenant, created_at__gte=start, created_at__lt=end)
    logs = logs.order_by()
    asked = logs.exclude(kind=LookUp.ANSWER)  # a student's words need not be in the library
    qualities = Counter(asked.values_list("quality", flat=True))
    found, cited, citing_searches = _found_and_cited(logs)
    # The most frequent queries without a strong result first: each may be a missing document.
    weak = asked.exclude(quality="strong").values("query", "element")
    weak = weak.annotate(times=Count("id"), top=Max("top")).order_by("-times", "top", "query", "element")
    lists = {
        "weak": [{**row, "query": row["query"][: conf.QUERY_SHOWN]} for row in weak],
        "uncited": _uncited_passages(found, cited) if cited else [],
        "unsupported": _unsupported_tasks(tenant),
        "unused": _unused_documents(tenant, found),
    }
    p50, p95 = median_and_p95(list(logs.filter(cached=False).values_list("latency_ms", flat=True)))
    return Week(
        start=monday,
        searches=logs.count(),
        qualities={name: qualities[name] for name in QUALITIES},
        cached=logs.filter(cached=True).count(),
        filtered=(logs.exclude(filters={}) | logs.filter(fallback=True)).count(),
        fell_back=logs.filter(fallback=True).count(),
        degraded=logs.exclude(degraded="").count(),
        cited=citing_searches,
        p50=p50,
        p95=p95,
        days=_qualities_by_day(asked, monday, days),
        categories=_document_kinds(tenant, found),
        cut={name: max(0, len(rows) - conf.WEEK_ROWS) for name, rows in lists.items()},
        look_ups=_look_ups_by_kind(logs),
        reformulated=logs.exclude(reformulated="").count(),
        flags={name: logs.filter(flags__contains=[name]).count() for name in sorted(FLAG_NAMES)},
        **{name: rows[: conf.WEEK_ROWS] for name, rows in lists.items()},
    )


def request_week(tenant: Tenant | None, monday: date, now: datetime) -> tuple[RetrievalReport | None, bool]:
    """The stored week, if there is one, and whether a count of it is due. Then a worker is asked for one."""
    row = RetrievalReport.objects.filter(tenant=tenant, week=monday).first()
    oldest = min(now - timedelta(seconds=conf.WEEK_SECONDS), _midnight(monday + WEEK))
    is_due = row is None or row.created_at < oldest
    if is_due:
        _ask_for_count(tenant, monday)
    return row, is_due


def keep_week(tenant: Tenant | None, monday: date) -> None:
    """Count the week now, and store it."""
    body = count_week(tenant, monday).to_dict()
    RetrievalReport.objects.update_or_create(tenant=tenant, week=monday, defaults={"body": body})


def keep_weeks(now: datetime) -> int:
    """Store this week so far and the last one as it ended, for every school; the number of rows written."""
    this = monday_of(now.date())
    last = this - WEEK
    written = 0
    for tenant in (None, *Tenant.objects.all()):
        rows = RetrievalReport.objects.filter(tenant=tenant)
        is_final = rows.filter(week=last, created_at__gte=_midnight(this)).exists()
        for monday in (this,) if is_final else (last, this):
            keep_week(tenant, monday)
            written += 1
    return written


def weeks_before(tenant: Tenant | None, monday: date) -> list[Week]:
    """The stored weeks before this one, oldest first."""
    first = monday - (conf.WEEKS_DRAWN - 1) * WEEK
    rows = RetrievalReport.objects.filter(tenant=tenant, week__gte=first, week__lt=monday).order_by("week")
    return [week_from(row.body) for row in rows]


def latest_look_ups(tenant: Tenant | None) -> list[RetrievalLog]:
    """A school's last searches, newest first."""
    return list(RetrievalLog.objects.filter(tenant=tenant).order_by("-id")[: conf.LATEST_ROWS])


def _ask_for_count(tenant: Tenant | None, monday: date) -> None:
    """At most once in `WEEK_ASKED_SECONDS`, however often the page is loaded."""
    school, seconds = str(tenant.pk) if tenant else None, conf.WEEK_ASKED_SECONDS
    key = f"week-asked:{school}:{monday}"
    try:
        if cache.add(key, 1, seconds):
            current_app.send_task(WEEK_TASK, args=[school, monday.isoformat()], expires=seconds)
    except (BrokerAway, RedisError, OSError) as error:
        log.warning("weekly_report.not_asked", error=str(error))


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _qualities_by_day(logs: QuerySet[RetrievalLog], first: date, number: int) -> list[Json]:
    counted = {
        (row["created_at__date"], row["quality"]): row["number"]
        for row in logs.values("created_at__date", "quality").annotate(number=Count("id"))
    }
    days = [first + timedelta(days=after) for after in range(number)]
    return [
        {"day": day.isoformat(), **{name: counted.get((day, name), 0) for name in QUALITIES}} for day in days
    ]


def _look_ups_by_kind(logs: QuerySet[RetrievalLog]) -> list[Json]:
    """For each kind: how many, from which tier, the share that no search answered, how many were cited."""
    counted = logs.values("kind").annotate(
        number=Count("id"),
        **{tier.value: Count("id", filter=Q(tier=tier)) for tier in Tier},
        cited=Count("id", filter=~Q(cited=[])),
    )
    rows: dict[str, Json] = {row["kind"]: dict(row) for row in counted}
    return [
        {**rows[kind], "name": str(LookUp(kind).label), "hits": 1 - rows[kind]["full"] / rows[kind]["number"]}
        for kind in LookUp.values
        if kind in rows
    ]


def _found_and_cited(logs: QuerySet[RetrievalLog]) -> tuple[Counter[str], set[str], int]:
    """How often each passage was found, which passages were cited, and how many searches led to a citation."""
    found: Counter[str] = Counter()
    cited: set[str] = set()
    searches = 0
    for kind, results, used in logs.values_list("kind", "results", "cited").iterator():
        if kind != LookUp.ANSWER:
            found.update(one["chunk_id"] for one in results)
        cited.update(used)
        searches += bool(used)
    return found, cited, searches


def _uncited_passages(found: Mapping[str, int], cited: set[str]) -> list[Json]:
    """Passages found often and never cited: they are in the way, or should be chunked again."""
    often = {
        UUID(chunk): times
        for chunk, times in found.items()
        if times >= conf.UNCITED_TIMES and chunk not in cited
    }
    chunks = Chunk.every.filter(pk__in=often).select_related("document").defer("lines", "search_vector")
    rows = [
        {"chunk": str(one.pk), "label": label_of_chunk(one), "heading": one.heading, "times": often[one.pk]}
        for one in chunks
    ]
    return sorted(rows, key=lambda row: (-int(row["times"]), str(row["label"])))


def _document_kinds(tenant: Tenant | None, found: Mapping[str, int]) -> list[Json]:
    """For each kind of document: what searches can find, how often it was found, and whether it is sparse."""
    scope = Scope(tenant=tenant.pk if tenant else None, model=embedding_model().name)
    searchable = (
        searchable_chunks(scope)
        .order_by()
        .values_list("document__doc_type")
        .annotate(documents=Count("document", distinct=True), passages=Count("id"))
    )
    held = {kind: (documents, passages) for kind, documents, passages in searchable}
    used: Counter[str] = Counter()
    chunks = Chunk.every.filter(pk__in=[UUID(chunk) for chunk in found])
    for chunk, kind in chunks.values_list("pk", "document__doc_type"):
        used[kind] += found[str(chunk)]
    rows = []
    for kind in DocType.values:
        documents, passages = held.get(kind, (0, 0))
        rows.append(
            {
                "kind": kind,
                "name": str(DocType(kind).label),
                "documents": documents,
                "passages": passages,
                "found": used[kind],
                "sparse": passages < conf.SPARSE_PASSAGES,
            }
        )
    return rows


def _unused_documents(tenant: Tenant | None, found: Mapping[str, int]) -> list[Json]:
    scope = Scope(tenant=tenant.pk if tenant else None, model=embedding_model().name)
    used = Chunk.every.filter(pk__in=[UUID(chunk) for chunk in found]).values("document")
    held = searchable_chunks(scope).exclude(document__in=used).order_by()
    rows = held.values("document", "document__title", "document__abbreviation").distinct()
    return [
        {
            "id": str(row["document"]),
            "title": row["document__title"],
            "abbreviation": row["document__abbreviation"],
        }
        for row in rows.order_by("document__title")
    ]


def _unsupported_tasks(tenant: Tenant | None) -> list[Json]:
    """Tasks with elements that are asked at the table and that the library does not support."""
    by_task: dict[str, list[str]] = {}
    current = Standard.objects.filter(current=True).order_by("certificate")
    for certificate in current.values_list("certificate", flat=True).distinct():
        for fact in element_facts(certificate, "", tenant=tenant):
            if fact.where == "table" and fact.kind != "skill" and not (fact.archived or fact.askable):
                by_task.setdefault(fact.task, []).append(fact.code)
    rows = [{"task": task, "elements": codes} for task, codes in by_task.items()]
    return sorted(rows, key=lambda row: (-len(row["elements"]), str(row["task"])))
