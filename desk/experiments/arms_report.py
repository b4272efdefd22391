"""Shadow mode's report: what the graph adds to the search alone, with the interval of the difference.

Precision decides: the share of the passages an arm found that its question then rests on, for both arms over the same
questions. The report also has both arms' verdicts, the students' ratings, the overlap, and the times.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from desk import conf
from desk.evaluation.measures import (
    Interval,
    interval_between,
    interval_of_differences,
    median_and_p95,
    rounded_mean,
)
from exams.models import Rating
from knowledge.flags import SHADOW
from knowledge.models import RetrievalComparison, Tenant

Json = dict[str, Any]
Ratings = Sequence[tuple[RetrievalComparison, float]]
ALL: Final = "all schools"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFigures:
    """The results of one arm. Shares are 0 to 1, times milliseconds; None without data."""

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
    everyone; it is empty if it may."""

    since: str
    questions: int
    exams: int
    plain: ArmFigures
    enhanced: ArmFigures
    precision: Interval
    fair: Interval
    agreement: float | None  # questions with the same verdict by both arms
    overlap: float | None
    refusal: str

    def to_dict(self) -> Json:
        return asdict(self)


def report_on_arms(now: datetime, tenant: Tenant | str | None = ALL) -> Report:
    """For one school (None: for users without a school), or for all of them."""
    since = now - timedelta(days=conf.ARMS_DAYS)
    found = RetrievalComparison.objects.filter(created_at__gte=since, turn__isnull=False).order_by("id")
    rows = list(found if isinstance(tenant, str) else found.filter(tenant=tenant))
    # Each comparison whose element was called fair (1) or unfair (0), at any of its turns; the last rating counts.
    called = Rating.objects.filter(turn__exam__in=[row.exam for row in rows]).order_by("created_at", "id")
    taps = called.values_list("turn__exam_id", "turn__element", "fair")
    last: dict[tuple[Any, str], float] = {(exam, element): float(one) for exam, element, one in taps}
    ratings = [(row, last[row.exam, row.element]) for row in rows if (row.exam, row.element) in last]
    differences = _group_by_exam(
        (row, _precision_of(row, "enhanced") - _precision_of(row, "plain")) for row in rows
    )
    precision = interval_of_differences(differences)
    fair = interval_between(
        _group_by_exam(one for one in ratings if one[0].served == "enhanced"),
        _group_by_exam(one for one in ratings if one[0].served == "plain"),
    )
    judged = [row for row in rows if row.plain_verdict and row.enhanced_verdict]
    return Report(
        since=since.date().isoformat(),
        questions=len(rows),
        exams=len(differences),
        plain=_arm_figures("plain", rows, ratings),
        enhanced=_arm_figures("enhanced", rows, ratings),
        precision=precision,
        fair=fair,
        agreement=rounded_mean(float(row.plain_verdict == row.enhanced_verdict) for row in judged),
        overlap=rounded_mean(row.overlap for row in rows),
        refusal=_refusal_for(len(rows), len(differences), precision, fair),
    )


def _refusal_for(questions: int, exams: int, precision: Interval, fair: Interval) -> str:
    if questions < conf.ARMS_COMPARED_LEAST or exams < conf.ARMS_EXAMS_LEAST:
        return (
            f"Compared so far: {questions} questions (of {conf.ARMS_COMPARED_LEAST} needed) and {exams} exams (of"
            f" {conf.ARMS_EXAMS_LEAST}). Only questions asked while {SHADOW} is on are compared."
        )
    if not precision.is_above_zero:
        bounds = f"{precision.lower:+.3f} to {precision.upper:+.3f}"
        return f"The difference in precision lies within {bounds}, which is not above 0."
    if fair.is_below_zero:
        return f"Students call its questions fair less often: {fair.lower:+.3f} to {fair.upper:+.3f}."
    return ""


def _arm_figures(arm: str, rows: Sequence[RetrievalComparison], ratings: Ratings) -> ArmFigures:
    asked = [row for row in rows if getattr(row, arm)]
    judged = [row for row in asked if getattr(row, f"{arm}_verdict") and row.verdict]
    times = [getattr(row, f"{arm}_ms") for row in asked]
    p50, p95 = median_and_p95([one for one in times if one is not None])
    taps = [value for row, value in ratings if row.served == arm]
    return ArmFigures(
        served=sum(row.served == arm for row in rows),
        asked=len(asked),
        precision=rounded_mean(_precision_of(row, arm) for row in asked),
        agrees=rounded_mean(float(getattr(row, f"{arm}_verdict") == row.verdict) for row in judged),
        p50=p50,
        p95=p95,
        taps=len(taps),
        fair=rounded_mean(taps),
    )


def _precision_of(row: RetrievalComparison, arm: str) -> float:
    """The share of what the arm found that its question rests on; 0 if it could not ask."""
    found = getattr(row, arm)
    return len(set(getattr(row, f"{arm}_cited")) & set(found)) / len(found) if found else 0.0


def _group_by_exam(values: Iterable[tuple[RetrievalComparison, float]]) -> list[list[float]]:
    groups: dict[Any, list[float]] = defaultdict(list)
    for row, value in values:
        groups[row.exam].append(value)
    return list(groups.values())
