"""One model, many threads, the vectors that one thread would have got."""

from concurrent.futures import ThreadPoolExecutor

from llm.local.encoder import LocalEmbeddingModel
from tests.pure.llm.passages import passages


def test_threads_get_their_own_texts_vectors(local: LocalEmbeddingModel) -> None:
    texts = passages(12, seed=5)
    with ThreadPoolExecutor(6) as pool:
        vectors = list(pool.map(lambda text: local.embed_passages([text])[0], texts))
        queries = list(pool.map(local.embed_query, texts[:4]))
    assert vectors == local.embed_passages(texts)
    assert queries == [local.embed_query(text) for text in texts[:4]]
