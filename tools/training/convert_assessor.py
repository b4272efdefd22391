"""Convert fitted weights into what the product loads.

`python -m tools.training.convert_assessor WEIGHTS [FOLDER]` writes the folder `exams/offline/model` for CTranslate2:
int8, with the last layer unchanged. `… WEIGHTS knowledge/grounding/entailment.npz` writes the entailment model, as
differences from the embedding model's weights.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np
from safetensors.numpy import load_file

from exams.offline.classifier import MODEL
from llm.local.minilm import encoder_specification, pack_changes

NAMES: Final[Mapping[str, str]] = {
    "attention.output.dense": "out",
    "attention.output.LayerNorm": "norm_out",
    "intermediate.dense": "wide",
    "output.dense": "narrow",
    "output.LayerNorm": "norm_narrow",
}
"""BERT's names of a layer's parts, and those of `fit_assessor.py`."""
LAYERS: Final = 6


def convert(source: Path, target: Path) -> None:
    fitted = load_file(source)
    named, head = _package_names(fitted), {part: fitted[f"head.{part}"] for part in ("weight", "bias")}
    if target.suffix == ".npz":
        del named["embeddings.word_embeddings.weight"]  # stay as they are
        np.savez(target, allow_pickle=False, **pack_changes(named, head))
        return
    model = encoder_specification(named)
    model.optimize(quantization="int8")
    target.mkdir(exist_ok=True)
    model.save(str(target))
    np.savez(target / "head.npz", allow_pickle=False, **head)


def _package_names(fitted: Mapping[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {
        "embeddings.word_embeddings.weight": fitted["words.weight"],
        "embeddings.position_embeddings.weight": fitted["positions.weight"],
        "embeddings.token_type_embeddings.weight": fitted["types.weight"],
    }
    named |= {f"embeddings.LayerNorm.{part}": fitted[f"norm.{part}"] for part in ("weight", "bias")}
    for number in range(LAYERS):
        for theirs, ours in NAMES.items():
            for part in ("weight", "bias"):
                named[f"encoder.layer.{number}.{theirs}.{part}"] = fitted[f"layers.{number}.{ours}.{part}"]
        for part in ("weight", "bias"):
            joined = np.split(fitted[f"layers.{number}.joined.{part}"], 3)
            for name, one in zip(("query", "key", "value"), joined, strict=True):
                named[f"encoder.layer.{number}.attention.self.{name}.{part}"] = one
    return named


if __name__ == "__main__":
    convert(Path(sys.argv[1]), Path(sys.argv[2]) if sys.argv[2:] else MODEL)
