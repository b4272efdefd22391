"""Shadow mode's report: what the graph adds to the search alone, with the interval of the difference.

Labels that neither arm selected decide: the share of the passages of a question's approved key points that an arm finds
while those points are hidden from it, and how often its verdict is the one that a reviewer of a dispute gave. The
report also has the students' ratings, the overlap, and the times.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Exists, OuterRef
from waffle.models import Flag as Row

from desk import conf
from desk.evaluation.measures import (
    Interval,
    interval_between,
    interval_of_differences,
    median_and_p95,
    rounded_mean,
)
from exams.models import Assessment, Dispute, Rating
from knowledge.flags import ENHANCED, SHADOW, state_in_words
from knowledge.models import RetrievalComparison, Tenant

Json = dict[str, Any]
Ratings = Sequence[tuple[RetrievalComparison, float]]
Verdicts = Sequence[tuple[RetrievalComparison, str]]
ALL: Final = "all schools"
UNGRADED: Final = "ungraded"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArmFigures:
    """The results of one arm. Shares are 0 to 1, times milliseconds; None without data."""

    served: int
    asked: int
    found: float | None  # of the passages of approved points
    accuracy: float | None  # verdicts that are the reviewer's
    agrees: float | None  # verdicts that are the one the student got
    p50: float | None
    p95: float | None
    taps: int
    fair: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """Differences are the enhanced arm less the plain one. `labeled` of the questions have approved points with a
    passage, `decided` a reviewer's verdict. `refusal` says why the enhanced arm may not be turned on for everyone; it
    is empty if it may. `flag` says for whom it is on."""

    since: str
    questions: int
    exams: int
    labeled: int
    decided: int
    flag: str
    plain: ArmFigures
    enhanced: ArmFigures
    found: Interval
    accuracy: Interval
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
    labeled = [row for row in rows if row.labels]
    differences = _group_by_exam(
        (row, _share_found(row, "enhanced") - _share_found(row, "plain")) for row in labeled
    )
    found_more = interval_of_differences(differences)
    verdicts = _verdicts_of_reviewers(rows)
    accuracy = interval_of_differences(
        _group_by_exam(
            (row, float(row.enhanced_verdict == verdict) - float(row.plain_verdict == verdict))
            for row, verdict in verdicts
        )
    )
    fair = interval_between(
        _group_by_exam(one for one in ratings if one[0].served == "enhanced"),
        _group_by_exam(one for one in ratings if one[0].served == "plain"),
    )
    judged = [row for row in rows if row.plain_verdict and row.enhanced_verdict]
    return Report(
        since=since.date().isoformat(),
        questions=len(rows),
        exams=len({row.exam for row in rows}),
        labeled=len(labeled),
        decided=len(verdicts),
        flag=state_in_words(Row.objects.get(name=ENHANCED)),
        plain=_arm_figures("plain", rows, ratings, verdicts),
        enhanced=_arm_figures("enhanced", rows, ratings, verdicts),
        found=found_more,
        accuracy=accuracy,
        fair=fair,
        agreement=rounded_mean(float(row.plain_verdict == row.enhanced_verdict) for row in judged),
        overlap=rounded_mean(row.overlap for row in rows),
        refusal=_refusal_for(len(labeled), len(differences), found_more, accuracy, fair),
    )


def _verdicts_of_reviewers(rows: Sequence[RetrievalComparison]) -> Verdicts:
    """The comparisons whose verdict a student disputed and a reviewer decided on, each with the verdict that stands:
    the reviewer's own, or the one that the reviewer upheld. A withdrawn question has none."""
    finals = Assessment.objects.filter(turn__exam__in=[row.exam for row in rows], final=True)
    decided = finals.filter(
        Exists(
            Dispute.objects.filter(
                resolved=True,
                by_sample=False,  # it asks about a statement, not about the verdict
                turn__exam=OuterRef("turn__exam"),
                turn__element=OuterRef("element"),
            )
        )
    ).exclude(verdict=UNGRADED)
    stands: dict[tuple[Any, str], str] = {
        (exam, element): verdict
        for exam, element, verdict in decided.order_by("id").values_list("turn__exam", "element", "verdict")
    }
    return [(row, stands[row.exam, row.element]) for row in rows if (row.exam, row.element) in stands]


def _refusal_for(questions: int, exams: int, found: Interval, accuracy: Interval, fair: Interval) -> str:
    if questions < conf.ARMS_COMPARED_LEAST or exams < conf.ARMS_EXAMS_LEAST:
        return (
            f"Compared so far: {questions} questions with labeled passages (of {conf.ARMS_COMPARED_LEAST} needed) of"
            f" {exams} exams (of {conf.ARMS_EXAMS_LEAST}). Only questions asked while {SHADOW} is on are compared."
        )
    if not found.is_above_zero:
        bounds = f"{found.lower:+.3f} to {found.upper:+.3f}"
        return f"The difference in labeled passages found lies within {bounds}, which is not above 0."
    if accuracy.is_below_zero:
        return f"Its verdicts are less often the reviewers': {accuracy.lower:+.3f} to {accuracy.upper:+.3f}."
    if fair.is_below_zero:
        return f"Students call its questions fair less often: {fair.lower:+.3f} to {fair.upper:+.3f}."
    return ""


def _arm_figures(
    arm: str, rows: Sequence[RetrievalComparison], ratings: Ratings, verdicts: Verdicts
) -> ArmFigures:
    asked = [row for row in rows if getattr(row, arm)]
    judged = [row for row in asked if getattr(row, f"{arm}_verdict") and row.verdict]
    times = [getattr(row, f"{arm}_ms") for row in asked]
    p50, p95 = median_and_p95([one for one in times if one is not None])
    taps = [value for row, value in ratings if row.served == arm]
    return ArmFigures(
        served=sum(row.served == arm for row in rows),
        asked=len(asked),
        found=rounded_mean(_share_found(row, arm) for row in rows if row.labels),
        accuracy=rounded_mean(float(getattr(row, f"{arm}_verdict") == verdict) for row, verdict in verdicts),
        agrees=rounded_mean(float(getattr(row, f"{arm}_verdict") == row.verdict) for row in judged),
        p50=p50,
        p95=p95,
        taps=len(taps),
        fair=rounded_mean(taps),
    )


def _share_found(row: RetrievalComparison, arm: str) -> float:
    """The share of the labeled passages that the arm found; 0 if it could not ask."""
    return len(set(row.labels) & set(getattr(row, f"{arm}_found"))) / len(set(row.labels))


def _group_by_exam(values: Iterable[tuple[RetrievalComparison, float]]) -> list[list[float]]:
    groups: dict[Any, list[float]] = defaultdict(list)
    for row, value in values:
        groups[row.exam].append(value)
    return list(groups.values())
