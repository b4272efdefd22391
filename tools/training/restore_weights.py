"""Write the weights in use as `fit_assessor.py` starts from.

`python -m tools.training.restore_weights WEIGHTS` reads the folder `exams/offline/model`, which is all that is kept of
a fit. Its matrices are int8 with a scale for each row, so what comes back differs from what was fitted by the rounding
alone. `… WEIGHTS knowledge/grounding/entailment.npz` reads the entailment model.
"""

from __future__ import annotations

import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file

from exams.offline.classifier import MODEL
from llm.local.minilm import changed_weights

NAMES: Final = {
    "encoder/embeddings_0": "words",
    "encoder/embeddings_1": "types",
    "encoder/position_encodings": "positions",
    "encoder/layernorm_embedding": "norm",
    "self_attention/linear_0": "joined",
    "self_attention/linear_1": "out",
    "self_attention/layer_norm": "norm_out",
    "ffn/linear_0": "wide",
    "ffn/linear_1": "narrow",
    "ffn/layer_norm": "norm_narrow",
    "weight": "weight",
    "encodings": "weight",
    "gamma": "weight",
    "beta": "bias",
    "bias": "bias",
}
"""CTranslate2's names of the parts, and those of `fit_assessor.py`."""
_TYPES: Final = ("f4", "i1", "i2", "i4", "f2")
"""By the number in the file (`ctranslate2.specs.model_spec`)."""


def restore(folder: Path, target: Path) -> None:
    stored = dict(_variables(folder / "model.bin"))
    restored = {}
    for name, values in stored.items():
        if name.startswith("encoder/") and not name.endswith("_scale") and values.ndim:
            scale = stored.get(f"{name}_scale", np.ones(1, np.float32))
            weight = values.astype(np.float32) / scale.reshape(-1, *[1] * (values.ndim - 1))
            restored[_fitted_name(name)] = np.ascontiguousarray(weight)
    with np.load(folder / "head.npz") as head:
        restored |= {f"head.{part}": head[part] for part in head.files}
    save_file(restored, target)


def restore_entailment(changes: Path, target: Path) -> None:
    """By the package's names, as `fit_assessor.load` reads them too."""
    weights, head = changed_weights(changes)
    save_file(weights | {f"head.{part}": values for part, values in head.items()}, target)


def _fitted_name(name: str) -> str:
    """ "encoder/layer_0/ffn/linear_0/weight" as "layers.0.wide.weight"."""
    part, _, kind = name.rpartition("/")
    if not part.startswith("encoder/layer_"):
        return f"{NAMES[part]}.{NAMES[kind]}"
    _, layer, place = part.split("/", 2)
    return f"layers.{layer.removeprefix('layer_')}.{NAMES[place]}.{NAMES[kind]}"


def _variables(file: Path) -> Iterator[tuple[str, NDArray[Any]]]:
    """Names and values in CTranslate2's own format, version 6."""
    with file.open("rb") as data:
        version = _number(data, "I")
        if version != 6:
            raise ValueError(
                f"{file} has version {version} of CTranslate2's format, and this reads version 6"
            )
        _string(data)
        _number(data, "I")
        for _ in range(_number(data, "I")):
            name = _string(data)
            shape = [_number(data, "I") for _ in range(_number(data, "B"))]
            kind = _TYPES[_number(data, "B")]
            yield name, np.frombuffer(data.read(_number(data, "I")), kind).reshape(shape)


def _number(data: BinaryIO, form: str) -> int:
    value: int = struct.unpack(form, data.read(struct.calcsize(form)))[0]
    return value


def _string(data: BinaryIO) -> str:
    return data.read(_number(data, "H"))[:-1].decode()


if __name__ == "__main__":
    if len(sys.argv) > 2:
        restore_entailment(Path(sys.argv[2]), Path(sys.argv[1]))
    else:
        restore(MODEL, Path(sys.argv[1]))
