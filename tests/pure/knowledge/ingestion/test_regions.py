"""What is drawn by a caption, and nothing of the text around it."""

import pytest

from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.regions import Anchor, Marks, covered_share, region_of

CAPTION: Box = (100, 400, 300, 410)
DRAWING: tuple[Box, ...] = (
    (100, 250, 300, 252),
    (100, 250, 102, 380),
    (150, 300, 260, 370),
    (120, 380, 300, 390),
)
BODY: Box = (72, 100, 540, 220)


def found(
    *paths: Box,
    caption: Box | None = CAPTION,
    seed: Box | None = None,
    texts: tuple[Box, ...] = (BODY,),
    **more: tuple[Box, ...],
) -> Box | None:
    return region_of(Marks(612, 792, tuple(paths), **more), Anchor(caption, seed, texts))


def rounded(region: Box | None) -> tuple[int, ...]:
    assert region is not None
    return tuple(round(value) for value in region)


def test_a_drawing_above_its_caption() -> None:
    assert rounded(found(*DRAWING)) == (97, 247, 303, 393)


def test_a_drawing_below_its_caption() -> None:
    assert rounded(found(*DRAWING, caption=(100, 220, 300, 232), texts=())) == (97, 247, 303, 393)


def test_letters_beside_the_lines_belong_to_the_drawing() -> None:
    marks = Marks(612, 792, DRAWING, (), ((70, 300, 95, 310), (100, 150, 200, 160)))
    assert rounded(region_of(marks, Anchor(CAPTION, None, (BODY,)))) == (67, 247, 303, 393)


def test_a_drawing_does_not_run_into_the_text_around_it() -> None:
    rule: Box = (72, 215, 540, 236)
    assert rounded(found(*DRAWING, rule))[1] == 247


def test_the_pictures_of_a_figure_and_the_lines_over_them_are_one() -> None:
    region = found((300, 200, 360, 260), caption=None, seed=(100, 150, 300, 300), texts=())
    assert rounded(region) == (97, 147, 363, 303)


def test_strips_of_a_picture_are_one_figure() -> None:
    strips = tuple((100.0, 200.0 + at * 15, 300.0, 214.0 + at * 15) for at in range(12))
    assert rounded(found(texts=(), pictures=strips)) == (97, 197, 303, 382)


NOTHING: list[tuple[Box, ...]] = [
    (),
    ((100, 385, 300, 386),),
    ((100, 100, 300, 200),),
    ((0, 0, 612, 792),),
    ((400, 250, 500, 390), (410, 250, 500, 390), (420, 250, 500, 390)),
]


@pytest.mark.parametrize("paths", NOTHING, ids=["blank", "a rule", "too far", "the page's ground", "beside"])
def test_where_nothing_is_drawn_nothing_is_found(paths: tuple[Box, ...]) -> None:
    assert found(*paths, texts=()) is None


def test_text_in_the_frame_of_a_drawing_is_part_of_it() -> None:
    frame: Box = (90, 250, 310, 390)
    note: Box = (120, 300, 260, 330)
    assert rounded(found(frame, *DRAWING, texts=(BODY, note)))[:2] == (87, 247)


def test_how_much_of_a_page_is_drawn() -> None:
    assert covered_share(Marks(100, 100, ((0, 0, 50, 10), (40, 40, 50, 50)))) == 0.25
    assert covered_share(Marks(100, 100, pictures=((0, 0, 100, 100),))) == 1.0
    assert covered_share(Marks(100, 100, ((0, 0, 100, 100),))) == 0.0
