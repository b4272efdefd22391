"""The converted model computes what the weights say."""

import numpy as np
import pytest

from llm.local.encoder import LocalEmbeddingModel
from tests.pure.llm.bert import PlainBert
from tests.pure.llm.passages import PROSE, SENTENCES
from tests.sampling import sample_of


@pytest.fixture(scope="module")
def plain() -> PlainBert:
    return PlainBert()


@pytest.mark.parametrize("sentence", sample_of(SENTENCES, 3))
def test_a_query_is_exact(local: LocalEmbeddingModel, plain: PlainBert, sentence: str) -> None:
    assert np.allclose(local.embed_query(sentence), plain.embed(sentence), atol=2e-6)


def test_a_full_window_is_exact(local: LocalEmbeddingModel, plain: PlainBert) -> None:
    text = " ".join(PROSE.split()[:150])
    assert local.windows(text) == 1
    assert np.allclose(local.embed_query(text), plain.embed(text), atol=2e-6)


def test_vectors_have_the_models_width_and_length_one(local: LocalEmbeddingModel) -> None:
    vector = local.embed_query("density altitude")
    assert len(vector) == local.dimensions == 384
    assert np.linalg.norm(vector) == pytest.approx(1.0)


def test_what_means_the_same_lies_near(local: LocalEmbeddingModel) -> None:
    query = np.array(local.embed_query("visibility needed at night in uncontrolled airspace"))
    near, far = local.embed_passages(
        [
            "In Class G airspace at night, 3 statute miles of visibility are required.",
            "The oil pressure gauge reads from a capillary tube.",
        ]
    )
    assert query @ np.array(near) > query @ np.array(far) + 0.3
