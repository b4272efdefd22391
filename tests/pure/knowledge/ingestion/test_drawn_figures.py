"""What is drawn becomes a picture: lines over photographs, strips, charts, scans, on turned pages, too.

All pages are one book, read once.
"""

from collections.abc import Callable

import pymupdf
import pytest
from PIL import Image

from knowledge.ingestion.figures.deduplication import Figure
from tests.doubles.figured_handbook import FILLER, draw
from tests.doubles.illustrations import Illustrated, illustrate
from tests.doubles.pictures import colour_run, line_drawing, photo, saved, silhouette
from tests.doubles.source_files import figure

BOX = (150.0, 300.0, 400.0, 440.0)
Page = pymupdf.Page
Draw = Callable[[Page, str], None]


def text_around(page: Page) -> None:
    for at, text in enumerate((*FILLER[:3], *FILLER[4:6])):
        top = 72 + 60 * at if at < 3 else 500 + 60 * (at - 3)
        page.insert_textbox((72, top, 540, top + 60), text, fontsize=11)


def caption(page: Page, name: str, y: float = 460) -> None:
    page.insert_text((150, y), f"{name}. The parts of it.", fontsize=9)


def photo_with_arrows(page: Page, name: str) -> None:
    page.insert_image(BOX, stream=saved(photo(), "JPEG"))
    page.draw_line((120, 310), (300, 350), color=(1, 0, 0), width=4)
    page.draw_line((120, 420), (300, 400), color=(1, 0, 0), width=4)
    page.insert_text((80, 312), "spinner", fontsize=9)
    caption(page, name)


def photo_alone(page: Page, name: str) -> None:
    page.insert_image(BOX, stream=saved(photo(5), "JPEG"))
    caption(page, name)


def drawing_on_colours(page: Page, name: str) -> None:
    page.insert_image(BOX, stream=saved(colour_run((480, 270))))
    draw(page, BOX, 1)
    caption(page, name)


def strips(page: Page, name: str) -> None:
    picture = photo(3, (500, 280))
    for at in range(20):
        band = picture.crop((0, at * 14, 500, at * 14 + 14))
        page.insert_image((150, 300 + at * 7, 400, 307 + at * 7), stream=saved(band), keep_proportion=False)
    caption(page, name)


def table(page: Page, name: str) -> None:
    caption(page, name, 290)
    for row in range(6):
        page.draw_line((150, 300 + row * 20), (450, 300 + row * 20))
    for column in range(4):
        page.draw_line((150 + column * 100, 300), (150 + column * 100, 400))
        for row in range(5 if column < 3 else 0):
            page.insert_text((155 + column * 100, 314 + row * 20), f"{row}{column}0 feet", fontsize=9)


def drawing(page: Page, name: str) -> None:
    draw(page, BOX, len(name) + int(name[-1]))
    caption(page, name)


def junk(page: Page, _: str) -> None:
    noise = saved(silhouette((900, 700)).rotate(7, fillcolor="white"), "JPEG", quality=95)
    page.insert_image((150, 240, 300, 330), stream=noise)
    page.insert_image((350, 240, 500, 330), stream=saved(photo(1, (60, 60))))


def copied(page: Page, _: str) -> None:
    page.insert_image(BOX, stream=saved(line_drawing((1200, 900))))


def copy(page: Page, name: str) -> None:
    smaller = line_drawing((1200, 900)).resize((600, 450))
    page.insert_image(BOX, stream=saved(smaller, "JPEG", quality=80))
    caption(page, name)


def alike(page: Page, name: str) -> None:
    picture = line_drawing((480, 400))
    page.insert_image(BOX, stream=saved(picture, "JPEG", quality=80 + int(name[-1])))
    caption(page, name)


def broken(page: Page, _: str) -> None:
    page.insert_image(BOX, stream=saved(photo(8), "JPEG"))
    (xref,) = {found[0] for found in page.get_images()}
    page.parent.update_stream(xref, b"\xff\xd8\xff" + bytes(9000), compress=False)


def chart(page: Page, _: str) -> None:
    page.insert_text((72, 60), "Takeoff Distance", fontname="hebo", fontsize=16)
    for at in range(30):
        page.draw_line((72, 100 + at * 20), (540, 110 + at * 18))
        page.draw_line((72 + at * 15, 100), (72 + at * 15, 700))


def scanned(page: Page, _: str) -> None:
    page.insert_image(page.rect, stream=figure(1, 600, 780), keep_proportion=False)


BARE = (chart, scanned)
PAGES: tuple[tuple[Draw, str, int], ...] = (
    (photo_with_arrows, "Figure 3-1", 0),
    (photo_alone, "Figure 3-2", 0),
    (drawing_on_colours, "Figure 3-3", 0),
    (strips, "Figure 3-4", 0),
    (table, "Table 3-1", 0),
    (drawing, "Figure 4-1", 90),
    (drawing, "Figure 4-2", 180),
    (drawing, "Figure 4-3", 270),
    (caption, "Figure 5-1", 0),
    (junk, "", 0),
    (copied, "", 0),
    (copy, "Figure 6-1", 0),
    (alike, "Figure 7-1", 0),
    (alike, "Figure 7-2", 0),
    (broken, "", 0),
    (chart, "", 0),
    (scanned, "", 0),
)


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Illustrated:
    folder = tmp_path_factory.mktemp("book")
    document = pymupdf.open()
    for drawn, name, rotation in PAGES:
        page = document.new_page()
        if drawn not in BARE:
            text_around(page)
        drawn(page, name)
        page.set_rotation(rotation)
    document.save(folder / "book.pdf")
    document.close()
    return illustrate(folder / "book.pdf", folder / "out")


def named(book: Illustrated, name: str) -> tuple[Figure, Image.Image]:
    (found,) = (one for one in book.figures if one.label == name)
    return found, Image.open(book.out / found.picture.file).convert("RGB")


def on_page(book: Illustrated, drawn: Draw) -> list[Figure]:
    number = [one for one, _, _ in PAGES].index(drawn) + 1
    return [figure for figure in book.figures if number in figure.pages]


def test_arrows_and_words_around_a_photograph_are_part_of_the_figure(book: Illustrated) -> None:
    found, picture = named(book, "Figure 3-1")
    assert found.bbox[0] < 85
    x, y = (round(value / 72 * 200) for value in (140 - found.bbox[0], 314.4 - found.bbox[1]))
    red, green, blue = picture.getpixel((x, y))  # type: ignore[misc]
    assert red > 200 > 90 > max(green, blue)


def test_a_photograph_alone_is_kept_as_it_is(book: Illustrated) -> None:
    found, picture = named(book, "Figure 3-2")
    assert (found.embedded, picture.size) == (True, (480, 360))


def test_a_drawing_on_a_colour_run_is_kept_and_the_run_alone_refused(book: Illustrated) -> None:
    assert not named(book, "Figure 3-3")[0].embedded
    assert (
        book.refused["a plain fill or gradient"] == 2
    )  # the other is the broken picture: it is grey all over


def test_strips_of_a_picture_are_put_together(book: Illustrated) -> None:
    assert named(book, "Figure 3-4")[0].bbox == pytest.approx(BOX, abs=5)


def test_a_table_below_its_caption_is_a_picture_too(book: Illustrated) -> None:
    found, _ = named(book, "Table 3-1")
    assert found.category == "table"
    assert found.bbox == pytest.approx((150, 300, 450, 400), abs=8)


TURNED = [
    ("Figure 4-1", (402, 150, 542, 400)),
    ("Figure 4-2", (195, 402, 445, 542)),
    ("Figure 4-3", (300, 195, 440, 445)),
]


@pytest.mark.parametrize(("name", "box"), TURNED)
def test_on_a_turned_page_a_drawing_is_cut_out_where_it_is_shown_and_stands_upright(
    book: Illustrated, name: str, box: tuple[float, ...]
) -> None:
    found, picture = named(book, name)
    assert found.bbox == pytest.approx(box, abs=8)
    assert picture.width > picture.height


def test_a_caption_beside_which_nothing_is_drawn_is_told(book: Illustrated) -> None:
    assert book.without_picture == ("Figure 5-1",)


def test_shapes_that_print_left_behind_are_refused_with_their_reasons(book: Illustrated) -> None:
    assert on_page(book, junk) == []
    assert book.refused["a plain shape"] == 1
    assert book.refused["smaller than 100 pixels"] == 1 + 20  # and the strips, each of them


def test_the_same_picture_saved_anew_is_one_figure_shown_on_two_pages(book: Illustrated) -> None:
    found, picture = named(book, "Figure 6-1")
    assert on_page(book, copied) == on_page(book, copy) == [found]
    assert picture.size == (1200, 900)
    assert book.refused["shown twice"] == 1


def test_two_names_are_two_figures_however_alike(book: Illustrated) -> None:
    assert named(book, "Figure 7-1")[0].pages != named(book, "Figure 7-2")[0].pages


def test_a_broken_picture_is_refused_alone(book: Illustrated) -> None:
    assert on_page(book, broken) == []
    assert len(book.figures) == 13


def test_a_page_that_is_all_chart_is_drawn_at_200_dpi(book: Illustrated) -> None:
    (found,) = on_page(book, chart)
    assert (found.caption, found.category) == ("Takeoff Distance", "performance")
    assert (found.picture.width, found.picture.height) == (1653, 2339)


def test_a_scanned_page_is_kept_whole(book: Illustrated) -> None:
    (found,) = on_page(book, scanned)
    assert (found.category, found.picture.width) == ("scan", 1653)
    assert book.refused["part of a scanned page"] == 1
