"""BERT once more, plainly, in numpy: from the model's description, not from the conversion that it checks."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load_file

from llm.local.minilm import load_tokenizer, source_folder

Array = NDArray[Any]

_erf = np.vectorize(math.erf)


class PlainBert:
    """float64 throughout, one text at a time."""

    def __init__(self) -> None:
        folder = source_folder()
        self.config = json.loads((folder / "config.json").read_text())
        weights = load_file(folder / "model.safetensors")
        self.weights = {
            name: value.astype(np.float64) for name, value in weights.items() if value.dtype == np.float32
        }
        self.tokenizer = load_tokenizer()

    def embed(self, text: str) -> Array:
        return self.embed_tokens(self.tokenizer.encode(text).ids)

    def embed_tokens(self, ids: list[int]) -> Array:
        state = self.norm(
            self.weights["embeddings.word_embeddings.weight"][ids]
            + self.weights["embeddings.position_embeddings.weight"][: len(ids)]
            + self.weights["embeddings.token_type_embeddings.weight"][0],
            "embeddings.LayerNorm",
        )
        for number in range(self.config["num_hidden_layers"]):
            state = self.layer(state, f"encoder.layer.{number}")
        mean = state.mean(axis=0)
        return mean / np.linalg.norm(mean)  # type: ignore[no-any-return]

    def layer(self, state: Array, name: str) -> Array:
        mixed = self.linear(self.attention(state, f"{name}.attention.self"), f"{name}.attention.output.dense")
        state = self.norm(state + mixed, f"{name}.attention.output.LayerNorm")
        inner = self.linear(state, f"{name}.intermediate.dense")
        gelu = inner * 0.5 * (1 + _erf(inner / math.sqrt(2)))
        return self.norm(state + self.linear(gelu, f"{name}.output.dense"), f"{name}.output.LayerNorm")

    def attention(self, state: Array, name: str) -> Array:
        heads = self.config["num_attention_heads"]
        query, key, value = (
            np.split(self.linear(state, f"{name}.{part}"), heads, axis=1)
            for part in ("query", "key", "value")
        )
        return np.concatenate([self.head(*parts) for parts in zip(query, key, value, strict=True)], axis=1)

    def head(self, query: Array, key: Array, value: Array) -> Array:
        scores = query @ key.T / math.sqrt(query.shape[1])
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        return weights / weights.sum(axis=1, keepdims=True) @ value  # type: ignore[no-any-return]

    def linear(self, state: Array, name: str) -> Array:
        return state @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]  # type: ignore[no-any-return]

    def norm(self, state: Array, name: str) -> Array:
        centred = state - state.mean(axis=1, keepdims=True)
        spread = np.sqrt((centred**2).mean(axis=1, keepdims=True) + self.config["layer_norm_eps"])
        return centred / spread * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]  # type: ignore[no-any-return]
