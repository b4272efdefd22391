"""Find the nodes around a node of the graph, by one recursive query that keeps each node once a level.

A table says which relations are followed in which direction. Depth, confidence and relevance cut inside the query.
Evidence comes with the node, the best passages first, and only from documents that may be searched. A process keeps
what it read until a transaction that changes any of it commits.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from operator import itemgetter
from threading import Lock
from typing import Any

from cachetools import LRUCache
from django.db import connection

from knowledge import conf
from knowledge.db.connections import fetch_prepared
from knowledge.models.graph import SUPPORT, ConceptCategory, RelationType, ValidationStatus
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


@dataclass(frozen=True, slots=True)
class Evidence:
    """A passage that supports a node or illustrates it. `quote` is verbatim from the chunk, `page` the page of the file
    that it begins on, `page_label` what is printed on that page."""

    chunk_id: str
    document: str
    abbreviation: str
    doc_type: str
    section: str
    page: int | None
    page_label: str
    quote: str
    confidence: float
    evidence_type: str


_PASSAGE = len(Evidence.__dataclass_fields__)


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
    illustrations: tuple[Evidence, ...]  # examples and counterexamples, which support nothing

    @property
    def is_verified(self) -> bool:
        """Approved by a reviewer, unchanged since, and supported by a passage that can be shown."""
        return self.is_in_force and bool(self.evidence)

    @property
    def is_in_force(self) -> bool:
        """Approved and unchanged since; a wrong belief or an element has no passage to rest on."""
        return self.status == ValidationStatus.VALIDATED and not self.stale

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


_VERSION = "ARRAY(SELECT version::text FROM knowledge_graphversion ORDER BY slot)"
"""Another one after each transaction that changed what a bundle is made of; triggers see to it (migration 0049)."""
kept_nodes: LRUCache[tuple[str, Scope, int], tuple[list[str], tuple[Node, ...]]] = LRUCache(conf.BUNDLES_KEPT)
_guard = Lock()


def nodes_around(key: str, scope: Scope, depth: int) -> tuple[Node, ...]:
    """The node with this key and those around it, in the order of `_ORDER`; empty if there is no such node. One round
    trip, whatever the depth: for the nodes, or to learn that those this process keeps are as they were. Within a
    transaction, which may have changed some itself, they are always read.

    Each kind of node has a quota (`conf.BUNDLE_ROOMS`), of which it keeps the same share as the others where the budget
    of tokens cuts; unused places go to the first of the other kinds.
    """
    asked = key, scope, depth
    if connection.in_atomic_block:
        return _read_nodes(*asked)[1]
    with _guard:
        kept = kept_nodes.get(asked)
    if kept is None or [(kept[0],)] != fetch_prepared(f"SELECT {_VERSION}", {}):
        kept = _read_nodes(*asked)
        with _guard:
            kept_nodes[asked] = kept
    return kept[1]


def _read_nodes(key: str, scope: Scope, depth: int) -> tuple[list[str], tuple[Node, ...]]:
    """The version and the nodes, both as one statement sees them."""
    allowed = searchable_condition(scope)
    values = {
        **allowed.values,
        "key": key,
        "depth": depth,
        "confidence": conf.BUNDLE_CONFIDENCE,
        "fan": conf.BUNDLE_FAN,
        "nodes": conf.BUNDLE_NODES,
        "tokens": conf.BUNDLE_TOKENS,
        "subjects": list(conf.BUNDLE_SUBJECTS),
        "passages": conf.BUNDLE_EVIDENCE,
    }
    version: list[str] = []
    nodes = []
    for _, group in groupby(fetch_prepared(_statement(allowed.sql), values), key=itemgetter(1)):
        listed = list(group)
        version, *columns = listed[0][:-_PASSAGE]
        found = dict(zip(Node.__dataclass_fields__, columns, strict=False))
        found["key_facts"] = json.loads(found["key_facts"])
        evidence = [Evidence(*row[-_PASSAGE:]) for row in listed if row[-_PASSAGE]]
        support = tuple(one for one in evidence if one.evidence_type in SUPPORT)
        illustrations = tuple(one for one in evidence if one.evidence_type not in SUPPORT)
        nodes.append(Node(**found, evidence=support, illustrations=illustrations))
    return version, tuple(nodes)


def _listed(values: Iterable[str]) -> str:
    """Values of an enumeration as SQL."""
    return ", ".join(f"'{value}'" for value in values)


_OF_NODE = (
    "n.id, n.key, n.name, n.category, n.key_facts, n.validation_status, n.stale, n.priority, n.created_at"
)
_PLACES = " ".join(f"WHEN '{room}' THEN {places}" for room, places in conf.BUNDLE_ROOMS.items())
_READABLE = "(n.tenant_id IS NULL OR n.tenant_id = %(tenant)s)"


def _edges(limit: str) -> str:
    """The edges of a node of `walk` in both directions, the surest first."""
    return " UNION ALL ".join(
        f"""(
        SELECT r.{far} AS next_id, r.relation_type::text, r.confidence, {forward} AS forward
        FROM knowledge_conceptrelation r
        WHERE r.{near} = walk.id AND r.relation_type IN ({_listed(relations)})
          AND r.status = '{ValidationStatus.VALIDATED}' AND r.confidence >= %(confidence)s
        ORDER BY r.confidence DESC, r.{far} {limit})"""
        for near, far, forward, relations in (
            ("source_id", "target_id", "TRUE", FORWARD),
            ("target_id", "source_id", "FALSE", BACKWARD),
        )
    )


# The element's own edges are all read. A node away from it leads on by its surest edges only, so that one of thousands
# costs no more than others. A Task does not lead down to all its other elements, nor a claim to all the other elements
# in which it applies.
_SENSIBLE = f"""NOT (n.category = '{ConceptCategory.ACS_ELEMENT}' AND (
    (edge.relation_type = '{RelationType.IS_COMPONENT_OF}' AND NOT edge.forward
        AND walk.category = '{ConceptCategory.TOPIC}')
    OR (edge.relation_type = '{RelationType.APPLIES_IN_SCENARIO}' AND edge.forward)))"""

# Nodes of a category share a quota. What only items of the bank say has one of its own, so that it takes no claim's
# place; a claim that an item repeats keeps the key facts that it was extracted with.
_ROOM = f"""CASE WHEN n.key_facts = '{{}}' AND EXISTS (SELECT 1 FROM knowledge_keypoint p WHERE p.concept_id = n.id)
    THEN '{POINT}' ELSE n.category END"""

# The nearest first, then what is verified, what binds somebody, priority and relevance. Within one priority the
# subjects come in the order of seed 002.
_ORDER = f"""depth, (validation_status = '{ValidationStatus.VALIDATED}') DESC, (key_facts ? 'unbound'), priority,
    array_position(%(subjects)s::text[], key_facts ->> 'domain') NULLS LAST, relevance DESC, created_at, key"""


def _level(of: str, limit: str, condition: str) -> str:
    """The nodes one edge away, each once, by its most relevant edge."""
    return f"""(
        SELECT DISTINCT ON (n.id) {_OF_NODE}, walk.depth + 1 AS depth, edge.relation_type AS relation,
               walk.relevance * edge.confidence AS relevance
        FROM {of} AS walk
        CROSS JOIN LATERAL ({_edges(limit)}) AS edge
        JOIN knowledge_concept n ON n.id = edge.next_id
        WHERE {condition} AND n.validation_status <> '{ValidationStatus.REJECTED}'
          AND {_READABLE} AND {_SENSIBLE}
        ORDER BY n.id, walk.relevance * edge.confidence DESC, edge.relation_type DESC)"""


def _statement(searchable_sql: str) -> str:
    """One row for each passage of a node: what `Node` has of it, then the passage."""
    return f"""
        WITH RECURSIVE start AS (
            SELECT {_OF_NODE}, 0 AS depth, NULL::text AS relation, 1.0::float AS relevance
            FROM knowledge_concept n WHERE n.key = %(key)s AND {_READABLE}),
        walk AS (
            SELECT * FROM (SELECT * FROM start UNION ALL {_level("start", "", "%(depth)s > 0")}) AS near
          UNION ALL
            SELECT * FROM {_level("walk", "LIMIT %(fan)s", "walk.depth BETWEEN 1 AND %(depth)s - 1")} AS level),
        nearest AS (
            SELECT DISTINCT ON (id) * FROM walk ORDER BY id, depth, relevance DESC, relation DESC),
        ordered AS (
            SELECT n.*, {_ROOM} AS room, row_number() OVER (ORDER BY {_ORDER}) AS nth FROM nearest AS n),
        placed AS (
            SELECT ordered.*, row_number() OVER (PARTITION BY room ORDER BY nth) AS place,
                   CASE room {_PLACES} ELSE 0 END AS places
            FROM ordered),
        ranked AS (
            SELECT placed.*, row_number() OVER (
                ORDER BY depth > 0, place > places, CASE WHEN place <= places THEN (place - 1)::float / places END,
                         (room = '{POINT}'), nth) AS rank
            FROM placed ORDER BY rank LIMIT %(nodes)s),
        passages AS (
            SELECT ranked.*, best.*, row_number() OVER (
                PARTITION BY rank, supports ORDER BY best.confidence DESC, best.chunk_id) AS passage
            FROM ranked LEFT JOIN (
                SELECT v.concept_id, c.id AS chunk_id, d.title AS document, d.abbreviation, d.doc_type, c.section,
                       COALESCE(v.page, c.page_start) AS page,
                       CASE WHEN v.page <> c.page_start
                            THEN COALESCE((SELECT p.label FROM knowledge_page p
                                           WHERE p.document_id = d.id AND p.number = v.page), '')
                            ELSE c.page_label END AS page_label,
                       v.quote, v.confidence, v.evidence_type,
                       v.evidence_type IN ({_listed(SUPPORT)}) AS supports
                FROM knowledge_conceptchunkevidence v JOIN ({FROM_CHUNKS}) ON c.id = v.chunk_id
                WHERE v.confidence >= %(confidence)s AND {searchable_sql}) AS best ON best.concept_id = ranked.id),
        shown AS (
            SELECT *, sum(((passage = 1 AND supports IS NOT FALSE)::int * length(name) + COALESCE(length(quote), 0))
                   / {conf.TOKEN_CHARACTERS}.0) OVER (ORDER BY rank) AS tokens
            FROM passages WHERE passage <= %(passages)s)
        SELECT {_VERSION}, id::text, key, name, category, depth, relation, relevance, key_facts, validation_status,
               stale, priority, chunk_id::text, document, abbreviation, doc_type, section, page, page_label, quote,
               confidence, evidence_type
        FROM shown WHERE tokens <= %(tokens)s OR rank = 1 ORDER BY nth, passage"""
