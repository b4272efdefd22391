"""Chunks without vectors, stale ones, drafts, archived and superseded documents were served."""

from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from knowledge.models import Chunk, ChunkEmbedding, Document
from knowledge.retrieval.search import search
from knowledge.retrieval.searchable import Scope, searchable_chunks
from knowledge.retrieval.values import ARMS, Arm, SearchRequest
from tests.doubles.library import MODEL, WEATHER, make_chunk, make_document, make_tenant, make_vectors

pytestmark = pytest.mark.django_db
QUESTION = "flight visibility in Class G airspace, 91.155"


def withdraw(**fields: Any) -> None:
    Document.objects.update(**fields)


def supersede() -> None:
    newer = make_document("14 CFR Part 91, newer")
    Document.objects.exclude(pk=newer.pk).update(superseded_by=newer)


def give_away() -> None:
    Document.objects.update(tenant=make_tenant("other"))


HIDING: dict[str, Callable[[], object]] = {
    "draft": lambda: withdraw(status="draft"),
    "archived": lambda: withdraw(status="archived"),
    "deprecated": lambda: withdraw(deprecated_at=timezone.now()),
    "superseded": supersede,
    "another school's": give_away,
    "no vector": lambda: ChunkEmbedding.objects.all().delete(),
    "stale vector": lambda: ChunkEmbedding.objects.update(state="stale"),
    "vector being built": lambda: ChunkEmbedding.objects.update(state="building"),
    "vector of another model": lambda: ChunkEmbedding.objects.update(model="another-model"),
    "table of contents": lambda: Chunk.objects.update(kind="toc"),
}


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("why", HIDING)
def test_what_is_hidden_is_found_by_no_arm_and_not_from_the_cache(why: str, arm: Arm) -> None:
    make_chunk(WEATHER, section="91.155")
    request = SearchRequest(query=QUESTION, arm=arm, threshold=0.0)
    assert search(request, MODEL).results
    HIDING[why]()
    assert search(request, MODEL).results == ()
    assert not searchable_chunks(Scope(tenant=None, model=MODEL.name)).exists()


def test_a_second_vector_that_is_being_built_hides_and_doubles_nothing() -> None:
    chunk = make_chunk(WEATHER, section="91.155")
    make_vectors([chunk], state="building", model="another-model")
    found = search(SearchRequest(query=QUESTION, threshold=0.0), MODEL).results
    assert [one.chunk_id for one in found] == [chunk.id]
