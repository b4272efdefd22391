"""Runs the entailment model: how likely a passage supports a statement, contradicts it, or says nothing of it.

One small encoder (MiniLM, six layers) reads `[CLS] passage [SEP] statement [SEP] [MASK] [SEP]`, and a linear layer
turns the state at `[MASK]` into classes. The repository holds what distinguishes the encoder from the embedding model's
weights. `tools/training` makes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from tokenizers import Tokenizer

from llm.local.minilm import load_changed_encoder

CHANGES: Final = Path(__file__).with_name("entailment.npz")
PASSAGE_TOKENS, STATEMENT_TOKENS = 300, 96
"""The most tokens of each that are read at once."""
WINDOWS: Final = 4
"""Pieces of a long passage that are read, each overlapping half of the one before."""
_CLS, _SEP, _MASK = 101, 102, 103
_SUPPORTED, _NOT_THERE, _CONTRADICTED = 0, 2, 3
"""Rows of the last layer, which has the assessor's classes: met, half, missing, contradicted."""


@dataclass(frozen=True, slots=True)
class Support:
    """Probabilities; they sum to 1."""

    supported: float
    contradicted: float
    not_there: float


class SupportModel:
    """The trained model, on one core. Raises LocalModelUnavailable where the embedding model is not installed."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self._encoder, head = load_changed_encoder(CHANGES)
        self._weight, self._bias = head["weight"], head["bias"]

    def support(self, passage: str, statement: str) -> Support:
        """Of the piece of the passage that supports the statement most."""
        read = self._tokenizer.encode_batch([passage, statement], add_special_tokens=False)
        whole, said = read[0].ids, read[1].ids[:STATEMENT_TOKENS]
        ends = range(
            PASSAGE_TOKENS, max(len(whole), PASSAGE_TOKENS) + PASSAGE_TOKENS // 2, PASSAGE_TOKENS // 2
        )
        pieces = [whole[end - PASSAGE_TOKENS : end] for end in ends[:WINDOWS]]
        return max((self._read(piece, said) for piece in pieces), key=lambda one: one.supported)

    def _read(self, passage: list[int], statement: list[int]) -> Support:
        ids = [_CLS, *passage, _SEP, *statement, _SEP, _MASK, _SEP]
        types = [0] * (len(passage) + 2) + [1] * (len(statement) + 1) + [0, 0]
        states = self._encoder.forward_batch([ids], token_type_ids=[types]).last_hidden_state
        scores = np.array(states)[0, len(ids) - 2] @ self._weight.T + self._bias
        raised = np.exp(scores - scores.max())[[_SUPPORTED, _CONTRADICTED, _NOT_THERE]]
        supported, contradicted, not_there = (float(one) for one in raised / raised.sum())
        return Support(supported, contradicted, not_there)
