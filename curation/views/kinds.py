"""The row of kinds that every page of the review has: claims, items, relations, definitions, and wrong beliefs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, QuerySet, Value
from django.http import HttpRequest
from django.urls import reverse

from curation import conf
from curation.item_review import ITEM_STATES, items_for
from curation.queue import queue_for, read_by_others
from curation.views.graph_review import WHAT, rows_listed


@dataclass(frozen=True, slots=True)
class Kind:
    """How many of a kind wait, `conf.QUEUE_COUNTED` at most and whether there are `more`; and whether the page shows
    this kind."""

    title: str
    url: str
    count: int
    more: bool
    shown: bool


def kinds_waiting(request: HttpRequest) -> list[Kind]:
    """What waits for the reviewer, by kind, without what somebody else reads now or must read. One query."""
    user, page = request.user, request.resolver_match.url_name if request.resolver_match else ""
    graph, what_shown = reverse("admin:curation_graph_review"), request.GET.get("what") or next(iter(WHAT))
    kinds: list[tuple[str, str, bool, QuerySet[Any]]] = [
        (
            "Claims",
            reverse("admin:curation_claim_queue"),
            page in ("curation_claim_queue", "curation_claim_decide"),
            queue_for(user),
        ),
        (
            "Items",
            reverse("admin:curation_item_queue"),
            page in ("curation_item_queue", "curation_item"),
            items_for(user).filter(ITEM_STATES["waiting"]).exclude(read_by_others(user)),
        ),
        *(
            (
                title,
                f"{graph}?what={what}",
                page == "curation_graph_review" and what == what_shown,
                rows_listed(user, what),
            )
            for what, title in WHAT.items()
        ),
    ]
    first, *others = (
        rows.order_by().values_list(Value(title, CharField()))[: conf.QUEUE_COUNTED + 1]
        for title, _, _, rows in kinds
    )
    counted = Counter(title for (title,) in first.union(*others, all=True))
    return [
        Kind(title, url, min(counted[title], conf.QUEUE_COUNTED), counted[title] > conf.QUEUE_COUNTED, shown)
        for title, url, shown, _ in kinds
    ]
