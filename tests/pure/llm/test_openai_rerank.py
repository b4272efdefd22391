"""Texts are ranked by a vendor's embeddings in one request, and none is sent twice."""

from collections.abc import Sequence

import pytest

from llm.errors import ModelError, UnreadableReply
from llm.local.cosine_reranker import CosineReranker
from llm.providers.openai import OpenAIEmbeddingModel
from tests.doubles.vendors import Fails, Vectors, VendorServer
from tests.pure.llm.cast import policy


def at(vendor: VendorServer, **changes: int) -> CosineReranker:
    model = OpenAIEmbeddingModel(
        api_key="k",
        count=lambda text: len(text.split()),
        model="text-embedding-3-large",
        dimensions=3072,
        base_url=vendor.openai_url,
        retry=policy(attempts=1),
    )
    return CosineReranker(model, **changes)


def test_the_same_text_is_nearest() -> None:
    with VendorServer(Vectors(reverse=True)) as vendor:
        assert at(vendor).scores("b", ["a", "b", "c"]) == pytest.approx([0, 1, 0])
    assert [request.body["input"] for request in vendor.received] == [["b", "a", "c"]]
    assert vendor.received[0].body["model"] == "text-embedding-3-large"


def test_what_was_embedded_is_kept() -> None:
    with VendorServer(Vectors()) as vendor:
        reranker = at(vendor)
        reranker.scores("q", ["a", "b"])
        reranker.scores("r", ["b", "c"])
    assert [request.body["input"] for request in vendor.received] == [["q", "a", "b"], ["r", "c"]]


def test_there_is_room_for_so_many() -> None:
    with VendorServer(Vectors()) as vendor:
        reranker = at(vendor, most_bytes=2 * 3072 * 4)
        reranker.scores("q", ["a", "b"])
        reranker.scores("q", ["a", "b"])
    assert [request.body["input"] for request in vendor.received] == [["q", "a", "b"], ["q"]]


def test_no_texts_no_request() -> None:
    with VendorServer(Vectors()) as vendor:
        assert at(vendor).scores("q", []) == []
    assert vendor.received == []


def test_a_vendor_that_fails_is_an_error() -> None:
    with VendorServer(Fails(500)) as vendor, pytest.raises(ModelError):
        at(vendor).scores("q", ["a"])


class Wild:
    name, external = "wild", True

    def embed_queries(self, texts: Sequence[str]) -> list[list[float]]:
        return [[float("nan"), 1.0] for _ in texts]


def test_a_vector_that_is_no_number_is_an_error() -> None:
    with pytest.raises(UnreadableReply):
        CosineReranker(Wild()).scores("q", ["a"])
