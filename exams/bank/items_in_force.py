"""Which items can be asked with the library at hand: read from the bank, its graph and the passages in force.

An item can be asked when each of its must points was approved and stands on a passage in force, or on the item's own
artifact, and when its artifacts are there. Pending is not approved.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django.db.models import Q

from exams.bank.schema import Level, PointRole
from exams.bank.selection import ItemInForce, MixUpKnown, OnTheTable, PointInForce
from knowledge.models import AnchorState, Artifact, Concept, ConceptChunkEvidence, Image, Item, KeyPoint
from knowledge.models.graph import EvidenceType, ValidationStatus
from knowledge.retrieval.searchable import Scope, searchable_chunks

Quotes = Mapping[Any, tuple[str, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class Bank:
    """The items in force of one library, by element, and what each of the others waits for."""

    items: tuple[ItemInForce, ...]
    by_element: Mapping[str, tuple[ItemInForce, ...]]
    waiting: Mapping[str, tuple[Lack, ...]]


@dataclass(frozen=True, slots=True)
class Lack:
    """Why an item about an element cannot be asked: a document that is missing, else a reviewer's decision."""

    item: str
    missing_document: str = ""


def read_bank(scope: Scope) -> Bank:
    """All items of the shared library and of the scope's school, as they can be asked now."""
    rows = list(
        Item.objects.filter(Q(tenant=None) | Q(tenant=scope.tenant), withdrawn=False)
        .prefetch_related("points__concept", "mixups")
        .order_by("task", "key")
    )
    quotes = _quotes_in_force(scope)
    artifacts = _artifacts(scope)
    items: list[ItemInForce] = []
    waiting: defaultdict[str, list[Lack]] = defaultdict(list)
    for row in rows:
        lack = _lack(row, quotes, artifacts)
        if lack is None:
            items.append(_item(row, quotes, artifacts))
            continue
        for code in row.elements:
            waiting[code].append(lack)
    return Bank(tuple(items), _by_element(items), {code: tuple(lacks) for code, lacks in waiting.items()})


def _by_element(items: Iterable[ItemInForce]) -> dict[str, tuple[ItemInForce, ...]]:
    found: defaultdict[str, list[ItemInForce]] = defaultdict(list)
    for item in items:
        for code in item.elements:
            found[code].append(item)
    return {code: tuple(of_element) for code, of_element in found.items()}


def _lack(row: Item, quotes: Quotes, artifacts: Mapping[str, OnTheTable]) -> Lack | None:
    for key in row.needs:
        if key not in artifacts:
            named = Artifact.objects.filter(key=key).values_list("figure", flat=True).first()
            return Lack(row.key, named or key)
    musts = [point for point in row.points.all() if point.must]
    absent = next((point for point in musts if not _stands(point, quotes)), None)
    if absent is not None:
        missing = absent.missing_document if absent.anchor == AnchorState.MISSING else ""
        return Lack(row.key, missing)
    return None if musts and all(_approved(point) for point in musts) else Lack(row.key)


def _stands(point: KeyPoint, quotes: Quotes) -> bool:
    return point.anchor == AnchorState.TABLE or point.concept_id in quotes


def _approved(point: KeyPoint) -> bool:
    concept = point.concept
    return (
        concept is not None and concept.validation_status == ValidationStatus.VALIDATED and not concept.stale
    )


def _item(row: Item, quotes: Quotes, artifacts: Mapping[str, OnTheTable]) -> ItemInForce:
    return ItemInForce(
        key=row.key,
        version=row.version,
        task=row.task,
        elements=tuple(row.elements),
        level=cast(Level, row.level),
        stem=row.stem,
        again=row.again,
        why=row.why,
        slots={slot: tuple(values) for slot, values in row.slots.items()},
        cases=tuple(row.cases),
        points=tuple(
            _point(point, quotes) for point in row.points.all() if _approved(point) and _stands(point, quotes)
        ),
        mixups=tuple(
            MixUpKnown(text=one.text, answer=one.answer, contradicts=tuple(one.contradicts))
            for one in row.mixups.all()
        ),
        artifacts=tuple(artifacts[key] for key in row.needs),
        after=row.after,
    )


def _point(point: KeyPoint, quotes: Quotes) -> PointInForce:
    chunk, words = quotes.get(point.concept_id, ("", ()))
    concept = cast(Concept, point.concept)
    return PointInForce(
        key=point.key,
        concept=str(concept.pk),
        version=concept.version,
        text=point.text,
        role=cast(PointRole, point.role),
        must=point.must,
        p0=point.p0,
        accept=tuple(point.accept),
        ask=point.ask,
        hint=point.hint,
        when={slot: tuple(values) for slot, values in point.when.items()},
        chunk_id=chunk,
        quotes=words,
    )


def _quotes_in_force(scope: Scope) -> dict[Any, tuple[str, tuple[str, ...]]]:
    """Of each point's concept the passage and its quotes, the rule first, then what leads in to it."""
    rows = (
        ConceptChunkEvidence.objects.filter(
            concept__key_points__isnull=False, chunk__in=searchable_chunks(scope)
        )
        .values_list("concept_id", "chunk_id", "evidence_type", "quote", "confidence")
        .distinct()
    )
    found: dict[Any, list[tuple[bool, float, str, str]]] = defaultdict(list)
    for concept, chunk, kind, quote, confidence in rows:
        found[concept].append((kind != EvidenceType.PRIMARY, -confidence, str(chunk), quote))
    chosen: dict[Any, tuple[str, tuple[str, ...]]] = {}
    for concept, evidence in found.items():
        evidence.sort()
        further, _, first, _ = evidence[0]
        if not further:
            chosen[concept] = (first, tuple(words for _, _, at, words in evidence if at == first))
    return chosen


def _artifacts(scope: Scope) -> dict[str, OnTheTable]:
    """What can lie on the table: texts, and figures of documents in force."""
    rows = list(Artifact.objects.filter(Q(tenant=None) | Q(tenant=scope.tenant)))
    figures = _figures(scope) if any(row.figure for row in rows) else {}
    found: dict[str, OnTheTable] = {}
    for row in rows:
        image = figures.get(row.figure.casefold()) if row.figure else None
        if row.text or image:
            found[row.key] = OnTheTable(
                key=row.key, kind=row.kind, title=row.title, text=row.text, image=image
            )
    return found


def _figures(scope: Scope) -> dict[str, dict[str, Any]]:
    """Figures by document and label, "phak figure 10-5"."""
    documents = searchable_chunks(scope).values("document")
    rows = Image.objects.filter(document__in=documents).exclude(figure_label="")
    return {
        f"{image.document.abbreviation} {image.figure_label}".casefold(): {
            "image_id": str(image.pk),
            "figure_label": image.figure_label,
            "page": image.page,
            "caption": image.caption,
        }
        for image in rows.select_related("document")
    }
