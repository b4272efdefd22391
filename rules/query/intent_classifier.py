"""Classify the vector of a question: does it ask a database or the rules? Pure.

A logistic regression over the local embedding model's vectors of labeled queries. `python -m
tools.training.rules_router` computes its weights.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from pydantic import BaseModel

PLACE = "a place"  # what a named place is replaced by, so that no country speaks for either side


class _Stored(BaseModel):
    model: str
    bias: float
    weights: list[float]


@dataclass(frozen=True, slots=True)
class Classifier:
    """`model` names the embedding model whose vectors it reads."""

    model: str
    bias: float
    weights: tuple[float, ...]

    def log_odds(self, vector: Sequence[float]) -> float:
        """Above 0 means database, below 0 means rules."""
        return self.bias + sum(weight * number for weight, number in zip(self.weights, vector, strict=True))


@cache
def stored_classifier() -> Classifier:
    stored = _Stored.model_validate_json(files("rules").joinpath("router.json").read_bytes())
    return Classifier(stored.model, stored.bias, tuple(stored.weights))


def as_stored(model: str, bias: float, weights: Sequence[float], **about: str) -> str:
    """The file that `stored_classifier` reads."""
    rounded = [round(weight, 3) for weight in weights]
    return json.dumps({**about, "model": model, "bias": round(bias, 3), "weights": rounded}) + "\n"
