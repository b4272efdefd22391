"""The searches of a week become a report: what the library lacks, and what it holds that nobody uses.

Built from the log of searches, for one school or for those who have none. The job keeps each week as a row; a week
that is still running is counted anew whenever somebody looks.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from statistics import quantiles
from typing import Any
from uuid import UUID

from django.db.models import Count, Max, Q, QuerySet

from desk import conf
from exams.examiner.briefing import library_state, supported_elements
from knowledge.flags import NAMES as FLAG_NAMES
from knowledge.models import AcsElement, Chunk, RetrievalLog, RetrievalReport, Standard, Tenant
from knowledge.models.documents import DocType
from knowledge.models.telemetry import LookUp, Tier
from knowledge.retrieval.results import label_of_chunk
from knowledge.retrieval.searchable import Scope, searchable_chunks
from llm.registry import embedding_model

Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """Verdicts are of what was asked, not of what was answered. `cut` says of each list how many more there are than it
    holds. Times are of searches that no cache answered. `look_ups` are by what they went by, with the tier that
    answered; `flags` how many searches each was on for."""

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

    def to_dict(self) -> Json:
        return {**asdict(self), "start": self.start.isoformat()}


def monday_of(day: date) -> date:
    return day - timedelta(days=day.weekday())


def week_from(body: Mapping[str, Any]) -> Week:
    """As a row holds it."""
    return Week(**{**body, "start": date.fromisoformat(body["start"])})


def week_of(tenant: Tenant | None, monday: date) -> Week:
    """Counted from the log now."""
    logs = _logs(tenant, monday)
    asked = logs.exclude(kind=LookUp.ANSWER)  # what a student says may well stand nowhere
    qualities = Counter(asked.values_list("quality", flat=True))
    weak, more_weak = _first(_weak(asked))
    given, cited, cited_searches = _given_and_cited(logs)
    uncited, more_uncited = _first(_uncited(given, cited) if cited else [])
    unsupported, more_unsupported = _first(_unsupported(tenant))
    middle, slow = _times(logs)
    return Week(
        start=monday,
        searches=logs.count(),
        qualities={name: qualities[name] for name in ("strong", "weak", "none")},
        cached=logs.filter(cached=True).count(),
        filtered=(logs.exclude(filters={}) | logs.filter(fallback=True)).count(),
        fell_back=logs.filter(fallback=True).count(),
        degraded=logs.exclude(degraded="").count(),
        cited=cited_searches,
        p50=middle,
        p95=slow,
        days=_days(asked, monday),
        weak=weak,
        uncited=uncited,
        categories=_categories(tenant, given),
        unsupported=unsupported,
        cut={"weak": more_weak, "uncited": more_uncited, "unsupported": more_unsupported},
        look_ups=_look_ups(logs),
        reformulated=logs.exclude(reformulated="").count(),
        flags={name: logs.filter(flags__contains=[name]).count() for name in sorted(FLAG_NAMES)},
    )


def stored_week(tenant: Tenant | None, monday: date, today: date) -> Week:
    """The row of a week that is over, where the job kept one; else counted now."""
    row = RetrievalReport.objects.filter(tenant=tenant, week=monday).first()
    return week_from(row.body) if row and monday < monday_of(today) else week_of(tenant, monday)


def keep_weeks(now: datetime) -> int:
    """Store this week so far, and the last one as it ended, of every school; returns how many rows were written."""
    this = monday_of(now.date())
    written = 0
    for tenant in (None, *Tenant.objects.all()):
        for monday in (this - timedelta(days=7), this):
            if monday == this or not _is_final(tenant, monday):
                body = week_of(tenant, monday).to_dict()
                RetrievalReport.objects.update_or_create(tenant=tenant, week=monday, defaults={"body": body})
                written += 1
    return written


def weeks_before(tenant: Tenant | None, monday: date) -> list[Week]:
    """The weeks that were kept, oldest first, up to and without this one."""
    rows = RetrievalReport.objects.filter(tenant=tenant, week__lt=monday)[: conf.WEEKS_DRAWN - 1]
    return [week_from(row.body) for row in reversed(rows)]


def _is_final(tenant: Tenant | None, monday: date) -> bool:
    return RetrievalReport.objects.filter(
        tenant=tenant, week=monday, created_at__gte=_begin(monday + timedelta(days=7))
    ).exists()


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _logs(tenant: Tenant | None, monday: date) -> QuerySet[RetrievalLog]:
    begin = _begin(monday)
    return RetrievalLog.objects.filter(
        tenant=tenant, created_at__gte=begin, created_at__lt=begin + timedelta(days=7)
    ).order_by()


def _first(rows: Sequence[Json]) -> tuple[list[Json], int]:
    return list(rows[: conf.WEEK_ROWS]), max(0, len(rows) - conf.WEEK_ROWS)


def _times(logs: QuerySet[RetrievalLog]) -> tuple[float | None, float | None]:
    taken = list(logs.filter(cached=False).values_list("latency_ms", flat=True))
    if len(taken) < 2:
        return (round(taken[0], 1), round(taken[0], 1)) if taken else (None, None)
    cuts = quantiles(taken, n=20, method="inclusive")
    return round(cuts[9], 1), round(cuts[18], 1)


def _days(logs: QuerySet[RetrievalLog], monday: date) -> list[Json]:
    counted = {
        (row["created_at__date"], row["quality"]): row["number"]
        for row in logs.values("created_at__date", "quality").annotate(number=Count("id"))
    }
    days = [monday + timedelta(days=after) for after in range(7)]
    return [
        {"day": day.isoformat(), **{name: counted.get((day, name), 0) for name in ("strong", "weak", "none")}}
        for day in days
    ]


def _look_ups(logs: QuerySet[RetrievalLog]) -> list[Json]:
    """By what they went by: how many, from which tier, the share that was not searched, how many were cited from."""
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


def latest_look_ups(tenant: Tenant | None) -> list[RetrievalLog]:
    """The last ones of a school, newest first."""
    return list(RetrievalLog.objects.filter(tenant=tenant).order_by("-id")[: conf.LATEST_ROWS])


def _weak(logs: QuerySet[RetrievalLog]) -> list[Json]:
    """Queries that were not answered well, those asked most often first: each may be a missing document."""
    rows = (
        logs.exclude(quality="strong")
        .values("query", "element")
        .annotate(times=Count("id"), top=Max("top"))
        .order_by("-times", "top", "query", "element")
    )
    return [{**row, "query": row["query"][: conf.QUERY_SHOWN]} for row in rows]


def _given_and_cited(logs: QuerySet[RetrievalLog]) -> tuple[Counter[str], set[str], int]:
    """How often each passage was found, which were cited, and by how many searches something was."""
    given: Counter[str] = Counter()
    cited: set[str] = set()
    searches = 0
    for kind, results, used in logs.values_list("kind", "results", "cited").iterator():
        if kind != LookUp.ANSWER:
            given.update(one["chunk_id"] for one in results)
        cited.update(used)
        searches += bool(used)
    return given, cited, searches


def _uncited(given: Mapping[str, int], cited: set[str]) -> list[Json]:
    """Passages that were found again and again and cited in no exam: they are in the way, or should be chunked anew."""
    often = {
        UUID(chunk): times
        for chunk, times in given.items()
        if times >= conf.UNCITED_TIMES and chunk not in cited
    }
    chunks = Chunk.every.filter(pk__in=often).select_related("document").defer("lines", "search_vector")
    rows = [
        {"chunk": str(one.pk), "label": label_of_chunk(one), "heading": one.heading, "times": often[one.pk]}
        for one in chunks
    ]
    return sorted(rows, key=lambda row: (-int(row["times"]), str(row["label"])))


def _categories(tenant: Tenant | None, given: Mapping[str, int]) -> list[Json]:
    """Each kind of document: how much of it can be found, and how often some of it was. Sparse ones are marked."""
    held, used = _held_by_kind(tenant), _used_by_kind(given)
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


def _held_by_kind(tenant: Tenant | None) -> dict[str, tuple[int, int]]:
    """Documents and passages that searches can find."""
    scope = Scope(tenant=tenant.pk if tenant else None, model=embedding_model().name)
    rows = (
        searchable_chunks(scope)
        .order_by()
        .values_list("document__doc_type")
        .annotate(documents=Count("document", distinct=True), passages=Count("id"))
    )
    return {kind: (documents, passages) for kind, documents, passages in rows}


def _used_by_kind(given: Mapping[str, int]) -> Counter[str]:
    kinds = Chunk.every.filter(pk__in=[UUID(chunk) for chunk in given]).values_list(
        "pk", "document__doc_type"
    )
    counted: Counter[str] = Counter()
    for chunk, kind in kinds:
        counted[kind] += given[str(chunk)]
    return counted


def _unsupported(tenant: Tenant | None) -> list[Json]:
    """Tasks with elements that are asked at the table and that the library does not bear."""
    found: list[Json] = []
    certificates = (
        Standard.objects.filter(current=True).order_by("certificate").values_list("certificate", flat=True)
    )
    for certificate in certificates.distinct():
        support = supported_elements(certificate, library=library_state(tenant.pk if tenant else None, None))
        found += _by_task(
            code for code in _asked_at_the_table(certificate) if code in support and not support[code].askable
        )
    return sorted(found, key=lambda row: (-len(row["elements"]), str(row["task"])))


def _asked_at_the_table(certificate: str) -> list[str]:
    rows = AcsElement.objects.filter(
        task__area__standard__certificate=certificate,
        task__area__standard__current=True,
        where="table",
        archived=False,
    )
    return list(rows.exclude(kind="skill").order_by("code").values_list("code", flat=True))


def _by_task(codes: Iterable[str]) -> list[Json]:
    by_task: dict[str, list[str]] = {}
    for code in codes:
        by_task.setdefault(code.rsplit(".", 1)[0], []).append(code)
    return [{"task": task, "elements": elements} for task, elements in by_task.items()]
