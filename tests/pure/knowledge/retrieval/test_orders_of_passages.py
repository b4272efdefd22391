"""Values by which passages are ordered anew: the seed's formula, company, authority among equals."""

from datetime import date
from uuid import uuid4

import pytest

from knowledge import conf
from knowledge.retrieval.authority import authority_of, sort_by_authority
from knowledge.retrieval.rerank import RankedPassage, move_toward_neighbors, similarity_recency_and_words
from knowledge.retrieval.values import Ranked


def read(
    similarity: float, lexical: float = 0.0, edition: date | None = None, doc_type: str = "cfr"
) -> RankedPassage:
    return RankedPassage(
        ranked=Ranked(uuid4(), 0.5, similarity, lexical),
        text="",
        doc_type=doc_type,
        edition=edition,
        vector=(),
    )


def test_the_keyword_reranker_is_the_seeds_formula() -> None:
    passages = [
        read(0.8, 0.1, date(2024, 1, 1)),
        read(0.6, 1.0, date(2022, 1, 1)),
        read(1.0, 0.0, None),
    ]
    assert similarity_recency_and_words(passages) == pytest.approx(
        [
            0.7 * 0.8 + 0.15 * 1 + 0.15 * 0.1 * conf.LEXICAL_SCALE,
            0.7 * 0.6 + 0.15 * 0.5 + 0.15 * 1,
            0.7,
        ]
    )


def test_a_passage_moves_towards_its_like() -> None:
    north, nearly, east = [1.0, 0.0], [0.99, 0.14], [0.0, 1.0]
    liked, alike, other = move_toward_neighbors([0.8, 0.4, 0.4], [north, nearly, east])
    assert liked > alike > other
    assert move_toward_neighbors([0.8], [north]) == [0.8]
    assert move_toward_neighbors([], []) == []


def test_a_vector_of_zeros_does_no_harm() -> None:
    assert all(0 <= value <= 1 for value in move_toward_neighbors([0.2, 0.4], [[0.0, 0.0], [1.0, 0.0]]))


def ordered(*passages: tuple[str, float]) -> list[str]:
    return [kind for kind, _ in sort_by_authority(passages, lambda one: one[1], lambda one: one[0])]


def test_among_equals_the_regulation_goes_first() -> None:
    assert ordered(("other", 0.5), ("ac", 0.5), ("handbook", 0.5), ("aim", 0.5), ("cfr", 0.5)) == [
        "cfr",
        "aim",
        "handbook",
        "ac",
        "other",
    ]
    assert authority_of("cfr") > authority_of("poh") > authority_of("aim")


def test_a_clearly_better_passage_stays_better() -> None:
    assert ordered(("handbook", 0.6), ("cfr", 0.5)) == ["handbook", "cfr"]
    assert ordered(("handbook", 0.505), ("cfr", 0.5)) == ["cfr", "handbook"]


def test_nothing_is_lost_and_equals_keep_their_order() -> None:
    assert ordered(("cfr", 0.9), ("aim", 0.7), ("aim", 0.7), ("ac", 0.1)) == ["cfr", "aim", "aim", "ac"]
