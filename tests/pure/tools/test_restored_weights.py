"""A short fit starts from the weights in use: what is restored from them is converted into the same bytes."""

from pathlib import Path

from exams.offline.classifier import MODEL
from tools.training.convert_assessor import convert
from tools.training.restore_weights import restore


def test_restored_weights_are_converted_into_the_same_model(tmp_path: Path) -> None:
    restore(MODEL, tmp_path / "weights.safetensors")
    convert(tmp_path / "weights.safetensors", tmp_path / "model")
    for name in ("model.bin", "vocabulary.json", "config.json"):
        assert (tmp_path / "model" / name).read_bytes() == (MODEL / name).read_bytes(), name
