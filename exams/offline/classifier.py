"""Runs the classifier: for each key point, the probability of each finding, from question, answer, and points.

One small encoder (MiniLM, six layers) reads `[CLS] question [SEP] answer [SEP] [MASK] point [MASK] point … [SEP]`, and
a linear layer turns the state at each `[MASK]` into four classes. `tools/training` makes it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import ctranslate2
import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from exams.domain.values import Met

FINDINGS: Final[tuple[Met, ...]] = ("met", "half", "missing", "contradicted")
MODEL: Final = Path(__file__).parent / "model"
QUESTION_TOKENS, ANSWER_TOKENS, POINT_TOKENS, SEQUENCE_TOKENS = 90, 220, 110, 510
"""The most tokens of each that are read at once. Points that do not fit are read in a further sequence."""
_CLS, _SEP, _MASK = 101, 102, 103
_TEXT, _ANSWER = 0, 1


@dataclass(slots=True)
class ReadTogether:
    """One sequence: token ids, their types (1 for the answer), and the positions of the points."""

    ids: list[int]
    types: list[int]
    places: list[int]


def make_sequences(
    tokenizer: Tokenizer, question: str, answer: str, points: Sequence[str]
) -> list[ReadTogether]:
    """As few sequences as hold all points, in their order."""
    read = [one.ids for one in tokenizer.encode_batch([question, answer, *points], add_special_tokens=False)]
    asked, said = read[0][:QUESTION_TOKENS], read[1][:ANSWER_TOKENS]
    start = [_CLS, *asked, _SEP, *said, _SEP]
    types = [_TEXT] * (len(asked) + 2) + [_ANSWER] * (len(said) + 1)
    sequences = [ReadTogether([*start], [*types], [])]
    for ids in read[2:]:
        point = [_MASK, *ids[:POINT_TOKENS]]
        if sequences[-1].places and len(sequences[-1].ids) + len(point) > SEQUENCE_TOKENS:
            sequences.append(ReadTogether([*start], [*types], []))
        sequences[-1].places.append(len(sequences[-1].ids))
        sequences[-1].ids += point
        sequences[-1].types += [_TEXT] * len(point)
    for one in sequences:
        one.ids.append(_SEP)
        one.types.append(_TEXT)
    return sequences


class Classifier:
    """The trained model, on one core: more threads would spin beside an exam's other work. Raises RuntimeError if its
    folder cannot be loaded."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._encoder = ctranslate2.Encoder(str(MODEL), device="cpu", compute_type="int8", intra_threads=1)
        with np.load(MODEL / "head.npz", allow_pickle=False) as head:
            self._weight, self._bias = head["weight"], head["bias"]

    def probabilities(self, question: str, answer: str, points: Sequence[str]) -> NDArray[Any]:
        """A row for each point, a column for each finding in the order of FINDINGS. Rows sum to 1."""
        rows: list[NDArray[Any]] = []
        for one in make_sequences(self._tokenizer, question, answer, points):
            states = self._encoder.forward_batch([one.ids], token_type_ids=[one.types]).last_hidden_state
            rows.append(np.array(states)[0, one.places])
        scores = np.concatenate(rows) @ self._weight.T + self._bias
        raised = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))
