"""Figures come with the passages they belong to, three at most, those of the same page last."""

import pytest

from knowledge.retrieval.results import figures_for
from tests.doubles.library import FUEL, WEATHER, make_chunk, make_figure

pytestmark = pytest.mark.django_db


def test_a_figure_that_is_named_comes_before_one_of_the_same_page() -> None:
    chunk = make_chunk(WEATHER)
    make_figure(chunk, "Figure 1", "same_page", relevance=1.0)
    make_figure(chunk, "Figure 2", "caption_match", relevance=0.4)
    make_figure(chunk, "Figure 3", "figure_ref", relevance=0.2)
    shown = figures_for([chunk.id])[chunk.id]
    assert [figure.figure_label for figure in shown] == ["Figure 3", "Figure 2", "Figure 1"]


def test_three_over_all_passages() -> None:
    one, other = make_chunk(WEATHER), make_chunk(FUEL)
    for number in range(3):
        make_figure(one, f"Page {number}", "same_page")
        make_figure(other, f"Named {number}", "figure_ref")
    figures = figures_for([one.id, other.id])
    assert list(figures) == [other.id]
    assert len(figures[other.id]) == 3


def test_a_figure_is_shown_once_where_it_belongs_most() -> None:
    one, other = make_chunk(WEATHER), make_chunk(FUEL)
    make_figure(one, "Figure 1", "same_page")
    make_figure(other, "Figure 1", "figure_ref")
    assert list(figures_for([one.id, other.id])) == [other.id]
