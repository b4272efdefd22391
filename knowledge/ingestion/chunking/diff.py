"""How much of a text another edition changes, and whether that asks for chunking anew. Pure.

Seed 004: a document is chunked anew when more than 30 % of it changed, or when strategy, embedding model or token
limits did; otherwise what did not change keeps its chunks.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from knowledge import conf
from knowledge.ingestion.chunking.strategies import strategy_named
from knowledge.ingestion.document_model import squeezed
from knowledge.text.sentences import sentences_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunking:
    """How a document was, or would be, chunked: "fixed-800-100", and the embedding model that counted."""

    strategy: str
    model: str


def chunking_label(strategy: str = "", model: str = "") -> str:
    """A strategy with its limits, as `Document.chunking` keeps it: "fixed-800-100"."""
    return strategy_named(strategy or "fixed", model).label


def changed_share(before: Iterable[str], after: Iterable[str]) -> float:
    """The share of the letters of both texts that stand in sentences which the other does not have, in [0, 1].

    Texts are passages; one that overlaps its neighbour counts twice in both, which changes nothing.
    """
    old, new = _sentences(before), _sentences(after)
    total = _letters(old) + _letters(new)
    return 1.0 - 2 * _letters(old & new) / total if total else 0.0


def reason_to_rechunk(before: Chunking, wanted: Chunking, changed: float = 0.0) -> str:
    """Why a document is to be chunked anew, or ""."""
    if not before.strategy:
        return "it was never chunked"
    if before.strategy != wanted.strategy:
        return f"chunked as {before.strategy}, wanted is {wanted.strategy}"
    if before.model and before.model != wanted.model:
        return f"counted in tokens of {before.model}, in use is {wanted.model}"
    if changed > conf.RECHUNK_SHARE:
        return f"{changed:.0%} of it changed"
    return ""


def _sentences(texts: Iterable[str]) -> Counter[str]:
    return Counter(squeezed(sentence.text) for text in texts for sentence in sentences_in(text))


def _letters(sentences: Counter[str]) -> int:
    return sum(len(sentence) * count for sentence, count in sentences.items())
