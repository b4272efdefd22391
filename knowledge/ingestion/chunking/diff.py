"""Measure how much of a text another edition changes, and decide whether to chunk it again. Pure.

Seed 004: a document is chunked again if more than 30 % of it changed, or if strategy, embedding model, or token limits
did. Otherwise unchanged text keeps its chunks.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from knowledge import conf
from knowledge.ingestion.document_model import squeeze_spaces
from knowledge.text.sentences import sentences_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """How a document was, or would be, chunked: "fixed-800-100", and the embedding model that counted tokens."""

    strategy: str
    model: str


def changed_share(before: Iterable[str], after: Iterable[str]) -> float:
    """The share of the letters of both texts in sentences that the other does not have, in [0, 1].

    Texts are passages; one that overlaps its neighbor counts twice in both, which changes nothing.
    """
    old, new = (
        Counter(squeeze_spaces(sentence.text) for text in texts for sentence in sentences_in(text))
        for texts in (before, after)
    )
    total = _total_letters(old) + _total_letters(new)
    return 1.0 - 2 * _total_letters(old & new) / total if total else 0.0


def _total_letters(sentences: Counter[str]) -> int:
    return sum(len(sentence) * count for sentence, count in sentences.items())


def reason_to_rechunk(before: Chunking, wanted: Chunking, changed: float = 0.0) -> str:
    """Why a document must be chunked again, or ""."""
    if not before.strategy:
        return "it was never divided"
    if before.strategy != wanted.strategy:
        return f"divided by {before.strategy}, wanted is {wanted.strategy}"
    if before.model and before.model != wanted.model:
        return f"counted in tokens of {before.model}, in use is {wanted.model}"
    return f"{changed:.0%} of it changed" if changed > conf.RECHUNK_SHARE else ""
