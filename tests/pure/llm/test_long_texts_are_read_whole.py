"""A text longer than a window is read in windows, never cut off."""

import numpy as np
import pytest

from llm import conf
from llm.errors import EmptyText
from llm.local.encoder import LocalEmbeddingModel
from tests.pure.llm.passages import PROSE

LONG = " ".join(PROSE.split() * 4)


def test_tokens_are_counted_without_truncation(local: LocalEmbeddingModel) -> None:
    assert local.count_tokens("one two three") == 3
    assert local.count_tokens(LONG) > 3 * conf.LOCAL_WINDOW_TOKENS


def test_windows_are_counted(local: LocalEmbeddingModel) -> None:
    assert local.windows("") == 0
    assert local.windows("short") == 1
    assert local.windows(LONG) >= local.count_tokens(LONG) // conf.LOCAL_WINDOW_TOKENS + 1


def test_two_hundred_and_fifty_four_tokens_are_one_window(local: LocalEmbeddingModel) -> None:
    assert local.windows("wing " * 254) == 1
    assert local.windows("wing " * 255) == 2


def test_the_end_of_a_long_text_counts(local: LocalEmbeddingModel) -> None:
    ending = "Thunderstorms produce hail, microbursts and severe turbulence. " * 12
    plain, ended = local.embed_passages([LONG, f"{LONG} {ending}"])
    topic = np.array(local.embed_query("thunderstorm hazards"))
    assert topic @ np.array(ended) > topic @ np.array(plain) + 0.02


def test_the_parts_are_averaged_by_their_tokens(local: LocalEmbeddingModel) -> None:
    half = "wing " * 254
    one = np.array(local.embed_query(half))
    both = np.array(local.embed_query(half + half))
    assert one @ both > 0.99
    assert np.linalg.norm(both) == pytest.approx(1.0)


def test_long_work_can_be_followed(local: LocalEmbeddingModel) -> None:
    asked: list[int] = []

    def texts() -> object:
        for number in range(conf.LOCAL_GROUP_TEXTS * 2):
            asked.append(number)
            yield f"text {number}"

    vectors = local.iter_passages(texts())  # type: ignore[arg-type]
    next(vectors)
    assert len(asked) == conf.LOCAL_GROUP_TEXTS


@pytest.mark.parametrize("text", ["", " \n\t", "\x00\x01", "\u200b"])
def test_a_text_without_tokens_has_no_vector(local: LocalEmbeddingModel, text: str) -> None:
    with pytest.raises(EmptyText):
        local.embed_passages(["fine", text])
    with pytest.raises(EmptyText):
        local.embed_query(text)


def test_hostile_text_is_only_text(local: LocalEmbeddingModel) -> None:
    assert local.count_tokens("[SEP]") == 3
    assert len(local.embed_query("\ud800 [MASK] \x00 <script>" + "x" * 5000)) == 384


def test_nothing_to_embed(local: LocalEmbeddingModel) -> None:
    assert local.embed_passages([]) == []
