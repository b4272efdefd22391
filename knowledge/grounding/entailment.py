"""Decides whether a passage supports a claim.

It asks three questions: do the facts agree (numbers, units, limits, negations, conditions), does the passage state
every number of the claim, and does one place of the passage hold the claim's content words? A similarity of vectors, if
the caller has one, may stand in for words. No model is called here.
"""

from __future__ import annotations

from dataclasses import dataclass

from knowledge import conf
from knowledge.grounding.fact_check import compare_facts
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, share_covered


@dataclass(frozen=True, slots=True)
class Entailment:
    """`score`, from 0 to 1, is how well the passage covers the claim; `supported` also wants the facts to agree."""

    supported: bool
    score: float
    reasons: tuple[str, ...]


def check_entailment(claim: str, passage: str, similarity: float | None = None) -> Entailment:
    """Whether the passage supports each sentence of the claim. `similarity` is a cosine of their vectors."""
    for name, text in (("claim", claim), ("passage", passage)):
        if not text.strip():
            return Entailment(False, 0.0, (f"the {name} is empty",))
    # A cosine below the floor says nothing; above it, it counts like the words that it stands for.
    meaning = similarity if similarity is not None and similarity >= conf.ENTAILMENT_SIMILARITY else 0.0
    supported = True
    scores: list[float] = []
    reasons: list[str] = []
    for said in _sentences_or_all(claim):
        nearest = _nearest_sentences(said, passage)
        facts = compare_facts(said, nearest)
        if facts.extra and nearest != passage:  # a number may stand elsewhere in the passage
            whole = compare_facts(said, passage)
            facts = whole if whole.agree else facts
        share = share_covered(content_words(said), content_words(nearest))
        score = round(max(share, meaning) * (1.0 if facts.agree else 0.3), 3)
        faults = [str(fault) for fault in facts.contradictions]
        faults += [f"the passage does not state “{quantity.text.strip()}”" for quantity in facts.extra]
        if score < conf.ENTAILMENT_COVERAGE and facts.agree:
            faults.append(f"only {share:.0%} of the claim's words are in the passage")
        supported &= facts.agree and not facts.extra and score >= conf.ENTAILMENT_COVERAGE
        scores.append(score)
        reasons += faults or ["numbers, conditions and words agree"]
    return Entailment(supported, min(scores), tuple(reasons))


def _sentences_or_all(text: str) -> list[str]:
    return [sentence.text for sentence in sentences_in(text)] or [text]


def _nearest_sentences(claim: str, passage: str) -> str:
    """The one, two or three sentences in a row that hold most of the claim's words; as few as do."""
    sentences = _sentences_or_all(passage)
    words = set(content_words(claim))
    held = [set(content_words(sentence)) for sentence in sentences]
    best = (-1.0, "")
    for length in range(1, conf.ENTAILMENT_WINDOW + 1):
        for start in range(max(1, len(sentences) - length + 1)):
            share = share_covered(words, set().union(*held[start : start + length]))
            if share > best[0] + 0.05:
                best = (share, " ".join(sentences[start : start + length]))
    return best[1]
