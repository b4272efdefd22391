"""Select the shortest exact quotes that support a key point, among the candidates of a source. Pure.

A candidate must state every amount of the point. Among those that do, similarity and shared words decide, and of two
alike the shorter wins. Each clause of the point must be supported; an opposite, or a negation on one side only, lowers
the score. A quote that makes no sense alone is never clean. Similarity is passed in as a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from exams.bank.quote_candidates import QUOTE_WORDS_MOST, Candidate
from exams.domain.question_checks import figures_in
from knowledge.grounding.fact_check import compare_facts
from knowledge.text.opposites import is_opposed
from knowledge.text.quantities import Quantity
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, share_covered

Nearness = Callable[[str, Sequence[str]], Sequence[float]]
"""How near each of several texts is to one, -1 to 1. It keeps vectors, and makes all that a call lacks in one batch."""

CLAUSE_WORDS_LEAST: Final = 2
"""Least number of content words of a clause."""
READ_CLOSELY: Final = 24
"""Candidates whose meaning is compared: those that share most words with the point."""
READ_BY_CLAUSE: Final = 6
"""Of those, the candidates that are compared clause by clause."""
MEANING_SHARE: Final = 0.6
"""Weight of similarity against shared words, measured on the project's own bank."""
LENGTH_PRICE: Final = 0.0015
"""Penalty for each word of a quote beyond thirty, lead-ins aside: of two equally near quotes, the shorter is
plainer."""
PLACE_BONUS: Final = 0.15
"""Bonus for a candidate in the exact paragraph that the source names, when candidates are compared."""
PLACE_WORTH: Final = 0.05
"""The part of it that counts in the quote's own score."""
BROKEN_PRICE: Final = 0.1
"""Penalty for a candidate that begins or ends in the middle, has a different number, or leaves a clause unsupported:
another that is nearly as near is preferred."""
OPPOSED_PRICE: Final = 0.1
"""Penalty for the opposite word in the sentence nearest to a clause; half of it if the quote has both words."""
DENIED_PRICE: Final = 0.05
"""Penalty for a negation, a limit, or a side that only one of them has."""
MISSING_PRICE: Final = 0.04
"""Penalty for each content word of the point that the quotes lack: most unsupported points have such a word.
"""
CLEAN: Final = 0.62
"""Score from which a quote may be accepted without being read (docs/architecture/item-bank.md has the figures)."""
CLAUSE_BORNE: Final = 0.5
"""The score that every clause of the point needs for that."""
PAIR_BORNE: Final = 0.6
"""The same for a pair of quotes."""
PAIR_BAR: Final = 0.06
"""Additional score that a pair of quotes needs."""
POSSIBLE: Final = 0.45
"""Score below which the quote does not support the point."""
RIVAL_FACTS: Final = ("number", "unit", "datum")
"""Disagreements that keep a quote from being clean."""
CONTRARY_FACTS: Final = ("negation", "comparator", "direction")
"""Disagreements that only lower the score: clauses that merely look alike differ in them, too, so they prove
nothing."""

_JOINT: Final = re.compile(
    r"\s*[;:—]\s+|,\s+(?:and|or|but|so|not|because|while|which|where|when|with)\s+|,\s+|"
    r"(?<!between)\s+(?:and|or|but|because|so that|while|unless|until|before|after|if|when)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Bearing:
    """The best candidate for a point. `score` is its nearness, `weakest` that of the least supported clause; `clean`
    means that it may be approved without being read."""

    candidate: Candidate
    score: float
    weakest: float
    clean: bool
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Ranked:
    """A candidate and its score before it is compared by clause; `preferred` adds the bonus for place and length."""

    candidate: Candidate
    score: float
    preferred: float


def best_bearing(
    point: str,
    candidates: Sequence[Candidate],
    near: Nearness,
    *,
    paragraph: str = "",
    words: str = "",
    givens: str = "",
) -> Bearing | None:
    """The candidate that supports the point best; None if none is near. `paragraph` is the place that the source names;
    amounts and clauses in the question's `givens` need not occur in the source.

    If the source names `words`, only candidates that have them are read. Their author has read the passage, so such a
    quote is clean as soon as it may support the point; without the words none is.
    """
    given = figures_in(givens)
    amounts = [one for one in figures_in(point) if not any(one.same_as(other) for other in given)]
    candidates = [one for one in candidates if words or not one.long]
    stating = [one for one in candidates if _states_amounts(one, amounts)]
    having = [one for one in stating if one.says(words)] if words else []
    # A lead-in has the words with all that it leads in to.
    named = [one for one in having if one.whole and one.says(words, last=True)] or having
    ranked = _rank_candidates(point, named or stating, near, paragraph)
    if not ranked or (not named and ranked[0].score + ranked[0].preferred < POSSIBLE):
        return None
    # A clause that only repeats the question need not be supported, unless the question states everything.
    told, clauses = set(content_words(givens)), point_clauses(point)
    clauses = tuple(one for one in clauses if not set(content_words(one)) <= told) or clauses
    closest = ranked[:READ_BY_CLAUSE]
    # Makes the vectors of all clauses and sentences in one batch; they are compared below.
    near(point, [*clauses, *(said for one in closest for said in _sentences_of(one.candidate))])
    weighed = []
    for one in closest:
        read = _read_by_clause(point, clauses, one.candidate, one.score, near)
        broken = (not read.candidate.whole) + bool(read.faults) + (read.weakest < CLAUSE_BORNE)
        weighed.append((read.score + one.preferred - BROKEN_PRICE * broken, read))
    _, best = max(weighed, key=lambda pair: pair[0])
    if words and not named:
        pair = _with_second_quote(point, clauses, best, candidates, near)
        return pair if pair and pair.candidate.says(words) else replace(best, clean=False)
    if named:
        nearness = next(one.score for one in closest if one.candidate is best.candidate)
        return replace(best, clean=best.candidate.whole and not best.faults and nearness >= POSSIBLE)
    if not best.clean:
        return _with_second_quote(point, clauses, best, candidates, near) or best
    return best


def _rank_candidates(
    point: str, candidates: Sequence[Candidate], near: Nearness, paragraph: str
) -> list[_Ranked]:
    """The nearest candidates, compared as a whole, best first."""
    words = set(content_words(point))
    share = {id(one): _shared_words(words, one) for one in candidates}
    stating = sorted(candidates, key=lambda one: -share[id(one)] - _place_score(one, paragraph))[
        :READ_CLOSELY
    ]
    nearness = near(point, [*(one.read for one in stating), *(one.alone for one in stating)])
    together, alone = nearness[: len(stating)], nearness[len(stating) :]
    ranked = [
        _Ranked(
            one,
            MEANING_SHARE * max(with_lead_in, by_itself)
            + (1 - MEANING_SHARE) * share[id(one)]
            + PLACE_WORTH * _place_score(one, paragraph),
            (PLACE_BONUS - PLACE_WORTH) * _place_score(one, paragraph)
            - LENGTH_PRICE * max(0, len(one.quotes[-1].split()) - 30),
        )
        for one, with_lead_in, by_itself in zip(stating, together, alone, strict=True)
    ]
    return sorted(ranked, key=lambda one: -one.score - one.preferred)


def _read_by_clause(
    point: str, clauses: Sequence[str], candidate: Candidate, score: float, near: Nearness
) -> Bearing:
    """Compare the candidate clause by clause."""
    said = _sentences_of(candidate)
    borne: list[float] = []
    price = 0.0
    for clause in clauses:
        nearness = near(clause, said)
        nearest = said[max(range(len(said)), key=lambda at: nearness[at])]
        share = share_covered(content_words(clause), candidate.quoted_words)
        borne.append(max(share, MEANING_SHARE * max(nearness) + (1 - MEANING_SHARE) * share))
        if is_opposed(clause, nearest):
            has_both = not is_opposed(clause, " ".join(candidate.quotes))
            price = max(price, OPPOSED_PRICE / 2 if has_both else OPPOSED_PRICE)
        elif any(one.kind in CONTRARY_FACTS for one in compare_facts(clause, nearest).contradictions):
            price = max(price, DENIED_PRICE)
    faults = []  # amounts that differ, except those that it also states, such as one end of a range
    for found in compare_facts(point, candidate.read).contradictions:
        claimed = figures_in(found.claimed)
        if found.kind in RIVAL_FACTS and not (claimed and _states_amounts(candidate, claimed)):
            faults.append(str(found))
    missing = set(content_words(point)) - candidate.quoted_words
    score, weakest = round(score - price - MISSING_PRICE * len(missing), 3), round(min(borne), 3)
    clean = score >= CLEAN and weakest >= CLAUSE_BORNE and candidate.whole and not faults
    return Bearing(candidate, score, weakest, clean, tuple(faults))


def _sentences_of(candidate: Candidate) -> list[str]:
    return [one.text for quote in candidate.quotes for one in sentences_in(quote)]


def _with_second_quote(
    point: str, clauses: Sequence[str], first: Bearing, candidates: Sequence[Candidate], near: Nearness
) -> Bearing | None:
    """The same with another quote of the passage, if together they support the point cleanly: "slow down" here, "ask
    ATC" there."""
    if len(clauses) < 2 or len(first.candidate.quotes) > 1 or first.faults or not first.candidate.whole:
        return None
    said = first.candidate.quoted_words
    missing = set(content_words(min(clauses, key=lambda clause: share_covered(content_words(clause), said))))
    others = [
        one
        for one in candidates
        if one.chunk == first.candidate.chunk
        and one.whole
        and len(one.quotes) == 1
        and one.own_words & missing
    ]
    others.sort(key=lambda one: (-share_covered(missing, one.own_words), len(one.quotes[0])))
    pairs = [
        first.candidate.beside(one) for one in others[:READ_BY_CLAUSE] if one.quotes != first.candidate.quotes
    ]
    words = set(content_words(point))
    read = [
        _read_by_clause(
            point,
            clauses,
            pair,
            MEANING_SHARE * nearness + (1 - MEANING_SHARE) * _shared_words(words, pair),
            near,
        )
        for pair, nearness in zip(pairs, near(point, [pair.read for pair in pairs]), strict=True)
        if sum(len(quote.split()) for quote in pair.quotes) <= QUOTE_WORDS_MOST
    ]
    least = max(first.score, CLEAN + PAIR_BAR)
    clean = [one for one in read if one.clean and one.weakest >= PAIR_BORNE and one.score >= least]
    return max(clean, key=lambda one: one.weakest, default=None)


def _shared_words(words: set[str], candidate: Candidate) -> float:
    """Share of common words, half of it by the quote's own words, so that a lead-in that says everything is quoted
    itself."""
    return (share_covered(words, candidate.words) + share_covered(words, candidate.own_words)) / 2


def _place_score(candidate: Candidate, paragraph: str) -> float:
    """1 for the named paragraph or one below it, 0.5 for one above it."""
    if not paragraph or not candidate.path:
        return 0.0
    if candidate.path.startswith(paragraph):
        return 1.0
    return 0.5 if paragraph.startswith(candidate.path) else 0.0


def _states_amounts(candidate: Candidate, amounts: Sequence[Quantity]) -> bool:
    return all(any(one.same_as(other) for other in candidate.amounts) for one in amounts)


def point_clauses(point: str) -> tuple[str, ...]:
    """The clauses of a point; a part with too few words belongs to the clause before it. "Stop, think and slow down;
    ask ATC" has two, and a quote that supports one supports half the point."""
    clauses: list[str] = []
    for sentence in sentences_in(point):
        place = 0
        for joint in (*_JOINT.finditer(sentence.text), None):
            part = sentence.text[place : joint.start() if joint else None]
            rest = sentence.text[joint.end() :] if joint else ""
            enough = len(set(content_words(part))) >= CLAUSE_WORDS_LEAST
            if joint and (not enough or len(set(content_words(rest))) < CLAUSE_WORDS_LEAST):
                continue
            clauses.append(part.strip(" ,;:."))
            place = joint.end() if joint else place
    return tuple(clauses)
