"""The lists of words and of runs of words that were used last, in the memory of the process: common ones stand in most
questions.

A list is that of some owners in one state of the lists (`knowledge.word_index`), which all owners share. Whatever
changes in the library makes another state, under which nothing is known yet; what was known under the last one goes.
"""

from collections.abc import Iterable, Mapping
from itertools import islice
from threading import Lock

from cachetools import LRUCache

from knowledge import conf
from knowledge.retrieval.candidates.bm25 import Listed

Of = tuple[tuple[int, ...], str]  # the owners, and the name of the state


def _entries(one: Listed) -> int:
    return conf.LISTS_LEAST + len(one)


_lists: LRUCache[tuple[Of, str], Listed] = LRUCache(conf.LISTS_KEPT, getsizeof=_entries)
_lock = Lock()


def known(of: Of, lexemes: Iterable[str]) -> dict[str, Listed]:
    with _lock:
        return {one: _lists[of, one] for one in lexemes if (of, one) in _lists}


def keep(of: Of, lists: Mapping[str, Listed]) -> None:
    with _lock:
        if any(state != of[1] for (_, state), _ in islice(_lists, 1)):
            _lists.clear()
        for one, passages in lists.items():
            if _entries(passages) <= _lists.maxsize:
                _lists[of, one] = passages
