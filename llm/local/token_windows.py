"""Divide a text that is too long for a model into overlapping windows that end between words.

A sentence cut by one window is whole in its neighbor, and "121.5" is never cut. Nothing here knows a tokenizer or a
model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Span = tuple[int, int]


def token_windows(offsets: Sequence[Span], *, size: int, overlap: int) -> list[Span]:
    """Half-open ranges of tokens, each at most `size` long, that cover all of `offsets`.

    `offsets` are the tokens' places in the text; where one ends and the next begins at the same character,
    they are one word. A word longer than half a window is cut all the same. Raises ValueError unless 0 <=
    overlap < size / 2.
    """
    if not 0 <= overlap < size / 2:
        raise ValueError(f"an overlap of {overlap} does not fit a window of {size}")
    windows: list[Span] = []
    start, end = 0, len(offsets)
    while start < end:
        stop = min(start + size, end)
        if stop < end:
            stop = _word_start_before(offsets, stop, least=start + size // 2)
        windows.append((start, stop))
        if stop == end:
            break
        start = _word_start_after(offsets, stop - overlap, most=stop)
    return windows


def _starts_word(offsets: Sequence[Span], index: int) -> bool:
    return offsets[index][0] > offsets[index - 1][1]


def _word_start_before(offsets: Sequence[Span], index: int, *, least: int) -> int:
    found = (place for place in range(index, least, -1) if _starts_word(offsets, place))
    return next(found, index)


def _word_start_after(offsets: Sequence[Span], index: int, *, most: int) -> int:
    found = (place for place in range(index, most) if _starts_word(offsets, place))
    return next(found, most)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text and its tokens."""

    text: str
    tokens: int


def pieces_within(text: str, limit: int, count: Callable[[str], int]) -> list[Piece]:
    """The text, halved at white space until each piece has at most `limit` tokens. Empty for an empty
    text."""
    text = text.strip()
    tokens = count(text) if text else 0
    if tokens <= limit or len(text) < 2:
        return [Piece(text, tokens)] if text else []
    middle = _space_nearest_middle(text)
    return pieces_within(text[:middle], limit, count) + pieces_within(text[middle:], limit, count)


def _space_nearest_middle(text: str) -> int:
    middle = len(text) // 2
    before, after = text.rfind(" ", 1, middle), text.find(" ", middle, len(text) - 1)
    found = [place for place in (before, after) if place > 0]
    return min(found, key=lambda place: abs(place - middle), default=middle)
