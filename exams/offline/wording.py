"""A sentence becomes the ideas its words stand for.

Words are lowered, joined where several make one idea, reduced to a stem and replaced by the first word of
their line in the lexicon, so that "the plane has gone up" and "the aircraft climbed" share their ideas.
What an idea is worth for a verdict is not known here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from exams.offline.lexicon import IRREGULAR, PHRASES, SAME, STOP
from knowledge.text.text_cache import kept

_WORD: Final = re.compile(r"[a-z0-9][a-z0-9&'’.-]*[a-z0-9]|[a-z0-9]")
_PHRASES: Final = tuple((re.compile(pattern), idea) for pattern, idea in PHRASES)
_ENDINGS: Final = (
    "ements",
    "ement",
    "iveness",
    "nesses",
    "ness",
    "ments",
    "ment",
    "ities",
    "ity",
    "ingly",
    "edly",
    "ances",
    "ance",
    "ences",
    "ence",
    "ings",
    "ing",
    "ied",
    "ies",
    "ions",
    "ion",
    "able",
    "ible",
    "ally",
    "ly",
    "ed",
    "es",
    "s",
)
_LONG_ENDINGS: Final = ("er", "ers", "al")
_SHORTEST_STEM: Final = 3


def stem(word: str) -> str:
    """The word without its ending: "requirements" and "required" give "requir". Never shorter than 3
    letters.
    """
    word = IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            return _plain_end(word[: -len(ending)])
    for ending in _LONG_ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) > _SHORTEST_STEM:
            return _plain_end(word[: -len(ending)])
    return _plain_end(word)


def _plain_end(root: str) -> str:
    if len(root) > _SHORTEST_STEM and root[-1] == root[-2] and root[-1] not in "aeiouls":
        root = root[:-1]
    return root[:-1] if len(root) > _SHORTEST_STEM and root[-1] in "eiy" else root


def _ideas_by_stem() -> dict[str, str]:
    lines = [line.split() for line in SAME]
    ideas = {line[0]: line[0] for line in lines}
    for head, *rest in lines:
        for word in rest:
            ideas.setdefault(word, head)
    for line in lines:
        for word in line:
            if not word.endswith("er"):  # "larger" is an increase, "large" is none
                ideas.setdefault(stem(word), ideas[word])
    return ideas


_IDEAS: Final = _ideas_by_stem()
_JOINED: Final = frozenset(word for _, replacement in PHRASES for word in replacement.split())


@lru_cache(maxsize=8192)
def idea(word: str) -> str:
    """What a single lower-case word stands for."""
    if word in _IDEAS or word in _JOINED:
        return _IDEAS.get(word, word)
    root = stem(word)
    return _IDEAS.get(root, root)


@kept
def joined(text: str) -> str:
    """The text in lower case with each known phrase replaced by its one word."""
    text = text.lower().replace("’", "'")
    for pattern, replacement in _PHRASES:
        text = pattern.sub(replacement, text)
    return text


@kept
def words_in(text: str) -> tuple[str, ...]:
    """The words as they stand, in lower case, phrases joined."""
    return tuple(match.group().removesuffix("'s") for match in _WORD.finditer(joined(text)))


def is_number(word: str) -> bool:
    return word[0].isdigit()


def ideas_in(text: str) -> tuple[str, ...]:
    """The ideas of a text in order, without words that carry none and without numbers."""
    return tuple(idea(word) for word in words_in(text) if word not in STOP and not is_number(word))


def idea_set(text: str) -> frozenset[str]:
    return frozenset(ideas_in(text))


def alike(one: str, other: str) -> bool:
    """The same idea, or two stems of which one opens the other ("stabil" and "stabiliz")."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= 5 and long.startswith(short)
