"""Load item files into rows: items, points, mix-ups and artifacts, with their concepts and edges in the graph.

Loading again changes what changed in the files: a point whose words stay the same keeps its concept, anchors and
approval. An item that its file no longer holds is withdrawn. The admin stores the items written there by `store_item`.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.db.models import F

from exams.bank.bank_graph import BANK_GRAPH
from exams.bank.files import FileFault, read_items
from exams.bank.schema import ITEM_FIELDS, POINT_FIELDS, ItemText, PointText
from knowledge.graph.identity import node_key
from knowledge.graph.writing import read_sources
from knowledge.library_version import library_changed
from knowledge.models import AnchorState, Artifact, Concept, Item, KeyPoint, MixUp, Tenant
from knowledge.models.graph import OF_ITEMS, ConceptCategory, Priority, ValidationStatus
from knowledge.models.items import ItemOrigin
from knowledge.standards.ask_location import task_code_of

_CATEGORIES: Final = {
    "rule": ConceptCategory.REGULATORY_CLAIM,
    "explain": ConceptCategory.TOPIC,
    "read": ConceptCategory.DEFINITION,
    "hazard": ConceptCategory.TOPIC,
    "assess": ConceptCategory.TOPIC,
    "mitigate": ConceptCategory.PROCEDURE,
    "decide": ConceptCategory.PROCEDURE,
}
"""The node category of each role of a key point."""


ITEM_NOTES: Final = ("moment", "stage", "topic", "ends")
POINT_NOTES: Final = ("reject", "keywords", "then")
"""What is noted of an item and of a point beside what is asked and expected."""
GONE = "Its file no longer holds it."  # the reason of an item that comes back with its file


@dataclass(slots=True)
class Loaded:
    """What loading did. `changed` items are those whose points have to be anchored."""

    items: int = 0
    points: int = 0
    changed: list[str] = field(default_factory=list)
    withdrawn: list[str] = field(default_factory=list)
    faults: list[FileFault] = field(default_factory=list)


def load_item_files(paths: Sequence[Path]) -> Loaded:
    """Load files and folders into the shared library. Broken items are listed and left out."""
    read = read_items(paths)
    loaded = Loaded(faults=read.faults)
    with transaction.atomic():
        for artifact in read.artifacts:
            values = artifact.model_dump(exclude={"id"})
            Artifact.objects.update_or_create(tenant=None, key=artifact.id, defaults=values)
        for item in read.items:
            loaded.items += 1
            loaded.points += len(item.points)
            file = read.places[item.id][0]
            if store_item(item, tenant=None, origin=ItemOrigin.FILE, source_file=file):
                loaded.changed.append(item.id)
        # An item that is missing from a file with a fault may only be broken, so nothing of that file is withdrawn.
        sound = set(read.files) - {one.file for one in read.faults}
        gone = Item.objects.filter(
            tenant=None, origin=ItemOrigin.FILE, withdrawn=False, source_file__in=sound
        ).exclude(key__in=[item.id for item in read.items])
        loaded.withdrawn = list(gone.values_list("key", flat=True))
        gone.update(withdrawn=True, withdrawn_reason=GONE)
        read_sources([BANK_GRAPH])
        if loaded.changed or loaded.withdrawn:
            library_changed(None)
    return loaded


def store_item(item: ItemText, *, tenant: Tenant | None, origin: ItemOrigin, source_file: str = "") -> bool:
    """Store one item; returns whether anything changed. What a reviewer withdrew stays withdrawn until its file
    changes in more than its notes: they are no part of the question."""
    notes: Any = {**dict.fromkeys(ITEM_NOTES, True), "points": {"__all__": set(POINT_NOTES)}}
    written = item.model_dump(mode="json", exclude=notes)
    for later in ("on_trip", "classes"):
        if not written[later]:
            del written[later]  # an item without it keeps the hash that it had before there was such a field
    digest = sha256(json.dumps(written, sort_keys=True).encode()).hexdigest()
    row = Item.objects.filter(tenant=tenant, key=item.id).first()
    if row and row.content_hash == digest:
        by_reviewer = origin == ItemOrigin.FILE and row.withdrawn_reason != GONE
        if not row.withdrawn or by_reviewer:
            return _store_notes(row, item)
    fields = item.model_dump(include=set(ITEM_FIELDS)) | {
        "task": task_code_of(item.elements[0]),
        "after": item.after or "",
        "origin": origin,
        "source_file": source_file,
        "content_hash": digest,
        "withdrawn": False,
        "withdrawn_reason": "",
    }
    if row is None:
        row = Item.objects.create(tenant=tenant, key=item.id, **fields)
    else:
        Item.objects.filter(pk=row.pk).update(version=F("version") + 1, **fields)
    _store_points(row, item.points)
    row.mixups.all().delete()
    MixUp.objects.bulk_create(
        MixUp(
            item=row,
            order=order,
            text=mixup.text,
            answer=mixup.answer,
            sources=list(mixup.source),
            contradicts=list(mixup.contradicts),
            concept=_concept_for(row.tenant, ConceptCategory.MISCONCEPTION, mixup.text),
        )
        for order, mixup in enumerate(item.mixups)
    )
    return True


def _store_notes(row: Item, item: ItemText) -> bool:
    """Store the notes of an item that is the same in all else; returns whether they are others."""
    stored = {one["key"]: one for one in row.points.values("key", *POINT_NOTES)}
    changed = False
    for point in item.points:
        notes = point.model_dump(include=set(POINT_NOTES))
        if stored.get(point.id) != {"key": point.id, **notes}:
            row.points.filter(key=point.id).update(**notes)
            changed = True
    own = item.model_dump(include=set(ITEM_NOTES))
    if changed or any(getattr(row, name) != value for name, value in own.items()):
        Item.objects.filter(pk=row.pk).update(version=F("version") + 1, **own)
        return True
    return False


def _store_points(row: Item, points: Sequence[PointText]) -> None:
    row.points.exclude(key__in=[point.id for point in points]).delete()
    for order, point in enumerate(points):
        on_the_table = all(source.on_the_table for source in point.sources)
        concept = _concept_for(row.tenant, _CATEGORIES[point.role], point.text, p0=point.p0)
        known = row.points.filter(key=point.id).first()
        kept = known is not None and known.concept_id == concept.pk and known.sources == list(point.source)
        values = point.model_dump(include=set(POINT_FIELDS)) | {
            "order": order,
            "sources": list(point.source),
            "concept": concept,
        }
        if not kept:
            values["anchor"] = AnchorState.TABLE if on_the_table else AnchorState.WAITING
            values["missing_document"] = ""
        KeyPoint.objects.update_or_create(item=row, key=point.id, defaults=values)


def _concept_for(tenant: Tenant | None, category: str, text: str, *, p0: bool = False) -> Concept:
    concept, new = Concept.objects.get_or_create(
        tenant=tenant,
        key=node_key(category, text),
        defaults={
            "name": text,
            "category": category,
            "validation_status": ValidationStatus.PENDING,
            "priority": Priority.P0 if p0 else Priority.P2,
            "origin": OF_ITEMS,
        },
    )
    if p0 and not new and concept.priority != Priority.P0:
        Concept.objects.filter(pk=concept.pk).update(priority=Priority.P0)
    return concept
