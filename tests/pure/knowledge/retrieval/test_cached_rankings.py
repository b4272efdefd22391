"""Rankings come back from the cache as they were stored, by whichever version."""

import json

import pytest
from django.core.cache.backends.locmem import LocMemCache

from knowledge.retrieval import cache as rankings
from knowledge.retrieval.cache import CachedRanking, load_ranking, store_ranking


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> LocMemCache:
    kept = LocMemCache("rankings", {})
    monkeypatch.setattr(rankings, "cache", kept)
    return kept


def test_ranking_with_fields_of_a_later_version_is_read(memory: LocMemCache) -> None:
    store_ranking("key", CachedRanking((), {"doc_types": ["cfr"]}, fallback=True, first=2), "search")
    memory.set("key", json.dumps({**json.loads(memory.get("key")), "of_next_year": 1}))
    assert load_ranking("key", "search") == CachedRanking((), {"doc_types": ["cfr"]}, fallback=True, first=2)
