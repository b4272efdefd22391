"""Check and save items that were edited in the admin, by the same rules as item files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from exams.bank.files import fault_text
from exams.bank.lint import faults_in_item
from exams.bank.loading import ITEM_FIELDS, POINT_FIELDS, store_item
from exams.bank.schema import ItemText
from knowledge.models import Artifact, Item
from knowledge.models.items import ItemOrigin


class ItemRefused(ValueError):
    """The item cannot be stored as it is; `faults` say what to change."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


def check_item(
    item: Item, points: Sequence[Mapping[str, Any]], mixups: Sequence[Mapping[str, Any]]
) -> ItemText:
    """The item with these points and mix-ups, in the shape of a file. Raises ItemRefused."""
    try:
        text = ItemText.model_validate(
            {name: getattr(item, name) for name in ITEM_FIELDS}
            | {"id": item.key, "after": item.after or None, "points": list(points), "mixups": list(mixups)}
        )
    except ValidationError as error:
        raise ItemRefused([fault_text(one) for one in error.errors()]) from error
    known = set(Artifact.objects.filter(key__in=text.needs).values_list("key", flat=True))
    faults = [
        *faults_in_item(text),
        *(f"needs {one}, which is no artifact" for one in text.needs if one not in known),
    ]
    if faults:
        raise ItemRefused(faults)
    return text


def save_edited(item: Item) -> None:
    """Update the item's concepts, edges and anchors from its rows. Raises ItemRefused."""
    points = [
        {name: getattr(point, name) for name in POINT_FIELDS} | {"id": point.key, "source": point.sources}
        for point in item.points.order_by("order", "pk")
    ]
    mixups = [
        {"text": one.text, "answer": one.answer, "source": one.sources, "contradicts": one.contradicts}
        for one in item.mixups.order_by("order", "pk")
    ]
    text = check_item(item, points, mixups)
    store_item(text, tenant=item.tenant, origin=ItemOrigin(item.origin), source_file=item.source_file)
