"""Find the items that can be asked now, from the bank, its graph, and the passages in force.

An item can be asked when its artifacts exist and each must point is approved and supported by a passage in force or by
the item's own artifact. Pending is not approved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

import structlog
from django.db.models import Q, QuerySet
from pydantic import TypeAdapter, ValidationError

from exams.bank.schema import ITEM_FIELDS, POINT_FIELDS
from exams.bank.selection import ItemInForce, OnTheTable, is_for_class
from knowledge.models import (
    AnchorState,
    Artifact,
    ConceptChunkEvidence,
    Image,
    Item,
    KeyPoint,
    MixUp,
)
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.standards.ask_location import task_code_of
from knowledge.standards.elements import borrowing_elements

Row = dict[str, Any]
Quotes = Mapping[Any, tuple[str, tuple[str, ...]]]
_ITEM: Final = ("key", "version", "task", "after", *ITEM_FIELDS)
_POINT: Final = (
    *("key", *POINT_FIELDS, "anchor", "missing_document"),
    *("concept_id", "concept__version", "concept__validation_status", "concept__stale"),
)
_MIXUP: Final = ("text", "answer", "contradicts")
_READ_ITEM: Final = TypeAdapter(ItemInForce)
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class UnreadableItem:
    """An item with a value that this release does not know, as another release may have stored it."""

    id: UUID
    shared: bool
    key: str
    values: str


@dataclass(frozen=True, slots=True)
class Bank:
    """The items in force of one library, by element: there also those that a standard borrows from another.

    `waiting` has the classes of each of the other items and what it waits for: the document that is missing, "" for a
    reviewer's decision or a change of the item. `unreadable` are those of them that this release cannot ask.
    """

    items: tuple[ItemInForce, ...]
    by_element: Mapping[str, tuple[ItemInForce, ...]]
    waiting: Mapping[str, tuple[tuple[Sequence[str], str], ...]]
    unreadable: tuple[UnreadableItem, ...] = ()

    def items_for(self, code: str, aircraft_class: str = "") -> tuple[ItemInForce, ...]:
        """The items that an oral for this class may ask about the element; for "" those of any class."""
        return tuple(item for item in self.by_element.get(code, ()) if item.is_for(aircraft_class))

    def lacks_of(self, code: str, aircraft_class: str = "") -> tuple[str, ...]:
        """What the other items of the element wait for that such an oral may ask."""
        waiting = self.waiting.get(code, ())
        return tuple(lack for classes, lack in waiting if is_for_class(classes, aircraft_class))


def read_bank(scope: Scope) -> Bank:
    """All items of the shared library and of the scope's school, as they can be asked now."""
    asked = Item.objects.filter(Q(tenant=None) | Q(tenant=scope.tenant), withdrawn=False)
    rows = asked.order_by("task", "key").values("id", "tenant", *_ITEM)
    points = _rows_by_item(KeyPoint.objects.filter(item__in=asked), _POINT)
    mixups = _rows_by_item(MixUp.objects.filter(item__in=asked), _MIXUP)
    quotes = _quotes_in_force(scope)
    artifacts = _artifacts_at_hand(scope)
    items: list[ItemInForce] = []
    unreadable: list[UnreadableItem] = []
    by_element: defaultdict[str, list[ItemInForce]] = defaultdict(list)
    waiting: defaultdict[str, list[tuple[Sequence[str], str]]] = defaultdict(list)
    for row in rows:
        lack = _find_lack(row["needs"], points[row["id"]], quotes, artifacts)
        if lack is None:
            try:
                items.append(_item_from(row, points[row["id"]], mixups[row["id"]], quotes, artifacts))
            except ValidationError as error:  # one item must not keep all the others from being asked
                lack, values = "", _unknown_values(error)
                unreadable.append(UnreadableItem(row["id"], row["tenant"] is None, row["key"], values))
                log.warning("bank.item_unreadable", item=row["key"], values=values)
        for code in row["elements"]:
            if lack is None:
                by_element[code].append(items[-1])
            else:
                waiting[code].append((row["classes"], lack))
    for code, lent, alike in borrowing_elements(by_element):
        if lent in by_element:
            by_element[code] = [_lend(item, code, alike) for item in by_element[lent]]
        if lent in waiting:
            waiting[code] += waiting[lent]
    return Bank(
        tuple(items),
        {code: tuple(found) for code, found in by_element.items()},
        {code: tuple(lacks) for code, lacks in waiting.items()},
        tuple(unreadable),
    )


def _lend(item: ItemInForce, code: str, alike: Mapping[str, str]) -> ItemInForce:
    """The item as another standard asks it about this element: with the elements of that standard."""

    def theirs(codes: Sequence[str]) -> tuple[str, ...]:
        return tuple(alike[one] for one in codes if one in alike)

    return replace(
        item,
        task=task_code_of(code),
        elements=theirs(item.elements),
        requires=theirs(item.requires),
        leads_to=theirs(item.leads_to),
    )


def _rows_by_item(rows: QuerySet[Any], columns: Sequence[str]) -> Mapping[Any, list[Row]]:
    """Plain rows: a thousand items with their points as models take a second, and are read after every change."""
    found: defaultdict[Any, list[Row]] = defaultdict(list)
    for row in rows.order_by("order").values("item_id", *columns):
        found[row["item_id"]].append(row)
    return found


def _find_lack(
    needs: Sequence[str], points: Sequence[Row], quotes: Quotes, artifacts: Mapping[str, OnTheTable]
) -> str | None:
    """What the item waits for, as `Bank.waiting` has it; None if it can be asked."""
    for key in needs:
        if key not in artifacts:
            return Artifact.objects.filter(key=key).values_list("figure", flat=True).first() or key
    musts = [point for point in points if point["must"]]
    absent = next((point for point in musts if not _is_supported(point, quotes)), None)
    if absent is not None:
        return str(absent["missing_document"]) if absent["anchor"] == AnchorState.MISSING else ""
    return None if musts and all(map(_is_approved, musts)) else ""


def _is_supported(point: Row, quotes: Quotes) -> bool:
    return point["anchor"] == AnchorState.TABLE or point["concept_id"] in quotes


def _is_approved(point: Row) -> bool:
    validated = point["concept__validation_status"] == ValidationStatus.VALIDATED
    return validated and not point["concept__stale"]


def _item_from(
    row: Row,
    points: Sequence[Row],
    mixups: Sequence[Row],
    quotes: Quotes,
    artifacts: Mapping[str, OnTheTable],
) -> ItemInForce:
    """The item of a row, with the rows of its points and mix-ups; other columns are ignored."""
    asked = []
    for point in points:
        if _is_approved(point) and _is_supported(point, quotes):
            chunk, words = quotes.get(point["concept_id"], ("", ()))
            concept, version = str(point["concept_id"]), point["concept__version"]
            asked.append(
                {**point, "concept": concept, "version": version, "chunk_id": chunk, "quotes": words}
            )
    shown = [artifacts[key] for key in row["needs"]]
    return _READ_ITEM.validate_python({**row, "points": asked, "mixups": mixups, "artifacts": shown})


def _unknown_values(error: ValidationError) -> str:
    """Where each stands and what it is: "moment 'hover'"."""
    found = []
    for one in error.errors():
        place = [str(part) for part in one["loc"] if "[" not in str(part)]  # without the kinds of a union
        found.append(f"{'.'.join(place)} {str(one['input'])[:60]!r}")
    return ", ".join(dict.fromkeys(found))


def _quotes_in_force(scope: Scope) -> dict[Any, tuple[str, tuple[str, ...]]]:
    """For each point's concept the best passage and its quotes, the rule before its lead-in."""
    rows = (
        ConceptChunkEvidence.objects.filter(
            concept__key_points__isnull=False, chunk__in=searchable_chunks(scope)
        )
        .values_list("concept_id", "chunk_id", "evidence_type", "quote", "confidence")
        .distinct()
    )
    found: defaultdict[Any, list[tuple[bool, float, str, str]]] = defaultdict(list)
    for concept, chunk, kind, quote, confidence in rows:
        found[concept].append((kind != EvidenceType.PRIMARY, -confidence, str(chunk), quote))
    chosen: dict[Any, tuple[str, tuple[str, ...]]] = {}
    for concept, evidence in found.items():
        secondary, _, best, _ = min(evidence)
        if not secondary:
            chosen[concept] = (best, tuple(words for _, _, at, words in sorted(evidence) if at == best))
    return chosen


def _artifacts_at_hand(scope: Scope) -> dict[str, OnTheTable]:
    """The artifacts that can be shown: texts, and figures of documents in force."""
    rows = list(Artifact.objects.filter(Q(tenant=None) | Q(tenant=scope.tenant)))
    figures: dict[str, dict[str, Any]] = {}  # by document and label, "phak figure 10-5"
    if any(row.figure for row in rows):
        documents = searchable_chunks(scope).values("document")
        images = Image.objects.filter(document__in=documents).exclude(figure_label="")
        for shown in images.select_related("document"):
            figures[f"{shown.document.abbreviation} {shown.figure_label}".casefold()] = {
                "image_id": str(shown.pk),
                "figure_label": shown.figure_label,
                "page": shown.page,
                "caption": shown.caption,
            }
    found: dict[str, OnTheTable] = {}
    for row in rows:
        image = figures.get(row.figure.casefold()) if row.figure else None
        if row.text or image:
            found[row.key] = OnTheTable(
                key=row.key, kind=row.kind, title=row.title, text=row.text, image=image
            )
    return found
