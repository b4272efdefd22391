"""A table of rows in pages, sorted as the address asks, and changes of many rows at once.

What the address asks and means nothing is passed over.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final, TypeVar
from uuid import UUID

from django.core.paginator import Page, Paginator
from django.db.models import F, Func, Model, QuerySet
from django.http import QueryDict

from desk import conf
from knowledge.ingestion.errors import IngestionError
from knowledge.whole_numbers import whole_number

Row = TypeVar("Row", bound=Model)
SHARED: Final = "*"  # the shared library, in place of a school's number


@dataclass(frozen=True, slots=True)
class Table:
    """One page of rows. `sort` is the column it is sorted by, with "-" before it if the greatest come first."""

    page: Page[Any]
    sort: str


def table_of(rows: QuerySet[Any], asked: QueryDict, sorts: Mapping[str, F | Func], default: str) -> Table:
    """`sorts` gives each column's name in addresses what it is sorted by. Rows without a value come last."""
    sort = asked.get("sort", "")
    if sort.removeprefix("-") not in sorts:
        sort = default
    field = sorts[sort.removeprefix("-")]
    order = field.desc(nulls_last=True) if sort.startswith("-") else field.asc(nulls_last=True)
    return Table(Paginator(rows.order_by(order, "pk"), conf.PAGE_ROWS).get_page(asked.get("page")), sort)


def of_school(rows: QuerySet[Row], asked: QueryDict) -> QuerySet[Row]:
    """The rows of the school that the address asks for, or all."""
    if (school := asked.get("school", "")) == SHARED:
        return rows.filter(tenant=None)
    number = whole_number(school)
    return rows if number is None else rows.filter(tenant=number)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a change of many rows did: how many were changed, why each of the others was not, and how many were not
    reached in time."""

    done: int = 0
    left: tuple[str, ...] = ()
    rest: int = 0


def rows_chosen(
    sent: QueryDict, own: QuerySet[Row], found: Callable[[QueryDict], QuerySet[Row]]
) -> QuerySet[Row]:
    """The `own` rows whose boxes are ticked; with "everything" those that `found` by the filter that was sent along."""
    if "everything" in sent:
        return found(QueryDict(sent.get("query", "")))
    return own.filter(pk__in=[value for value in sent.getlist("row") if _is_id(value)])


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def change_each(rows: QuerySet[Row], change: Callable[[Row], Any]) -> Outcome:
    """Change rows for `conf.BULK_SECONDS`; one that cannot be changed does not stop the others."""
    found, done = list(rows), 0
    left: list[str] = []
    end = monotonic() + conf.BULK_SECONDS
    for reached, row in enumerate(found):
        if reached and monotonic() > end:
            return Outcome(done, tuple(left), len(found) - reached)
        try:
            change(row)
        except IngestionError as error:
            left.append(f"{row}: {error}")
        else:
            done += 1
    return Outcome(done, tuple(left))
