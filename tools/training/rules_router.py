"""Fit the rules desk's intent classifier to labelled queries.

`python -m tools.training.rules_router` reads development.jsonl and clauses.jsonl of tests/data/rules, prints
how often the classifier is right about folds it was not fitted to, fits it to all of them and writes
rules/query/intent_classifier.npz. The same queries give the same weights. It takes some minutes.
"""

from __future__ import annotations

import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from llm.local.encoder import LocalEmbeddingModel
from rules.countries import shape_of
from rules.query.intent_classifier import (
    PATHS,
    IntentClassifier,
    Numbers,
    features_of,
    is_elliptic,
    masked,
    summary_of,
    texts_of,
)

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "tests" / "data" / "rules"
WEIGHTS = ROOT / "rules" / "query" / "intent_classifier.npz"
FOLDS, SEED = 3, 20260105
INVERSE_RIDGE = 10.0  # 10 and 50 were right about equally many of other folds
PATH_RIDGE = 0.05
STEPS = 7


@dataclass(frozen=True)
class Message:
    texts: tuple[str, ...]  # the message, then its clauses
    labels: tuple[float, float]  # asks for rules, asks for a database


def fit_scores(table: Numbers, labels: Numbers) -> Numbers:
    """Weights of one logistic regression a column of `labels`, by Newton's method on the kernel of the rows."""
    kernel = table @ table.T
    columns = []
    for column in labels.T:
        dual = np.zeros(len(column))
        for _ in range(STEPS):
            odds = kernel @ dual
            found = 1 / (1 + np.exp(-odds))
            curvature = np.maximum(found * (1 - found), 1e-4)
            target = odds - (found - column) / curvature
            dual = np.linalg.solve(kernel + np.diag(1 / (INVERSE_RIDGE * curvature)), target)
        columns.append(table.T @ dual)
    return np.array(columns).T


def fit_paths(table: Numbers, labels: Numbers) -> Numbers:
    """The same in the primal form, for the few numbers of a summary."""
    weights = np.zeros((table.shape[1], 2))
    for at in range(2):
        for _ in range(30):
            found = 1 / (1 + np.exp(-table @ weights[:, at]))
            curvature = np.maximum(found * (1 - found), 1e-6)
            hessian = (table * curvature[:, None]).T @ table + PATH_RIDGE * np.eye(table.shape[1])
            gradient = table.T @ (found - labels[:, at]) + PATH_RIDGE * weights[:, at]
            weights[:, at] -= np.linalg.solve(hessian, gradient)
    return weights


class Trainer:
    def __init__(self, model: LocalEmbeddingModel) -> None:
        rows = [json.loads(line) for line in (DATA / "development.jsonl").read_text("utf-8").splitlines()]
        told = [json.loads(line) for line in (DATA / "clauses.jsonl").read_text("utf-8").splitlines()]
        self.messages = [
            Message(
                tuple(texts_of(shape)),
                (float(row["route"] != "database"), float(row["route"] != "rules")),
            )
            for row in rows
            if not is_elliptic(shape := shape_of(row["query"]))
        ]
        self.clauses = {
            one["clause"]: (float("rules" in one["asks"]), float("database" in one["asks"])) for one in told
        }
        texts = {text for one in self.messages for text in one.texts}
        self.features = {
            text: row
            for text in sorted(texts)
            for row in features_of([text], [model.embed_query(masked(text))])
        }

    def fit(self, messages: list[Message]) -> Numbers:
        labels: dict[str, tuple[float, float]] = {}
        for one in messages:
            labels |= {text: self.clauses[text] for text in one.texts[1:] if text in self.clauses}
        labels |= {one.texts[0]: one.labels for one in messages}
        return fit_scores(np.array([self.features[text] for text in labels]), np.array(list(labels.values())))

    def summary(self, one: Message, weights: Numbers) -> Numbers:
        return summary_of(np.array([self.features[text] for text in one.texts]) @ weights)

    def run(self, name: str) -> None:
        fold = np.random.default_rng(SEED).integers(0, FOLDS, len(self.messages))
        labels = np.array([one.labels for one in self.messages])
        summaries = np.zeros((len(self.messages), 8))
        for number in range(FOLDS):
            weights = self.fit([one for one, of in zip(self.messages, fold, strict=True) if of != number])
            for at in np.flatnonzero(fold == number):
                summaries[at] = self.summary(self.messages[at], weights)
        paths = fit_paths(summaries, labels)
        odds = summaries @ paths
        chosen = np.where((odds > 0).all(axis=1, keepdims=True), 1.0, odds == odds.max(axis=1, keepdims=True))
        right = (chosen == labels).all(axis=1)
        print(f"{len(right)} queries, right about other folds: {right.mean():.4f}")
        scores = self.fit(self.messages)
        stored = IntentClassifier(name, scores.astype(np.float16).astype(float), paths)
        again = []
        for one in self.messages:
            rows = np.array([self.features[text] for text in one.texts]) @ stored.scores
            again.append(
                (float(stored.path_of(rows)[0] != PATHS[1]), float(stored.path_of(rows)[0] != PATHS[0]))
            )
        print(f"right about all of them: {(np.array(again) == labels).all(axis=1).mean():.4f}")
        np.savez_compressed(WEIGHTS, model=name, scores=scores.astype(np.float16), paths=paths)
        print(f"Written to {WEIGHTS.relative_to(ROOT)}")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        model = LocalEmbeddingModel(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(folder))
        Trainer(model).run(model.name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
