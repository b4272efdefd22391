"""How long an element's bundle takes in a large concept graph, compared with the query that seed 002 writes down.

`python -m benchmarks.graph` prints one JSON document. It works in a scratch database beside the configured one, which
is removed afterwards, on a made-up graph of 24,613 nodes and 74,271 edges: elements in Tasks, claims that apply to
elements and stand in sections, definitions, mix-ups, and procedures, with cycles, and one topic of 3,000 edges. Every
claim has two passages.

* bundle: `nodes_around` at depth 2, for 200 elements that this process asked for before: it keeps them as long as
  nothing changes, and asks the database whether anything has.
* bundle, first asked: the same where the process keeps none, as after every change of the graph.
* seed 002: its function `get_concept_bundle` as it is written there, over the same tables with the same indexes,
  each element asked once before it is measured. It is planned each time, as functions are before PostgreSQL 18.
* planned once: the same as a prepared statement, as the bundle's own query is.
* hub: the same for the elements beside the topic of 3,000 edges.
* processor: what the same costs of this process and the server's; waiting for other programs does not count.
"""

import json
import os
import random
import sys
from collections.abc import Callable, Iterator
from itertools import pairwise
from time import perf_counter
from typing import Any
from uuid import UUID

import django
from django.db import connection

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.scratch import scratch_database  # noqa: E402 - models need Django set up
from benchmarks.search_ways import Processor, percentiles, ratio  # noqa: E402
from knowledge import conf  # noqa: E402
from knowledge.db.connections import fetch_prepared  # noqa: E402
from knowledge.graph.identity import node_key  # noqa: E402
from knowledge.graph.traversal import kept_nodes, nodes_around  # noqa: E402
from knowledge.models import (  # noqa: E402
    Chunk,
    ChunkEmbedding,
    Concept,
    ConceptChunkEvidence,
    ConceptRelation,
    Document,
)
from knowledge.retrieval.searchable import Scope  # noqa: E402

SEED = 20
MODEL = "made-up"
NODES = {
    "acs_element": 1_200,
    "topic": 3_013,
    "artifact": 1_400,
    "regulatory_claim": 13_000,
    "definition": 2_500,
    "misconception": 1_500,
    "procedure": 2_000,
}
EDGES, HUB = 74_271, 3_000
CHUNKS, ASKED, BATCH = 5_000, 200, 5_000
TASKS = 60

SEED_QUERY = """
    WITH RECURSIVE graph AS (
        SELECT c.id, c.name, c.category, c.key_facts, 0 AS depth, NULL::text AS relation_type, ARRAY[c.id] AS path
        FROM knowledge_concept c
        WHERE c.category = 'acs_element' AND c.key_facts->>'element_code' = %(code)s
          AND c.validation_status = 'validated'
        UNION ALL
        SELECT nc.id, nc.name, nc.category, nc.key_facts, g.depth + 1, cr.relation_type, g.path || nc.id
        FROM graph g
        JOIN knowledge_conceptrelation cr ON {joined}
        JOIN knowledge_concept nc ON {next}
        WHERE g.depth < 2 AND nc.id != ALL(g.path) AND nc.validation_status IN ('validated', 'pending'))
    SELECT g.id, g.name, g.category, g.key_facts, g.depth, g.relation_type, (
        SELECT jsonb_agg(jsonb_build_object('chunk_id', found.id, 'content', left(found.text, 500),
            'doc_title', found.title, 'page_ref', 'p.' || found.page_start)) FROM (
            SELECT sc.id, sc.text, sd.title, sc.page_start FROM knowledge_conceptchunkevidence cce
            JOIN knowledge_chunk sc ON cce.chunk_id = sc.id
            JOIN knowledge_document sd ON sc.document_id = sd.id
            WHERE cce.concept_id = g.id ORDER BY cce.confidence DESC LIMIT 3) AS found) AS evidence_chunks
    FROM graph g ORDER BY g.depth, g.category"""
# As it is written it follows edges from their source only, and finds no claim, since claims point at elements; the
# second way follows them in both directions, as this product has to.
AS_WRITTEN = SEED_QUERY.format(
    joined="g.id = cr.source_concept_id", next="cr.target_concept_id = nc.id"
).replace("_concept_id", "_id")
BOTH_WAYS = SEED_QUERY.format(
    joined="g.id IN (cr.source_id, cr.target_id)",
    next="nc.id = CASE WHEN cr.source_id = g.id THEN cr.target_id ELSE cr.source_id END",
)


def make_graph() -> None:
    """The graph, always the same."""
    chance = random.Random(SEED)
    document = Document.objects.create(
        title="Made up", content_hash="0" * 64, doc_type="cfr", abbreviation="14 CFR 91", status="published"
    )
    text = "No person may do this unless that is so, by day and by night. " * 20
    chunks = Chunk.objects.bulk_create(
        [
            Chunk(document=document, index=n, text=f"{n} {text}", content_hash=f"{n:064}", page_start=n)
            for n in range(CHUNKS)
        ],
        batch_size=BATCH,
    )
    ChunkEmbedding.objects.bulk_create(
        [ChunkEmbedding(chunk=one, model=MODEL, vector=[1.0, 0.0]) for one in chunks], batch_size=BATCH
    )
    nodes = {kind: _nodes_of(kind, number) for kind, number in NODES.items()}
    for listed in nodes.values():
        Concept.objects.bulk_create(listed, batch_size=BATCH)
    ConceptChunkEvidence.objects.bulk_create(
        [
            ConceptChunkEvidence(
                concept=one, chunk=chunk, quote=text[:200], confidence=chance.uniform(0.4, 1)
            )
            for one in nodes["regulatory_claim"]
            for chunk in chance.sample(chunks, 2)
        ],
        batch_size=BATCH,
    )
    edges: dict[tuple[UUID, str, UUID], float] = {}
    for source, relation, target in _edges_between(nodes, chance):
        if len(edges) == EDGES:
            break
        if source.pk != target.pk:
            edges.setdefault((source.pk, relation, target.pk), chance.uniform(0.4, 1))
    ConceptRelation.objects.bulk_create(
        [
            ConceptRelation(source_id=source, target_id=target, relation_type=relation, confidence=surety)
            for (source, relation, target), surety in edges.items()
        ],
        batch_size=BATCH,
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _nodes_of(kind: str, number: int) -> list[Concept]:
    return [
        Concept(
            key=node_key(kind, f"{kind} {n}"),
            name=f"The {kind} of number {n}, with as many words as such a statement has in the FAA's own text.",
            category=kind,
            key_facts={"element_code": f"PA.{n}"} if kind == "acs_element" else {"domain": "airspace"},
            validation_status="pending" if n % 3 == 0 and kind == "regulatory_claim" else "validated",
            priority=f"P{n % 3}",
        )
        for n in range(number)
    ]


def _edges_between(
    nodes: dict[str, list[Concept]], chance: random.Random
) -> Iterator[tuple[Concept, str, Concept]]:
    elements, topics, claims = nodes["acs_element"], nodes["topic"], nodes["regulatory_claim"]
    hub, tasks, headings = topics[0], topics[1 : TASKS + 1], topics[TASKS + 1 :]
    for n, element in enumerate(elements):
        yield element, "is_component_of", tasks[n % TASKS]
    for topic in [*headings, *claims][: HUB - ASKED]:
        yield topic, "applies_in_scenario", hub
    for element in elements[:ASKED]:
        yield element, "requires_knowledge_of", hub
    for claim in claims:
        yield claim, "is_component_of", chance.choice(nodes["artifact"])
        yield claim, "applies_in_scenario", chance.choice(elements)
        yield claim, "requires_knowledge_of", chance.choice(nodes["definition"])
    for one, other in pairwise(headings):  # a long way, and back: a cycle
        yield one, "leads_to_discussion_of", other
        yield other, "requires_knowledge_of", one
    for wrong in nodes["misconception"]:
        yield wrong, "contrasts_with", chance.choice(claims)
        yield wrong, "applies_in_scenario", chance.choice(elements)
    for procedure in nodes["procedure"]:
        yield procedure, "mitigates_risk_of", chance.choice(elements)
    for artifact in nodes["artifact"]:
        yield artifact, "applies_in_scenario", chance.choice(elements)
    while True:
        kind = chance.choice(("requires_knowledge_of", "leads_to_discussion_of", "contrasts_with"))
        yield chance.choice(elements), kind, chance.choice(headings)
        yield chance.choice(claims), "applies_in_scenario", chance.choice(headings)


def seed_query(sql: str) -> Callable[[str, str], int]:
    def ask(code: str, key: str) -> int:
        with connection.cursor() as cursor:
            cursor.execute(sql, {"code": code})
            return len(cursor.fetchall())

    return ask


def planned_once(sql: str) -> Callable[[str, str], int]:
    return lambda code, key: len(fetch_prepared(sql, {"code": code}))


def bundle(code: str, key: str) -> int:
    return len(nodes_around(key, Scope(tenant=None, model=MODEL), conf.BUNDLE_DEPTH))


def first_bundle(code: str, key: str) -> int:
    kept_nodes.clear()
    return bundle(code, key)


def measure() -> dict[str, Any]:
    with scratch_database():
        make_graph()
        ways = {
            "bundle": bundle,
            "bundle, first asked": first_bundle,
            "seed 002": seed_query(AS_WRITTEN),
            "seed 002, planned once": planned_once(AS_WRITTEN),
            "seed 002, both ways": seed_query(BOTH_WAYS),
        }
        found: dict[str, Any] = {
            "nodes": Concept.objects.count(),
            "edges": ConceptRelation.objects.count(),
            "milliseconds": {},
            "processor, milliseconds": {},
            "times faster": {},
            "rows": {},
        }
        processor = Processor.of_this_connection()
        for where, numbers in (("elements", range(ASKED, 2 * ASKED)), ("hub", range(ASKED))):
            taken: dict[str, list[float]] = {way: [] for way in ways}
            rows: dict[str, int] = dict.fromkeys(ways, 0)
            costs: dict[str, float | None] = {}
            for way, ask in ways.items():  # the processor's clock of a server ticks a hundred times a second
                asked = [(f"PA.{n}", node_key("acs_element", f"acs_element {n}")) for n in numbers]
                for code, key in asked:
                    rows[way] = max(rows[way], ask(code, key))
                began = processor.milliseconds()
                for code, key in asked:
                    at = perf_counter()
                    ask(code, key)
                    taken[way].append(1000 * (perf_counter() - at))
                ended = processor.milliseconds()
                costs[way] = (
                    None if began is None or ended is None else round((ended - began) / len(asked), 2)
                )
            found["milliseconds"][where] = {way: percentiles(times) for way, times in taken.items()}
            found["processor, milliseconds"][where] = costs
            found["rows"][where] = rows
            found["times faster"][where] = {
                f"{own}, than {way}": ratio(taken[way], taken[own])
                for own in ("bundle", "bundle, first asked")
                for way in ways
                if way.startswith("seed 002")
            }
        return found


if __name__ == "__main__":
    json.dump(measure(), sys.stdout, indent=1)
