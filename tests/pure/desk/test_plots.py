"""Drawings hold what they are given, escaped, inside their frame, and are well-formed whatever comes."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk.operations.charts import (
    WIDTH,
    Path,
    Series,
    draw_bars,
    draw_slopes,
    draw_stacked_bars,
    format_axis_number,
    format_number,
    round_up,
)

SPACE = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def test_bars_stand_on_each_other() -> None:
    svg = parsed(
        draw_stacked_bars("Two", ["a", "b"], [Series("x", "one", (1, 0)), Series("y", "two", (3, 4))])
    )
    heights = [float(one.get("height", 0)) for one in svg.iter("rect")]
    assert len(heights) == 3
    assert heights[1] == pytest.approx(3 * heights[0], rel=0.02)


@given(st.lists(st.floats(0, 1e12), min_size=1, max_size=40))
def test_nothing_leaves_the_frame(values: list[float]) -> None:
    svg = parsed(
        draw_stacked_bars("Any", [str(at) for at in range(len(values))], [Series("x", "one", tuple(values))])
    )
    height = float(svg.get("viewBox", "").split()[3])
    for bar in svg.iter("rect"):
        assert float(bar.get("y", 0)) >= -0.1
        assert float(bar.get("y", 0)) + float(bar.get("height", 0)) <= height
        assert float(bar.get("x", 0)) + float(bar.get("width", 0)) <= WIDTH


@pytest.mark.parametrize("value", [0.0012, 0.5, 750, 5_000, 9_999, 950_000])
def test_figures_of_the_axis_have_room(value: float) -> None:
    svg = parsed(draw_stacked_bars("Any", ["a"], [Series("x", "one", (value,))]))
    for text in svg.iter(f"{SPACE}text"):
        if text.get("class") == "figure left":
            assert float(text.get("x", 0)) >= 8 * len(text.text or "")


@given(st.floats(0, 1e15))
def test_the_top_is_round_and_not_below(value: float) -> None:
    assert round_up(value) >= value


def test_text_from_outside_is_only_text() -> None:
    bad = "<script>\"&'"
    for svg in (
        draw_bars(bad, [(bad, 1.0)]),
        draw_slopes(bad, [bad, "b"], [Path(bad, (1, 2), given=True)]),
        draw_stacked_bars(bad, [bad], [Series(bad, "one", (1.0,))]),
    ):
        assert not list(parsed(svg).iter("script"))
        assert "<script" not in svg


def test_a_place_that_is_missing_or_far_down_draws_no_dot() -> None:
    svg = parsed(draw_slopes("Places", ["a", "b", "c"], [Path("one", (1, None, 37), given=False)]))
    assert len(list(svg.iter("circle"))) == 1


def test_nothing_to_draw_is_no_fault() -> None:
    parsed(draw_stacked_bars("None", [], []))
    parsed(draw_bars("None", []))
    parsed(draw_slopes("None", ["a"], []))


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (1200, "1,200"), (0.5, "0.50"), (0.0012, "0.0012")])
def test_figures_as_people_write_them(value: float, said: str) -> None:
    assert format_number(value) == said


@pytest.mark.parametrize(("value", "said"), [(0, "0"), (5000, "5,000"), (250_000, "250k"), (1.5e6, "1.5M")])
def test_an_axis_has_short_figures(value: float, said: str) -> None:
    assert format_axis_number(value) == said
