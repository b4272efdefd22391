"""A query becomes a ranking: vectors and words each bring candidates, and the union is scored by both.

Three legs. The vector leg orders by distance alone, so that the HNSW index of the model can serve it, and
scans on until enough rows pass the filters. The lexical leg is served by the GIN index. The exact leg finds a
section by its number whatever the other two think of it. No leg filters on a computed score: scores are
computed for the union, and the floor is applied to those.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from django.db import connection, transaction

from knowledge import conf

from .query import Term
from .searchable import FROM_CHUNKS, Condition, Scope, belongs, searchable
from .values import Arm, Filters, Ranked

LANGUAGE = "'english'::regconfig"
EQUAL = "'{1, 1, 1, 1}'::real[]"  # of a word wherever it stands: what ts_rank then says depends on its number alone


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One ranking to make. `numbers` are sections asked for by number; `filters` have all been agreed. `shares` are
    those of the searches that are fused, as the terms' weights are ordered; `company` lets passages go up that resemble
    the best ones."""

    scope: Scope
    vector: Sequence[float]
    terms: tuple[Term, ...]
    numbers: tuple[str, ...]
    filters: Filters
    arm: Arm
    k: int
    floor: float
    shares: tuple[float, ...] = (1.0,)
    company: bool = False


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
    terms = () if search.arm == "vector" else weighed_terms(search.terms, search.shares)
    allowed = searchable(search.scope) & belongs(search.filters)
    legs = [_exact_leg(search, allowed)]
    legs += [_vector_leg(search, allowed)] * (search.arm != "lexical")
    legs += [_lexical_leg(search, allowed)] * bool(terms)
    sql = f"""
        WITH asked AS MATERIALIZED ({_ASKED}),
             candidates AS MATERIALIZED (
                 SELECT id, bool_or(exact) AS exact FROM ({" UNION ALL ".join(legs)}) AS leg GROUP BY id),
             measured AS MATERIALIZED ({_measured(search)}),
             sure AS MATERIALIZED ({_SURE}),
             blended AS MATERIALIZED (SELECT *, {_score(search.arm)} AS blend FROM measured, sure),
             middle AS MATERIALIZED ({_middle(search)}),
             scored AS (SELECT *, {_company(search)} AS plain FROM blended, middle),
             final AS (
                 SELECT id, similarity, lexical,
                        CASE WHEN exact THEN %(exact_score)s + (1 - %(exact_score)s) * plain ELSE plain END AS
                        score
                 FROM scored)
        SELECT id, score, similarity, lexical FROM final
        WHERE score >= %(floor)s ORDER BY score DESC, lexical DESC, id LIMIT %(k)s"""
    return Condition(sql, {**allowed.values, **_values(search, terms)})


# Each wording that is asked for, with the number of its term and the weight that was found for that.
_ASKED = f"""
    SELECT asked.term, asked.weight, to_tsquery({LANGUAGE}, asked.wording) AS q
    FROM unnest(%(wordings)s::text[], %(numbers_of_terms)s::int[], %(weights)s::float[])
         AS asked (wording, term, weight)"""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A term as the index knows it; one that stands in few passages of the library weighs more."""

    tsquery: str
    found: int
    weight: float
    wordings: tuple[str, ...] = ()


def weighed_terms(terms: Sequence[Term], shares: Sequence[float] = (1.0,)) -> tuple[Weighed, ...]:
    """The terms that the index knows, with the number of passages that each stands in; stop words fall out.

    Rarity is that of BM25: what stands everywhere says nothing, what stands nowhere weighs most and keeps every
    passage from looking like an answer. Of each search that is fused the words together weigh its share.
    """
    if not terms:
        return ()
    with connection.cursor() as cursor:
        cursor.execute(_FREQUENCIES, {"terms": [term.tsquery() for term in terms]})
        rows = cursor.fetchall()
    known = [
        (terms[place - 1], q, found, log((total + 1) / (found + 0.5))) for place, q, found, total in rows
    ]
    sums = [sum(term.weights[at] * rarity for term, _, _, rarity in known) for at in range(len(shares))]
    return tuple(
        Weighed(q, found, rarity * _part(term.weights, shares, sums), term.tsqueries())
        for term, q, found, rarity in known
    )


def _part(weights: Sequence[float], shares: Sequence[float], sums: Sequence[float]) -> float:
    return sum(
        share * weight / whole
        for weight, share, whole in zip(weights, shares, sums, strict=True)
        if whole > 0
    )


_FREQUENCIES = f"""
    SELECT place, q::text, (SELECT count(*) FROM knowledge_chunk WHERE search_vector @@ q),
           (SELECT GREATEST(1, count(*)) FROM knowledge_chunk)
    FROM (SELECT place, to_tsquery({LANGUAGE}, term) AS q
          FROM unnest(%(terms)s::text[]) WITH ORDINALITY AS asked (term, place)) AS parsed
    WHERE numnode(q) > 0 ORDER BY place"""


def telling(terms: Sequence[Weighed]) -> list[Weighed]:
    """The terms that bring candidates, the rarest first, as long as they stand in no more passages than may
    be ranked.

    A commoner word brings none (it still counts in the score), unless there is no other.
    """
    kept: list[Weighed] = []
    rows = 0
    for term in sorted(terms, key=lambda term: term.found):
        rows += term.found
        if kept and rows > conf.LEXICAL_ROWS:
            break
        kept.append(term)
    return kept


def _vector_leg(search: Search, allowed: Condition) -> str:
    return f"""(SELECT c.id, FALSE AS exact FROM {FROM_CHUNKS} WHERE {allowed.sql}
        ORDER BY {_distance(search)} LIMIT %(candidates)s)"""


def _lexical_leg(search: Search, allowed: Condition) -> str:
    """Whatever has one of the telling words, those with the rarest of them first."""
    return f"""(SELECT c.id, FALSE AS exact FROM {FROM_CHUNKS}
        WHERE {allowed.sql} AND c.search_vector @@ %(any_term)s::tsquery
        ORDER BY (SELECT sum(weight) FROM unnest(%(telling)s::tsquery[], %(telling_weights)s::float[])
                      AS told (q, weight) WHERE c.search_vector @@ q) DESC,
                 length(c.search_vector), c.id
        LIMIT %(candidates)s)"""


def _exact_leg(search: Search, allowed: Condition) -> str:
    return f"""(SELECT c.id, TRUE AS exact FROM {FROM_CHUNKS}
        WHERE {allowed.sql} AND c.section = ANY(%(numbers)s) ORDER BY c.id LIMIT %(candidates)s)"""


def _measured(search: Search) -> str:
    """Both measures of every candidate: nearness of meaning, and the share of the asked words that it has."""
    return f"""
        SELECT c.id, candidates.exact, e.vector,
               GREATEST(0, 1 - COALESCE(NULLIF({_distance(search)}, 'NaN'), 1)) AS similarity,
               {_LEXICAL} AS lexical
        FROM candidates JOIN knowledge_chunk c ON c.id = candidates.id
        JOIN knowledge_chunkembedding e
          ON e.chunk_id = c.id AND e.model = %(model)s AND e.state = 'current'"""


# How often a wording stands in the passage. With equal weights ts_rank of one word that stands n times is the sum of
# 1/i² for i from 1 to n, over π²/6; what is missing from 1 is 1 / (π²/6 · (n + ½)) within 3 %. A phrase counts once.
_OFTEN = f"""CASE WHEN numnode(q) > 1 THEN (c.search_vector @@ q)::int
             WHEN c.search_vector @@ q
             THEN 1 / (1.6449341 * GREATEST(0.001, 1 - ts_rank({EQUAL}, c.search_vector, q))) - 0.5
             ELSE 0 END"""

# BM25 as a share of the most it can be: each term by its rarity, less with each time more that it stands there, and
# less in a long passage than in a short one.
_LEXICAL = f"""COALESCE((
        SELECT sum(weight * often / (often + %(saturation)s * (
                   1 - %(length_share)s + %(length_share)s * length(c.search_vector) / %(usual_length)s)))
               / NULLIF(sum(weight), 0)
        FROM (SELECT term, weight, sum({_OFTEN}
                  + %(heading_times)s * (ts_filter(c.search_vector, '{{a}}') @@ q)::int)::float AS often
              FROM asked GROUP BY term, weight) AS counted), 0)"""


# How sure each leg is: the lead of its best passage over the mean of the next ones, as a share of the best. A leg that
# likes ten passages alike knows nothing of the one that is asked for. The blend's odds move with the odds of the leads.
_SURE = """
    SELECT %(vector_weight)s * vector / (%(vector_weight)s * vector + %(lexical_weight)s * words) AS trust
    FROM (SELECT %(unsure)s + COALESCE((max(similarity) FILTER (WHERE near = 1)
                     - avg(similarity) FILTER (WHERE near BETWEEN 2 AND %(leaders)s))
                     / NULLIF(max(similarity), 0), 0) / %(vector_lead)s AS vector,
                 %(unsure)s + COALESCE((max(lexical) FILTER (WHERE alike = 1)
                     - avg(lexical) FILTER (WHERE alike BETWEEN 2 AND %(leaders)s))
                     / NULLIF(max(lexical), 0), 0) / %(lexical_lead)s AS words
          FROM (SELECT similarity, lexical,
                       row_number() OVER (ORDER BY similarity DESC) AS near,
                       row_number() OVER (ORDER BY lexical DESC) AS alike
                FROM (SELECT similarity, LEAST(1, %(lexical_scale)s * lexical) AS lexical FROM measured) AS told
               ) AS ranked
          WHERE near <= %(leaders)s OR alike <= %(leaders)s) AS leads"""


def _distance(search: Search) -> str:
    """Written as the index of the model is, or it cannot be used."""
    dimensions = len(search.vector)
    return f"e.vector::vector({dimensions}) <=> %(vector)s::vector({dimensions})"


def _score(arm: Arm) -> str:
    if arm == "vector":
        return "similarity"
    words = "LEAST(1, %(lexical_scale)s * lexical)"
    if arm == "lexical":
        return words
    return f"sure.trust * similarity + (1 - sure.trust) * {words}"


def _middle(search: Search) -> str:
    """The middle of the best passages by both legs: what is asked, in the library's own words."""
    return f"""
        SELECT avg(vector::vector({len(search.vector)})) AS middle
        FROM (SELECT vector FROM blended ORDER BY blend DESC, id LIMIT %(company)s) AS best"""


def _company(search: Search) -> str:
    """Passages that answer one question resemble each other; only the whole blend is good enough to say which do."""
    if not search.company or search.arm in ("vector", "lexical"):
        return "blend"
    return """CASE WHEN blend > 0 THEN (1 - %(company_share)s) * blend
        + %(company_share)s * GREATEST(0, 1 - COALESCE(NULLIF(vector::vector <=> middle, 'NaN'), 1))
        ELSE 0 END"""


def _candidates(search: Search) -> int:
    return max(conf.LEG_CANDIDATES, search.k)


def _values(search: Search, terms: Sequence[Weighed]) -> dict[str, Any]:
    return {
        "vector": "[" + ",".join(map(repr, map(float, search.vector))) + "]",
        **_lexical_values(terms),
        "numbers": list(search.numbers),
        "candidates": _candidates(search),
        "exact_score": conf.EXACT_SCORE,
        "vector_weight": conf.VECTOR_WEIGHT,
        "lexical_weight": conf.LEXICAL_WEIGHT,
        "vector_lead": conf.VECTOR_LEAD,
        "lexical_lead": conf.LEXICAL_LEAD,
        "unsure": conf.UNSURE,
        "company": conf.COMPANY,
        "company_share": conf.COMPANY_SHARE,
        "leaders": conf.LEADERS,
        "floor": search.floor,
        "k": search.k,
    }


def _lexical_values(terms: Sequence[Weighed]) -> dict[str, Any]:
    told = telling(terms)
    wordings = [(n, term.weight, wording) for n, term in enumerate(terms) for wording in term.wordings]
    return {
        "wordings": [wording for *_, wording in wordings],
        "numbers_of_terms": [n for n, *_ in wordings],
        "weights": [weight for _, weight, _ in wordings],
        "any_term": " | ".join(f"({term.tsquery})" for term in told),
        "telling": [term.tsquery for term in told],
        "telling_weights": [term.weight for term in told],
        "saturation": conf.BM25_SATURATION,
        "length_share": conf.BM25_LENGTH_SHARE,
        "usual_length": conf.BM25_USUAL_LENGTH,
        "heading_times": conf.HEADING_TIMES,
        "lexical_scale": conf.LEXICAL_SCALE,
    }
