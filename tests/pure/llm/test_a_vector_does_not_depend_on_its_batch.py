"""The same text, the same vector, bit for bit, whatever is embedded beside it and in whatever order."""

import random

import pytest

from llm.local.encoder import LocalEmbeddingModel
from tests.pure.llm.passages import SENTENCES, passages


@pytest.mark.long
def test_alone_in_company_and_reversed(local: LocalEmbeddingModel) -> None:
    texts = [*passages(20), *SENTENCES]
    together = local.embed_passages(texts)
    assert [local.embed_passages([text])[0] for text in texts] == together
    assert local.embed_passages(texts[::-1])[::-1] == together


def test_among_many_of_the_same_length(local: LocalEmbeddingModel) -> None:
    words = sorted({word for word in " ".join(passages(5)).split() if local.count_tokens(word) == 1})
    chance = random.Random(3)
    texts = [" ".join(chance.choices(words, k=120)) for _ in range(9)]
    together = local.embed_passages(texts)
    assert [local.embed_passages([text])[0] for text in texts] == together


def test_queries_too(local: LocalEmbeddingModel) -> None:
    alone = [local.embed_query(sentence) for sentence in SENTENCES]
    local.embed_passages(passages(5))
    assert [local.embed_query(sentence) for sentence in SENTENCES] == alone
