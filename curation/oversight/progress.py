"""Decisions by person and day, their pace, and the remaining work, for the schools that the reader may see."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from statistics import mean, median
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, Value

from curation import conf
from curation.models import CaseDecision, Claim, DecisionKind, ReviewDecision
from curation.queue import STATES
from curation.selectors import verdicts_waiting
from knowledge.access.people import acts_for
from knowledge.models.graph import UNDECIDED, Priority
from knowledge.models.tenancy import Role


@dataclass(slots=True)
class Work:
    """A person's decisions of a day, or of all days, with what was deferred or flagged. `batched` were approved by a
    sample, or taken back with it. `gaps` are the seconds from one decision of a sitting to the next."""

    person: str
    day: date | None = None
    kinds: Counter[str] = field(default_factory=Counter)
    batched: int = 0
    gaps: list[float] = field(default_factory=list)

    @property
    def decided(self) -> int:
        return self.kinds.total()

    @property
    def by_kind(self) -> list[tuple[str, int]]:
        return [(DecisionKind(kind).label.lower(), count) for kind, count in self.kinds.most_common()]

    @property
    def seconds_each(self) -> int | None:
        """The median of the seconds that a decision took; None where there are too few to tell."""
        return round(median(self.gaps)) if len(self.gaps) >= conf.PACE_LEAST else None

    def add(self, other: Work) -> None:
        self.kinds += other.kinds
        self.batched += other.batched
        self.gaps += other.gaps


@dataclass(frozen=True, slots=True)
class Bar:
    """A day of the chart, `x` days from its left; `height` is 0 to 100."""

    day: date
    decided: int
    x: int
    height: float

    @property
    def top(self) -> float:
        return 122 - self.height

    @property
    def above(self) -> float:
        """Where its number stands."""
        return self.top - 4


@dataclass(frozen=True, slots=True)
class Left:
    """What waits: by priority, how many of them one reader has read, and what was put aside."""

    by_priority: dict[str, int]
    read_once: int
    aside: int
    parked: int

    @property
    def waiting(self) -> int:
        return sum(self.by_priority.values())


@dataclass(frozen=True, slots=True)
class Progress:
    """`days` has a row a person and day, the last day first; `people` a sum for each, `bars` every day."""

    days: tuple[Work, ...]
    people: tuple[Work, ...]
    bars: tuple[Bar, ...]
    left: Left
    hours_left: float | None


def progress_of(user: Any, now: datetime) -> Progress:
    """Of the last `conf.PROGRESS_DAYS` days. Three queries."""
    today = now.date()
    first = today - timedelta(days=conf.PROGRESS_DAYS - 1)
    seen = Q(acts_for(user, Role.REVIEWER, Role.OPERATOR), created_at__date__gte=first)
    columns = ("reviewer__username", "created_at", "decision", "batched")
    decided = ReviewDecision.objects.filter(seen).annotate(batched=Q(after__has_key="batch"))
    aside = CaseDecision.objects.filter(seen, decision__in=(DecisionKind.DEFER, DecisionKind.FLAG))
    told = [*decided.values_list(*columns), *aside.annotate(batched=Value(False)).values_list(*columns)]
    days = work_by_day(sorted(told))
    people: dict[str, Work] = {}
    everybody = Work("")
    for one in days:
        people.setdefault(one.person, Work(one.person)).add(one)
        everybody.add(one)
    days.sort(key=lambda one: (-(one.day or today).toordinal(), one.person))
    left, seconds = what_is_left(user), sum(everybody.gaps)
    each = mean(everybody.gaps) if seconds >= conf.FORECAST_SECONDS else None
    return Progress(
        days=tuple(days),
        people=tuple(people[name] for name in sorted(people)),
        bars=_bars(days, first),
        left=left,
        hours_left=left.waiting * each / 3600 if each else None,
    )


def work_by_day(rows: Iterable[tuple[str, datetime, str, bool]]) -> list[Work]:
    """Rows of (person, time, kind, in a batch), ordered by person and time, as work of each person and day. A pause
    longer than a claim is held for its reader ends a sitting; what follows at once was decided by a program, or with
    the one before, and has no pace."""
    found: dict[tuple[str, date], Work] = {}
    before: tuple[str, datetime] | None = None
    for person, at, kind, batched in rows:
        work = found.setdefault((person, at.date()), Work(person, at.date()))
        if batched:
            work.batched += 1
            continue
        work.kinds[kind] += 1
        gap = (at - before[1]).total_seconds() if before and before[0] == person else None
        if gap is not None and conf.PACE_GAP_LEAST <= gap <= 60 * conf.HOLD_MINUTES:
            work.gaps.append(gap)
        before = person, at
    return list(found.values())


def what_is_left(user: Any) -> Left:
    own = Claim.objects.filter(acts_for(user, Role.REVIEWER, Role.OPERATOR))
    read = verdicts_waiting().filter(claim=OuterRef("pk"), version_read=OuterRef("version"))
    counted = own.aggregate(
        **{one: Count("pk", filter=STATES["waiting"] & Q(priority=one)) for one in Priority.values},
        read_once=Count("pk", filter=UNDECIDED & Q(Exists(read))),
        aside=Count("pk", filter=UNDECIDED & ~Q(queue_entry__aside="")),
        parked=Count("pk", filter=STATES["parked"]),
    )
    return Left({one: counted.pop(one) for one in Priority.values}, **counted)


def _bars(days: Iterable[Work], first: date) -> tuple[Bar, ...]:
    counts: Counter[date] = Counter()
    for one in days:
        if one.day:
            counts[one.day] += one.decided
    most = max(counts.values(), default=0) or 1
    every = [first + timedelta(days=at) for at in range(conf.PROGRESS_DAYS)]
    return tuple(Bar(day, counts[day], at, 100 * counts[day] / most) for at, day in enumerate(every))
