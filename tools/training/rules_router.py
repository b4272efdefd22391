"""Fit the weights of the rules desk's local classifier to labeled queries.

`python -m tools.training.rules_router` reads tests/data/rules/development.jsonl, reports a classifier's accuracy on
queries it was not fitted to, fits to all of them and writes rules/router.json. Queries that ask for both are left out.
The same queries give the same weights. It needs nothing that the project does not.
"""

from __future__ import annotations

import json
import sys
import tempfile
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from llm.local.encoder import LocalEmbeddingModel
from rules.countries import mentions_in
from rules.query.intent_classifier import PLACE

ROOT = Path(__file__).resolve().parents[2]
QUERIES = ROOT / "tests" / "data" / "rules" / "development.jsonl"
WEIGHTS = ROOT / "rules" / "router.json"
RIDGE = (
    0.1  # L2 on the weights; of 0.03, 0.1, 0.3 and 1.0 the one that was right most often about other folds
)
FOLDS, SEED, STEPS = 10, 20260105, 25

Numbers = NDArray[np.float64]


def fitted(rows: Numbers, labels: Numbers) -> Numbers:
    """Weights of a logistic regression, the bias last, by Newton's method."""
    table = np.c_[rows, np.ones(len(rows))]
    ridge = RIDGE * np.eye(table.shape[1])
    ridge[-1, -1] = 1e-6
    weights = np.zeros(table.shape[1])
    for _ in range(STEPS):
        found = 1 / (1 + np.exp(-table @ weights))
        gradient = table.T @ (found - labels) + ridge @ weights
        weights -= np.linalg.solve((table * (found * (1 - found))[:, None]).T @ table + ridge, gradient)
    return weights


def share_right(rows: Numbers, labels: Numbers) -> float:
    """Of queries that a classifier was not fitted to."""
    fold = np.random.default_rng(SEED).integers(0, FOLDS, len(rows))
    right = np.zeros(len(rows), dtype=bool)
    for one in range(FOLDS):
        weights = fitted(rows[fold != one], labels[fold != one])
        right[fold == one] = (rows[fold == one] @ weights[:-1] + weights[-1] > 0) == (labels[fold == one] > 0)
    return float(right.mean())


def spoken(text: str) -> str:
    parts, end = [], 0
    for mention in mentions_in(text):
        parts += [text[end : mention.start], PLACE]
        end = mention.end
    return " ".join(("".join(parts) + text[end:]).lower().split())


def main() -> int:
    data = QUERIES.read_bytes()
    rows = [row for row in map(json.loads, data.decode().splitlines()) if row["route"] != "both"]
    texts = [spoken(row["query"]) for row in rows]
    kept = [n for n, text in enumerate(texts) if any(letter.isalnum() for letter in text)]
    with tempfile.TemporaryDirectory() as folder:
        model = LocalEmbeddingModel(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder))
        vectors = np.array([model.embed_query(texts[n]) for n in kept])
    labels = np.array([float(rows[n]["route"] == "database") for n in kept])
    print(f"{len(kept)} queries, right about other folds: {share_right(vectors, labels):.4f}")
    weights = fitted(vectors, labels)
    bias, *rounded = [round(weight, 3) for weight in (weights[-1], *weights[:-1])]
    told = {"queries": sha256(data).hexdigest(), "model": model.name, "bias": bias, "weights": rounded}
    WEIGHTS.write_text(json.dumps(told) + "\n")
    print(f"Written to {WEIGHTS.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
