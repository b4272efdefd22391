"""Which chunk speaks of which figure."""

import pytest

from knowledge.ingestion.linking import Link, LinkedChunk, LinkedFigure, figures_named, links_between

FIGURE = LinkedFigure("Figure 15-2", "Figure 15-2. A prohibited area around Camp David.", 3)


def test_a_chunk_that_names_the_figure() -> None:
    chunk = LinkedChunk("It is charted as P-40. [Figure 15-2]", (9,))
    assert links_between([chunk], [FIGURE]) == (Link(0, 0, "figure_ref", 0.9),)


def test_a_chunk_that_shares_the_words_of_the_caption() -> None:
    chunk = LinkedChunk("A prohibited area lies there.", (9,))
    (link,) = links_between([chunk], [FIGURE])
    assert (link.strategy, link.relevance) == ("caption_match", 0.4)


def test_one_shared_word_is_chance() -> None:
    assert links_between([LinkedChunk("An area.", (9,))], [FIGURE]) == ()


def test_the_same_page_is_the_weakest_link() -> None:
    (link,) = links_between([LinkedChunk("Other words.", (2, 3))], [FIGURE])
    assert (link.strategy, link.relevance) == ("same_page", 0.5)


def test_words_that_most_chunks_have_tell_nothing() -> None:
    chunks = [LinkedChunk("A prohibited area lies there.", (9,)) for _ in range(10)]
    assert links_between(chunks, [FIGURE]) == ()


NAMED = [
    ("See Figure 15-1.", {"f15-1"}),
    ("Figures 15-1 and 15-2", {"f15-1", "f15-2"}),
    ("Figures 4-1, 4-2, and 4-3", {"f4-1", "f4-2", "f4-3"}),
    ("(See FIG 3-2-1.) TBL 3-1-1", {"f3-2-1", "t3-1-1"}),
    ("Figure 15-10 is not 15-1", {"f15-10"}),
    ("14 CFR 91.155", set()),
]


@pytest.mark.parametrize(("text", "keys"), NAMED)
def test_figures_named(text: str, keys: set[str]) -> None:
    assert figures_named(text) == keys
