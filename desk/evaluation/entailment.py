"""Evaluate the check whether a passage supports a claim, as `manage.py verify` makes it, on labeled pairs."""

from collections import Counter
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from statistics import fmean
from typing import Any

from pydantic import BaseModel, field_validator

from knowledge.grounding.entailment import check_entailment

from .labeled_files import Tick, ignore_progress, read_rows, ticked

SUPPORTED = ("supported", "entailed", "entailment", "true", "yes", "1")
NOT_SUPPORTED = (
    *("not supported", "not_supported", "unsupported", "not entailed", "neutral", "contradiction"),
    *("contradicted", "refuted", "false", "no", "0"),
)
NAMES = ("supported", "not_supported")


class LabeledPair(BaseModel):
    claim: str
    passage: str
    label: bool

    @field_validator("label", mode="before")
    @classmethod
    def _read_label(cls, value: Any) -> bool:
        spelt = str(value).strip().lower()
        if spelt not in SUPPORTED + NOT_SUPPORTED:
            raise ValueError(f"one of {', '.join(SUPPORTED + NOT_SUPPORTED)}")
        return spelt in SUPPORTED


def evaluate_entailment(path: Path, tick: Tick = ignore_progress) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate entailment --json`. Raises BadFile."""
    rows = read_rows(path, LabeledPair)
    confusion: Counter[tuple[str, str]] = Counter()
    for row in ticked(rows, tick):
        found = check_entailment(row.claim, row.passage).supported
        confusion[NAMES[not row.label], NAMES[not found]] += 1
    table = {label: {said: confusion[label, said] for said in NAMES} for label in NAMES}
    shares = [row[label] / sum(row.values()) for label, row in table.items() if sum(row.values())]
    return {
        "file": path.name,
        "sha256": sha256(path.read_bytes()).hexdigest(),
        "pairs": len(rows),
        "balanced_accuracy": round(fmean(shares), 4),
        "confusion": table,
    }


def entailment_table(answer: Mapping[str, Any]) -> str:
    """The figures for a person."""
    lines = [
        f"{answer['pairs']} pairs of {answer['file']}",
        f"balanced accuracy {answer['balanced_accuracy']}",
    ]
    lines += ["label \\ decision  " + "  ".join(f"{name:>13}" for name in NAMES)]
    for label, row in answer["confusion"].items():
        lines += [f"{label:17} " + "  ".join(f"{count:>13}" for count in row.values())]
    return "\n".join(lines)
