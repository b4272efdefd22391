"""Keep the concept graph in step with its sources: the library's documents, standards and claims, and the item bank."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

import structlog

from curation.graph.candidates import ORIGIN, ROLE, propose_relations
from exams.bank.bank_graph import BANK_GRAPH
from knowledge.graph.counts import thin_elements
from knowledge.graph.sources import SOURCES
from knowledge.graph.sources.documents import papers_in_force
from knowledge.graph.writing import Changes, GraphSource, read_sources
from knowledge.models import Chunk, ConceptRelation
from llm.interfaces import ChatModel
from llm.registry import chat_model

log = structlog.get_logger(__name__)

ALL_SOURCES: Final[tuple[GraphSource, ...]] = (*SOURCES, BANK_GRAPH)


def refresh_graph(*, again: bool = False) -> dict[str, Changes]:
    """Read the sources that changed (with `again`, all) into the graph, and log the elements that stay thin."""
    done = read_sources(ALL_SOURCES, again=again)
    if done:
        thin = thin_elements(None)
        log.info(
            "graph_read",
            sources={origin: changes.to_dict() for origin, changes in done.items()},
            thin_elements=len(thin),
            without_support=[one.code for one in thin if not one.nodes],
        )
    return done


class NoVendor(ValueError):
    """Relations are proposed by a vendor's model only, and none is configured."""


def ask_for_relations(passages: int, model: ChatModel | None = None) -> dict[str, int]:
    """Let the model read so many passages that it has proposed nothing from, handbooks first. Raises NoVendor."""
    model = model or chat_model(ROLE)
    if not model.external:
        raise NoVendor("set a vendor's key first (LLM_PROVIDER): without one no relations are proposed")
    told = ConceptRelation.objects.filter(created_by=ORIGIN, chunk__isnull=False).values("chunk")
    chunks = Chunk.objects.filter(document__in=papers_in_force()).exclude(pk__in=told)
    chosen = chunks.exclude(kind__in=("toc", "index")).select_related("document")
    by_kind = chosen.order_by("-document__doc_type", "document", "index")
    return asdict(propose_relations(by_kind[: max(0, passages)], model))
