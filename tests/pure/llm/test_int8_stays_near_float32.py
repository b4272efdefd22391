"""Passages in int8 keep a cosine of 0.995 to float32; 0.993 on a processor without VNNI, whose products saturate."""

import random
from pathlib import Path

import numpy as np
import pytest

from llm.local.encoder import LocalEmbeddingModel
from tests.doubles import faa_files
from tests.pure.llm.passages import SENTENCES, passages
from tests.sampling import WHOLE

VNNI = "vnni" in (Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").is_file() else "vnni")
LEAST = 0.995 if VNNI else 0.993


def cosines(local: LocalEmbeddingModel, texts: list[str]) -> list[float]:
    exact = [np.array(local.embed_query(text)) for text in texts]
    return [
        float(one @ np.array(other)) for one, other in zip(exact, local.embed_passages(texts), strict=True)
    ]


def test_over_prose_of_every_length(local: LocalEmbeddingModel) -> None:
    assert min(cosines(local, passages(25 if WHOLE else 12, seed=7))) >= LEAST


@pytest.mark.parametrize("text", [*SENTENCES, ".", "and then", "_ " * 120, "Reserved. " * 40])
def test_short_and_monotonous_text_is_exact(local: LocalEmbeddingModel, text: str) -> None:
    assert cosines(local, [text])[0] >= 0.999999


def test_int8_is_really_used(local: LocalEmbeddingModel) -> None:
    assert min(cosines(local, passages(3))) < 0.9999


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.skipif(not faa_files.FAA.is_dir(), reason="the FAA's text is not at ../shared/data/faa")
def test_over_real_windows(local: LocalEmbeddingModel) -> None:
    chance = random.Random(11)
    texts: list[str] = []
    for file in chance.sample(sorted((*faa_files.cfr(61, 91), *faa_files.aim(3, 4, 5))), 8 if WHOLE else 4):
        words = file.read_text("utf-8").split()
        places = [chance.randrange(max(1, len(words) - 170)) for _ in range(6)]
        texts += [" ".join(words[place : place + chance.choice([15, 40, 170])]) for place in places]
    assert min(cosines(local, texts)) >= LEAST
