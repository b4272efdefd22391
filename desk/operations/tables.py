"""A table of rows in pages, sorted as the address asks; what the address asks and means nothing is passed over."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Page, Paginator
from django.db.models import F, QuerySet
from django.http import QueryDict

from desk import conf


@dataclass(frozen=True, slots=True)
class Table:
    """One page of rows. `sort` is the column it is sorted by, with "-" before it if the greatest come first."""

    page: Page[Any]
    sort: str


def table_of(rows: QuerySet[Any], asked: QueryDict, sorts: Mapping[str, str], default: str) -> Table:
    """`sorts` gives each column's name in addresses its field. Rows without a value come last."""
    sort = asked.get("sort", "")
    if sort.removeprefix("-") not in sorts:
        sort = default
    field = F(sorts[sort.removeprefix("-")])
    order = field.desc(nulls_last=True) if sort.startswith("-") else field.asc(nulls_last=True)
    return Table(Paginator(rows.order_by(order, "pk"), conf.PAGE_ROWS).get_page(asked.get("page")), sort)
