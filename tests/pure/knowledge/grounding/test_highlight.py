"""A quote becomes the rectangles to light."""

import pytest

from knowledge.grounding.highlight import Rect, rectangles_for_quote

TEXT = "The pilot remains clear\nof clouds. Then the pilot lands."
LINES = [
    {"page": 3, "bbox": [10, 100, 125, 110], "start": 0, "end": 23, "xs": [10, 30, 60, 100]},
    {"page": 3, "bbox": [10, 112, 170, 122], "start": 24, "end": 56, "xs": [10, 25, 70, 100, 120, 145]},
]


def test_a_whole_line_is_its_rectangle() -> None:
    assert rectangles_for_quote(TEXT, LINES, "The pilot remains clear") == (Rect(3, 10, 100, 125, 110),)


def test_a_part_of_a_line_is_narrowed_to_its_words() -> None:
    (first, second) = rectangles_for_quote(TEXT, LINES, "clear of clouds.")
    assert (first.x0, first.x1) == (100, 125)
    assert second.x0 == 10
    assert 60 < second.x1 < 70


@pytest.mark.parametrize("quote", ["clear   of\tclouds.", "clear\nof clouds."])
def test_white_space_does_not_matter(quote: str) -> None:
    assert len(rectangles_for_quote(TEXT, LINES, quote)) == 2


@pytest.mark.parametrize("quote", ["", "  ", "not there", "clear of cloud(s)"])
def test_what_is_not_there_lights_nothing(quote: str) -> None:
    assert rectangles_for_quote(TEXT, LINES, quote) == ()


def test_without_word_places_a_part_is_measured_by_its_letters() -> None:
    lines = [{"page": 1, "bbox": [0, 0, 100, 10], "start": 0, "end": 10}]
    assert rectangles_for_quote("0123 56789", lines, "56789") == (Rect(1, 50, 0, 100, 10),)
