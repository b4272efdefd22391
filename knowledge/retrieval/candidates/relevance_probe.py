"""Texts become vectors of questions, and vectors the nearness of the library: what one look-up of several texts needs.

No database connection is held while the model works.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from knowledge import conf
from knowledge.db.connections import give_connection_back
from knowledge.retrieval.candidates.candidate_sources import results_of, scan_settings, written
from knowledge.retrieval.candidates.selectivity import Breadth, breadth_of
from knowledge.retrieval.searchable import FROM_CHUNKS, Condition, Scope, searchable
from knowledge.retrieval.values import Filters
from knowledge.word_index import state_before
from llm.interfaces import EmbeddingModel
from llm.vectors import Vector, weighted_mean


@runtime_checkable
class ManyQueries(Protocol):
    """A model that embeds several questions in one request, in time for somebody who waits."""

    def embed_queries(self, texts: Sequence[str]) -> list[Vector]: ...


def vectors_of(texts: Sequence[str], model: EmbeddingModel) -> dict[str, Vector]:
    """A vector for each text, one request for all where the model takes that. Raises ModelError, and EmptyText."""
    wanted = list(dict.fromkeys(texts))
    give_connection_back()
    if len(wanted) > 1 and isinstance(model, ManyQueries):
        return dict(zip(wanted, model.embed_queries(wanted), strict=True))
    return {text: model.embed_query(text) for text in wanted}


def summed(vectors: Sequence[Vector], shares: Sequence[float]) -> Vector:
    """One vector whose cosine with any passage is the sum of the cosines by share, but for a factor that is the same
    for all passages."""
    return vectors[0] if len(vectors) == 1 else weighted_mean(vectors, shares)


def nearness_of(vectors: Mapping[str, Vector], scope: Scope) -> dict[str, float]:
    """For each text the mean similarity of the passages of the library that come nearest to it. The last known state of
    the lists says how they are looked for, which decides how long that takes."""
    if not vectors:
        return {}
    breadth = breadth_of(scope, Filters(), state_before())
    statement = statement_of(list(vectors.values()), scope, breadth)
    (rows,) = results_of([statement], scan_settings(conf.PART_NEAREST, breadth))
    found = {place: float(similarity) for place, similarity in rows}
    return {text: found.get(place, 0.0) for place, text in enumerate(vectors, 1)}


def statement_of(vectors: Sequence[Vector], scope: Scope, breadth: Breadth) -> Condition:
    """The place of each vector, from 1, with the nearness of the library, as one statement with its parameters."""
    dimensions = len(vectors[0])
    allowed = searchable(scope)
    distance = f"e.vector::vector({dimensions}) <=> asked.vector::vector({dimensions})"
    order = f"({distance}) + 0" if breadth.is_narrow else distance
    sql = f"""
        SELECT asked.place, avg(near.similarity)
        FROM unnest(%(vectors)s::text[]) WITH ORDINALITY AS asked (vector, place),
             LATERAL (SELECT 1 - ({distance}) AS similarity FROM {FROM_CHUNKS} WHERE {allowed.sql}
                      ORDER BY {order} LIMIT %(nearest)s) AS near
        GROUP BY asked.place"""
    values = {
        **allowed.values,
        "vectors": [written(vector) for vector in vectors],
        "nearest": conf.PART_NEAREST,
    }
    return Condition(sql, values)
