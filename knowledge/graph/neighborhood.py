"""The nodes around a node as a page draws them: every relation in both directions, two edges deep, with passages.

Students and operators see what is in force; reviewers also what waits for them. Nothing of another school is read.
Where there are more nodes than a drawing holds, the surest are drawn and the rest is counted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final
from uuid import UUID

from django.db.models import Q, QuerySet

from knowledge import conf
from knowledge.grounding.citations import passage_url
from knowledge.models import Concept, ConceptChunkEvidence, ConceptRelation
from knowledge.models.graph import OF_ITEMS, SUPPORT, ConceptCategory, RelationType, ValidationStatus
from knowledge.retrieval.results import label_of_chunk
from knowledge.retrieval.searchable import Scope, searchable_chunks

from .skeleton import CREATED_BY as SKELETON

WORDS: Final[dict[str, tuple[str, str]]] = {
    RelationType.REQUIRES_KNOWLEDGE_OF: ("requires", "is required by"),
    RelationType.LEADS_TO_DISCUSSION_OF: ("leads to", "comes after"),
    RelationType.IS_COMPONENT_OF: ("is part of", "has the parts"),
    RelationType.CONTRASTS_WITH: ("contrasts with", "contrasts with"),
    RelationType.MITIGATES_RISK_OF: ("mitigates", "is mitigated by"),
    RelationType.APPLIES_IN_SCENARIO: ("applies to", "is a matter of"),
}
"""A relation as it reads from its source, and from its target."""
ORIGINS: Final[dict[str, str]] = {
    SKELETON: "the standard",
    "standards": "links within the standards",
    OF_ITEMS: "key points of items",
    "item bank": "links of items",
    "model": "a vendor’s model",
}
"""What a node or an edge comes from, where the word for it that is stored says too little on a page."""


@dataclass(frozen=True, slots=True)
class Viewer:
    """Whose graph is read: a school's (None: the shared library's alone), with what is pending or without."""

    tenant: int | None
    sees_pending: bool

    @property
    def nodes(self) -> QuerySet[Concept]:
        readable = Concept.objects.filter(Q(tenant=None) | Q(tenant=self.tenant), stale=False)
        return readable.filter(validation_status__in=self._shown)

    def edges(self, relations: Collection[str]) -> QuerySet[ConceptRelation]:
        found = ConceptRelation.objects.filter(status__in=self._shown, relation_type__in=relations)
        for end in ("source", "target"):
            found = found.filter(
                Q(**{f"{end}__tenant": None}) | Q(**{f"{end}__tenant": self.tenant}),
                **{f"{end}__validation_status__in": self._shown, f"{end}__stale": False},
            )
        return found

    @property
    def _shown(self) -> list[str]:
        pending = [ValidationStatus.PENDING.value] if self.sees_pending else []
        return [ValidationStatus.VALIDATED.value, *pending]


@dataclass(frozen=True, slots=True)
class Shown:
    """A passage to open: how it is cited, its words, and its address. `kind` is "" for one that supports the node."""

    label: str
    quote: str
    url: str
    kind: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """A node of the drawing; `ring` is its distance from the middle."""

    id: UUID
    name: str
    code: str
    category: str
    status: str
    origin: str
    ring: int
    evidence: tuple[Shown, ...] = ()

    @property
    def title(self) -> str:
        return f"{self.code}, {self.name}" if self.code else self.name

    @property
    def kind(self) -> str:
        """Its category as it is read."""
        return str(ConceptCategory(self.category).label)

    @property
    def comes_from(self) -> str:
        """Its origin as it is read."""
        return ORIGINS.get(self.origin, self.origin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """An edge between two nodes of the drawing."""

    source: UUID
    target: UUID
    relation: str
    status: str
    reason: str
    origin: str


@dataclass(frozen=True, slots=True)
class Step:
    """A neighbor in the list: the relation as it reads from here, and what is beyond it."""

    words: str
    line: Line
    node: Drawn
    beyond: tuple[tuple[str, Drawn], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighborhood:
    """`more` is how many nodes within two edges are not drawn; with a hub they are counted up to a limit."""

    center: Drawn
    nodes: tuple[Drawn, ...]
    lines: tuple[Line, ...]
    more: int

    def to_drawing(self) -> dict[str, Any]:
        """The elements of the drawing, in the notation of Cytoscape.js."""
        nodes = [
            {
                "data": {
                    "id": str(one.id),
                    "label": one.code or one.name,
                    "title": one.title,
                    "ring": one.ring,
                },
                "classes": f"{one.category} {one.status}",
            }
            for one in self.nodes
        ]
        edges = [
            {
                "data": {
                    "source": str(one.source),
                    "target": str(one.target),
                    "label": WORDS[one.relation][0],
                },
                "classes": one.status,
            }
            for one in self.lines
        ]
        return {"nodes": nodes, "edges": edges}

    def steps(self) -> list[Step]:
        """The neighbors by relation, each with what is drawn beyond it."""
        by_id = {one.id: one for one in self.nodes}
        beside: dict[UUID, list[tuple[str, Line, Drawn]]] = {}
        for line in self.lines:
            for near, far, way in ((line.source, line.target, 0), (line.target, line.source, 1)):
                beside.setdefault(near, []).append((WORDS[line.relation][way], line, by_id[far]))
        found = []
        for words, line, node in beside.get(self.center.id, ()):
            beyond = tuple((said, far) for said, _, far in beside.get(node.id, ()) if far.ring > node.ring)
            found.append(Step(words, line, node, beyond))
        return sorted(found, key=lambda step: (step.words, step.node.category, step.node.title))


def find_nodes(viewer: Viewer, words: str) -> list[Concept]:
    """Nodes whose code or name holds these words, elements first."""
    found = viewer.nodes.filter(Q(name__icontains=words) | Q(key_facts__element_code__iexact=words))
    ranked = found.order_by("category", "name")
    elements = ranked.filter(category=ConceptCategory.ACS_ELEMENT)
    others = ranked.exclude(category=ConceptCategory.ACS_ELEMENT)
    return [*elements[: conf.GRAPH_FOUND], *others[: conf.GRAPH_FOUND]][: conf.GRAPH_FOUND]


def neighborhood_of(
    center: Concept, viewer: Viewer, scope: Scope, relations: Sequence[str] = ()
) -> Neighborhood:
    """What is two edges around a node, in six queries. `relations` are those followed; none means all."""
    edges = viewer.edges(relations or RelationType.values)
    rings: dict[UUID, int] = {center.pk: 0}
    more = 0
    for ring in (1, 2):
        beside = [pk for pk, at in rings.items() if at == ring - 1]
        near = edges.filter(Q(source__in=beside) | Q(target__in=beside)).order_by("-confidence", "pk")
        pairs = near.values_list("source", "target")[: conf.GRAPH_EDGES_READ]
        fresh = _in_turn(pairs, set(beside), rings)
        room = (conf.GRAPH_DRAWN // 2 if ring == 1 else conf.GRAPH_DRAWN) - len(rings)
        more += max(0, len(fresh) - room)
        rings |= dict.fromkeys(fresh[: max(0, room)], ring)
    rows = {row.pk: row for row in viewer.nodes.filter(pk__in=rings)}
    shown = _evidence_of(rows, scope)
    nodes = [_drawn(row, rings[pk], shown.get(pk, ())) for pk, row in rows.items()]
    nodes.sort(key=lambda one: (one.ring, one.category, one.title))
    lines = tuple(
        Line(
            source=row.source_id,
            target=row.target_id,
            relation=row.relation_type,
            status=row.status,
            reason=row.reason,
            origin=row.created_by,
        )
        for row in edges.filter(source__in=rows, target__in=rows).order_by("relation_type", "pk")
    )
    return Neighborhood(center=nodes[0], nodes=tuple(nodes), lines=lines, more=more)


def _in_turn(
    pairs: Iterable[tuple[UUID, UUID]], beside: Collection[UUID], known: Collection[UUID]
) -> list[UUID]:
    """The far ends of these edges, each once: one of each near node in turn, so that a hub leaves room for others."""
    by_near: dict[UUID, dict[UUID, None]] = {}
    for source, target in pairs:
        for near, far in ((source, target), (target, source)):
            if near in beside and far not in known:
                by_near.setdefault(near, {})[far] = None
    rows = zip_longest(*by_near.values())
    return list(dict.fromkeys(far for row in rows for far in row if far is not None))


def _evidence_of(rows: Collection[UUID], scope: Scope) -> dict[UUID, tuple[Shown, ...]]:
    found: dict[UUID, tuple[Shown, ...]] = {}
    evidence = ConceptChunkEvidence.every.filter(concept__in=rows, chunk__in=searchable_chunks(scope))
    for one in evidence.select_related("chunk__document").order_by("-confidence", "pk"):
        kind = "" if one.evidence_type in SUPPORT else one.evidence_type
        listed = found.get(one.concept_id, ())
        if sum(shown.kind == kind for shown in listed) < conf.BUNDLE_EVIDENCE:
            url = passage_url(str(one.chunk_id), one.quote, one.page)
            found[one.concept_id] = (*listed, Shown(label_of_chunk(one.chunk), one.quote, url, kind))
    return found


def _drawn(row: Concept, ring: int, evidence: tuple[Shown, ...]) -> Drawn:
    facts = row.key_facts
    return Drawn(
        id=row.pk,
        name=row.name,
        code=str(facts.get("element_code") or facts.get("task_code") or facts.get("area_code") or ""),
        category=row.category,
        status=row.validation_status,
        origin=row.origin,
        ring=ring,
        evidence=evidence,
    )
