"""Which chunk speaks of which figure."""

import pytest

from knowledge.ingestion.figures.linking import Link, LinkedChunk, LinkedFigure, find_links

FIGURE = LinkedFigure("Figure 15-2", "Figure 15-2. A prohibited area around Camp David.", (3,))


def test_a_chunk_that_names_the_figure() -> None:
    chunk = LinkedChunk("It is charted as P-40. [Figure 15-2]", (9,))
    assert find_links([chunk], [FIGURE]) == (Link(0, 0, "figure_ref", 0.9),)


def test_a_chunk_that_shares_the_words_of_the_caption() -> None:
    chunk = LinkedChunk("The prohibited areas near Camp Hill.", (4,))
    (link,) = find_links([chunk], [FIGURE])
    assert (link.strategy, link.relevance) == ("caption_match", 0.6)


def test_one_shared_word_is_chance() -> None:
    assert find_links([LinkedChunk("An area.", (9,))], [FIGURE]) == ()


def test_the_same_page_is_the_weakest_link() -> None:
    (link,) = find_links([LinkedChunk("Other words.", (2, 3))], [FIGURE])
    assert (link.strategy, link.relevance) == ("same_page", 0.5)


def test_words_that_most_chunks_have_tell_nothing() -> None:
    chunks = [LinkedChunk("A prohibited area lies there.", (4,)) for _ in range(10)]
    assert find_links(chunks, [FIGURE]) == ()


def test_far_away_more_of_the_caption_is_wanted() -> None:
    text = "Camp David has a prohibited zone."
    one, other = LinkedChunk(text, (4,)), LinkedChunk("Camp, prohibited.", (40,))
    assert [link.chunk for link in find_links([one, other], [FIGURE])] == [0]


def test_a_figure_shown_on_two_pages_is_linked_from_both() -> None:
    twice = LinkedFigure("", "", (3, 9))
    links = find_links([LinkedChunk("One.", (3,)), LinkedChunk("Other.", (9,))], [twice])
    assert [(link.chunk, link.strategy) for link in links] == [(0, "same_page"), (1, "same_page")]


CHAPTERS = [
    LinkedFigure("Figure 1", "Figure 1. A wing.", (3,)),
    LinkedFigure("Figure 1", "Figure 1. A map.", (20,)),
]


@pytest.mark.parametrize(("page", "figure"), [(2, 0), (11, 0), (12, 1), (30, 1)])
def test_of_two_figures_of_one_name_the_nearer_is_meant(page: int, figure: int) -> None:
    (link,) = (one for one in find_links([LinkedChunk("See Figure 1.", (page,))], CHAPTERS))
    assert (link.figure, link.strategy) == (figure, "figure_ref")


PARTS = [
    LinkedFigure("Figure 4-5A", "", (1,)),
    LinkedFigure("Figure 4-5B", "", (1,)),
    LinkedFigure("Figure 4-6", "", (1,)),
]
OF_PARTS = [
    ("Figure 4-5 shows", {0, 1}),
    ("Figure 4-5B shows", {1}),
    ("Figure 4-6c shows", {2}),
    ("Figure 4-55", set()),
]


@pytest.mark.parametrize(("text", "figures"), OF_PARTS)
def test_a_whole_means_its_parts_and_an_unknown_part_its_whole(text: str, figures: set[int]) -> None:
    assert {link.figure for link in find_links([LinkedChunk(text, ())], PARTS)} == figures


@pytest.mark.parametrize(
    ("labels", "figures"), [(["Figure 5", "Figure 6"], {0, 1}), (["Figure 5-6", "Figure 5"], {0})]
)
def test_a_dash_between_numbers_is_a_range_where_figures_have_one_number(
    labels: list[str], figures: set[int]
) -> None:
    known = [LinkedFigure(label, "", (1,)) for label in labels]
    assert {link.figure for link in find_links([LinkedChunk("See Figures 5-6.", ())], known)} == figures


def test_a_document_may_call_itself_by_its_name() -> None:
    chunk = LinkedChunk("See AC 90-66, Figure 15-2.", (40,))
    assert find_links([chunk], [FIGURE]) == ()
    assert len(find_links([chunk], [FIGURE], ("AC 90-66C",))) == 1
