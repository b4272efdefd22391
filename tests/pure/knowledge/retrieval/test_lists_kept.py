"""Lists stay in memory as long as the library does not change, and no longer than there is room."""

import numpy as np
import pytest
from cachetools import LRUCache

from knowledge.retrieval.candidates import posting_cache
from knowledge.retrieval.candidates.bm25 import Listed

ONE, OTHER = ((0,), "one"), ((0,), "other")


def a_list(length: int) -> Listed:
    return Listed(np.arange(length), np.ones(length, np.float32))


@pytest.fixture(autouse=True)
def room_for_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(posting_cache, "_lists", LRUCache(1000, getsizeof=posting_cache._entries))


def test_what_was_kept_is_known_and_nothing_else() -> None:
    fuel = a_list(10)
    posting_cache.keep(ONE, {"fuel": fuel})
    assert posting_cache.known(ONE, ["fuel", "reserve"]) == {"fuel": fuel}


def test_another_state_or_another_owner_knows_nothing_of_it() -> None:
    posting_cache.keep(ONE, {"fuel": a_list(10)})
    assert posting_cache.known(OTHER, ["fuel"]) == {}
    assert posting_cache.known(((0, 7), "one"), ["fuel"]) == {}


def test_what_was_known_before_the_library_changed_leaves_its_room() -> None:
    posting_cache.keep(ONE, {"fuel": a_list(10)})
    posting_cache.keep(OTHER, {"reserve": a_list(10)})
    assert posting_cache.known(ONE, ["fuel"]) == {}
    assert set(posting_cache.known(OTHER, ["reserve"])) == {"reserve"}


def test_what_was_used_last_stays() -> None:
    for word in ("first", "second"):
        posting_cache.keep(ONE, {word: a_list(300)})
    posting_cache.known(ONE, ["first"])
    posting_cache.keep(ONE, {"third": a_list(300)})
    assert set(posting_cache.known(ONE, ["first", "second", "third"])) == {"first", "third"}


def test_a_list_that_has_no_room_at_all_is_not_kept() -> None:
    posting_cache.keep(ONE, {"fuel": a_list(10), "of": a_list(5000)})
    assert set(posting_cache.known(ONE, ["fuel", "of"])) == {"fuel"}
