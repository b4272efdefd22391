"""Answers side by side become the stretches of words in which they differ. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from knowledge.grounding.facts import content_words

Span = tuple[int, int]

_WORDS = re.compile(r"https?://\S+|[^\W_]+(?:['’.,:-][^\W_]+)*")


def differing_words(texts: Mapping[str, str]) -> dict[str, tuple[Span, ...]]:
    """Of each text the stretches of words that not every other one has; none of a text that stands alone."""
    words = {
        country: [(found[0].lower(), found.span()) for found in _WORDS.finditer(text)]
        for country, text in texts.items()
    }
    held = {country: {_form(word) for word, _ in some} for country, some in words.items()}
    marks: dict[str, tuple[Span, ...]] = {}
    for country, some in words.items():
        others = [forms for other, forms in held.items() if other != country]
        shared = set.intersection(*others) if others else held[country]
        spans = [span for word, span in some if _form(word) not in shared]
        marks[country] = _joined(spans, texts[country])
    return marks


def _form(word: str) -> str:
    """Words of one stem are one word; short ones ("no", "not") stand for themselves."""
    stems = content_words(word)
    return stems[0] if len(stems) == 1 else word


def _joined(spans: Sequence[Span], text: str) -> tuple[Span, ...]:
    joined: list[Span] = []
    for start, end in spans:
        if joined and not _LETTERS.search(text[joined[-1][1] : start]):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


_LETTERS = re.compile(r"[^\W_]")
