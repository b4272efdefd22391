"""Each word of a question looks for its place in a text, by the local model's own token vectors."""

from collections.abc import Sequence

import numpy as np
import pytest

from llm.local.encoder import LocalEmbeddingModel
from llm.local.late_interaction import LateInteraction, Tokens

FUEL = "By day the airplane carries fuel for thirty minutes beyond the first point of intended landing."
LIGHTS = "A steady green light from the tower means cleared to land."


def test_a_token_has_a_vector_and_the_marks_have_none(local: LocalEmbeddingModel) -> None:
    tokens = local.token_vectors(["fuel by day"])[0]
    assert tokens.words == ("fuel", "by", "day")
    assert tokens.vectors.shape == (3, local.dimensions)


def test_a_long_text_is_read_whole(local: LocalEmbeddingModel) -> None:
    words = local.token_vectors([" ".join(["wind"] * 600 + ["runway"])])[0].words
    assert len(words) > 600
    assert words[-1] == "runway"


def test_a_text_without_words_has_no_tokens(local: LocalEmbeddingModel) -> None:
    assert local.token_vectors([""])[0].words == ()
    assert LateInteraction(local).scores("fuel", [""]) == [0.0]
    assert LateInteraction(local).scores("", [FUEL]) == [0.0]


def test_the_text_that_answers_comes_first(local: LocalEmbeddingModel) -> None:
    lights, fuel = LateInteraction(local).scores("how much fuel must be on board", [LIGHTS, FUEL])
    assert 0 <= lights < fuel <= 1


def test_a_place_deep_in_a_long_text_counts_as_much(local: LocalEmbeddingModel) -> None:
    padding = "The airport has two runways and a windsock on its northern side. " * 20
    alone, deep, missing = LateInteraction(local).scores("minutes of fuel", [FUEL, padding + FUEL, padding])
    assert deep - missing > (alone - missing) / 2


class Counting:
    """One dimension a letter, and how often texts were read."""

    name = "letters"

    def __init__(self) -> None:
        self.read: list[str] = []

    def token_vectors(self, texts: Sequence[str], *, exact: bool = False) -> list[Tokens]:
        self.read += [text for text in texts if not exact]
        return [
            Tokens(tuple(text.split()), np.array([_row(word) for word in text.split()])) for text in texts
        ]


def _row(word: str) -> list[float]:
    return [float(word.count(letter)) for letter in "abcdefghijklmnopqrstuvwxyz"]


def test_a_text_is_read_once_while_there_is_room() -> None:
    model = Counting()
    late = LateInteraction(model, most_bytes=2 * 26)
    late.scores("x", ["fuel", "wind"])
    late.scores("y", ["wind", "fuel"])
    assert model.read == ["fuel", "wind"]
    late.scores("y", ["rain", "wind"])
    late.scores("y", ["fuel"])
    assert model.read == ["fuel", "wind", "rain", "fuel"]


def test_a_word_that_all_texts_have_says_less() -> None:
    common, rare = LateInteraction(Counting()).scores("bbb ccc", ["bbb zzz", "bbb ccc"])
    assert rare == pytest.approx(1.0, abs=0.01)
    assert common < 0.5
