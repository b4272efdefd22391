"""Keep the concept graph in step with its sources: the library's documents, standards and claims, and the item bank."""

from __future__ import annotations

from typing import Final

import structlog

from exams.bank.bank_graph import BANK_GRAPH
from knowledge.graph.counts import thin_elements
from knowledge.graph.sources import SOURCES
from knowledge.graph.writing import Changes, GraphSource, read_sources

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
