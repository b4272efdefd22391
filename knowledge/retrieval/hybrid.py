"""A query becomes a ranking: vectors and words each bring candidates, and the union is scored by both.

Three legs (`legs`): the nearest vectors, the passages whose words weigh most (`words`), and a section asked for by its
number, whatever the other two think of it. Scores are computed for the union alone, and the floor is applied to those
(`scoring`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from knowledge import conf
from knowledge.word_index import State, state_of_words

from . import legs
from .breadth import Breadth, breadth_of
from .postings import standing_of, wordings_of
from .query import Term
from .scoring import Candidates, ranked
from .searchable import Condition, Scope, belongs, searchable
from .values import Arm, Filters, Ranked
from .words import Weighed, best_of, scores_of, weighed


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
    def candidates(self) -> int:
        """Passages that each leg brings."""
        return max(conf.LEG_CANDIDATES, self.k)

    @property
    def allowed(self) -> Condition:
        return searchable(self.scope) & belongs(self.filters)


def rank(search: Search) -> tuple[Ranked, ...]:
    """The best passages first; ties by id, so that the same search gives the same order."""
    state = state_of_words()
    breadth = breadth_of(search.scope, search.filters, state)
    terms = () if search.arm == "vector" else weighed_terms(search, breadth, state)
    settings = legs.scan_settings(search.candidates, breadth)
    found = candidates_of(search, brought(search, breadth, terms, settings), terms, settings)
    asked = np.asarray(search.vector, np.float64)
    return ranked(found, asked, arm=search.arm, company=search.company, floor=search.floor, k=search.k)


def weighed_terms(search: Search, breadth: Breadth, state: State) -> tuple[Weighed, ...]:
    """The terms that the index knows, with the passages of the search's owners in which each stands."""
    standing = standing_of(wordings_of(search.terms), search.scope, state)
    return weighed(standing, breadth.owned, search.shares)


def brought(search: Search, breadth: Breadth, terms: Sequence[Weighed], settings: str) -> list[int]:
    """The numbers of the passages that the legs bring, each once."""
    allowed, most = search.allowed, search.candidates
    near: list[int] = []
    if search.arm != "lexical" or breadth.is_narrow:
        near = legs.numbers_of(legs.nearest(search.vector, allowed, most, breadth), settings)
    told = _told(near, terms, most) if breadth.is_narrow else _widely(breadth, terms, most)
    exact = (
        legs.numbers_of(legs.of_sections(search.numbers, allowed, most), settings) if search.numbers else []
    )
    return list(dict.fromkeys([*near[: most * (search.arm != "lexical")], *told, *exact]))


def _told(numbers: Sequence[int], terms: Sequence[Weighed], most: int) -> list[int]:
    """Of these passages those whose words weigh most."""
    scores = scores_of(terms, np.asarray(numbers, np.int64), {})
    order = np.lexsort((np.asarray(numbers), -scores))[:most]
    return [numbers[at] for at in order if scores[at] > 0]


def _widely(breadth: Breadth, terms: Sequence[Weighed], most: int) -> list[int]:
    """Of all passages those whose words weigh most: so many that enough of them should pass the filters."""
    passing = breadth.allowed / max(1, breadth.owned)
    wanted = most if passing >= 1 else int(conf.WORDS_LOOKED_AT * most / passing)
    return [int(number) for number in best_of(terms, wanted)]


def candidates_of(
    search: Search, numbers: Sequence[int], terms: Sequence[Weighed], settings: str
) -> Candidates:
    """All that scoring needs to know of these passages, as far as they may be given."""
    runs = list(dict.fromkeys(_runs(terms)))
    told = legs.told_of(numbers, search.allowed, len(search.vector), search.numbers, runs)
    rows = legs.rows_of(told, settings)
    ids, ordinals, exact, vectors, has = zip(*rows, strict=True) if rows else ((), (), (), (), ())
    standing = np.asarray(has, bool).reshape(len(rows), len(runs))
    lexical = scores_of(
        terms, np.asarray(ordinals, np.int64), {run: standing[:, at] for at, run in enumerate(runs)}
    )
    return Candidates(
        ids=ids,
        vectors=np.frombuffer(b"".join(bytes(one)[4:] for one in vectors), ">f4")
        .reshape(len(rows), len(search.vector))
        .astype(np.float64),
        lexical=lexical.astype(np.float64),
        exact=np.asarray(exact, bool),
    )


def _runs(terms: Iterable[Weighed]) -> Iterable[str]:
    return (wording.run for term in terms for wording in term.wordings if wording.run)
