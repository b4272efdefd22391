"""The row of kinds on every review page: claims, items, relations, definitions, and wrong beliefs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from django.core.cache import caches
from django.db.models import CharField, QuerySet, Value
from django.http import HttpRequest
from django.urls import reverse

from curation import conf
from curation.item_review import ITEM_STATES, items_for
from curation.queue import queue_for, read_by_others
from curation.views.graph_review import WHAT, rows_listed

CLAIMS: Final = "Claims"
ITEMS: Final = "Items"


@dataclass(frozen=True, slots=True)
class Kind:
    """How many of a kind wait, `conf.QUEUE_COUNTED` at most and whether there are `more`; and whether the page shows
    this kind."""

    title: str
    url: str
    count: int
    more: bool
    shown: bool


def kinds_waiting(
    request: HttpRequest, *, kept: bool = False, known: Mapping[str, int] = MappingProxyType({})
) -> list[Kind]:
    """What waits for the reviewer, by kind, without what somebody else reads now or must read. One query, or none where
    what was `kept` for some seconds will do; of some kinds it may be `known` how many wait now."""
    page = request.resolver_match.url_name if request.resolver_match else ""
    graph, what_shown = reverse("admin:curation_graph_review"), request.GET.get("what") or next(iter(WHAT))
    kept_as = f"kinds:{request.user.pk}"
    counts: Mapping[str, int] | None = caches["process"].get(kept_as) if kept else None
    if counts is None:
        counts = _count_kinds(request.user)
        caches["process"].set(kept_as, counts, conf.KINDS_KEPT)
    counts = {**counts, **known}
    places = [
        (
            CLAIMS,
            reverse("admin:curation_claim_queue"),
            page in ("curation_claim_queue", "curation_claim_decide"),
        ),
        (ITEMS, reverse("admin:curation_item_queue"), page in ("curation_item_queue", "curation_item")),
        *(
            (title, f"{graph}?what={what}", page == "curation_graph_review" and what == what_shown)
            for what, title in WHAT.items()
        ),
    ]
    most = conf.QUEUE_COUNTED
    return [
        Kind(title, url, min(counts[title], most), counts[title] > most, shown)
        for title, url, shown in places
    ]


def _count_kinds(user: Any) -> Mapping[str, int]:
    """By title, at most one more than `conf.QUEUE_COUNTED` of each."""
    waiting: dict[str, QuerySet[Any]] = {
        CLAIMS: queue_for(user),
        ITEMS: items_for(user).filter(ITEM_STATES["waiting"]).exclude(read_by_others(user)),
        **{title: rows_listed(user, what) for what, title in WHAT.items()},
    }
    first, *others = (
        rows.order_by().values_list(Value(title, CharField()))[: conf.QUEUE_COUNTED + 1]
        for title, rows in waiting.items()
    )
    counted = Counter(title for (title,) in first.union(*others, all=True))
    return {title: counted[title] for title in waiting}
