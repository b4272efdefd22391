"""Reduces words to the ideas that they stand for: "the plane has gone up" and "the aircraft climbed" share theirs.

`compounds.csv` joins several words into one, `irregular_forms.csv` and a stemmer undo inflection, and a row of
`synonyms.csv` lists the words of one idea. What an idea is worth for a verdict is not known here.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from knowledge.text.text_cache import cached_by_text
from knowledge.text.tokens import strip_doubled_consonant, strip_ending
from knowledge.text.word_tables import read_rows, word_lists

_FOLDER: Final = Path(__file__).parent
_NO_IDEA: Final = word_lists()["no idea"]
_COMPOUNDS: Final = tuple(
    (re.compile(row["pattern"]), row["words"]) for row in read_rows(_FOLDER / "compounds.csv")
)
_IRREGULAR: Final = {row["form"]: row["base"] for row in read_rows(_FOLDER / "irregular_forms.csv")}
_SHORTEST_STEM: Final = 3
_ENDINGS: Final = (
    "ements", "ement", "iveness", "nesses", "ness", "ments", "ment", "ities", "ity", "ingly", "edly", "ances", "ance",
    "ences", "ence", "ings", "ing", "ied", "ies", "ions", "ion", "able", "ible", "ally", "ly", "ed", "es", "s",
)  # fmt: skip
_ENDINGS_OF_LONG_WORDS: Final = ("er", "ers", "al")


def _stem_of(word: str) -> str:
    """ "requirements" and "required" give "requir". This stemmer cuts more than that of `tokens`, because it only has
    to find the row of a word."""
    word = _IRREGULAR.get(word, word)
    root = strip_ending(word, _ENDINGS, _SHORTEST_STEM)
    if root == word:
        root = strip_ending(word, _ENDINGS_OF_LONG_WORDS, _SHORTEST_STEM + 1)
    root = strip_doubled_consonant(root, _SHORTEST_STEM)
    return root[:-1] if len(root) > _SHORTEST_STEM and root[-1] in "eiy" else root


def _read_ideas() -> dict[str, str]:
    """The idea of each listed word and of each stem; the first row that holds a word counts."""
    rows = [(row["idea"], row["words"].split()) for row in read_rows(_FOLDER / "synonyms.csv")]
    ideas = {idea: idea for idea, _ in rows}
    for idea, words in rows:
        for word in words:
            ideas.setdefault(word, idea)
    for idea, words in rows:
        for word in (idea, *words):
            if not word.endswith("er"):  # "larger" is an increase, and "large" is none
                ideas.setdefault(_stem_of(word), ideas[word])
    return ideas


_IDEAS: Final = _read_ideas()
_COMPOUND_WORDS: Final = frozenset(word for _, words in _COMPOUNDS for word in words.split())


@lru_cache(maxsize=8192)
def idea_of(word: str) -> str:
    """The idea that a single lower-case word stands for; an unlisted word stands for its stem."""
    if word in _IDEAS or word in _COMPOUND_WORDS:
        return _IDEAS.get(word, word)
    root = _stem_of(word)
    return _IDEAS.get(root, root)


@cached_by_text
def idea_set(text: str) -> frozenset[str]:
    """The ideas of a text, without numbers and without words that carry none."""
    text = text.lower().replace("’", "'")
    for pattern, words in _COMPOUNDS:
        text = pattern.sub(words, text)
    found = (word.removesuffix("'s") for word in re.findall(r"[a-z0-9][a-z0-9&'’.-]*[a-z0-9]|[a-z0-9]", text))
    return frozenset(idea_of(word) for word in found if word not in _NO_IDEA and not word[0].isdigit())


def are_alike(one: str, other: str) -> bool:
    """Whether two ideas are the same, or one begins the other ("stabil" and "stabiliz")."""
    short, long = sorted((one, other), key=len)
    return one == other or (len(short) >= 5 and long.startswith(short))
