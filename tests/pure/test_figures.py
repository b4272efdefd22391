"""Which pictures are figures, and what they are called."""

from io import BytesIO

import pytest
from PIL import Image

from knowledge.ingestion.documents import paged_document
from knowledge.ingestion.figures import BadPicture, category_of, converted, found_figures, junk_reason
from knowledge.ingestion.pages import Line, Picture
from tests.doubles.pages import line, page
from tests.doubles.source_files import figure


def picture(
    xref: int = 1, *, width: int = 400, height: int = 300, size: int = 20_000, y: float = 300, x: float = 72
) -> Picture:
    return Picture(xref=xref, page=1, bbox=(x, y, x + 200, y + 150), width=width, height=height, size=size)


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
    assert junk_reason(picture(**given)) == reason


def test_what_every_page_repeats_is_an_ornament() -> None:
    document = paged_document(
        [page(n, "Some text of the page.", pictures=(picture(7),)) for n in range(1, 5)]
    )
    found, refused = found_figures(document)
    assert found == ()
    assert refused == {"on 4 pages": 1, "shown twice": 3}


def captioned(*lines: Line, pictures: tuple[Picture, ...] = (picture(),)) -> list[tuple[str, str]]:
    document = paged_document([page(1, *lines, pictures=pictures)])
    return [(found.label, found.caption) for found in found_figures(document)[0]]


def test_a_caption_below_names_its_figure() -> None:
    assert captioned(line("Figure 15-1. Airspace profile.", y=460)) == [
        ("Figure 15-1", "Figure 15-1. Airspace profile.")
    ]


def test_a_caption_above_names_its_figure() -> None:
    assert captioned(line("FIG 3-2-1. Classes.", y=285))[0][0] == "Figure 3-2-1"


def test_each_caption_names_one_figure_the_nearest() -> None:
    found = captioned(
        line("Figure 1. Upper one.", y=255, block=1),
        line("Figure 2. Lower one.", y=555, block=2),
        pictures=(picture(1, y=100), picture(2, y=400)),
    )
    assert [label for label, _ in found] == ["Figure 1", "Figure 2"]


def test_the_only_caption_of_a_page_names_its_only_figure() -> None:
    assert captioned(line("Figure 9. Elsewhere.", y=90), pictures=(picture(y=500),))[0][0] == "Figure 9"


APART = (line("Figure 2. One.", y=60, block=1), line("Figure 1. Two.", y=75, block=2))


def test_captions_set_apart_from_as_many_figures_name_them_in_order() -> None:
    found = captioned(*APART, pictures=(picture(1, y=400), picture(2, y=600)))
    assert [label for label, _ in found] == ["Figure 2", "Figure 1"]


def test_captions_set_apart_from_more_figures_are_not_guessed() -> None:
    found = captioned(*APART, pictures=(picture(1, y=200), picture(2, y=400), picture(3, y=600)))
    assert [label for label, _ in found] == ["", "", ""]


CATEGORIES = [
    ("Figure 1. Sample VFR Sectional Chart", "sectional"),
    ("Radiation fog", "weather"),
    ("Components of a traffic pattern", "airport"),
    ("Altimeter and its dial", "instrument"),
    ("A thing", "diagram"),
    ("", "diagram"),
]


@pytest.mark.parametrize(("caption", "category"), CATEGORIES)
def test_a_caption_tells_the_category(caption: str, category: str) -> None:
    assert category_of(caption) == category


def encoded(mode: str, form: str, size: tuple[int, int] = (120, 110)) -> bytes:
    out = BytesIO()
    Image.new(mode, size).save(out, form)
    return out.getvalue()


FORMATS = [
    (encoded("RGBA", "PNG"), "png"),
    (encoded("RGB", "PNG"), "jpg"),
    (encoded("RGB", "JPEG"), "jpg"),
    (figure(1, 900, 900), "webp"),
]


@pytest.mark.parametrize(("data", "suffix"), FORMATS)
def test_the_format_follows_size_and_transparency(data: bytes, suffix: str) -> None:
    kept = converted(data)
    assert kept.suffix == suffix
    assert kept.data


@pytest.mark.parametrize("data", [b"", b"no picture", encoded("RGB", "JPEG")[:60]])
def test_a_picture_that_cannot_be_opened_is_said_to_be_bad(data: bytes) -> None:
    with pytest.raises(BadPicture):
        converted(data)
