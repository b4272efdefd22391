"""Matches the key words of a point: groups of words of which whoever says the point uses one each.

Authors choose them without seeing answers. Where the classifier believes a point to be said and a group is missing,
it is doubted; where it is undecided and all groups stand together, they decide.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from knowledge.text.sentences import sentences_in
from knowledge.text.text_cache import cached_by_text

Keywords = Sequence[Sequence[str]]

ANY_ENDING: Final = "*"
_TOKEN: Final = re.compile(r"(?:\d*\.\d+|\d+|[a-z]+)\*?")
_THOUSANDS: Final = re.compile(r"(?<=\d),(?=\d{3})")
_POSSESSIVE: Final = re.compile(r"'s\b|'")


def matched_groups(keywords: Keywords, said: str) -> tuple[bool, ...]:
    """For each group, whether one of its alternatives stands in what was said."""
    words = _spoken_words(said)
    return tuple(bool(_pattern_for(tuple(group)).search(words)) for group in keywords)


def share_of_groups(keywords: Keywords, said: str) -> float:
    """The share of the groups that are matched, 0 to 1; 0 where there are none."""
    return sum(matched_groups(keywords, said)) / len(keywords) if keywords else 0.0


def stand_together(keywords: Keywords, said: str) -> bool:
    """Whether every group is matched within one sentence, or within two that follow each other."""
    sentences = [one.text for one in sentences_in(said)]
    if len(sentences) > 1:
        sentences = [f"{one} {following}" for one, following in pairwise(sentences)]
    return bool(keywords) and any(all(matched_groups(keywords, one)) for one in sentences)


def _tokens_of(text: str) -> list[str]:
    """Words and figures apart from each other ("500ft" is two), without apostrophes and commas of thousands."""
    plain = _THOUSANDS.sub("", text.lower().replace("’", "'"))
    return _TOKEN.findall(_POSSESSIVE.sub("", plain))


@cached_by_text
def _spoken_words(text: str) -> str:
    return f" {' '.join(one.rstrip(ANY_ENDING) for one in _tokens_of(text))} "


@lru_cache(maxsize=10_000)
def _pattern_for(group: tuple[str, ...]) -> re.Pattern[str]:
    """The alternatives as whole words; an asterisk at the end of a word stands for any ending."""
    return re.compile(f" (?:{'|'.join(map(_alternative, group))}) ")


def _alternative(text: str) -> str:
    return " ".join(
        re.escape(one.rstrip(ANY_ENDING)) + ("[a-z0-9.]*" if one.endswith(ANY_ENDING) else "")
        for one in _tokens_of(text)
    )
