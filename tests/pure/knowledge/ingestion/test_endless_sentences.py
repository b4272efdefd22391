"""A sentence of a million letters becomes passages of a size that rows, indexes and people can hold."""

import pytest

from knowledge.ingestion.chunking.splitting import LETTERS_A_TOKEN, cut_places

MOST = 20
ENDLESS = {
    "a word": "x" * 100_000,
    "marks": "[" * 30_000 + "x" + "](a)" * 20_000,
    "clauses": " and then the pilot flies" * 8_000,
    "numbers": "1234567890" * 20_000,
}


@pytest.mark.parametrize("name", ENDLESS)
def test_an_endless_sentence_is_cut(name: str) -> None:
    text = ENDLESS[name]
    ends = cut_places(text, MOST, lambda stretch: len(stretch.split()))  # to it, a word is one token
    assert ends[-1] == len(text)
    assert ends == sorted(set(ends))
    longest = max(end - start for start, end in zip([0, *ends], ends, strict=False))
    assert longest <= (10_000 if name == "numbers" else LETTERS_A_TOKEN * MOST)
