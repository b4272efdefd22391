"""Decides whether a passage supports a claim.

A small model reads both (`support_model`), sentence by sentence. A disagreement of facts (numbers, units, limits,
conditions, opposites) is final. Where a negation seems turned round, which the comparison of facts is often wrong
about, or the passage does not state a number of the claim, the model must be surer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from knowledge import conf
from knowledge.grounding.fact_check import compare_facts
from knowledge.grounding.support_model import SupportModel
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, share_covered
from llm.local.minilm import load_tokenizer
from llm.processes import PerProcess

_MODEL: Final = PerProcess(lambda: SupportModel(load_tokenizer()))


@dataclass(frozen=True, slots=True)
class Entailment:
    """`score`, from 0 to 1, is how likely the passage supports the claim's weakest sentence."""

    supported: bool
    score: float
    reasons: tuple[str, ...]


def check_entailment(claim: str, passage: str) -> Entailment:
    """Whether the passage supports each sentence of the claim."""
    for name, text in (("claim", claim), ("passage", passage)):
        if not text.strip():
            return Entailment(False, 0.0, (f"the {name} is empty",))
    sentences = _sentences_or_all(claim)
    if len(sentences) > conf.SENTENCES_CHECKED:  # each is read with the passage
        most = f"a claim of more than {conf.SENTENCES_CHECKED} sentences is not checked"
        return Entailment(False, 0.0, (most,))
    found = [_check_sentence(said, passage) for said in sentences]
    return Entailment(
        all(one.supported for one in found),
        min(one.score for one in found),
        tuple(reason for one in found for reason in one.reasons),
    )


def _check_sentence(said: str, passage: str) -> Entailment:
    nearest = _nearest_sentences(said, passage)
    facts = compare_facts(said, nearest)
    if facts.extra and nearest != passage:  # a number may stand elsewhere in the passage
        whole = compare_facts(said, passage)
        facts = whole if whole.agree else facts
    read = _MODEL.get().support(passage, said)
    faults = [str(fault) for fault in facts.contradictions]
    faults += [f"the passage does not state “{quantity.text.strip()}”" for quantity in facts.extra]
    is_open = all(fault.kind == "negation" for fault in facts.contradictions)
    supported = is_open and read.supported >= (conf.SUPPORT_SURE_IN_DOUBT if faults else conf.SUPPORT_SURE)
    if supported:
        faults = ["the passage supports it"]
    elif not faults:
        denied = read.contradicted > read.not_there
        faults = ["the passage contradicts it" if denied else "the passage does not say it"]
    return Entailment(supported, round(read.supported, 3), tuple(faults))


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
