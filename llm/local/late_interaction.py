"""Rerank texts token by token: late interaction.

Each token of the question is compared with the nearest token of the text; the score is the mean of these similarities,
weighted by how few of the texts have the token. Token vectors of texts are cached, a byte a number, since the same
passages are read again for the next question. The model is passed in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import log
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from llm import conf
from llm.local.text_cache import TextCache

# Words too common to tell texts apart; punctuation is left out, too.
_IDLE: Final = frozenset(
    """
    a an and any are as at be by can do does for from had has have how i if in is it its may my of on or our shall
    should that the their there these this to was were what when where which who will with would you your
    """.split()  # noqa: SIM905 - a table of words
)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text and, a row for each, their vectors."""

    words: tuple[str, ...]
    vectors: NDArray[Any]


class TokenModel(Protocol):
    @property
    def name(self) -> str: ...

    def token_vectors(self, texts: Sequence[str], *, exact: bool = False) -> list[Tokens]: ...


@dataclass(frozen=True, slots=True)
class _CompressedText:
    """A text's telling tokens: the kinds that it has, and vectors of length 127 in whole numbers."""

    words: frozenset[str]
    vectors: NDArray[np.int8]


class LateInteraction:
    """Scores from 0 to 1. Many threads may share it; texts that are read at once are read once each."""

    external = False

    def __init__(self, model: TokenModel, *, most_bytes: int = conf.LATE_CACHE_BYTES) -> None:
        self.name = f"late:{model.name}"
        self._model = model
        self._texts = TextCache[_CompressedText](most_bytes, lambda kept: kept.vectors.nbytes)

    def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        asked = _telling_tokens(self._model.token_vectors([query], exact=True)[0])
        if not asked.words:
            return [0.0] * len(texts)
        read = self._texts.get_all(
            texts, lambda new: [*map(_compressed_text, self._model.token_vectors(new))]
        )
        having = Counter(word for text in read for word in text.words)
        rarity = [max(0.0, log((len(read) + 1) / (having[word] + 0.5))) for word in asked.words]
        weights = np.array([1.0 + one for one in rarity], dtype=np.float32)
        question = _of_length_one(asked.vectors)
        scores = [0.0] * len(read)
        for at, text in enumerate(read):
            if len(text.vectors):
                nearest = (question @ _of_length_one(text.vectors).T).max(axis=1)
                scores[at] = float(np.clip(nearest @ weights / weights.sum(), 0.0, 1.0))
        return scores


def _telling_tokens(tokens: Tokens) -> Tokens:
    """The tokens without common words; all of them where there are no others."""
    places = [at for at, word in enumerate(tokens.words) if word not in _IDLE and any(map(str.isalnum, word))]
    if not places:
        return tokens
    return Tokens(tuple(tokens.words[at] for at in places), tokens.vectors[places])


def _compressed_text(tokens: Tokens) -> _CompressedText:
    telling = _telling_tokens(tokens)
    return _CompressedText(
        frozenset(telling.words), np.rint(_of_length_one(telling.vectors) * 127).astype(np.int8)
    )


def _of_length_one(vectors: NDArray[Any]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    shortened: NDArray[np.float32] = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return shortened
