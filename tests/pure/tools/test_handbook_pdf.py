"""The committed PDF is the one its sources make, and it is fit to be examined on."""

import re
from typing import Any

import pymupdf
import pytest

from desk.demo.content import HANDBOOK, demo_claims
from tools.demo_handbook.build_handbook import FOOT, build


def words_of(pdf: Any) -> list[str]:
    return [" ".join(page.get_text().split()) for page in pdf]


@pytest.fixture(scope="module")
def committed() -> Any:
    return pymupdf.open(HANDBOOK)


@pytest.fixture(scope="module")
def rebuilt() -> Any:
    return pymupdf.open("pdf", build())


@pytest.mark.long
def test_rebuilding_gives_the_same_text_labels_and_outline(committed: Any, rebuilt: Any) -> None:
    assert words_of(rebuilt) == words_of(committed)
    assert [page.get_label() for page in rebuilt] == [page.get_label() for page in committed]
    assert rebuilt.get_toc() == committed.get_toc()


def test_the_file_is_small() -> None:
    assert HANDBOOK.stat().st_size < 1_000_000


def test_every_foot_says_that_it_is_no_faa_publication(committed: Any) -> None:
    assert all(FOOT in text for text in words_of(committed))


def test_every_page_of_a_chapter_prints_its_label(committed: Any) -> None:
    pages = [page for page in committed if re.fullmatch(r"\d-\d", page.get_label())]

    assert len(pages) >= 16
    assert all(page.get_label() in page.get_text().split() for page in pages)


def test_figures_are_embedded_pictures_with_a_caption_below(committed: Any) -> None:
    figures = [(page, info) for page in committed for info in page.get_image_info(xrefs=True)]

    assert len(figures) >= 6
    for page, info in figures:
        below = pymupdf.Rect(info["bbox"])
        below = pymupdf.Rect(below.x0 - 10, below.y1, below.x1 + 10, below.y1 + 40)
        assert re.match(r"Figure \d-\d\. ", page.get_textbox(below).strip())
        assert len(committed.extract_image(info["xref"])["image"]) >= 5_000
        assert min(info["width"], info["height"]) >= 100


def test_no_letters_are_joined(committed: Any) -> None:
    assert not re.search("[ﬀ-ﬆ]", "".join(words_of(committed)))


def test_every_quote_stands_on_one_page(committed: Any) -> None:
    pages = words_of(committed)

    lost = [claim.key for claim in demo_claims() if not any(claim.quote in page for page in pages)]

    assert lost == []
