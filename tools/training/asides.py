"""Fit the weights that recognize what a student says instead of an answer.

`python -m tools.training.asides` reads `asides.yaml` beside it and the bank's accepted wordings, which are answers, and
writes `exams/offline/asides.npz`. It needs nothing that the project does not; the same texts give the same weights.
"""

from __future__ import annotations

import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from numpy.typing import NDArray

from exams import conf
from exams.bank.files import ITEMS, read_items
from exams.offline.asides import ANSWER, WEIGHTS, rows_of, spoken, words_and_pairs
from llm.local.encoder import LocalEmbeddingModel

EXAMPLES = Path(__file__).with_name("asides.yaml")
WORDINGS, FRAGMENTS, SEED = 1200, 900, 5
"""Accepted wordings of the bank, and parts of them of one to four words, that stand for answers."""
VECTOR_WEIGHT, WORDS_WEIGHT, OF_THE_BANK, RIDGE, STEPS = 3.0, 0.5, 0.5, 0.3, 400
"""How much the numbers of a vector and the words count, an example from the bank beside one written for this, and the
L2 on the weights."""

Numbers = NDArray[Any]


def fitted(rows: Numbers, labels: Numbers, worth: Numbers) -> Numbers:
    """Weights of a multinomial logistic regression, the bias last, by accelerated gradient descent."""
    meant = np.eye(labels.max() + 1)[labels]
    steepest = np.ones(rows.shape[1])
    for _ in range(30):  # the largest eigenvalue, which bounds the step
        steepest = rows.T @ (worth * (rows @ steepest))
        steepest /= (largest := np.linalg.norm(steepest))
    ridge = np.full((rows.shape[1], 1), RIDGE)
    ridge[-1] = 0
    weights = ahead = np.zeros((rows.shape[1], meant.shape[1]))
    pace = 1.0
    for _ in range(STEPS):
        scores = rows @ ahead
        found = np.exp(scores - scores.max(axis=1, keepdims=True))
        found /= found.sum(axis=1, keepdims=True)
        gradient = rows.T @ (worth[:, None] * (found - meant)) + ridge * ahead
        moved = ahead - gradient / (largest / 2 + RIDGE)
        following = (1 + (1 + 4 * pace * pace) ** 0.5) / 2
        ahead = moved + (pace - 1) / following * (moved - weights)
        weights, pace = moved, following
    return weights


def wordings_of_the_bank() -> list[str]:
    """Some accepted wordings and fragments of accepted wordings, always the same ones."""
    items = read_items([ITEMS / "private", ITEMS / "commercial"]).items
    texts = (spoken(one) for item in items for point in item.points for one in point.accept)
    short = [
        one
        for one in dict.fromkeys(texts)
        if len(one) <= conf.ASIDE_CHARACTERS_MOST and not re.search(r"\d", one)
    ]
    parts = (part.strip() for one in short for part in re.split(r"[,;:]| (?:and|so|but|or) ", one))
    fragments = [one for one in dict.fromkeys(parts) if len(one) > 2 and len(one.split()) <= 4]
    draw = random.Random(SEED)
    return draw.sample(short, WORDINGS) + draw.sample(fragments, FRAGMENTS)


def main() -> int:
    examples: dict[str, list[str]] = yaml.safe_load(EXAMPLES.read_text())
    meanings = list(examples)
    written = [(spoken(one), meaning) for meaning, said in examples.items() for one in said]
    from_bank = [(one, ANSWER) for one in wordings_of_the_bank()]
    texts, labels = zip(*written, *from_bank, strict=True)
    seen = Counter(word for text, _ in written for word in words_and_pairs(text))
    words = {
        word: place for place, word in enumerate(sorted(one for one, times in seen.items() if times > 1))
    }
    with tempfile.TemporaryDirectory() as folder:
        model = LocalEmbeddingModel(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder))
        vectors = [model.embed_query(text) for text in texts]
    scale = np.r_[
        np.full(model.dimensions, VECTOR_WEIGHT), np.full(len(words), WORDS_WEIGHT), 1.0
    ]  # stored with the weights, so that nobody has to know it
    worth = np.r_[np.ones(len(written)), np.full(len(from_bank), OF_THE_BANK)]
    weights = fitted(
        rows_of(texts, vectors, words) * scale, np.array([meanings.index(one) for one in labels]), worth
    )
    weights = (weights * scale[:, None]).astype(np.float16)
    np.savez_compressed(WEIGHTS, meanings=meanings, words=list(words), weights=weights)
    print(f"{len(texts)} texts, {weights.shape[0]} numbers read, {WEIGHTS.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
