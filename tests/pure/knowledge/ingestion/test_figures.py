"""Which pictures are figures, what they are called, and what is asked for as a drawing."""

import pytest

from knowledge.ingestion.document_model import Line, ParsedDocument, Picture
from knowledge.ingestion.figures.captions import category_of, texts_by_page
from knowledge.ingestion.figures.detection import (
    FoundFigure,
    find_figures,
    refusal_of,
    request_drawings,
    request_embedded,
)
from knowledge.ingestion.paged_document import paged_document
from tests.doubles.pages import line, page


def picture(
    xref: int = 1, *, width: int = 400, height: int = 300, size: int = 20_000, y: float = 300, x: float = 72
) -> Picture:
    return Picture(xref=xref, page=1, bbox=(x, y, x + 200, y + 150), width=width, height=height, size=size)


def found(document: ParsedDocument) -> tuple[FoundFigure, ...]:
    return find_figures(document, texts_by_page(document), request_embedded(document)[0])


JUNK = [
    ({"width": 99}, "smaller than 100 pixels"),
    ({"size": 5000}, "less than 5 KB"),
    ({"width": 2000, "height": 150}, "longer than 10 : 1"),
    ({"width": 9000, "height": 9000}, "too many pixels"),
    ({"xref": 0}, "drawn inline"),
    ({}, ""),
]


@pytest.mark.parametrize(("given", "reason"), JUNK)
def test_junk_is_refused_with_its_reason(given: dict[str, int], reason: str) -> None:
    assert refusal_of(picture(**given)) == reason


def test_what_every_page_repeats_is_an_ornament() -> None:
    document = paged_document(
        [page(n, "Some text of the page.", pictures=(picture(7),)) for n in range(1, 5)]
    )
    wishes, refused = request_embedded(document)
    assert wishes == ()
    assert refused == {"on three pages or more": 4}


def test_the_pieces_of_a_scan_are_no_figures() -> None:
    strips = tuple(
        Picture(xref=n, page=1, bbox=(0, n * 100, 612, n * 100 + 100), width=1700, height=280, size=90_000)
        for n in range(8)
    )
    wishes, refused = request_embedded(paged_document([page(1, pictures=strips)]))
    assert (wishes, refused) == ((), {"part of a scanned page": 8})


def captioned(*lines: Line, pictures: tuple[Picture, ...] = (picture(),)) -> list[tuple[str, str]]:
    document = paged_document([page(1, *lines, pictures=pictures)])
    return [(figure.label, figure.caption) for figure in found(document)]


def test_a_caption_below_names_its_figure() -> None:
    assert captioned(line("Figure 15-1. Airspace profile.", y=460)) == [
        ("Figure 15-1", "Figure 15-1. Airspace profile.")
    ]


def test_a_caption_above_names_its_figure() -> None:
    assert captioned(line("FIG 3-2-1. Classes.", y=285))[0][0] == "Figure 3-2-1"


def test_a_caption_right_below_a_text_is_one_all_the_same() -> None:
    lines = (
        line("The leading edge of a wing under great magnification", y=460),
        line("Figure 4-1. Surface of a wing.", y=471),
    )
    assert captioned(*lines) == [("Figure 4-1", "Figure 4-1. Surface of a wing.")]


def test_a_line_that_begins_with_a_name_in_mid_sentence_is_no_caption() -> None:
    lines = (
        line("The surface of a wing is rough even if it feels smooth, as in", y=460),
        line("Figure 4-1. The air sticks to it.", y=471),
    )
    assert [label for label, _ in captioned(*lines)] == [""]


def test_each_caption_names_one_figure_the_nearest() -> None:
    figures = captioned(
        line("Figure 1. Upper one.", y=255, block=1),
        line("Figure 2. Lower one.", y=555, block=2),
        pictures=(picture(1, y=100), picture(2, y=400)),
    )
    assert [label for label, _ in figures] == ["Figure 1", "Figure 2"]


def test_the_only_caption_of_a_page_names_its_only_figure() -> None:
    assert captioned(line("Figure 9. Elsewhere.", y=90), pictures=(picture(y=500),))[0][0] == "Figure 9"


APART = (line("Figure 2. One.", y=60, block=1), line("Figure 1. Two.", y=75, block=2))


def test_captions_set_apart_from_as_many_figures_name_them_in_order() -> None:
    figures = captioned(*APART, pictures=(picture(1, y=400), picture(2, y=600)))
    assert [label for label, _ in figures] == ["Figure 2", "Figure 1"]


def test_captions_set_apart_from_more_figures_are_not_guessed() -> None:
    pictures = (picture(1, y=200), picture(2, y=400), picture(3, y=600))
    document = paged_document([page(1, *APART, pictures=pictures)])
    assert [(figure.label, len(figure.parts)) for figure in found(document)] == [
        ("Figure 2", 0),
        ("Figure 1", 0),
        ("", 1),
        ("", 1),
        ("", 1),
    ]


def test_pictures_in_a_row_are_the_parts_of_one_figure() -> None:
    pictures = (picture(1, y=200, x=300), picture(2, y=358, x=300), picture(3, y=516, x=300))
    document = paged_document([page(1, line("Figure 3. Three views.", y=90), pictures=pictures)])
    (figure,) = found(document)
    assert (figure.label, len(figure.parts), figure.bbox) == ("Figure 3", 3, (300, 200, 500, 666))


def asked(document: ParsedDocument, overlaid: tuple[int, ...] = ()) -> list[tuple[str, int]]:
    _, wishes = request_drawings(document, texts_by_page(document), found(document), overlaid, 10)
    return [(wish.kind, wish.page) for wish in wishes]


TEXT = "This sentence is long enough to be running text and to fill the page with others of its kind. " * 6


def test_a_caption_without_a_picture_asks_for_a_drawing() -> None:
    assert asked(paged_document([page(1, TEXT, line("Figure 1. Lift.", y=500))])) == [("drawing", 1)]


def test_a_picture_alone_asks_for_none() -> None:
    assert asked(paged_document([page(1, TEXT, line("Figure 1. Lift.", y=460), pictures=(picture(),))])) == []


def test_a_picture_with_lines_over_it_is_drawn_with_them() -> None:
    document = paged_document([page(1, TEXT, line("Figure 1. Lift.", y=460), pictures=(picture(5),))])
    assert asked(document, (5,)) == [("drawing", 1)]


def test_a_page_with_few_words_is_looked_at_as_a_chart() -> None:
    assert asked(paged_document([page(1, "Takeoff distance"), page(2, TEXT)])) == [("chart_page", 1)]


def test_a_scanned_page_is_kept_as_a_picture() -> None:
    scan = Picture(xref=1, page=1, bbox=(0, 0, 612, 792), width=1700, height=2200, size=90_000)
    assert asked(paged_document([page(1, pictures=(scan,))])) == [("page", 1)]


CATEGORIES = [
    ("Figure 1. Sample VFR Sectional Chart", "sectional"),
    ("Radiation fog", "weather"),
    ("Components of a traffic pattern", "airport"),
    ("Altimeter and its dial", "instrument"),
    ("Takeoff distance chart", "performance"),
    ("Figure 10-3. Center of gravity limits", "performance"),
    ("Table 3-1. Wind speeds", "table"),
    ("Requirements for airspace operations", "table"),
    ("Airspace profile", "chart"),
    ("Windows of a cockpit, seen from the front seat", "diagram"),
    ("A thing", "diagram"),
    ("", "diagram"),
]


@pytest.mark.parametrize(("caption", "category"), CATEGORIES)
def test_a_caption_tells_the_category(caption: str, category: str) -> None:
    assert category_of(caption) == category
