"""A query becomes a ranking: vectors and words each bring candidates, and the union is scored by both.

Three legs (`candidate_sources`): the nearest vectors, the passages whose words weigh most (`bm25`), and a section asked
for by its number, whatever the other two think of it. Scores are computed for the union alone, and the floor is applied
to those (`scoring`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain
from uuid import UUID

import numpy as np
from django.conf import settings

from knowledge import conf
from knowledge.retrieval.candidates import candidate_sources
from knowledge.retrieval.candidates.bm25 import Weighed, best_of, scores_of, weighed
from knowledge.retrieval.candidates.posting_store import NOTHING, Known, known_of, wordings_of
from knowledge.retrieval.candidates.scoring import Candidates, ranked
from knowledge.retrieval.candidates.selectivity import Breadth, breadth_of
from knowledge.retrieval.query.builder import Term
from knowledge.retrieval.searchable import Condition, Scope, belongs, searchable
from knowledge.retrieval.values import Arm, Filters, Ranked
from knowledge.word_index import STATE, State, state_before, state_from

Row = tuple[UUID, int, bool, bytes, list[bool]]  # as `legs.Reading` has it


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

    @property
    def nearest(self) -> int:
        """Passages that the vectors' leg brings."""
        return max(conf.NEAREST, self.k)

    @property
    def telling(self) -> int:
        """Passages that the words' leg brings, and that of sections asked for by number."""
        return max(conf.TELLING, self.k)

    @property
    def allowed(self) -> Condition:
        return _allowed(self.scope, self.filters)


@lru_cache(maxsize=256)
def _allowed(scope: Scope, filters: Filters) -> Condition:
    return searchable(scope) & belongs(filters)


@dataclass(frozen=True)
class Words:
    """The words of a search and what is known of them. They are weighed when that is asked for first: while the server
    follows the index of the vectors."""

    known: Known
    owned: int
    shares: tuple[float, ...]

    @cached_property
    def terms(self) -> tuple[Weighed, ...]:
        """The terms that the index knows, with the passages of the search's owners in which each stands."""
        return weighed(self.known.standing(), self.owned, self.shares)


def rank(search: Search) -> tuple[Ranked, ...]:
    """The best passages first; ties by id, so that the same search gives the same order."""
    found = candidates_of(*brought(search), search)
    asked = np.asarray(search.vector, np.float64)
    return ranked(
        found,
        asked,
        arm=search.arm,
        blend=conf.BLENDS[settings.SEARCH_BLEND],
        company=search.company,
        floor=search.floor,
        k=search.k,
    )


def brought(search: Search) -> tuple[list[Row], Words]:
    """What the legs bring, each passage once, and the words that were looked up.

    The lists are taken to be in the state that they were in the last time. The server says with the passages in which
    they are; were they in another, all is done again.
    """
    state = state_before()
    rows, words, now = _brought_in(state, search)
    if now != state:
        rows, words, _ = _brought_in(now, search)
    return rows, words


def _brought_in(state: State, search: Search) -> tuple[list[Row], Words, State]:
    breadth = breadth_of(search.scope, search.filters, state)
    words = Words(_known(search, state), breadth.owned, search.shares)
    scan = candidate_sources.scan_settings(search.nearest, breadth)
    asked = _narrow(search, breadth, words, scan) if breadth.is_narrow else _wide(search, breadth, words)
    *found, [now] = candidate_sources.results_of(chain(asked, [Condition(STATE)]), scan)
    return list({row[1]: row for rows in found for row in rows}.values()), words, state_from(*now)


def _known(search: Search, state: State) -> Known:
    if search.arm == "vector":
        return NOTHING
    return known_of(wordings_of(search.terms), search.scope, state)


def _narrow(search: Search, breadth: Breadth, words: Words, scan: Condition) -> list[Condition]:
    """All that may be found are compared, by vectors and by words."""
    reading = _reading(search, words)
    (near,) = candidate_sources.results_of(
        [candidate_sources.nearest(search.vector, search.allowed, search.nearest, breadth)], scan
    )
    numbers = [number for (number,) in near]
    wanted = [] if search.arm == "lexical" else numbers[: search.nearest]
    asked = [reading.numbered([*wanted, *_told(numbers, words.terms, search.telling)])]
    return [*asked, reading.asked_for(search.telling)] if search.numbers else asked


def _wide(search: Search, breadth: Breadth, words: Words) -> Iterator[Condition]:
    """While the server follows the index of the vectors, the words are looked up here."""
    reading = _reading(search, words)
    if search.arm != "lexical":
        yield reading.nearest(search.nearest, breadth)
    if search.numbers:
        yield reading.asked_for(search.telling)
    if search.arm != "vector":
        yield reading.numbered(_widely(breadth, words.terms, search.telling))


def _reading(search: Search, words: Words) -> candidate_sources.Reading:
    return candidate_sources.Reading(
        allowed=search.allowed, vector=search.vector, sections=search.numbers, runs=words.known.runs
    )


def _told(numbers: Sequence[int], terms: Sequence[Weighed], most: int) -> list[int]:
    """Of these passages those whose words weigh most."""
    scores = scores_of(terms, np.asarray(numbers, np.int32), {})
    order = np.lexsort((np.asarray(numbers), -scores))[:most]
    return [numbers[at] for at in order if scores[at] > 0]


def _widely(breadth: Breadth, terms: Sequence[Weighed], most: int) -> list[int]:
    """Of all passages those whose words weigh most: so many that enough of them should pass the filters."""
    passing = breadth.allowed / max(1, breadth.owned)
    wanted = most if passing >= 1 else int(conf.WORDS_LOOKED_AT * most / passing)
    return [int(number) for number in best_of(terms, wanted)]


def candidates_of(rows: Sequence[Row], words: Words, search: Search) -> Candidates:
    """All that scoring needs to know of these passages."""
    ids, ordinals, exact, vectors, has = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    runs = words.known.runs
    standing = np.asarray(has, bool).reshape(len(rows), len(runs))
    lexical = scores_of(
        words.terms, np.asarray(ordinals, np.int32), {run: standing[:, at] for at, run in enumerate(runs)}
    )
    sent = np.frombuffer(b"".join(vectors), ">f4").reshape(len(rows), 1 + len(search.vector))
    return Candidates(
        ids=ids,
        vectors=sent[:, 1:].astype(np.float64),  # before the numbers stands how many they are
        lexical=lexical.astype(np.float64),
        exact=np.asarray(exact, bool),
    )
