"""Looks up the words of a search in the posting lists of the owners that it may read.

If a block changed after its lists were written (`knowledge.library_version`), its lists are built from the passages, so
nothing is missing. The process keeps the lists that were used last in memory.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import Any

from cachetools import LRUCache
from django.db import connection
from psycopg import Cursor

from knowledge import conf
from knowledge.library_version import POSTINGS_OF_BLOCKS, SHARED, IndexState
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.scoring import (
    PostingList,
    WordingPostings,
    affordable_terms,
    decode_postings,
    intersect_postings,
)
from knowledge.retrieval.searchable import Scope

Wanted = Mapping[str, list[Any]]  # owners, lexemes, and blocks whose lists are out of date
Blocks = dict[str, list[tuple[int, bytes]]]
Version = tuple[tuple[int, ...], str]  # the owners, and the version of the word index

LANGUAGE = "'english'::regconfig"


class PostingCache:
    """The posting lists that were used last, by owners and version of the index; bounded by their entries. Thread-safe.

    Any change in the library makes a new version, and the first list of a new version evicts those of the old one.
    """

    def __init__(self, most_entries: int) -> None:
        self._lists: LRUCache[tuple[Version, str], PostingList] = LRUCache(
            most_entries, getsizeof=lambda one: conf.LISTS_LEAST + len(one)
        )
        self._lock = Lock()

    def find_lists(self, version: Version, words: Iterable[str]) -> dict[str, PostingList]:
        with self._lock:
            return {one: self._lists[version, one] for one in words if (version, one) in self._lists}

    def keep_lists(self, version: Version, lists: Mapping[str, PostingList]) -> None:
        with self._lock:
            if any(known[1] != version[1] for known, _ in islice(self._lists, 1)):
                self._lists.clear()
            for word, found in lists.items():
                if conf.LISTS_LEAST + len(found) <= self._lists.maxsize:
                    self._lists[version, word] = found

    def clear(self) -> None:
        with self._lock:
            self._lists.clear()


posting_cache = PostingCache(conf.LISTS_KEPT)


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording as the index knows it: its lexemes, and for a run of several the tsquery that finds the run."""

    lexemes: tuple[str, ...]
    tsquery: str

    @property
    def name(self) -> str:
        """What its posting list is kept under."""
        return self.tsquery or self.lexemes[0]


ParsedTerm = tuple[Term, tuple[Wording, ...]]

_parsed: dict[str, Wording | None] = {}  # the dictionary of PostgreSQL does not change
_MOST_PARSED = 50_000


def parse_terms(terms: Sequence[Term]) -> list[ParsedTerm]:
    """The terms with their lexemes as PostgreSQL makes them; terms of stop words alone are left out."""
    written = [(term, term.tsqueries()) for term in terms]
    wanted = {one for _, wordings in written for one in wordings}
    known = {one: _parsed[one] for one in wanted if one in _parsed}
    if unknown := list(wanted - known.keys()):
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT place, to_tsquery({LANGUAGE}, wording)::text"
                " FROM unnest(%(wordings)s::text[]) WITH ORDINALITY AS asked (wording, place)",
                {"wordings": unknown},
            )
            for place, tsquery in cursor.fetchall():
                quoted = re.findall(r"'((?:[^']|'')*)'", tsquery)
                lexemes = tuple(one.replace("''", "'") for one in quoted)
                run = tsquery if len(lexemes) > 1 else ""
                known[unknown[place - 1]] = Wording(lexemes, run) if lexemes else None
        if len(_parsed) < _MOST_PARSED:
            _parsed.update(known)
    parsed = ((term, tuple(filter(None, map(known.get, wordings)))) for term, wordings in written)
    return [(term, wordings) for term, wordings in parsed if wordings]


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Terms, and the posting list of each of their lexemes. With a `version`, what is made of them can be cached."""

    terms: Sequence[ParsedTerm]
    lists: Mapping[str, PostingList]
    version: Version | None

    @property
    def runs(self) -> list[str]:
        """The runs of several words, as tsqueries. The lists alone do not say whether a passage has them."""
        every = (wording.tsquery for _, wordings in self.terms for wording in wordings if wording.tsquery)
        return list(dict.fromkeys(every))

    @property
    def forms(self) -> list[str]:
        """The words as they were asked. The lists hold stems and do not say in which form a passage has a word."""
        return list(dict.fromkeys(term.form for term, _ in self.terms if term.form))

    def by_term(self) -> list[tuple[Term, tuple[WordingPostings, ...]]]:
        """Where each wording of each term stands. Intersecting the lists of common words is slow, so that is cached."""
        runs = {one.tsquery: one.lexemes for _, wordings in self.terms for one in wordings if one.tsquery}
        kept = posting_cache.find_lists(self.version, runs) if self.version else {}
        made = {
            run: intersect_postings([self.lists[one] for one in lexemes])
            for run, lexemes in runs.items()
            if run not in kept
        }
        if self.version:
            posting_cache.keep_lists(self.version, made)
        found = {**self.lists, **kept, **made}
        return [
            (term, tuple(WordingPostings(found[one.name], one.tsquery) for one in wordings))
            for term, wordings in self.terms
        ]


NO_POSTINGS = TermPostings((), {}, None)


def read_postings(terms: Sequence[ParsedTerm], scope: Scope, state: IndexState) -> TermPostings:
    """The posting lists of these terms. If all lists together are too long, the commonest terms are left out."""
    owners = owners_in(scope)
    version = (tuple(owners), state.version) if state.is_cacheable else None
    wanted: Wanted = {"owners": owners, "lexemes": _lexemes_of(terms), "blocks": list(state.stale)}
    live = _read_stale_blocks(wanted)
    counts, short = _count_passages(wanted, version)
    passages = {
        one: counts[one] + sum(len(packed) // 4 for _, packed in live.get(one, ()))
        for one in wanted["lexemes"]
    }
    affordable = affordable_terms(passages, [_lexemes_of([one]) for one in terms])
    kept = [one for one, can_read in zip(terms, affordable, strict=True) if can_read]
    lexemes = _lexemes_of(kept)
    found = posting_cache.find_lists(version, lexemes) if version else {}
    missing = [one for one in lexemes if one not in found]
    unread = [one for one in missing if one not in short]
    read = short | _by_lexeme(_fetch_binary(READ_LISTS, {**wanted, "lexemes": unread}))
    made = {one: decode_postings([*read.get(one, ()), *live.get(one, ())]) for one in missing}
    if version:
        posting_cache.keep_lists(version, made)
    return TermPostings(kept, found | made, version)


def owners_in(scope: Scope) -> list[int]:
    """The owners of posting lists that a scope reads."""
    return [SHARED] * scope.shared + [scope.tenant] * (scope.tenant is not None)  # type: ignore[list-item]


def _lexemes_of(terms: Sequence[ParsedTerm]) -> list[str]:
    return sorted({one for _, wordings in terms for wording in wordings for one in wording.lexemes})


_OF_OWNERS = "owner = ANY(%(owners)s::bigint[]) AND lexeme = ANY(%(lexemes)s::text[])"
_WRITTEN = f"{_OF_OWNERS} AND NOT block = ANY(%(blocks)s::int[])"
READ_LISTS = f"SELECT lexeme, block, packed FROM knowledge_posting WHERE {_WRITTEN}"
READ_SHORT_LISTS = f"""
    SELECT lexeme, block, passages,
           CASE WHEN sum(passages) OVER (PARTITION BY lexeme) <= {conf.SHORT_LIST} THEN packed END
    FROM knowledge_posting WHERE {_WRITTEN}"""
_READ_STALE_BLOCKS = f"""
    SELECT lexeme, block, packed FROM ({POSTINGS_OF_BLOCKS} AND c.search_vector @@ %(any_word)s::tsquery
        AND w.lexeme COLLATE "C" = ANY(%(lexemes)s::text[]) GROUP BY 1, 2, 3) AS lists
    WHERE {_OF_OWNERS}"""


def _count_passages(wanted: Wanted, version: Version | None) -> tuple[Mapping[str, int], Blocks]:
    """The number of passages of each lexeme, and the lists that are short enough to come with their count. A count is
    kept for as long as the version lasts."""
    known = _counts_of(version) if version else {}
    unknown = [one for one in wanted["lexemes"] if one not in known]
    counts = dict.fromkeys(unknown, 0)
    short: Blocks = {one: [] for one in unknown}
    for lexeme, block, passages, packed in _fetch_binary(READ_SHORT_LISTS, {**wanted, "lexemes": unknown}):
        counts[lexeme] += passages
        short[lexeme].append((block, packed))
    known |= counts
    return known, {one: blocks for one, blocks in short.items() if counts[one] <= conf.SHORT_LIST}


@lru_cache(maxsize=64)
def _counts_of(version: Version) -> dict[str, int]:
    return {}


def _read_stale_blocks(wanted: Wanted) -> Blocks:
    """The lists of blocks that changed since they were written, made from the passages."""
    if not wanted["lexemes"] or not wanted["blocks"]:
        return {}
    quoted = (one.replace("\\", "\\\\").replace("'", "''") for one in wanted["lexemes"])
    any_word = " | ".join(f"'{one}'" for one in quoted)
    with connection.cursor() as cursor:
        cursor.execute(_READ_STALE_BLOCKS, {**wanted, "any_word": any_word})
        return _by_lexeme(cursor.fetchall())


def _fetch_binary(statement: str, wanted: Wanted) -> list[Any]:
    """Rows in binary form: the lists of a large library have megabytes."""
    if not wanted["lexemes"]:
        return []
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        return cursor.execute(statement, wanted, binary=True).fetchall()


def _by_lexeme(rows: Iterable[tuple[str, int, bytes]]) -> Blocks:
    found: Blocks = defaultdict(list)
    for lexeme, block, packed in rows:
        found[lexeme].append((block, bytes(packed)))
    return found
