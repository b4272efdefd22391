"""Embeddings over the wire: all vectors, in order, whatever the vendor sends."""

import pytest

from llm import conf
from llm.errors import BadKey, EmptyText, UnreadableReply
from llm.providers.openai import OpenAIEmbeddingModel
from tests.doubles.openai_wire import vector_of
from tests.doubles.vendors import Fails, Raw, Reply, Vectors, VendorServer
from tests.pure.llm.cast import policy


def words(text: str) -> int:
    return len(text.split())


def model_at(vendor: VendorServer, **changes: object) -> OpenAIEmbeddingModel:
    values = {"api_key": "k", "count": words, "base_url": vendor.openai_url, "retry": policy()}
    return OpenAIEmbeddingModel(**{**values, **changes})  # type: ignore[arg-type]


def test_texts_go_in_batches_and_come_back_in_order() -> None:
    texts = [f"text {number}" for number in range(120)]
    with VendorServer(Vectors()) as vendor:
        vectors = model_at(vendor).embed_passages(texts)
    assert vectors == [vector_of(text, conf.OPENAI_EMBEDDING_DIMENSIONS) for text in texts]
    assert [len(request.body["input"]) for request in vendor.received] == [50, 50, 20]


def test_the_vendors_order_does_not_matter() -> None:
    with VendorServer(Vectors(reverse=True)) as vendor:
        assert model_at(vendor, dimensions=8).embed_passages(["a", "b"]) == [
            vector_of("a", 8),
            vector_of("b", 8),
        ]


@pytest.mark.parametrize("only", [(), (0,), (0, 0, 1), (1, 2, 2), (0, 2)])
def test_a_missing_vector_is_an_error_never_skipped(only: tuple[int, ...]) -> None:
    with VendorServer(Vectors(only=only)) as vendor, pytest.raises(UnreadableReply):
        model_at(vendor, retry=policy(attempts=1)).embed_passages(["a", "b", "c"])


def test_a_missing_vector_is_asked_for_again() -> None:
    with VendorServer(Vectors(only=(0,)), Vectors()) as vendor:
        assert len(model_at(vendor).embed_passages(["a", "b"])) == 2


def test_a_vector_of_another_width_is_an_error() -> None:
    item = b'{"object": "embedding", "index": 0, "embedding": [1.0, 2.0]}'
    body = b'{"object": "list", "model": "m", "data": [' + item + b'], "usage": {}}'
    with VendorServer(Raw(body)) as vendor, pytest.raises(UnreadableReply, match="dimensions"):
        model_at(vendor, retry=policy(attempts=1)).embed_query("a")


def test_a_text_over_the_limit_is_read_in_pieces() -> None:
    text = " ".join(f"w{number}" for number in range(20_000))
    with VendorServer(Vectors()) as vendor:
        vector = model_at(vendor).embed_query(text)
    sent = [piece for request in vendor.received for piece in request.body["input"]]
    assert " ".join(sent) == text
    assert max(words(piece) * conf.TOKEN_MARGIN for piece in sent) <= conf.OPENAI_EMBEDDING_TOKENS
    assert sum(number * number for number in vector) == pytest.approx(1.0)


def test_a_request_stays_below_the_vendors_total() -> None:
    texts = [f"{number} " + "w " * 7000 for number in range(50)]
    with VendorServer(Vectors()) as vendor:
        model_at(vendor, dimensions=8).embed_passages(texts)
    totals = [sum(words(text) * 1.1 for text in request.body["input"]) for request in vendor.received]
    assert len(totals) == 2
    assert max(totals) <= conf.OPENAI_EMBEDDING_REQUEST_TOKENS


def test_tokens_are_counted_with_a_margin() -> None:
    with VendorServer(Vectors()) as vendor:
        assert model_at(vendor).count_tokens("a b c d e f g h i j k") == 13


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_text_is_refused_before_any_call(text: str) -> None:
    with VendorServer(Vectors()) as vendor, pytest.raises(EmptyText):
        model_at(vendor).embed_passages(["a", text])
    assert vendor.received == []


def test_no_text_is_no_call() -> None:
    with VendorServer(Vectors()) as vendor:
        assert model_at(vendor).embed_passages([]) == []
    assert vendor.received == []


@pytest.mark.parametrize("reply", [Fails(500), Fails(429, {"retry-after": "1"})])
def test_a_passing_failure_is_tried_again(reply: Reply) -> None:
    with VendorServer(reply, Vectors()) as vendor:
        assert len(model_at(vendor).embed_query("a")) == conf.OPENAI_EMBEDDING_DIMENSIONS


def test_a_bad_key_is_said() -> None:
    with VendorServer(Vectors()) as vendor, pytest.raises(BadKey):
        model_at(vendor, api_key="bad").embed_query("a")
