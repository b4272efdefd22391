"""The cache keyed on free conversation and never hit; nobody looked."""

import pytest
from django.test import override_settings

from knowledge.library_version import library_changed
from knowledge.models import Chunk, ChunkEmbedding, RetrievalLog
from knowledge.retrieval import cache
from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest, SearchResponse
from tests.doubles.library import MODEL, WEATHER, make_chunk, make_tenant, make_vectors

pytestmark = pytest.mark.django_db
AWAY = {
    "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"},
    "flags": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"},
}


@pytest.fixture(autouse=True)
def library() -> None:
    make_chunk(WEATHER, section="91.155")


def ask(query: str = "visibility in Class G", tenant: int | None = None) -> SearchResponse:
    return search(SearchRequest(query=query, tenant=tenant), MODEL)


def counted(counter: object) -> float:
    return float(counter._value.get())  # type: ignore[attr-defined]


def test_the_second_identical_search_hits_and_both_are_counted() -> None:
    hits, misses = counted(cache.HITS.labels("typed")), counted(cache.MISSES.labels("typed"))
    first, second = ask(), ask()
    assert (first.cached, second.cached) == (False, True)
    assert second.results == first.results
    assert (counted(cache.HITS.labels("typed")) - hits, counted(cache.MISSES.labels("typed")) - misses) == (
        1,
        1,
    )
    assert list(RetrievalLog.objects.order_by("id").values_list("cached", flat=True)) == [False, True]


def test_another_tenant_does_not_share_it() -> None:
    ask()
    assert not ask(tenant=make_tenant().pk).cached


def test_a_change_of_the_library_invalidates() -> None:
    ask()
    make_chunk("Class G visibility, once more.", section="91.157")
    library_changed(None)
    again = ask()
    assert not again.cached
    assert {found.section for found in again.results} == {"91.155", "91.157"}


def test_a_schools_change_leaves_the_others_alone() -> None:
    school = make_tenant()
    ask()
    ask(tenant=school.pk)
    library_changed(school.pk)
    assert ask().cached
    assert not ask(tenant=school.pk).cached


def test_a_deletion_is_never_served_even_if_nobody_announced_it() -> None:
    ask()
    Chunk.objects.all().delete()
    assert ask().results == ()


def test_an_edited_text_is_read_afresh() -> None:
    ask()
    Chunk.objects.update(text="Visibility in Class G, as amended.")
    assert ask().results[0].text == "Visibility in Class G, as amended."


def test_stale_passage_is_not_served_while_another_vector_is_built() -> None:
    ask()
    ChunkEmbedding.objects.update(state="stale")
    make_vectors(Chunk.objects.all(), model="another-model")
    assert ask().results == ()


def test_unavailable_cache_costs_no_result_and_is_counted() -> None:
    writes = counted(cache.FAILURES.labels("write", "typed"))
    with override_settings(CACHES=AWAY, WAFFLE_CACHE_NAME="flags"):
        assert ask().results
    assert counted(cache.FAILURES.labels("write", "typed")) == writes + 1
