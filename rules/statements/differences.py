"""Compare the answers of several countries to one question: how far they differ, why, and in which words. Pure.

Two things count: the distance of the vectors, and the facts (yes or no, required or not, figures, codes, times,
limits). A difference of facts is one however near the words are ("2 hours" and "24 hours"); where the facts agree,
other words count little. What is missing is never compared: it is no difference and no agreement. It does not know
how a difference is shown to a reader.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np

from knowledge.grounding.fact_check import compare_facts
from knowledge.text.quantities import Quantity
from knowledge.text.tokens import content_words, plain_words
from knowledge.text.units import dimension_of
from rules import conf
from rules.statements.diff_highlight import Span, differing_words
from rules.statements.figures import CODE, NO_FIGURES, Figures, figures_in
from rules.statements.stance import (
    Position,
    Standing,
    condition_of,
    opposition,
    position_of,
    says_plainly,
    standing_of,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One country's answer to a question; `text` is empty if it has none."""

    country: str
    text: str = ""
    vector: Sequence[float] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """An answer in comparable form. `plain` means that it states only its position."""

    country: str
    text: str
    standing: Standing
    position: Position = "open"
    plain: bool = False
    condition: str = ""
    figures: Figures = NO_FIGURES
    vector: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Reason:
    """One way in which two answers differ, with its `weight` in [0, 1]."""

    kind: str
    weight: float
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pair:
    """Two answers. `distance` is the distance in meaning, in [0, 1]; `difference` also counts the facts."""

    countries: tuple[str, str]
    difference: float
    distance: float
    reasons: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A question with different answers; the widest pair counts. `marks` are the positions of the differing words in
    each text; `unstated` countries have an answer that says nothing ("no experience", "see AIP")."""

    difference: float
    pairs: tuple[Pair, ...]
    facts: Mapping[str, Facts]
    marks: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    missing: tuple[str, ...] = ()
    unstated: tuple[str, ...] = ()


def facts_of(said: Said, question: str = "") -> Facts:
    """The comparable facts of an answer."""
    standing = standing_of(said.text)
    if standing != "stated":
        return Facts(country=said.country, text=said.text, standing=standing, vector=said.vector)
    return Facts(
        country=said.country,
        text=said.text,
        standing=standing,
        position=position_of(said.text, question),
        plain=says_plainly(said.text, question),
        condition=condition_of(said.text),
        figures=figures_in(said.text, question),
        vector=said.vector,
    )


def difference_between(answers: Iterable[Said], question: str = "") -> Difference:
    """How far the answers to one question differ. If fewer than two say something, there is nothing to compare and the
    difference is 0; the caller shows who is missing."""
    facts = {one.country: facts_of(one, question) for one in answers}
    compared = [one for one in facts.values() if one.standing in ("stated", "not applicable")]
    pairs = tuple(pair_of(one, other) for one, other in combinations(compared, 2))
    return Difference(
        difference=max((pair.difference for pair in pairs), default=0.0),
        pairs=tuple(sorted(pairs, key=lambda pair: -pair.difference)),
        facts=facts,
        marks=differing_words({one.country: one.text for one in compared}),
        missing=tuple(one.country for one in facts.values() if one.standing == "missing"),
        unstated=tuple(one.country for one in facts.values() if one.standing in ("unknown", "elsewhere")),
    )


def pair_of(one: Facts, other: Facts) -> Pair:
    """Both measures of two answers, combined."""
    distance = distance_between(one, other)
    if same_words(one.text, other.text):
        return Pair(countries=(one.country, other.country), difference=0.0, distance=0.0)
    reasons = tuple(sorted(_find_reasons(one, other), key=lambda reason: -reason.weight))
    by_facts = max((reason.weight for reason in reasons), default=0.0)
    agreed = (
        one.position == other.position != "open"
        or (one.figures and other.figures and not reasons)
        or one.standing == other.standing == "not applicable"
    )
    share = conf.DISTANCE_SHARE_AGREED if agreed else conf.DISTANCE_SHARE
    together = 1 - (1 - by_facts) * (1 - share * distance)
    return Pair(
        countries=(one.country, other.country),
        difference=round(together, 3),
        distance=round(distance, 3),
        reasons=reasons,
    )


def distance_between(one: Facts, other: Facts) -> float:
    """1 - cosine, in [0, 1]; by the share of words if a vector is missing."""
    if len(one.vector) and len(one.vector) == len(other.vector):
        ours, theirs = np.asarray(one.vector, dtype=float), np.asarray(other.vector, dtype=float)
        length = float(np.linalg.norm(ours) * np.linalg.norm(theirs))
        if length:
            return min(1.0, max(0.0, 1 - float(ours @ theirs) / length))
    words, others = set(content_words(one.text)), set(content_words(other.text))
    return 1 - len(words & others) / len(words | others) if words | others else 0.0


def same_words(one: str, other: str) -> bool:
    """Whether two texts differ only in case and periods."""
    return plain_words(one) == plain_words(other)


# --- reasons ------------------------------------------------------------------------------------------------


BARE = "number"
LABELS = {"time": "time of day", "mode": "transponder mode", "light": "day or night"}


def _find_reasons(one: Facts, other: Facts) -> list[Reason]:
    if one.standing != other.standing:
        return [Reason("does not apply", conf.NOT_APPLICABLE_WEIGHT, "")]
    found = []
    if weight := opposition(one.position, other.position):
        found.append(Reason("position", weight, f"{one.position} / {other.position}"))
    # The same figure on another side of a limit, or measured from elsewhere; left where the other says right. Long
    # answers speak of many things, of which two need not be the same one: they are not read for this.
    if max(len(one.text), len(other.text)) <= conf.SIDES_READ:
        found += [
            Reason("side", conf.OTHER_SIDE_WEIGHT, f"“{fact.claimed.strip()}” / “{fact.source.strip()}”")
            for fact in compare_facts(one.text, other.text).contradictions
            if fact.kind in ("comparator", "direction", "datum", "opposite")
        ]
    found += _by_amounts(one.figures.amounts, other.figures.amounts)
    for kind in dict.fromkeys(label.kind for label in (*one.figures.labels, *other.figures.labels)):
        ours = {label.value for label in one.figures.labels if label.kind == kind}
        theirs = {label.value for label in other.figures.labels if label.kind == kind}
        if ours != theirs:
            weight = conf.OTHER_FIGURE_WEIGHT if ours and theirs else conf.ONE_SIDED_WEIGHT
            weight = conf.PARTLY_OTHER_WEIGHT if ours & theirs else weight
            said = f"{'+'.join(sorted(ours))} / {'+'.join(sorted(theirs))}".strip(" /")
            found.append(Reason(LABELS[kind], weight, said))
    if one.position == other.position != "open" and bool(one.condition) != bool(other.condition):
        found.append(Reason("condition", conf.CONDITION_WEIGHT, one.condition or other.condition))
    return found


def _by_amounts(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> list[Reason]:
    """Amounts of one kind that have nothing in common, or only some; or that one answer alone gives."""
    found = []
    for kind in dict.fromkeys(kind_of(one) for one in (*ours, *theirs)):
        mine = [one for one in ours if kind_of(one) == kind]
        yours = [one for one in theirs if kind_of(one) == kind]
        if not mine or not yours:
            one_sided = [Reason(kind, conf.ONE_SIDED_WEIGHT, told_amounts(mine or yours))]
            found += one_sided * (kind != BARE)  # "9 fields" here, and nothing there, says little
        elif not same_amounts(mine, yours):
            partly = _shared_amounts(mine, yours)
            weight = conf.PARTLY_OTHER_WEIGHT if partly else conf.OTHER_FIGURE_WEIGHT
            found.append(Reason(kind, weight, f"{told_amounts(mine)} / {told_amounts(yours)}"))
    return found


def _shared_amounts(mine: Sequence[Quantity], yours: Sequence[Quantity]) -> list[Quantity]:
    def are_same(one: Quantity, other: Quantity) -> bool:
        return one.same_as(other) and (one.datum is None or other.datum in (None, one.datum))

    return [one for one in mine if any(are_same(one, other) for other in yours)]


def same_amounts(ours: Sequence[Quantity], theirs: Sequence[Quantity]) -> bool:
    """Whether each amount has an equal on the other side, however often and however it is written."""
    return len(_shared_amounts(ours, theirs)) == len(ours) and len(_shared_amounts(theirs, ours)) == len(
        theirs
    )


def kind_of(amount: Quantity) -> str:
    """What an amount measures, in a reader's words."""
    if amount.unit == CODE:
        return "transponder code"
    if amount.unit in ("ft", "m") or amount.datum in ("msl", "agl", "airport", "fl"):
        return "height or length"
    dimension = dimension_of(amount.unit) if amount.unit else BARE
    return {"length": "distance", "length?": "distance", "calendar": "time"}.get(dimension, dimension)


def told_amounts(amounts: Sequence[Quantity]) -> str:
    """Each amount once, as it is first written."""
    once: list[Quantity] = []
    for amount in amounts:
        if not _shared_amounts([amount], once):
            once.append(amount)
    return ", ".join(" ".join(amount.text.split()).rstrip(".") for amount in once)


# --- ranking ------------------------------------------------------------------------------------------------


def rank_differences(
    differences: Mapping[str, Difference],
    *,
    most: int,
    least: float,
) -> list[tuple[str, Difference]]:
    """Questions by difference, widest first, ties in their order; those below `least` are left out."""
    kept = [(key, one) for key, one in differences.items() if one.pairs and one.difference >= least]
    return sorted(kept, key=lambda item: -item[1].difference)[:most]
