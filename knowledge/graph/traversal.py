"""Find the nodes around a node of the graph, by one recursive query that guards against cycles.

A table says which relations are followed in which direction. Depth, confidence and relevance cut inside the query.
Evidence comes with the node, the best passages first, and only from documents that may be searched.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from django.db import connection

from knowledge import conf
from knowledge.models.graph import ConceptCategory, RelationType, ValidationStatus
from knowledge.retrieval.searchable import FROM_CHUNKS, Scope, searchable_condition

# Relations walked from their source to their target, and from their target to their source.
FORWARD: tuple[RelationType, ...] = (
    RelationType.IS_COMPONENT_OF,  # from a part to its whole
    RelationType.REQUIRES_KNOWLEDGE_OF,  # to what must be known first
    RelationType.LEADS_TO_DISCUSSION_OF,  # to where the talk goes next
    RelationType.CONTRASTS_WITH,  # either way: neither side comes first
    RelationType.MITIGATES_RISK_OF,  # from a procedure to the risk
    RelationType.APPLIES_IN_SCENARIO,  # from a claim to the topic that it belongs to
)
BACKWARD: tuple[RelationType, ...] = (
    RelationType.IS_COMPONENT_OF,  # from an element to its sub-elements
    RelationType.CONTRASTS_WITH,
    RelationType.MITIGATES_RISK_OF,  # from a risk to what mitigates it
    RelationType.APPLIES_IN_SCENARIO,  # from an element to the claims that apply in it
)


POINT = "point"  # the quota of the item bank's statements


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """A passage that supports a node. `quote` is verbatim from the chunk."""

    chunk_id: str
    document: str
    abbreviation: str
    doc_type: str
    section: str
    page: int | None
    quote: str
    confidence: float
    evidence_type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node, its distance in edges, the relation by which it was reached, and the relevance of the path (the product
    of its edges' confidences)."""

    id: str
    key: str
    name: str
    category: str
    depth: int
    relation: str | None
    relevance: float
    key_facts: Mapping[str, Any]
    status: str
    stale: bool
    priority: str
    evidence: tuple[Evidence, ...]

    @property
    def is_verified(self) -> bool:
        """Approved by a reviewer, unchanged since, and supported by a passage that can be shown."""
        return self.status == ValidationStatus.VALIDATED and not self.stale and bool(self.evidence)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def nodes_around(key: str, scope: Scope, depth: int) -> tuple[Node, ...]:
    """The node with this key and those around it, in the order of `_ORDER`; empty if there is no such node.

    Each kind of node has a quota (`conf.BUNDLE_ROOMS`); unused places go to the first of the other kinds.
    """
    allowed = searchable_condition(scope)
    values = {
        **allowed.values,
        "key": key,
        "depth": depth,
        "forward": [str(relation) for relation in FORWARD],
        "backward": [str(relation) for relation in BACKWARD],
        "component": str(RelationType.IS_COMPONENT_OF),
        "applies": str(RelationType.APPLIES_IN_SCENARIO),
        "element": str(ConceptCategory.ACS_ELEMENT),
        "topic": str(ConceptCategory.TOPIC),
        "rejected": str(ValidationStatus.REJECTED),
        "validated": str(ValidationStatus.VALIDATED),
        "confidence": conf.BUNDLE_CONFIDENCE,
        "nodes": conf.BUNDLE_NODES,
        "rooms": json.dumps(conf.BUNDLE_ROOMS),
        "point": POINT,
        "subjects": list(conf.BUNDLE_SUBJECTS),
        "passages": conf.BUNDLE_EVIDENCE,
    }
    with connection.cursor() as cursor:
        cursor.execute(_statement(allowed.sql), values)
        rows = cursor.fetchall()
    nodes = []
    for row in rows:  # the fields of Node in order; a bare cursor gives JSON as text
        found = dict(zip(Node.__dataclass_fields__, row, strict=True))
        found["id"] = str(found["id"])
        found["key_facts"] = json.loads(found["key_facts"])
        found["evidence"] = tuple(Evidence(**one) for one in json.loads(found["evidence"] or "[]"))
        nodes.append(Node(**found))
    return tuple(nodes)


def _statement(searchable_sql: str) -> str:
    return f"""
        WITH RECURSIVE walk AS (
            SELECT n.id, n.category, 0 AS depth, NULL::text AS relation, 1.0::float AS relevance,
                   ARRAY[n.id] AS path
            FROM knowledge_concept n WHERE n.key = %(key)s AND {_READABLE}
          UNION ALL
            SELECT n.id, n.category, walk.depth + 1, edge.relation_type, walk.relevance * edge.confidence,
                   walk.path || n.id
            FROM walk
            CROSS JOIN LATERAL ({_EDGES}) AS edge
            JOIN knowledge_concept n ON n.id = edge.next_id
            WHERE walk.depth < %(depth)s AND n.id <> ALL(walk.path) AND edge.confidence >= %(confidence)s
              AND n.validation_status <> %(rejected)s AND {_READABLE} AND {_SENSIBLE}),
        nearest AS (
            SELECT DISTINCT ON (id) * FROM walk ORDER BY id, depth, relevance DESC, relation),
        reached AS (
            SELECT nearest.depth, nearest.relation, nearest.relevance, n.*, {_ROOM} AS room
            FROM nearest JOIN knowledge_concept n ON n.id = nearest.id),
        placed AS (
            SELECT reached.*, row_number() OVER (PARTITION BY room ORDER BY {_ORDER}) AS place FROM reached),
        kept AS (
            SELECT * FROM placed
            ORDER BY place <= COALESCE((%(rooms)s::jsonb ->> room)::int, 0) DESC, (room = %(point)s), {_ORDER}
            LIMIT %(nodes)s)
        SELECT kept.id, kept.key, kept.name, kept.category, kept.depth, kept.relation, kept.relevance,
               kept.key_facts, kept.validation_status, kept.stale, kept.priority,
               passages.evidence
        FROM kept LEFT JOIN LATERAL (
            SELECT jsonb_agg(to_jsonb(best) ORDER BY best.confidence DESC, best.chunk_id) AS evidence FROM (
                SELECT c.id::text AS chunk_id, d.title AS document, d.abbreviation, d.doc_type, c.section,
                       COALESCE(v.page, c.page_start) AS page, v.quote, v.confidence, v.evidence_type
                FROM knowledge_conceptchunkevidence v JOIN ({FROM_CHUNKS}) ON c.id = v.chunk_id
                WHERE v.concept_id = kept.id AND v.confidence >= %(confidence)s AND {searchable_sql}
                ORDER BY v.confidence DESC, v.id LIMIT %(passages)s) AS best) AS passages ON TRUE
        ORDER BY {_ORDER}"""


# Nodes of a category share a quota. What only items of the bank say has one of its own, so that it takes no claim's
# place; a claim that an item repeats keeps the key facts that it was extracted with.
_ROOM = """CASE WHEN n.key_facts = '{}' AND EXISTS (SELECT 1 FROM knowledge_keypoint p WHERE p.concept_id = n.id)
    THEN %(point)s ELSE n.category END"""

# The nearest first, then what is verified, what binds somebody, priority and relevance. Within one priority the
# subjects come in the order of seed 002.
_ORDER = """depth, (validation_status = %(validated)s) DESC, (key_facts ? 'unbound'), priority,
    array_position(%(subjects)s::text[], key_facts ->> 'domain') NULLS LAST, relevance DESC, created_at, key"""

_READABLE = "(n.tenant_id IS NULL OR n.tenant_id = %(tenant)s)"

_EDGES = """
    SELECT r.target_id AS next_id, r.relation_type, r.confidence, TRUE AS forward
    FROM knowledge_conceptrelation r
    WHERE r.source_id = walk.id AND r.relation_type = ANY(%(forward)s) AND r.status = %(validated)s
    UNION ALL
    SELECT r.source_id, r.relation_type, r.confidence, FALSE
    FROM knowledge_conceptrelation r
    WHERE r.target_id = walk.id AND r.relation_type = ANY(%(backward)s) AND r.status = %(validated)s"""

# A Task does not lead down to all its other elements, nor a claim to all the other elements in which it
# applies.
_SENSIBLE = """NOT (n.category = %(element)s AND (
    (edge.relation_type = %(component)s AND NOT edge.forward AND walk.category = %(topic)s)
    OR (edge.relation_type = %(applies)s AND edge.forward)))"""
