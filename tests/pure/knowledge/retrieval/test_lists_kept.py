"""Lists stay in memory as long as the library does not change, and no longer than there is room."""

import numpy as np
import pytest

from knowledge.retrieval.postings import PostingCache
from knowledge.retrieval.scoring import PostingList

ONE, OTHER = ((0,), "one"), ((0,), "other")


def a_list(length: int) -> PostingList:
    return PostingList(np.arange(length), np.ones(length, np.float32))


@pytest.fixture
def cache() -> PostingCache:
    """Room for a thousand entries."""
    return PostingCache(1000)


def test_what_was_kept_is_known_and_nothing_else(cache: PostingCache) -> None:
    fuel = a_list(10)
    cache.keep_lists(ONE, {"fuel": fuel})
    assert cache.find_lists(ONE, ["fuel", "reserve"]) == {"fuel": fuel}


def test_another_state_or_another_owner_knows_nothing_of_it(cache: PostingCache) -> None:
    cache.keep_lists(ONE, {"fuel": a_list(10)})
    assert cache.find_lists(OTHER, ["fuel"]) == {}
    assert cache.find_lists(((0, 7), "one"), ["fuel"]) == {}


def test_what_was_known_before_the_library_changed_leaves_its_room(cache: PostingCache) -> None:
    cache.keep_lists(ONE, {"fuel": a_list(10)})
    cache.keep_lists(OTHER, {"reserve": a_list(10)})
    assert cache.find_lists(ONE, ["fuel"]) == {}
    assert set(cache.find_lists(OTHER, ["reserve"])) == {"reserve"}


def test_what_was_used_last_stays(cache: PostingCache) -> None:
    for word in ("first", "second"):
        cache.keep_lists(ONE, {word: a_list(300)})
    cache.find_lists(ONE, ["first"])
    cache.keep_lists(ONE, {"third": a_list(300)})
    assert set(cache.find_lists(ONE, ["first", "second", "third"])) == {"first", "third"}


def test_a_list_that_has_no_room_at_all_is_not_kept(cache: PostingCache) -> None:
    cache.keep_lists(ONE, {"fuel": a_list(10), "of": a_list(5000)})
    assert set(cache.find_lists(ONE, ["fuel", "of"])) == {"fuel"}


def test_a_cleared_cache_knows_nothing(cache: PostingCache) -> None:
    cache.keep_lists(ONE, {"fuel": a_list(10)})
    cache.clear()
    assert cache.find_lists(ONE, ["fuel"]) == {}
