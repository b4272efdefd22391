"""A table of signs becomes the trees that the offline assessor looks up.

`python training/fit.py TABLE TREES` with the packages of `training/requirements.txt`. It first says how often trees are
right that were fitted to three quarters of the questions and asked about the rest, then fits to all of them and writes
TREES (npz) in the form that `exams/offline/trees.py` reads. The same table gives the same trees.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import GroupKFold

ROUNDS, RATE, LEAVES, LEAST, SHRINKAGE, SHARE_OF_SIGNS = 400, 0.05, 15, 25, 1.0, 0.4
"""Rounds of boosting, what each adds, leaves of a tree, rows in a leaf, L2 on its value, signs tried at a split."""


def classifier() -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=LEAST,
        l2_regularization=SHRINKAGE,
        max_features=SHARE_OF_SIGNS,
        random_state=0,
    )


def shares_right(table: dict[str, np.ndarray]) -> dict[str, float]:
    """Share of grades that trees find for questions they were not fitted to, with examples and without."""
    rows, grades, groups, weights = (table[name] for name in ("rows", "grades", "groups", "weights"))
    found = np.zeros_like(grades)
    for known, asked in GroupKFold(4).split(rows, grades, groups):
        found[asked] = classifier().fit(rows[known], grades[known], weights[known]).predict(rows[asked])
    right = found == grades
    return {"with examples": right[weights == 1].mean(), "without": right[weights < 1].mean()}


def flat(fitted: HistGradientBoostingClassifier, names: np.ndarray) -> dict[str, np.ndarray]:
    """All trees in one row of nodes; a leaf points to itself, and its value stands in its class's column."""
    trees = [tree.nodes for round_ in fitted._predictors for tree in round_]
    classes = len(fitted.classes_)
    starts = np.cumsum([0, *(len(nodes) for nodes in trees)])[:-1]
    parts: dict[str, list[np.ndarray]] = {
        part: [] for part in ("feature", "threshold", "left", "right", "missing_left", "value")
    }
    for place, (nodes, start) in enumerate(zip(trees, starts, strict=True)):
        itself = np.arange(len(nodes)) + start
        leaf = nodes["is_leaf"].astype(bool)
        value = np.zeros((len(nodes), classes), dtype=np.float32)
        value[leaf, place % classes] = nodes["value"][leaf]
        parts["feature"].append(np.where(leaf, 0, nodes["feature_idx"]).astype(np.int16))
        parts["threshold"].append(np.where(leaf, 0, nodes["num_threshold"]))
        parts["left"].append(np.where(leaf, itself, nodes["left"] + start).astype(np.int32))
        parts["right"].append(np.where(leaf, itself, nodes["right"] + start).astype(np.int32))
        parts["missing_left"].append(nodes["missing_go_to_left"].astype(bool))
        parts["value"].append(value)
    joined = {part: np.concatenate(many) for part, many in parts.items()}
    return joined | {
        "names": names,
        "roots": starts.astype(np.int32),
        "start": np.ravel(fitted._baseline_prediction),
        "depth": np.array(max(int(nodes["depth"].max()) for nodes in trees)),
    }


def digest_of(folder: Path) -> str:
    """What the trees are made from: the sha256 of statements and answers, as `exams/offline/examples.py` has it."""
    files = sorted((*folder.glob("*.jsonl"), folder / "statements.json"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def main(source: str, target: str) -> None:
    with np.load(source) as held:
        table = {name: held[name] for name in held.files}
    print({name: round(float(share), 3) for name, share in shares_right(table).items()})
    fitted = classifier().fit(table["rows"], table["grades"], table["weights"])
    made_from = np.array(digest_of(Path(target).parent))
    np.savez_compressed(target, **flat(fitted, table["names"]), made_from=made_from)


if __name__ == "__main__":
    main(*sys.argv[1:3])
