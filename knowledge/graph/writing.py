"""Write what a kind of source says into the graph: its nodes, edges and passages, in a few statements.

Each kind of source has an `origin`. What is written of an origin replaces what it said before: new rows are added, and
what is no longer said is withdrawn. A reviewer's decision stays. Rows of other origins are never changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field
from time import monotonic
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from knowledge.library_version import library_changed
from knowledge.models import Concept, ConceptChunkEvidence, ConceptRelation, GraphReading
from knowledge.models.graph import ConceptCategory, EvidenceType, ValidationStatus

from .identity import node_key

GONE = "The edition in force no longer says it."
NEVER_AT_ONCE = (
    ConceptCategory.REGULATORY_CLAIM,
    ConceptCategory.DEFINITION,
    ConceptCategory.MISCONCEPTION,
)
"""Nodes that say what is right or wrong: a reviewer decides on each."""
_LOCK = 4_806_215  # of those who write the graph: a number that nothing else here locks
_SHOWN = 0.4  # confidence of a passage that shows a topic or a section: below that of any claim
_BATCH = 2000  # rows in one statement

NodeId = tuple[int | None, str]
"""The school of a node (None for the shared library) and its key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Exact words of a chunk, and their page (None without pages)."""

    chunk: UUID
    quote: str
    page: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNode:
    """A node that a source names. `identity` is a code, a title or a statement (`node_key`)."""

    category: str
    identity: str
    name: str
    tenant: int | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    status: str = ValidationStatus.VALIDATED
    passage: Passage | None = None

    def __post_init__(self) -> None:
        if self.category in NEVER_AT_ONCE and self.status == ValidationStatus.VALIDATED:
            raise ValueError(f"a {self.category} is validated by a reviewer only")

    @property
    def id(self) -> NodeId:
        return self.tenant, node_key(self.category, self.identity)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """An edge that a source states, between nodes of any origin. `reason` says why, `chunk` where."""

    source: NodeId
    relation: str
    target: NodeId
    confidence: float = 1.0
    status: str = ValidationStatus.VALIDATED
    reason: str = ""
    chunk: UUID | None = None

    @property
    def ends(self) -> tuple[NodeId, str, NodeId]:
        return self.source, str(self.relation), self.target


@dataclass(slots=True)
class GraphPart:
    """All that one kind of source says. The first of two equal nodes or edges counts."""

    nodes: dict[NodeId, NewNode] = field(default_factory=dict)
    edges: dict[tuple[NodeId, str, NodeId], NewEdge] = field(default_factory=dict)

    def add_node(self, node: NewNode) -> NodeId:
        self.nodes.setdefault(node.id, node)
        return node.id

    def add_edge(self, edge: NewEdge) -> None:
        if edge.source != edge.target:
            self.edges.setdefault(edge.ends, edge)


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphSource:
    """A kind of source: `state` is a fingerprint of all that `read` depends on, at most 64 characters."""

    origin: str
    state: Callable[[], str]
    read: Callable[[], GraphPart]


@dataclass(slots=True)
class Changes:
    """How many nodes and edges were added, changed and withdrawn."""

    nodes_added: int = 0
    nodes_changed: int = 0
    nodes_withdrawn: int = 0
    edges_added: int = 0
    edges_changed: int = 0
    edges_withdrawn: int = 0

    def to_dict(self) -> dict[str, int]:
        return asdict(self)


def read_sources(sources: Iterable[GraphSource], *, again: bool = False) -> dict[str, Changes]:
    """Write each source that changed since it was last read (with `again`, each); what changed, by origin."""
    known = dict(GraphReading.objects.values_list("origin", "state"))
    done = {}
    for source in sources:
        state = source.state()
        if known.get(source.origin) == state and not again:
            continue
        began = monotonic()
        part = source.read()
        with transaction.atomic():
            changes = write_part(source.origin, part)
            GraphReading.objects.update_or_create(
                origin=source.origin,
                defaults={
                    "state": state,
                    "seconds": round(monotonic() - began, 3),
                    "changes": changes.to_dict(),
                },
            )
        done[source.origin] = changes
    return done


@transaction.atomic
def write_part(origin: str, part: GraphPart) -> Changes:
    """Make the rows of this origin say what the part says. Writing the same part again changes nothing."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    changes = Changes()
    _write_nodes(origin, part, changes)
    ids = _ids_of(
        {end for edge in part.edges.values() for end in (edge.source, edge.target)} | set(part.nodes)
    )
    _write_passages(origin, part, ids)
    _write_edges(origin, part, ids, changes)
    if any(changes.to_dict().values()):
        library_changed(None)
    return changes


def _ids_of(wanted: Iterable[NodeId]) -> dict[NodeId, UUID]:
    rows = Concept.objects.filter(key__in={key for _, key in wanted}).order_by()
    return {(tenant, key): pk for tenant, key, pk in rows.values_list("tenant", "key", "pk")}


def _write_nodes(origin: str, part: GraphPart, changes: Changes) -> None:
    own = {(row.tenant_id, row.key): row for row in Concept.objects.filter(origin=origin).order_by()}
    changed = []
    for place, node in part.nodes.items():
        row = own.pop(place, None)
        facts = dict(node.facts)
        if row is not None and (row.name, row.key_facts, row.stale) != (node.name, facts, False):
            row.name, row.key_facts, row.stale, row.stale_reason = node.name, facts, False, ""
            row.version += 1
            changed.append(row)
    gone = [row for row in own.values() if not row.stale]
    for row in gone:
        row.stale, row.stale_reason, row.version = True, GONE, row.version + 1
    Concept.objects.bulk_update(
        [*changed, *gone], ["name", "key_facts", "stale", "stale_reason", "version"], batch_size=_BATCH
    )
    known = _ids_of(part.nodes)
    new = [
        Concept(
            tenant_id=node.tenant,
            key=node.id[1],
            name=node.name,
            category=node.category,
            key_facts=dict(node.facts),
            validation_status=node.status,
            origin=origin,
        )
        for place, node in part.nodes.items()
        if place not in known
    ]
    Concept.objects.bulk_create(new, batch_size=_BATCH, ignore_conflicts=True)
    changes.nodes_added, changes.nodes_changed, changes.nodes_withdrawn = len(new), len(changed), len(gone)


def _write_passages(origin: str, part: GraphPart, ids: Mapping[NodeId, UUID]) -> None:
    """The passages of this origin's nodes. One that is gone takes no node with it."""
    wanted = {
        (ids[place], node.passage.chunk): node.passage
        for place, node in part.nodes.items()
        if node.passage and place in ids
    }
    own = ConceptChunkEvidence.objects.filter(created_by=origin).order_by()
    lost = [
        pk
        for pk, concept, chunk, quote in own.values_list("pk", "concept", "chunk", "quote")
        if (concept, chunk) not in wanted or wanted[concept, chunk].quote != quote
    ]
    ConceptChunkEvidence.objects.filter(pk__in=lost).delete()
    held = set(own.values_list("concept", "chunk"))
    ConceptChunkEvidence.objects.bulk_create(
        (
            ConceptChunkEvidence(
                concept_id=concept,
                chunk_id=chunk,
                quote=passage.quote,
                page=passage.page,
                confidence=_SHOWN,
                evidence_type=EvidenceType.PRIMARY,
                created_by=origin,
            )
            for (concept, chunk), passage in wanted.items()
            if (concept, chunk) not in held
        ),
        batch_size=_BATCH,
        ignore_conflicts=True,
    )


def _write_edges(origin: str, part: GraphPart, ids: Mapping[NodeId, UUID], changes: Changes) -> None:
    wanted = {
        (ids[edge.source], str(edge.relation), ids[edge.target]): edge
        for edge in part.edges.values()
        if edge.source in ids and edge.target in ids
    }
    changed, gone = [], []
    for row in ConceptRelation.objects.filter(created_by=origin).order_by():
        edge = wanted.pop((row.source_id, row.relation_type, row.target_id), None)
        if edge is None:
            if row.status != ValidationStatus.REJECTED:  # kept, so that it is not proposed again
                gone.append(row.pk)
        elif (row.confidence, row.reason, row.chunk_id) != (edge.confidence, edge.reason[:200], edge.chunk):
            row.confidence, row.reason, row.chunk_id = edge.confidence, edge.reason[:200], edge.chunk
            changed.append(row)
    ConceptRelation.objects.filter(pk__in=gone).delete()
    ConceptRelation.objects.bulk_update(changed, ["confidence", "reason", "chunk"], batch_size=_BATCH)
    # An edge that another origin stated first stays as it is.
    same = ConceptRelation.objects.filter(
        source__in={source for source, _, _ in wanted}, target__in={target for _, _, target in wanted}
    ).order_by()
    taken = set(same.values_list("source", "relation_type", "target"))
    new = [
        ConceptRelation(
            source_id=source,
            target_id=target,
            relation_type=relation,
            confidence=edge.confidence,
            status=edge.status,
            created_by=origin,
            reason=edge.reason[:200],
            chunk_id=edge.chunk,
        )
        for (source, relation, target), edge in wanted.items()
        if (source, relation, target) not in taken
    ]
    ConceptRelation.objects.bulk_create(new, batch_size=_BATCH, ignore_conflicts=True)
    changes.edges_added, changes.edges_changed, changes.edges_withdrawn = len(new), len(changed), len(gone)
