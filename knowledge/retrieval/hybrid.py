"""A query becomes a ranking: vectors and words each bring candidates, and the union is scored by both.

Three legs. The vector leg orders by distance alone, so that the HNSW index of the model can serve it, and
scans on until enough rows pass the filters. The lexical leg is served by the GIN index. The exact leg finds a
section by its number whatever the other two think of it. No leg filters on a computed score: scores are
computed for the union, and the floor is applied to those.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any

from django.db import connection, transaction

from knowledge import conf

from .query import Term
from .searchable import FROM_CHUNKS, Condition, Scope, belongs, searchable
from .values import Arm, Filters, Ranked

LANGUAGE = "'english'::regconfig"
WEIGHTS = "'{0.1, 0.2, 0.4, 1.0}'::real[]"  # of a word in D, C, B (the text) and A (the heading)
NORMALISED = 1 | 32  # of ts_rank: by the logarithm of the passage's length, and rank / (rank + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One ranking to make. `numbers` are sections asked for by number; `filters` have all been agreed."""

    scope: Scope
    vector: Sequence[float]
    terms: tuple[Term, ...]
    numbers: tuple[str, ...]
    filters: Filters
    arm: Arm
    k: int
    floor: float


def rank(search: Search) -> tuple[Ranked, ...]:
    """The best passages first; ties by id, so that the same search gives the same order."""
    statement = statement_of(search)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(*scan_settings(search))
        cursor.execute(statement.sql, statement.values)
        return tuple(Ranked(*row) for row in cursor.fetchall())


def scan_settings(search: Search) -> tuple[str, list[str]]:
    """Settings of this transaction: a filtered scan goes on until it has enough, and no query is compiled."""
    settings = {
        "hnsw.iterative_scan": "relaxed_order",
        "hnsw.ef_search": str(min(1000, max(conf.EF_SEARCH, 2 * _candidates(search)))),
        "hnsw.max_scan_tuples": str(conf.MAX_SCAN_TUPLES),
        "jit": "off",
    }
    calls = ", ".join("set_config(%s, %s, true)" for _ in settings)
    return f"SELECT {calls}", [part for pair in settings.items() for part in pair]


def statement_of(search: Search) -> Condition:
    """The whole ranking as one statement with its parameters."""
    terms = () if search.arm == "vector" else weighed_terms(search.terms)
    allowed = searchable(search.scope) & belongs(search.filters)
    legs = [_exact_leg(search, allowed)]
    legs += [_vector_leg(search, allowed)] * (search.arm != "lexical")
    legs += [_lexical_leg(search, allowed)] * bool(terms)
    sql = f"""
        WITH asked AS MATERIALIZED ({_ASKED}),
             candidates AS MATERIALIZED (
                 SELECT id, bool_or(exact) AS exact FROM ({" UNION ALL ".join(legs)}) AS leg GROUP BY id),
             measured AS MATERIALIZED ({_measured(search)}),
             scored AS (SELECT *, {_score(search.arm)} AS plain FROM measured),
             final AS (
                 SELECT id, similarity, lexical,
                        CASE WHEN exact THEN %(exact_score)s + (1 - %(exact_score)s) * plain ELSE plain END AS
                        score
                 FROM scored)
        SELECT id, score, similarity, lexical FROM final
        WHERE score >= %(floor)s ORDER BY score DESC, id LIMIT %(k)s"""
    return Condition(sql, {**allowed.values, **_values(search, terms)})


# What is asked for, with the weight that was found for it.
_ASKED = """
    SELECT asked.q::tsquery AS q, asked.weight
    FROM unnest(%(queries)s::text[], %(weights)s::float[]) AS asked (q, weight)"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A term as the index knows it; one that stands in few passages of the library weighs more."""

    tsquery: str
    found: int
    weight: float


def weighed_terms(terms: Sequence[Term]) -> tuple[Weighed, ...]:
    """The terms that the index knows, with the share of all passages that each stands in; stop words fall
    out.
    """
    if not terms:
        return ()
    with connection.cursor() as cursor:
        cursor.execute(_FREQUENCIES, {"terms": [term.tsquery() for term in terms]})
        return tuple(Weighed(q, found, log1p(total / (1 + found))) for q, found, total in cursor.fetchall())


_FREQUENCIES = f"""
    SELECT q::text, (SELECT count(*) FROM knowledge_chunk WHERE search_vector @@ q),
           (SELECT GREATEST(1, count(*)) FROM knowledge_chunk)
    FROM (SELECT to_tsquery({LANGUAGE}, term) AS q FROM unnest(%(terms)s::text[]) AS term) AS parsed
    WHERE numnode(q) > 0"""


def telling(terms: Sequence[Weighed]) -> list[str]:
    """The terms that bring candidates, the rarest first, as long as they stand in no more passages than may
    be ranked.

    A commoner word brings none (it still counts in the score), unless there is no other.
    """
    kept: list[str] = []
    rows = 0
    for term in sorted(terms, key=lambda term: term.found):
        rows += term.found
        if kept and rows > conf.LEXICAL_ROWS:
            break
        kept.append(term.tsquery)
    return kept


def _vector_leg(search: Search, allowed: Condition) -> str:
    return f"""(SELECT c.id, FALSE AS exact FROM {FROM_CHUNKS} WHERE {allowed.sql}
        ORDER BY {_distance(search)} LIMIT %(candidates)s)"""


def _lexical_leg(search: Search, allowed: Condition) -> str:
    """Whatever has one of the words, those with the most of them first."""
    return f"""(SELECT c.id, FALSE AS exact FROM {FROM_CHUNKS}
        WHERE {allowed.sql} AND c.search_vector @@ %(any_term)s::tsquery
        ORDER BY ts_rank({WEIGHTS}, c.search_vector, %(any_term)s::tsquery, {NORMALISED}) DESC, c.id
        LIMIT %(candidates)s)"""


def _exact_leg(search: Search, allowed: Condition) -> str:
    return f"""(SELECT c.id, TRUE AS exact FROM {FROM_CHUNKS}
        WHERE {allowed.sql} AND c.section = ANY(%(numbers)s) ORDER BY c.id LIMIT %(candidates)s)"""


def _measured(search: Search) -> str:
    """Both measures of every candidate: nearness of meaning, and the share of the asked words that it has."""
    return f"""
        SELECT c.id, candidates.exact,
               GREATEST(0, 1 - COALESCE(NULLIF({_distance(search)}, 'NaN'), 1)) AS similarity,
               {_LEXICAL} AS lexical
        FROM candidates JOIN knowledge_chunk c ON c.id = candidates.id
        JOIN knowledge_chunkembedding e
          ON e.chunk_id = c.id AND e.model = %(model)s AND e.state = 'current'"""


# The share of what is asked that stands in the passage, the share in its heading, and how often it stands
# there.
_LEXICAL = f"""COALESCE((
        SELECT sum(weight * (
                   %(text_share)s * (c.search_vector @@ q)::int
                 + %(heading_share)s * (ts_filter(c.search_vector, '{{a}}') @@ q)::int
                 + %(rank_share)s * ts_rank({WEIGHTS}, c.search_vector, q, {NORMALISED}))) / sum(weight)
        FROM asked), 0)"""


def _distance(search: Search) -> str:
    """Written as the index of the model is, or it cannot be used."""
    dimensions = len(search.vector)
    return f"e.vector::vector({dimensions}) <=> %(vector)s::vector({dimensions})"


def _score(arm: Arm) -> str:
    if arm == "vector":
        return "similarity"
    if arm == "lexical":
        return "lexical"
    return "%(vector_weight)s * similarity + %(lexical_weight)s * lexical"


def _candidates(search: Search) -> int:
    return max(conf.LEG_CANDIDATES, search.k)


def _values(search: Search, terms: Sequence[Weighed]) -> dict[str, Any]:
    return {
        "vector": "[" + ",".join(map(repr, map(float, search.vector))) + "]",
        "queries": [term.tsquery for term in terms],
        "weights": [term.weight for term in terms],
        "any_term": " | ".join(f"({query})" for query in telling(terms)),
        "numbers": list(search.numbers),
        "candidates": _candidates(search),
        "exact_score": conf.EXACT_SCORE,
        "vector_weight": conf.VECTOR_WEIGHT,
        "lexical_weight": conf.LEXICAL_WEIGHT,
        "text_share": conf.TEXT_SHARE,
        "heading_share": conf.HEADING_SHARE,
        "rank_share": 1 - conf.TEXT_SHARE - conf.HEADING_SHARE,
        "floor": search.floor,
        "k": search.k,
    }
