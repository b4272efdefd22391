"""A claim and a passage become a decision: does the passage support the claim?

Three questions in order: do the facts agree (numbers, units, limits, negations, conditions), does the
passage state every number that the claim states, and are the claim's content words in one place of the
passage? A similarity of meaning, if the caller has one, may stand in for words. Pure; no model is called
here.
"""

from __future__ import annotations

from dataclasses import dataclass

from knowledge import conf
from knowledge.grounding.fact_check import FactComparison, compare
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, coverage


@dataclass(frozen=True, slots=True)
class Entailment:
    """`score` in [0, 1] is how well the claim is covered; `supported` also wants the facts to agree."""

    supported: bool
    score: float
    reasons: tuple[str, ...]


def is_supported(claim: str, passage: str, similarity: float | None = None) -> Entailment:
    """Whether the passage supports the claim. `similarity` is a cosine of their vectors, if there is one."""
    if not claim.strip() or not passage.strip():
        return Entailment(
            False, 0.0, ("the claim is empty" if not claim.strip() else "the passage is empty",)
        )
    results = [_support(part, passage, similarity) for part in _statements(claim)]
    reasons = tuple(reason for result in results for reason in result.reasons)
    return Entailment(
        all(result.supported for result in results), min(result.score for result in results), reasons
    )


def _statements(claim: str) -> list[str]:
    return [sentence.text for sentence in sentences_in(claim)] or [claim]


def _support(claim: str, passage: str, similarity: float | None) -> Entailment:
    place = _nearest(claim, passage)
    facts = _closest_facts(claim, passage, place)
    words = coverage(content_words(claim), content_words(place))
    score = round(max(words, _from_similarity(similarity)) * (1.0 if facts.agree else 0.3), 3)
    reasons = [str(fault) for fault in facts.contradictions]
    reasons += [f"the passage does not state “{quantity.text.strip()}”" for quantity in facts.extra]
    if score < conf.ENTAILMENT_COVERAGE and facts.agree:
        reasons.append(f"only {words:.0%} of the claim's words are in the passage")
    supported = facts.agree and not facts.extra and score >= conf.ENTAILMENT_COVERAGE
    return Entailment(supported, score, tuple(reasons) or ("numbers, conditions and words agree",))


def _from_similarity(similarity: float | None) -> float:
    """A cosine below the floor says nothing; above it, it counts like the words it stands for."""
    if similarity is None or similarity < conf.ENTAILMENT_SIMILARITY:
        return 0.0
    return similarity


def _closest_facts(claim: str, passage: str, place: str) -> FactComparison:
    """Facts beside the nearest sentences; a number that stands elsewhere in the passage is still stated."""
    near = compare(claim, place)
    if not near.extra or place == passage:
        return near
    whole = compare(claim, passage)
    return whole if whole.agree else near


def _nearest(claim: str, passage: str) -> str:
    """The one, two or three sentences in a row that hold most of the claim's words; the fewest that do."""
    sentences = [sentence.text for sentence in sentences_in(passage)] or [passage]
    words = set(content_words(claim))
    held = [set(content_words(sentence)) for sentence in sentences]
    best = (-1.0, "")
    for length in range(1, conf.ENTAILMENT_WINDOW + 1):
        for start in range(max(1, len(sentences) - length + 1)):
            share = coverage(words, set().union(*held[start : start + length]))
            if share > best[0] + 0.05:
                best = (share, " ".join(sentences[start : start + length]))
    return best[1]
