"""Lists stay in memory as long as the library does not change, and no longer than there is room."""

import numpy as np
import pytest
from cachetools import LRUCache

from knowledge.retrieval import lists_kept
from knowledge.retrieval.words import Listed

ONE, OTHER = ((0,), "one"), ((0,), "other")


def a_list(length: int) -> Listed:
    return Listed(np.arange(length), np.ones(length, np.float32))


@pytest.fixture(autouse=True)
def room_for_a_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lists_kept, "_lists", LRUCache(1000, getsizeof=lists_kept._entries))


def test_what_was_kept_is_known_and_nothing_else() -> None:
    fuel = a_list(10)
    lists_kept.keep(ONE, {"fuel": fuel})
    assert lists_kept.known(ONE, ["fuel", "reserve"]) == {"fuel": fuel}


def test_another_state_or_another_owner_knows_nothing_of_it() -> None:
    lists_kept.keep(ONE, {"fuel": a_list(10)})
    assert lists_kept.known(OTHER, ["fuel"]) == {}
    assert lists_kept.known(((0, 7), "one"), ["fuel"]) == {}


def test_what_was_known_before_the_library_changed_leaves_its_room() -> None:
    lists_kept.keep(ONE, {"fuel": a_list(10)})
    lists_kept.keep(OTHER, {"reserve": a_list(10)})
    assert lists_kept.known(ONE, ["fuel"]) == {}
    assert set(lists_kept.known(OTHER, ["reserve"])) == {"reserve"}


def test_what_was_used_last_stays() -> None:
    for word in ("first", "second"):
        lists_kept.keep(ONE, {word: a_list(300)})
    lists_kept.known(ONE, ["first"])
    lists_kept.keep(ONE, {"third": a_list(300)})
    assert set(lists_kept.known(ONE, ["first", "second", "third"])) == {"first", "third"}


def test_a_list_that_has_no_room_at_all_is_not_kept() -> None:
    lists_kept.keep(ONE, {"fuel": a_list(10), "of": a_list(5000)})
    assert set(lists_kept.known(ONE, ["fuel", "of"])) == {"fuel"}
