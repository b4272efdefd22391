"""Finds candidate passages and ranks them: by vector, by words, and by a section's number.

The number of passages that a search may find decides the method. If they are few, all are compared ("narrow"). If they
are many, the HNSW index of the vectors is followed while the words are looked up in posting lists. Only the union of
the candidates is scored (`scoring`); no SQL filters on a computed score. The id of a passage here is
`knowledge_chunk.ordinal`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import isqrt
from typing import Any
from uuid import UUID

import numpy as np
from django.db import connection
from psycopg import Cursor

from knowledge import conf
from knowledge.db.connections import BinaryVector, preparing_statements
from knowledge.db.visibility_filter import IN_FORCE
from knowledge.library_version import (
    EXTENTS_OF_BLOCKS,
    INDEX_STATE,
    IndexState,
    last_index_state,
    remember_index_state,
)
from knowledge.retrieval.postings import NO_POSTINGS, TermPostings, owners_in, parse_terms, read_postings
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.scoring import (
    Candidates,
    WeightedTerm,
    find_best_passages,
    rank_candidates,
    score_words,
    weigh_terms,
)
from knowledge.retrieval.searchable import (
    ALWAYS,
    FROM_CHUNKS,
    Condition,
    Scope,
    document_condition,
    filter_condition,
    passage_condition,
    searchable_condition,
)
from knowledge.retrieval.values import Arm, Filters, Ranked
from llm.vectors import Vector

Row = tuple[UUID, int, bool, bytes, list[bool]]  # the columns of `PassageReader`


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """One ranking to make. `numbers` are sections asked for by number. `shares` are those of the fused searches, in the
    order of the terms' weights. `company`: one thing is asked, so that the form of a word counts, and passages that
    resemble the best ones are favored."""

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

    @property
    def most_by_vector(self) -> int:
        """Candidates that the vectors bring."""
        return max(conf.NEAREST, self.k)

    @property
    def most_by_words(self) -> int:
        """Candidates that the words bring, and that sections asked for by number bring."""
        return max(conf.TELLING, self.k)

    @property
    def allowed(self) -> Condition:
        return _allowed_condition(self.scope, self.filters)

    def forms_in(self, postings: TermPostings) -> list[str]:
        """The words whose form counts. A story that asks several things has the words in forms of its own."""
        return postings.forms if self.company else []


@lru_cache(maxsize=256)
def _allowed_condition(scope: Scope, filters: Filters) -> Condition:
    return searchable_condition(scope) & filter_condition(filters, scope.tenant)


@dataclass(frozen=True)
class QueryWords:
    """The words of a search. They are weighed on first use: while the server follows the index of the vectors."""

    postings: TermPostings
    passages: int
    shares: tuple[float, ...]

    @cached_property
    def terms(self) -> tuple[WeightedTerm, ...]:
        return weigh_terms(self.postings.by_term(), self.passages, self.shares)


def rank_passages(search: Search) -> tuple[Ranked, ...]:
    """The best passages first; ties by id, so that the same search gives the same order."""
    # The index is taken to be in the state that was read last. The server says with the candidates which state it is
    # in; if that is another one, everything is done again.
    state = last_index_state()
    rows, words, now = _find_candidates(search, state)
    if now != state:
        rows, words, _ = _find_candidates(search, now)
    ids, ordinals, exact, vectors, has = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    runs = (*words.postings.runs, *search.forms_in(words.postings))
    has_run = np.asarray(has, bool).reshape(len(rows), len(runs))
    lexical = score_words(
        words.terms, np.asarray(ordinals, np.int32), {run: has_run[:, at] for at, run in enumerate(runs)}
    )
    sent = np.frombuffer(b"".join(vectors), ">f4").reshape(len(rows), 1 + len(search.vector))
    candidates = Candidates(
        ids=ids,
        vectors=sent[:, 1:].astype(np.float64),  # the first column holds the number of dimensions
        lexical=lexical.astype(np.float64),
        exact=np.asarray(exact, bool),
    )
    return rank_candidates(
        candidates,
        np.asarray(search.vector, np.float64),
        arm=search.arm,
        blend=conf.BLENDS[0 if search.company else 1],
        company=search.company,
        floor=search.floor,
        k=search.k,
    )


def _find_candidates(search: Search, state: IndexState) -> tuple[list[Row], QueryWords, IndexState]:
    """Each candidate once, the words that were looked up, and the state of the index while they were."""
    selectivity = selectivity_for(search.scope, search.filters, state)
    postings = (
        NO_POSTINGS
        if search.arm == "vector"
        else read_postings(parse_terms(search.terms), search.scope, state)
    )
    words = QueryWords(postings, selectivity.owned, search.shares)
    scan = scan_settings(search.most_by_vector, selectivity)
    reader = PassageReader(
        allowed=search.allowed,
        vector=search.vector,
        sections=search.numbers,
        runs=postings.runs,
        forms=search.forms_in(postings),
    )
    statements: Iterable[Condition]
    if selectivity.is_narrow:  # compare all that may be found, by vector and by words; read the best of both
        nearest = nearest_numbers(search.vector, search.allowed, search.most_by_vector, selectivity)
        numbers = [number for (number,) in run_statements([nearest], scan)[0]]
        scores = score_words(words.terms, np.asarray(numbers, np.int32), {})
        order = np.lexsort((np.asarray(numbers), -scores))[: search.most_by_words]
        by_words = [numbers[at] for at in order if scores[at] > 0]
        by_vector = [] if search.arm == "lexical" else numbers[: search.most_by_vector]
        asked = [reader.in_sections(search.most_by_words)] if search.numbers else []
        statements = [reader.numbered([*by_vector, *by_words]), *asked]
    else:
        statements = _follow_indexes(search, reader, selectivity, words)
    *found, [now] = run_statements(chain(statements, [Condition(INDEX_STATE)]), scan)
    rows = {row[1]: row for rows in found for row in rows}
    return list(rows.values()), words, remember_index_state(*now)


def _follow_indexes(
    search: Search, reader: "PassageReader", selectivity: "Selectivity", words: QueryWords
) -> Iterator[Condition]:
    """Read the nearest vectors by their index. While the server does, the words are looked up here."""
    if search.arm != "lexical":
        yield reader.nearest(search.most_by_vector, selectivity)
    if search.numbers:
        yield reader.in_sections(search.most_by_words)
    if search.arm != "vector":
        # So many that enough of them should pass the filters.
        passing = selectivity.allowed / max(1, selectivity.owned)
        most = search.most_by_words
        wanted = most if passing >= 1 else int(conf.WORDS_LOOKED_AT * most / passing)
        yield reader.numbered([int(number) for number in find_best_passages(words.terms, wanted)])


def passages_serving(code: str, ids: Sequence[UUID], scope: Scope) -> set[UUID]:
    """Those of these passages that serve the element with this code."""
    serving = filter_condition(Filters(serves=code), scope.tenant)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT c.id FROM knowledge_chunk c WHERE c.id = ANY(%(ids)s) AND {serving.sql}",
            {**serving.values, "ids": list(ids)},
        )
        return {found for (found,) in cursor.fetchall()}


# --- Statements that read passages, each served by one index -------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageReader:
    """Statements that read allowed passages: id, number, whether the section was asked for, the vector as bytes, and
    which of the runs of words and of the forms of words it has."""

    allowed: Condition
    vector: Sequence[float]
    sections: Sequence[str] = ()
    runs: Sequence[str] = ()
    forms: Sequence[str] = ()

    def nearest(self, most: int, selectivity: "Selectivity") -> Condition:
        return self._select(_by_distance(self.vector, self.allowed, most, selectivity))

    def numbered(self, ordinals: Sequence[int]) -> Condition:
        among = {"ordinals": "{" + ",".join(map(str, ordinals)) + "}"}
        return self._select(self.allowed & Condition("c.ordinal = ANY(%(ordinals)s::bigint[])", among))

    def in_sections(self, most: int) -> Condition:
        """Those of the sections asked for: few, so that their order needs no index."""
        last = Condition(
            "c.section = ANY(%(sections)s) ORDER BY c.ordinal + 0 LIMIT %(most)s", {"most": most}
        )
        return self._select(self.allowed & last)

    def _select(self, which: Condition) -> Condition:
        has = ", ".join(f"c.search_vector @@ %(run_{at})s::tsquery" for at in range(len(self.runs)))
        vector = f"vector_send(e.vector::vector({len(self.vector)}))"
        forms = (
            "ARRAY(SELECT c.text ~* one.form OR c.heading ~* one.form"
            " FROM unnest(%(forms)s::text[]) WITH ORDINALITY AS one (form, at) ORDER BY one.at)"
        )
        columns = f"c.id, c.ordinal, c.section = ANY(%(sections)s::text[]), {vector}, ARRAY[{has}]::bool[] || {forms}"
        runs = {f"run_{at}": run for at, run in enumerate(self.runs)}
        values = {
            **which.values,
            **runs,
            "sections": list(self.sections),
            "forms": [rf"\m{form}\M" for form in self.forms],
        }
        return _select_passages(columns, replace(which, values=values))


def nearest_numbers(
    vector: Sequence[float], allowed: Condition, most: int, selectivity: "Selectivity"
) -> Condition:
    """The numbers of the nearest passages; of all allowed ones if they are few."""
    return _select_passages("c.ordinal", _by_distance(vector, allowed, most, selectivity))


def _by_distance(
    vector: Sequence[float], allowed: Condition, most: int, selectivity: "Selectivity"
) -> Condition:
    dimensions = len(vector)
    distance = f"e.vector::vector({dimensions}) <=> %(vector)s::vector({dimensions})"
    order = f"({distance}) + 0" if selectivity.is_narrow else f"{distance} LIMIT %(most)s"
    values = {**allowed.values, "vector": BinaryVector(np.asarray(vector, ">f4")), "most": most}
    return Condition(f"{allowed.sql} ORDER BY {order}", values)


def _select_passages(columns: str, which: Condition) -> Condition:
    return Condition(f"SELECT {columns} FROM {FROM_CHUNKS} WHERE {which.sql}", which.values)


def vector_literal(vector: Sequence[float]) -> str:
    """pgvector's text form, with as many digits as tell one float32 from its neighbors."""
    return "[" + ",".join([f"{one:.9g}" for one in vector]) + "]"


# --- How statements are planned and sent ---------------------------------------------------------------------

_ONE_BY_ONE = ("enable_seqscan", "enable_sort", "enable_hashjoin", "enable_mergejoin", "enable_memoize")


def scan_settings(candidates: int, selectivity: "Selectivity") -> Condition:
    """Settings of the transaction, as a statement.

    The order of each statement names the index that serves it; rows are then looked up one by one, since a plan for
    many rows is slow for few. JIT is off. A statement over many passages is planned once for each connection; one over
    few is planned for the filter that leaves few. HNSW's working list is long enough that twice as many passages as
    are wanted should be among those allowed.
    """
    allowed = max(conf.EF_ALLOWED, 2 * candidates)
    working_list = min(conf.EF_MOST, max(conf.EF_SEARCH, int(allowed / selectivity.share)))
    return _scan_settings(selectivity.is_narrow, working_list)


@lru_cache(maxsize=256)
def _scan_settings(is_narrow: bool, working_list: int) -> Condition:
    always = _set_config(
        {
            "hnsw.iterative_scan": "relaxed_order",
            "hnsw.max_scan_tuples": str(conf.MAX_SCAN_TUPLES),
            "jit": "off",
            "plan_cache_mode": "force_custom_plan" if is_narrow else "force_generic_plan",
        }
        | dict.fromkeys(_ONE_BY_ONE, "off")
    )
    return Condition(
        f"{always}, set_config('hnsw.ef_search', %(listed)s, true)", {"listed": str(working_list)}
    )


def _set_config(values: Mapping[str, str]) -> str:
    return "SELECT " + ", ".join(f"set_config('{name}', '{value}', true)" for name, value in values.items())


_RESET = _set_config({**dict.fromkeys((*_ONE_BY_ONE, "jit"), "on"), "plan_cache_mode": "auto"})


def run_statements(statements: Iterable[Condition], scan: Condition) -> list[list[Any]]:
    """The rows of each statement, in binary form, in one pipeline: the server starts each as it arrives and is waited
    for once, so making the next statement costs no extra time. The settings end with the transaction; within a
    transaction of the caller's, those that steer the planner are reset."""
    connection.ensure_connection()
    with connection.wrap_database_errors:
        cursors = []
        with preparing_statements(connection.connection), connection.connection.pipeline():
            Cursor(connection.connection).execute(scan.sql, scan.values)
            try:
                for statement in statements:
                    cursors.append(Cursor(connection.connection))
                    cursors[-1].execute(statement.sql, statement.values, binary=True)
            finally:
                if connection.in_atomic_block:
                    Cursor(connection.connection).execute(_RESET)
        return [cursor.fetchall() for cursor in cursors]


# --- How many passages a search may find ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Selectivity:
    """The number of passages that pass the filters, of the owners' passages, and of all owners' passages."""

    allowed: int
    owned: int
    whole: int

    @property
    def is_narrow(self) -> bool:
        """Whether comparing all of them costs less than following the index."""
        return self.allowed <= most_compared(self.whole)

    @property
    def share(self) -> float:
        """The share of the passages in the index that are allowed."""
        return self.allowed / self.whole if self.allowed else 1.0


def most_compared(whole: int) -> int:
    return isqrt(conf.EXACT_ROWS * whole)


def selectivity_for(scope: Scope, filters: Filters, state: IndexState) -> Selectivity:
    """Counted once for each state of the index, and each time while some of its lists are out of date."""
    count = _cached_selectivity if state.is_cacheable else _count_selectivity
    return count(scope, filters, state)


def _count_selectivity(scope: Scope, filters: Filters, state: IndexState) -> Selectivity:
    """What a document passes as a whole is counted from the extents that are kept beside the posting lists; what single
    passages pass is counted up to the number from which it no longer matters."""
    documents, owners = document_condition(filters), owners_in(scope)
    joined = "" if documents is ALWAYS else "JOIN knowledge_document d ON d.id = x.document_id"
    live = f"UNION ALL {EXTENTS_OF_BLOCKS}" if state.stale else ""
    own = "x.owner = ANY(%(owners)s::bigint[])"
    sql = f"""
        SELECT COALESCE(sum(x.passages) FILTER (WHERE {own} AND {documents.sql}), 0)::int,
               COALESCE(sum(x.passages) FILTER (WHERE {own}), 0)::int,
               COALESCE(sum(x.passages), 0)::int
        FROM (SELECT block, document_id, owner, passages FROM knowledge_extent
              WHERE NOT block = ANY(%(blocks)s::int[]) {live}) AS x {joined}"""
    with connection.cursor() as cursor:
        cursor.execute(sql, {**documents.values, "owners": owners, "blocks": list(state.stale)})
        counted = Selectivity(*cursor.fetchone())
    passages = passage_condition(filters, scope.tenant)
    if passages is ALWAYS or counted.is_narrow:
        return counted
    allowed = documents & passages
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM (SELECT FROM knowledge_chunk c JOIN knowledge_document d ON d.id = c.document_id"
            f" WHERE {IN_FORCE} AND COALESCE(d.tenant_id, 0) = ANY(%(owners)s::bigint[]) AND {allowed.sql}"
            " LIMIT %(most)s) AS first",
            {**allowed.values, "owners": owners, "most": most_compared(counted.whole) + 1},
        )
        return replace(counted, allowed=int(cursor.fetchone()[0]))


_cached_selectivity = lru_cache(maxsize=4096)(_count_selectivity)


# --- How near the library comes to parts of a question -------------------------------------------------------


def part_similarities(vectors: Mapping[str, Vector], scope: Scope) -> dict[str, float]:
    """For each text the mean similarity of the passages that come nearest to it."""
    if not vectors:
        return {}
    selectivity = selectivity_for(scope, Filters(), last_index_state())
    statement = similarity_statement(list(vectors.values()), scope, selectivity)
    (rows,) = run_statements([statement], scan_settings(conf.PART_NEAREST, selectivity))
    found = {place: float(similarity) for place, similarity in rows}
    return {text: found.get(place, 0.0) for place, text in enumerate(vectors, 1)}


def similarity_statement(vectors: Sequence[Vector], scope: Scope, selectivity: Selectivity) -> Condition:
    """(place of the vector from 1, mean similarity of its nearest passages) for all vectors in one statement."""
    dimensions = len(vectors[0])
    allowed = searchable_condition(scope)
    distance = f"e.vector::vector({dimensions}) <=> asked.vector::vector({dimensions})"
    order = f"({distance}) + 0" if selectivity.is_narrow else distance
    sql = f"""
        SELECT asked.place, avg(near.similarity)
        FROM unnest(%(vectors)s::text[]) WITH ORDINALITY AS asked (vector, place),
             LATERAL (SELECT 1 - ({distance}) AS similarity FROM {FROM_CHUNKS} WHERE {allowed.sql}
                      ORDER BY {order} LIMIT %(nearest)s) AS near
        GROUP BY asked.place"""
    values = {
        **allowed.values,
        "vectors": [vector_literal(vector) for vector in vectors],
        "nearest": conf.PART_NEAREST,
    }
    return Condition(sql, values)
