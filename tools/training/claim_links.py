"""Fit the weights of `conf.CLAIM_LINK_WEIGHTS` to labeled claims.

    manage.py shell -c "from tools.training.claim_links import main; main('tests/data/claim_elements.jsonl')"

It needs the library that the claims were extracted from, with the item bank loaded. Weights maximize the likelihood of
a right element over those claims of one half whose sections nobody read; slope and constant make a weight a
probability. The other half is only looked at. The same library gives the same weights.
"""

from pathlib import Path

import numpy as np

from desk.evaluation.claim_links import HALVES, LabeledClaim, passage_for
from desk.evaluation.labeled_files import read_rows
from knowledge.graph.claim_links import FEATURES, MEANING, features_of, link_targets, source_of
from knowledge.standards.certificate_data import elements_of_section
from llm.registry import embedding_model

ROUNDS, STEP, SHRINKAGE = 500, 0.2, 0.0004
SET = {"flown": -4.0}  # not fitted: what is asked at the table comes before what a flight shows
BEST = 3  # candidates a claim from which slope and constant are fitted
STANDARD = "PA."


def table_of(path: Path) -> list[tuple[str, bool, np.ndarray, np.ndarray]]:
    """Half, whether a person read the section, features of each candidate, and which are right."""
    (targets,) = link_targets(STANDARD)
    rows = []
    for claim in read_rows(path, LabeledClaim):
        chunk = passage_for(claim)
        if chunk is None:
            continue
        found = features_of(claim.statement, source_of(chunk), targets, embedding_model())
        near = {code: one for code, one in found.items() if MEANING[0] in one}
        features = np.array([[one[name] for name in FEATURES] for one in near.values()])
        right = np.array([code in claim.elements for code in near])
        rows.append((claim.half, bool(elements_of_section(chunk.section)), features, right))
    return rows


def fit(rows: list[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    weights, mean, spread = (np.zeros(len(FEATURES)) for _ in range(3))
    for step in range(1, ROUNDS):
        slope = 2 * SHRINKAGE * weights
        for features, right in rows:
            odds = np.exp((scores := features @ weights) - scores.max())
            wanted = np.where(right, odds, 0)
            slope -= features.T @ (wanted / wanted.sum() - odds / odds.sum()) / len(rows)
        mean, spread = 0.9 * mean + 0.1 * slope, 0.99 * spread + 0.01 * slope**2
        weights = weights - STEP * (mean / (1 - 0.9**step)) / (np.sqrt(spread / (1 - 0.99**step)) + 1e-8)
        weights[[FEATURES.index(name) for name in SET]] = list(SET.values())
    return weights


def calibrate(weights: np.ndarray, rows: list[tuple[np.ndarray, np.ndarray]]) -> tuple[float, float]:
    """Slope and constant of the logistic regression of right on weight."""
    pairs = [
        (float(features[at] @ weights), bool(right[at]))
        for features, right in rows
        for at in np.argsort(-(features @ weights))[:BEST]
    ]
    scores, right = np.array([one for one, _ in pairs]), np.array([one for _, one in pairs])
    slope, even = 0.5, 0.5 * float(scores.mean())
    for _ in range(20000):
        error = 1 / (1 + np.exp(even - slope * scores)) - right
        slope, even = slope - 0.002 * float((error * scores).mean()), even + 0.02 * float(error.mean())
    return slope, even


def main(path: str) -> None:
    table = table_of(Path(path))
    for name in HALVES:
        rows = {half: [row[2:] for row in table if row[0] == half and row[3].any()] for half in HALVES}
        found = fit([row[2:] for row in table if row[0] == name and row[3].any() and not row[1]])
        for half, claims in rows.items():
            share = np.mean([right[np.argmax(features @ found)] for features, right in claims])
            print(f"fitted to {name}: of {half} {share:.3f} of {len(claims)} first right by likeness alone")
        slope, even = calibrate(found, [row[2:] for row in table if row[0] == name])
        print({feature: round(float(weight), 1) for feature, weight in zip(FEATURES, found, strict=True)})
        print(f"slope {slope:.2f}, even {even:.2f}")
