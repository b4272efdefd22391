"""Matches the key words of a point, and phrases of students who have it wrong, against an answer.

A point has groups of key words; a right statement uses one word of each group. Authors choose them without seeing
answers. They lower a finding of the classifier if a group is missing or such a phrase is said, and raise an undecided
one if all groups occur together.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.text_cache import cached_by_text
from knowledge.text.word_tables import read_phrases

Keywords = Sequence[Sequence[str]]

ANY_ENDING: Final = "*"
GAP: Final = " .. "
"""Stands in a phrase for up to GAP_WORDS other words."""
GAP_WORDS: Final = 3
FIRST_LETTERS: Final = 3
_TOKEN: Final = re.compile(r"(?:\d*\.\d+|\d+|[a-z]+)\*?")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3})")
_POSSESSIVE: Final = re.compile(r"'s\b|'")
_TO_BE: Final = {
    **dict.fromkeys(("are", "was", "were", "am", "be", "been", "being"), "is"),
    **dict.fromkeys(("arent", "wasnt", "werent"), "isnt"),
}
"""One word to the phrases, which "the" does not change either: "right was critical" is also "the right is critical"."""
_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)


def matched_groups(keywords: Keywords, said: str) -> tuple[bool, ...]:
    """For each group, whether one of its alternatives stands in what was said."""
    return tuple(has_any(group, said) for group in keywords)


def has_any(group: Sequence[str], said: str) -> bool:
    """Whether one of the alternatives stands in what was said."""
    return any(True for _ in _found_in(_spoken_words(said), tuple(group)))


def first_letters_of(group: Sequence[str]) -> frozenset[str]:
    """How the alternatives begin: what has none of these in it has none of them."""
    return frozenset(_tokens_of(one)[0].rstrip(ANY_ENDING)[:FIRST_LETTERS] for one in group)


def first_letters_in(said: str) -> frozenset[str]:
    """All that `first_letters_of` may be compared with."""
    words = _spoken_words(said).split()
    return frozenset(one[:length] for one in words for length in range(1, FIRST_LETTERS + 1))


def share_of_groups(keywords: Keywords, said: str) -> float:
    """The share of the groups that are matched, 0 to 1; 0 where there are none."""
    return sum(matched_groups(keywords, said)) / len(keywords) if keywords else 0.0


def stand_together(keywords: Keywords, said: str) -> bool:
    """Whether every group is matched within one sentence, or within two that follow each other."""
    sentences = [one.text for one in sentences_in(said)]
    if len(sentences) > 1:
        sentences = [f"{one} {following}" for one, following in pairwise(sentences)]
    return bool(keywords) and any(all(matched_groups(keywords, one)) for one in sentences)


def said_wrong(phrases: Sequence[str], said: str) -> str:
    """The first of the phrases that stands in a sentence of what was said; "" if none does. A word that denies, in its
    gap or within GAP_WORDS before it, cancels it, unless the phrase has that word itself."""
    for sentence in sentences_in(said):
        words = _spoken_words(sentence.text)
        for phrase in _found_in(words, tuple(phrases)):
            own = {one.rstrip(ANY_ENDING) for one in _tokens_of(phrase)}
            for found in _pattern_for(phrase).finditer(words):
                around = {*words[: found.start()].split()[-GAP_WORDS:], *found[1].split()}
                if not any(_PHRASES["denies"].fullmatch(word) for word in around - own):
                    return phrase
    return ""


def _tokens_of(text: str) -> list[str]:
    """Words and figures apart from each other ("500ft" is two), without apostrophes and commas of thousands."""
    plain = _THOUSANDS.sub("", text.lower().replace("’", "'"))
    found = (one for one in _TOKEN.findall(_POSSESSIVE.sub("", plain)) if one != "the")
    return [_TO_BE.get(one, one) for one in found]


@cached_by_text
def _spoken_words(text: str) -> str:
    return f" {' '.join(one.rstrip(ANY_ENDING) for one in _tokens_of(text))} "


def _found_in(words: str, group: tuple[str, ...]) -> Iterator[str]:
    """The alternatives that stand in the words. Making a pattern takes a thousand times as long as looking for a word,
    so that one is made only where all that it begins its parts with stand there, and are not all of it."""
    for text, beginnings, is_whole in _beginnings_of(group):
        if all(one in words for one in beginnings) and (is_whole or _pattern_for(text).search(words)):
            yield text


@lru_cache(maxsize=20_000)
def _beginnings_of(group: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    """Each alternative, with the words of each part up to one that may have any ending, and whether these are all."""
    found = []
    for text in group:
        parts = [f" {' '.join(_tokens_of(part))} ".partition(ANY_ENDING) for part in text.split(GAP)]
        is_whole = len(parts) == 1 and not parts[0][2].strip()
        found.append((text, tuple(part[0] for part in parts), is_whole))
    return tuple(found)


@lru_cache(maxsize=20_000)
def _pattern_for(text: str) -> re.Pattern[str]:
    """An alternative as whole words; an asterisk at the end of a word stands for any ending. It looks ahead, so that
    matches may overlap."""
    parts = (
        " ".join(
            re.escape(one.rstrip(ANY_ENDING)) + ("[a-z0-9.]*" if one.endswith(ANY_ENDING) else "")
            for one in _tokens_of(part)
        )
        for part in text.split(GAP)
    )
    between = f" (?:[a-z0-9.]+ ){{0,{GAP_WORDS}}}"
    return re.compile(f"(?= ({between.join(parts)}) )")
