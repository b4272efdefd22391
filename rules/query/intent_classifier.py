"""Classify the vector of a question: does it ask a database or the rules? Pure.

A logistic regression over the local embedding model's vectors of labeled queries. `python -m
tools.training.rules_router` computes its weights.
"""

from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from pydantic import BaseModel

PLACE = "a place"  # what a named place is replaced by, so that no country speaks for either side


class Classifier(BaseModel, frozen=True):
    """`model` names the embedding model whose vectors it reads."""

    model: str
    bias: float
    weights: tuple[float, ...]

    def log_odds(self, vector: Sequence[float]) -> float:
        """Above 0 means database, below 0 means rules."""
        return self.bias + sum(weight * number for weight, number in zip(self.weights, vector, strict=True))


@cache
def stored_classifier() -> Classifier:
    return Classifier.model_validate_json(files("rules").joinpath("router.json").read_bytes())
