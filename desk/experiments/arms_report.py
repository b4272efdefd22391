"""Comparisons of both arms become a report: what the graph adds to the search alone, with the interval of that.

The measure that decides is precision: the share of the passages an arm found that its question then rests on, for both
arms over the same questions. Beside it stand the verdicts of both, what students said of questions of each arm, the
overlap, and the time that each takes.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from statistics import fmean, quantiles
from typing import Any, Final

from django.db.models import QuerySet

from desk import conf
from desk.experiments.bootstrap import Interval, between, paired
from exams.models import Rating
from knowledge.flags import SHADOW
from knowledge.models import RetrievalComparison, Tenant

Json = dict[str, Any]
ALL: Final = "all schools"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfArm:
    """What one arm gave. Shares are 0 to 1, times milliseconds; None where there is nothing to count."""

    served: int
    asked: int
    precision: float | None
    agrees: float | None  # verdicts that are the one the student got
    p50: float | None
    p95: float | None
    taps: int
    fair: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Differences are the enhanced arm less the plain one. `refusal` says why the enhanced arm may not be turned on for
    everyone; empty where it may."""

    since: str
    questions: int
    exams: int
    plain: OfArm
    enhanced: OfArm
    precision: Interval
    fair: Interval
    agreement: float | None  # questions with the same verdict by both arms
    overlap: float | None
    refusal: str

    def to_dict(self) -> Json:
        return asdict(self)


def report_on_arms(now: datetime, tenant: Tenant | str | None = ALL) -> Report:
    """Of one school (None: of those who have none), or of all of them."""
    since = now - timedelta(days=conf.ARMS_DAYS)
    rows = list(_rows(tenant, since))
    fair = _taps(rows)
    precision = _precision_by_exam(rows)
    difference = paired(precision)
    taps = between(_by_exam(fair, "enhanced"), _by_exam(fair, "plain"))
    return Report(
        since=since.date().isoformat(),
        questions=len(rows),
        exams=len({row.exam for row in rows}),
        plain=_of_arm("plain", rows, fair),
        enhanced=_of_arm("enhanced", rows, fair),
        precision=difference,
        fair=taps,
        agreement=_mean(
            float(row.plain_verdict == row.enhanced_verdict)
            for row in rows
            if row.plain_verdict and row.enhanced_verdict
        ),
        overlap=_mean(row.overlap for row in rows),
        refusal=_refusal(sum(map(len, precision)), len(precision), difference, taps),
    )


def _rows(tenant: Tenant | str | None, since: datetime) -> QuerySet[RetrievalComparison]:
    rows = RetrievalComparison.objects.filter(created_at__gte=since, turn__isnull=False).order_by("id")
    return rows if isinstance(tenant, str) else rows.filter(tenant=tenant)


def _refusal(questions: int, exams: int, precision: Interval, fair: Interval) -> str:
    if questions < conf.ARMS_COMPARED_LEAST or exams < conf.ARMS_EXAMS_LEAST:
        return (
            f"Compared so far: questions {questions} (of {conf.ARMS_COMPARED_LEAST} that are needed), exams {exams} (of"
            f" {conf.ARMS_EXAMS_LEAST}). Only questions asked while {SHADOW} is on are compared."
        )
    if not precision.is_above_zero:
        bounds = f"{precision.lower:+.3f} to {precision.upper:+.3f}"
        return f"The difference in precision lies within {bounds}, which is not above 0."
    if fair.is_below_zero:
        return f"Students call its questions fair less often: {fair.lower:+.3f} to {fair.upper:+.3f}."
    return ""


# --- one arm ----------------------------------------------------------------------------------------------------


def _of_arm(
    arm: str, rows: Sequence[RetrievalComparison], fair: Sequence[tuple[RetrievalComparison, float]]
) -> OfArm:
    asked = [row for row in rows if getattr(row, arm)]
    judged = [row for row in asked if getattr(row, f"{arm}_verdict") and row.verdict]
    times = [getattr(row, f"{arm}_ms") for row in asked if getattr(row, f"{arm}_ms") is not None]
    cuts = quantiles(times, n=20, method="inclusive") if len(times) > 1 else times * 19
    taps = [value for row, value in fair if row.served == arm]
    return OfArm(
        served=sum(row.served == arm for row in rows),
        asked=len(asked),
        precision=_mean(_precision(row, arm) for row in asked),
        agrees=_mean(float(getattr(row, f"{arm}_verdict") == row.verdict) for row in judged),
        p50=round(cuts[9], 1) if cuts else None,
        p95=round(cuts[18], 1) if cuts else None,
        taps=len(taps),
        fair=_mean(taps),
    )


def _precision(row: RetrievalComparison, arm: str) -> float:
    """The share of what the arm found that its question rests on; 0 where it could not ask."""
    found = getattr(row, arm)
    return len(set(getattr(row, f"{arm}_cited")) & set(found)) / len(found) if found else 0.0


def _precision_by_exam(rows: Iterable[RetrievalComparison]) -> list[list[float]]:
    return _grouped(rows, lambda row: _precision(row, "enhanced") - _precision(row, "plain"))


def _grouped(
    rows: Iterable[RetrievalComparison], value: Callable[[RetrievalComparison], float]
) -> list[list[float]]:
    groups: dict[Any, list[float]] = defaultdict(list)
    for row in rows:
        groups[row.exam].append(value(row))
    return list(groups.values())


# --- what students said -----------------------------------------------------------------------------------------


def _taps(rows: Sequence[RetrievalComparison]) -> list[tuple[RetrievalComparison, float]]:
    """Each comparison whose element was called fair (1) or unfair (0), at any of its turns; the last word counts."""
    said = Rating.objects.filter(turn__exam__in=[row.exam for row in rows]).order_by("created_at", "id")
    fair: dict[tuple[Any, str], float] = {
        (exam, element): float(one)
        for exam, element, one in said.values_list("turn__exam_id", "turn__element", "fair")
    }
    return [(row, fair[row.exam, row.element]) for row in rows if (row.exam, row.element) in fair]


def _by_exam(fair: Iterable[tuple[RetrievalComparison, float]], arm: str) -> list[list[float]]:
    groups: dict[Any, list[float]] = defaultdict(list)
    for row, value in fair:
        if row.served == arm:
            groups[row.exam].append(value)
    return list(groups.values())


def _mean(values: Iterable[float]) -> float | None:
    found = list(values)
    return round(fmean(found), 4) if found else None
