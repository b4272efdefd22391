"""How fast passages are embedded, compared with the bare model doing the same work in the same run.

`python -m benchmarks.embedding` prints one JSON document. The windows are 250 tokens of words drawn with a
fixed seed; the bare model gets them as tokens, 32 at a time, the product as text. Rounds alternate, so that
a busy machine slows both; the best round of each counts.
"""

from __future__ import annotations

import json
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import ctranslate2
import numpy as np

from llm.local.encoder import LocalEmbeddingModel
from llm.local.minilm import converted_model, load_tokenizer

WINDOWS = 64
TOKENS = 250
BATCH = 32
THREADS = 2
ROUNDS = 3
SEED = 20260101
QUERIES = [f"What visibility is required in Class {name} airspace at night?" for name in "BCDEG"]

Work = Callable[[], object]


def measure(cache: Path | None = None, *, windows: int = WINDOWS, rounds: int = ROUNDS) -> dict[str, Any]:
    """Windows a second of each way, and the product's share of the bare model's int8 speed.

    `cache` is the folder of converted weights; without it they are converted into a temporary one.
    """
    if cache is None:
        with TemporaryDirectory() as folder:
            return measure(Path(folder), windows=windows, rounds=rounds)
    texts = _texts(windows)
    product = LocalEmbeddingModel(cache, intra_threads=THREADS)
    ways: dict[str, Work] = {
        "product": lambda: product.embed_passages(texts),
        f"bare int8, batches of {BATCH}": _bare(cache, "int8", texts, BATCH),
        "bare int8, batches of 4": _bare(cache, "int8", texts, 4),
        f"bare float32, batches of {BATCH}": _bare(cache, "float32", texts, BATCH),
    }
    speeds = _speeds(ways, windows, rounds)
    queries = _speeds(
        {"query": lambda: [product.embed_query(text) for text in QUERIES]}, len(QUERIES), rounds
    )
    return {
        "what": f"{windows} windows of {TOKENS} tokens, {THREADS} threads, best of {rounds} rounds",
        "windows_per_second": {way: round(speed, 1) for way, speed in speeds.items()},
        "product_to_bare": round(speeds["product"] / speeds[f"bare int8, batches of {BATCH}"], 2),
        "query_ms": round(1000 / queries["query"], 1),
    }


def _texts(count: int) -> list[str]:
    vocabulary = load_tokenizer().get_vocab()
    words = sorted(word for word in vocabulary if word.isascii() and word.isalpha() and len(word) > 3)
    chance = random.Random(SEED)
    return [" ".join(chance.choices(words, k=TOKENS - 2)) for _ in range(count)]


def _bare(cache: Path, kind: str, texts: list[str], batch: int) -> Work:
    encoder = ctranslate2.Encoder(str(converted_model(cache)), compute_type=kind, intra_threads=THREADS)
    windows = [encoding.ids for encoding in load_tokenizer().encode_batch(texts)]

    def run() -> None:
        for start in range(0, len(windows), batch):
            states = np.array(encoder.forward_batch(windows[start : start + batch]).last_hidden_state)
            states.mean(axis=1)

    return run


def _speeds(ways: dict[str, Work], items: int, rounds: int) -> dict[str, float]:
    for work in ways.values():
        work()
    best = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds):
        for way, work in ways.items():
            start = time.perf_counter()
            work()
            best[way] = min(best[way], time.perf_counter() - start)
    return {way: items / seconds for way, seconds in best.items()}


if __name__ == "__main__":
    json.dump(measure(Path(sys.argv[1]) if len(sys.argv) > 1 else None), sys.stdout, indent=2)
    print()
