"""Windows hold all of a text, overlap, and never end inside a word or a number."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from llm.local.encoder import token_windows
from llm.providers.openai import pieces_within

PIECE = re.compile(r"[A-Za-z]|\d|[^\sA-Za-z\d]")


def offsets_of(text: str) -> list[tuple[int, int]]:
    return [found.span() for found in PIECE.finditer(text)]


@given(st.lists(st.integers(1, 9), max_size=120), st.integers(20, 40), st.integers(0, 9))
def test_every_token_is_in_a_window_and_no_window_is_too_long(
    lengths: list[int], size: int, overlap: int
) -> None:
    offsets = offsets_of(" ".join("w" * length for length in lengths))
    windows = token_windows(offsets, size=size, overlap=overlap)
    assert {place for start, stop in windows for place in range(start, stop)} == set(range(len(offsets)))
    assert all(0 < stop - start <= size for start, stop in windows)
    assert windows == sorted(windows)


def test_numbers_stay_whole() -> None:
    text = "tune 121.5 then see 91.205 now " * 6
    offsets = offsets_of(text)
    seen = [text[offsets[a][0] : offsets[b - 1][1]] for a, b in token_windows(offsets, size=20, overlap=4)]
    assert len(seen) > 6
    assert {word for part in seen for word in part.split()} == set(text.split())


def test_neighbours_share_words() -> None:
    windows = token_windows(offsets_of("a b c d e f g h i j k l m n o p"), size=8, overlap=3)
    assert windows == [(0, 8), (5, 13), (10, 16)]


def test_a_word_longer_than_a_window_is_cut_not_lost() -> None:
    windows = token_windows(offsets_of("x" * 50), size=20, overlap=4)
    assert windows[0] == (0, 20)
    assert windows[-1][1] == 50


def test_no_tokens_no_windows() -> None:
    assert token_windows([], size=20, overlap=4) == []


def test_an_overlap_that_would_never_advance_is_refused() -> None:
    with pytest.raises(ValueError, match="overlap"):
        token_windows([(0, 1)], size=10, overlap=5)


@given(st.text(alphabet="ab \n", max_size=300), st.integers(1, 20))
def test_pieces_hold_the_whole_text(text: str, limit: int) -> None:
    pieces = pieces_within(text, limit, len)
    assert "".join("".join(piece.text for piece in pieces).split()) == "".join(text.split())
    assert all(piece.tokens <= limit for piece in pieces)
