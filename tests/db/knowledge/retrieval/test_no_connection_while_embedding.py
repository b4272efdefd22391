"""While an embedding model is asked, which may be far away, no database connection is held."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import connection, connections, transaction

from knowledge.ingestion.vectors.embedding import embed_document
from knowledge.models import ChunkEmbedding, Document
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from llm import registry
from llm.interfaces import EmbeddingModel
from llm.providers.openai import OpenAIEmbeddingModel
from tests.doubles.briefings import briefing_about
from tests.doubles.demo_library import Demo
from tests.doubles.vendors import Received, Reply, Vectors, VendorServer

pytestmark = pytest.mark.django_db(transaction=True)


class Watching(VendorServer):
    """The loopback vendor, which looks at each request whether the asking thread has a connection."""

    def __init__(self, *script: Reply) -> None:
        super().__init__(*script)
        self.asker = connections["default"]
        self.held: list[bool] = []

    def take(self, request: Received) -> Reply:
        self.held.append(self.asker.connection is not None)
        return super().take(request)


def model_at(vendor: VendorServer) -> OpenAIEmbeddingModel:
    return OpenAIEmbeddingModel(api_key="k", count=lambda text: len(text.split()), base_url=vendor.openai_url)


@pytest.mark.parametrize("element", ["", "PA.I.E.K1"])
def test_a_search_embeds_without_one(demo: Demo, element: str) -> None:
    with Watching(Vectors()) as vendor:
        search(SearchRequest(query="visibility in Class G by day", element=element), model_at(vendor))
    assert vendor.held
    assert not any(vendor.held)


def test_so_does_the_embedding_of_a_document(demo: Demo) -> None:
    document = Document.objects.get()
    with Watching(Vectors()) as vendor:
        model = model_at(vendor)
        embed_document(document, model)
    assert vendor.held
    assert not any(vendor.held)
    assert ChunkEmbedding.objects.filter(model=model.name).count() == document.chunks.count()


@dataclass
class Watched:
    """The same model, under the eyes of a test."""

    inner: EmbeddingModel
    held: list[bool] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def embed_query(self, text: str) -> list[float]:
        self.held.append(connection.connection is not None)
        return self.inner.embed_query(text)

    def embed_passages(self, texts: Sequence[str]) -> list[list[float]]:
        self.held.append(connection.connection is not None)
        return self.inner.embed_passages(texts)


def test_so_does_a_briefing(demo: Demo) -> None:
    watched = Watched(registry.embedding_model())
    registry.configure_models(chat=lambda: registry.chat_model(registry.ANY_ROLE), embedding=lambda: watched)
    assert briefing_about("PA.I.H.K1f").expectations
    assert not any(watched.held)


def test_in_a_transaction_the_connection_is_kept(demo: Demo) -> None:
    with Watching(Vectors()) as vendor, transaction.atomic():
        search(SearchRequest(query="visibility in Class G by day"), model_at(vendor))
    assert vendor.held == [True]
