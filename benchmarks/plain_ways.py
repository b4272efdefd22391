"""Plain search methods over stored passages and vectors, for comparison with the product's own search.

BM25 (k1 1.2, b 0.75) over words as they are written, the model alone (cosine), reciprocal ranks of the two (60), and
0.65 / 0.35 of the two, each brought to 0..1 for the question.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from math import log

import numpy as np
from numpy.typing import NDArray

from knowledge.ingestion.vectors.embedding import embedded_text
from knowledge.models import ChunkEmbedding
from knowledge.retrieval.query.builder import IDLE
from llm.interfaces import EmbeddingModel

PLAIN_BLEND = "0.65 / 0.35"
K1, B = 1.2, 0.75
RECIPROCAL = 60
MOST = 100  # names of a ranking
_WORD = re.compile(r"[a-z0-9]+(?:[.'’-][a-z0-9]+)*")

Row = NDArray[np.float64]


def plain_rankings(
    texts: Sequence[str], rows: Sequence[ChunkEmbedding], names: Sequence[str], model: EmbeddingModel
) -> dict[str, list[list[str]]]:
    """By way the names found for each text, best first; `names` are those of the rows, and may stand there twice."""
    vectors = np.array([np.asarray(row.vector, dtype=float) for row in rows])
    words = Words([_words(embedded_text(row.chunk)) for row in rows])
    found: dict[str, list[list[str]]] = {}
    for text in texts:
        meaning = vectors @ np.array(model.embed_query(text))
        for way, scores in _ways(meaning, words.bm25(_words(text))).items():
            found.setdefault(way, []).append(_best(scores, names))
    return found


def _ways(meaning: Row, keywords: Row) -> dict[str, Row]:
    return {
        "BM25": keywords,
        "model": meaning,
        "reciprocal rank": _reciprocal(meaning) + _reciprocal(keywords),
        PLAIN_BLEND: 0.65 * _unit(meaning) + 0.35 * _unit(keywords),
    }


def _reciprocal(scores: Row) -> Row:
    places = np.empty(len(scores))
    places[np.argsort(-scores, kind="stable")] = np.arange(1, len(scores) + 1)
    return 1 / (RECIPROCAL + places)


def _unit(scores: Row) -> Row:
    spread = float(np.ptp(scores))
    unit: Row = (scores - scores.min()) / (spread or 1.0)
    return unit


def _best(scores: Row, names: Sequence[str]) -> list[str]:
    ranked = dict.fromkeys(names[place] for place in np.argsort(-scores, kind="stable"))
    return list(ranked)[:MOST]


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in IDLE]


class Words:
    """How often each word stands in each passage; words as they are written."""

    def __init__(self, passages: Iterable[Sequence[str]]) -> None:
        counted = [Counter(words) for words in passages]
        self._number = len(counted)
        lengths = np.array([sum(found.values()) for found in counted], dtype=float)
        self._longer = K1 * (1 - B + B * lengths / lengths.mean())
        self._found: dict[str, list[tuple[int, int]]] = {}
        for place, words in enumerate(counted):
            for word, times in words.items():
                self._found.setdefault(word, []).append((place, times))

    def bm25(self, words: Sequence[str]) -> Row:
        scores = np.zeros(self._number)
        for word in words:
            found = self._found.get(word, [])
            rarity = log(1 + (self._number - len(found) + 0.5) / (len(found) + 0.5))
            for place, times in found:
                scores[place] += rarity * times * (K1 + 1) / (times + self._longer[place])
        return scores
