"""The terms of a search become the passages in which they stand, read from the lists of the owners that it may read.

Where a block changed since its lists were written (`knowledge.word_index`), they are made for the search's words from
the passages themselves: nothing is missing meanwhile.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db import connection
from psycopg import Cursor

from knowledge import conf
from knowledge.retrieval.candidates import posting_cache
from knowledge.retrieval.candidates.bm25 import Listed, Standing, affordable, listed, together
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.searchable import Scope
from knowledge.word_index import LISTS, SHARED, State

Asked = Mapping[str, list[Any]]  # owners, lexemes, and blocks whose lists are out of date
Blocks = dict[str, list[tuple[int, bytes]]]

LANGUAGE = "'english'::regconfig"
_QUOTED = re.compile(r"'((?:[^']|'')*)'")


@dataclass(frozen=True, slots=True)
class Wording:
    """A wording as the index knows it: its words, and the notation of a run of several."""

    lexemes: tuple[str, ...]
    tsquery: str


def wordings_of(terms: Sequence[Term]) -> list[tuple[Term, tuple[Wording, ...]]]:
    """The terms that the index knows; stop words fall out."""
    written = [(term, term.tsqueries()) for term in terms]
    parsed = _parsed([one for _, wordings in written for one in wordings])
    known = ((term, tuple(filter(None, map(parsed.get, wordings)))) for term, wordings in written)
    return [(term, wordings) for term, wordings in known if wordings]


_before: dict[str, Wording | None] = {}  # the dictionary of PostgreSQL does not change
_MOST_BEFORE = 50_000


def _parsed(written: Sequence[str]) -> dict[str, Wording | None]:
    """What PostgreSQL makes of these wordings: nothing of a stop word."""
    known = {one: _before[one] for one in written if one in _before}
    unknown = list({one for one in written if one not in known})
    if unknown:
        with connection.cursor() as cursor:
            cursor.execute(_PARSED, {"wordings": unknown})
            known |= {unknown[place - 1]: _wording(tsquery) for place, tsquery in cursor.fetchall()}
        if len(_before) < _MOST_BEFORE:
            _before.update(known)
    return known


def _wording(tsquery: str) -> Wording | None:
    lexemes = tuple(one.replace("''", "'") for one in _QUOTED.findall(tsquery))
    return Wording(lexemes, tsquery if len(lexemes) > 1 else "") if lexemes else None


_PARSED = f"""
    SELECT place, to_tsquery({LANGUAGE}, wording)::text
    FROM unnest(%(wordings)s::text[]) WITH ORDINALITY AS asked (wording, place)"""


@dataclass(frozen=True, slots=True)
class Known:
    """Terms, and the list of each of their words; `of` whom and when, where what is made of these can be kept."""

    terms: Sequence[tuple[Term, tuple[Wording, ...]]]
    lists: Mapping[str, Listed]
    of: posting_cache.Of | None

    @property
    def runs(self) -> list[str]:
        """Of the lists alone it is not known whether a passage has them."""
        every = (wording.tsquery for _, wordings in self.terms for wording in wordings if wording.tsquery)
        return list(dict.fromkeys(every))

    def standing(self) -> list[tuple[Term, tuple[Standing, ...]]]:
        """Where each term stands. Of common words it takes long to find the passages that have all: those are kept."""
        runs = {one.tsquery: one.lexemes for _, wordings in self.terms for one in wordings if one.tsquery}
        kept = posting_cache.known(self.of, runs) if self.of else {}
        made = {
            run: together([self.lists[one] for one in lexemes])
            for run, lexemes in runs.items()
            if run not in kept
        }
        if self.of:
            posting_cache.keep(self.of, made)
        found = {**self.lists, **kept, **made}
        return [
            (term, tuple(Standing(found[one.tsquery or one.lexemes[0]], one.tsquery) for one in wordings))
            for term, wordings in self.terms
        ]


NOTHING = Known((), {}, None)


def known_of(wanted: Sequence[tuple[Term, tuple[Wording, ...]]], scope: Scope, state: State) -> Known:
    """What can be read of these terms. The commonest are not where the lists of all are too long: they fall out."""
    owners = owners_of(scope)
    of = (tuple(owners), state.version) if state.lasts else None
    asked: Asked = {"owners": owners, "lexemes": _lexemes(wanted), "blocks": list(state.stale)}
    live = _live(asked)
    counted, short = _counted(asked, of)
    passages = {one: counted[one] + _entries(live.get(one, ())) for one in asked["lexemes"]}
    can = affordable(passages, [_lexemes([one]) for one in wanted])
    kept = [one for one, is_read in zip(wanted, can, strict=True) if is_read]
    return Known(kept, _found({**asked, "lexemes": _lexemes(kept)}, short, live, of), of)


def _counted(asked: Asked, of: posting_cache.Of | None) -> tuple[Mapping[str, int], Blocks]:
    """In how many passages each word stands, and those lists that were short enough to be read with it. What was
    counted for these owners in this state of the lists is not counted again."""
    known = _counts(of) if of else {}
    unknown = [one for one in asked["lexemes"] if one not in known]
    counts = dict.fromkeys(unknown, 0)
    short: Blocks = {one: [] for one in unknown}
    for lexeme, block, passages, packed in _rows(GLANCE, {**asked, "lexemes": unknown}):
        counts[lexeme] += passages
        short[lexeme].append((block, packed))
    known |= counts
    return known, {one: blocks for one, blocks in short.items() if counts[one] <= conf.SHORT_LIST}


@lru_cache(maxsize=64)
def _counts(of: posting_cache.Of) -> dict[str, int]:
    return {}


def _found(asked: Asked, short: Blocks, live: Blocks, of: posting_cache.Of | None) -> dict[str, Listed]:
    """The list of each word. Those that last are kept."""
    found = posting_cache.known(of, asked["lexemes"]) if of else {}
    missing = [one for one in asked["lexemes"] if one not in found]
    read = short | _read({**asked, "lexemes": [one for one in missing if one not in short]})
    made = {one: listed([*read.get(one, ()), *live.get(one, ())]) for one in missing}
    if of:
        posting_cache.keep(of, made)
    return found | made


def _entries(blocks: Iterable[tuple[int, bytes]]) -> int:
    return sum(len(packed) // 4 for _, packed in blocks)


def _lexemes(wanted: Sequence[tuple[Term, tuple[Wording, ...]]]) -> list[str]:
    return sorted({one for _, wordings in wanted for wording in wordings for one in wording.lexemes})


def owners_of(scope: Scope) -> list[int]:
    return [SHARED] * scope.shared + [scope.tenant] * (scope.tenant is not None)  # type: ignore[list-item]


_OF_THE_OWNERS = "owner = ANY(%(owners)s::bigint[]) AND lexeme = ANY(%(lexemes)s::text[])"
_WRITTEN = f"{_OF_THE_OWNERS} AND NOT block = ANY(%(blocks)s::int[])"
READ = f"SELECT lexeme, block, packed FROM knowledge_posting WHERE {_WRITTEN}"
GLANCE = f"""
    SELECT lexeme, block, passages,
           CASE WHEN sum(passages) OVER (PARTITION BY lexeme) <= {conf.SHORT_LIST} THEN packed END
    FROM knowledge_posting WHERE {_WRITTEN}"""
_LIVE = f"""
    SELECT lexeme, block, packed FROM ({LISTS} AND c.search_vector @@ %(any_word)s::tsquery
        AND w.lexeme COLLATE "C" = ANY(%(lexemes)s::text[]) GROUP BY 1, 2, 3) AS lists
    WHERE {_OF_THE_OWNERS}"""


def _read(asked: Asked) -> Blocks:
    return _by_word(_rows(READ, asked))


def _rows(statement: str, asked: Asked) -> list[Any]:
    """As bytes, not as text in between: lists of a large library have megabytes."""
    if not asked["lexemes"]:
        return []
    connection.ensure_connection()
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        return cursor.execute(statement, asked, binary=True).fetchall()


def _live(asked: Asked) -> Blocks:
    """The lists of blocks that changed since they were written."""
    if not asked["lexemes"] or not asked["blocks"]:
        return {}
    any_word = " | ".join(
        "'" + one.replace("\\", "\\\\").replace("'", "''") + "'" for one in asked["lexemes"]
    )
    with connection.cursor() as cursor:
        cursor.execute(_LIVE, {**asked, "any_word": any_word})
        return _by_word(cursor.fetchall())


def _by_word(rows: Iterable[tuple[str, int, bytes]]) -> Blocks:
    found: Blocks = defaultdict(list)
    for lexeme, block, packed in rows:
        found[lexeme].append((block, bytes(packed)))
    return found
