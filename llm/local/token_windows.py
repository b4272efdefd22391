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
    end = len(offsets)
    word_starts = {at for at in range(1, end) if offsets[at][0] > offsets[at - 1][1]}
    start = 0
    while start < end:
        stop = min(start + size, end)
        if stop < end:  # back to where a word begins, by half a window at most
            stop = next((at for at in range(stop, start + size // 2, -1) if at in word_starts), stop)
        windows.append((start, stop))
        if stop == end:
            break
        start = next((at for at in range(stop - overlap, stop) if at in word_starts), stop)
    return windows


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a text and its tokens."""

    text: str
    tokens: int


def pieces_within(text: str, limit: int, count: Callable[[str], int]) -> list[Piece]:
    """The text, halved at the space nearest its middle until each piece has at most `limit` tokens; empty if it is."""
    text = text.strip()
    tokens = count(text) if text else 0
    if tokens <= limit or len(text) < 2:
        return [Piece(text, tokens)] if text else []
    middle = len(text) // 2
    spaces = (text.rfind(" ", 1, middle), text.find(" ", middle, len(text) - 1))
    middle = min((at for at in spaces if at > 0), key=lambda at: abs(at - len(text) // 2), default=middle)
    return pieces_within(text[:middle], limit, count) + pieces_within(text[middle:], limit, count)
