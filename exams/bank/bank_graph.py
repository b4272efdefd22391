"""What the item bank says to the concept graph: where points apply, what mitigates a hazard, which beliefs are wrong.

Points and mix-ups are nodes already (`loading`); this reads the edges between them, elements and artifacts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from typing import Final

from exams.bank.schema import builds_on
from knowledge.graph.identity import node_key
from knowledge.graph.writing import GraphPart, GraphSource, NewEdge, NewNode, NodeId
from knowledge.models import Artifact, Concept, Item
from knowledge.models.graph import ConceptCategory, RelationType

ORIGIN: Final = "item bank"
_VERSION: Final = 2


@dataclass(frozen=True, slots=True)
class _Point:
    key: str
    role: str
    must: bool
    node: NodeId


@dataclass(frozen=True, slots=True)
class _Rubric:
    """An item with the nodes of its points and mix-ups; a mix-up comes with the keys of points that it denies."""

    item: Item
    points: tuple[_Point, ...]
    mixups: tuple[tuple[NodeId, tuple[str, ...]], ...]

    @property
    def elements(self) -> list[NodeId]:
        return _element_ids(self.item.elements)


def read_bank_graph() -> GraphPart:
    """The edges of all items that are not withdrawn, of the shared library and of each school."""
    items = Item.objects.filter(withdrawn=False).order_by("tenant", "key")
    rubrics = [_rubric_of(item) for item in items.prefetch_related("points__concept", "mixups__concept")]
    by_key = {(one.item.tenant_id, one.item.key): one for one in rubrics}
    artifacts = {(one.tenant_id, one.key): one.title for one in Artifact.objects.all()}
    part = GraphPart()
    for rubric in rubrics:
        for edge in (*_edges_of_points(rubric), *_edges_between_elements(rubric)):
            part.add_edge(edge)
        tenant = rubric.item.tenant_id
        if before := by_key.get((tenant, rubric.item.after)):  # it goes on with the scene of that question
            first, then = ([one.node for one in each.points if one.must][:1] for each in (before, rubric))
            for edge in _edges(first, RelationType.LEADS_TO_DISCUSSION_OF, then, rubric.item):
                part.add_edge(edge)
        for title in filter(None, (artifacts.get((tenant, key)) for key in rubric.item.needs)):
            node = NewNode(category=ConceptCategory.ARTIFACT, identity=title, name=title, tenant=tenant)
            part.add_node(node)
            for edge in _edges([node.id], RelationType.APPLIES_IN_SCENARIO, rubric.elements, rubric.item):
                part.add_edge(edge)
    return part


def _rubric_of(item: Item) -> _Rubric:
    points = tuple(
        _Point(point.key, point.role, point.must, (point.concept.tenant_id, point.concept.key))
        for point in item.points.all()
        if point.concept
    )
    mixups = tuple(
        ((one.concept.tenant_id, one.concept.key), tuple(one.contradicts))
        for one in item.mixups.all()
        if one.concept
    )
    return _Rubric(item, points, mixups)


def _edges_of_points(rubric: _Rubric) -> Iterator[NewEdge]:
    """Points and mix-ups apply to the item's elements, mitigations to its hazards and risks, mix-ups deny points."""
    points, elements, item = rubric.points, rubric.elements, rubric.item
    yield from _edges([one.node for one in points], RelationType.APPLIES_IN_SCENARIO, elements, item)
    yield from _edges([node for node, _ in rubric.mixups], RelationType.APPLIES_IN_SCENARIO, elements, item)
    mitigating = [one.node for one in points if one.role == "mitigate"]
    risks = _element_ids(code for code in item.elements if ".R" in code)
    hazards = [one.node for one in points if one.role == "hazard"]
    yield from _edges(mitigating, RelationType.MITIGATES_RISK_OF, [*hazards, *risks], item)
    for node, denied in rubric.mixups:
        right = [one.node for one in points if one.key in denied]
        yield from _edges([node], RelationType.CONTRASTS_WITH, right, item)


def _edges_between_elements(rubric: _Rubric) -> Iterator[NewEdge]:
    item = rubric.item
    for code, element in zip(item.elements, rubric.elements, strict=True):
        required = _element_ids(builds_on(code, item.elements, item.requires))
        yield from _edges([element], RelationType.REQUIRES_KNOWLEDGE_OF, required, item)
    leads_to = _element_ids(item.leads_to)
    yield from _edges(rubric.elements, RelationType.LEADS_TO_DISCUSSION_OF, leads_to, item)


def _edges(
    sources: Sequence[NodeId], relation: RelationType, targets: Sequence[NodeId], item: Item
) -> Iterator[NewEdge]:
    for source, target in product(sources, targets):
        yield NewEdge(source=source, relation=relation, target=target, reason=f"item {item.key}")


def _element_ids(codes: Iterable[str]) -> list[NodeId]:
    return [(None, node_key(ConceptCategory.ACS_ELEMENT, code)) for code in codes]


def _state() -> str:
    items = Item.objects.filter(withdrawn=False).order_by("pk").values_list("pk", "version", "content_hash")
    artifacts = Artifact.objects.order_by("pk").values_list("pk", "title")
    # Items can be loaded before the standard whose elements they name.
    elements = Concept.objects.filter(category=ConceptCategory.ACS_ELEMENT).count()
    return sha256(repr((_VERSION, list(items), list(artifacts), elements)).encode()).hexdigest()


BANK_GRAPH: Final = GraphSource(origin=ORIGIN, state=_state, read=read_bank_graph)
