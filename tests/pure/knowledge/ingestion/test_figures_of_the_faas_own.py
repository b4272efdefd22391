"""The figures of the FAA's own files, as somebody who looked at every page knows them."""

from functools import cache
from pathlib import Path

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.figures.linking import LinkedChunk, LinkedFigure, find_links
from tests.doubles.illustrations import Illustrated, illustrate

FAA = Path(__file__).resolve().parents[5] / "shared" / "data" / "faa"
pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not FAA.is_dir(), reason="../shared/data/faa is not here"),
]


@cache
def shown(name: str, out: Path) -> Illustrated:
    return illustrate(FAA / name, out)


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("figures")


#: The chapters are full of what print left behind: 69 pictures, of which 14 show something (of Figure 4-1 and of
#: Figure 12-22 three and four parts, a page, a photograph or a chart each for the rest).
FIGURES = [
    ("phak/phak_ch04.pdf", ["Figure 4-1"], 4),
    ("phak/phak_ch10.pdf", [], 4),
    ("phak/phak_ch12.pdf", ["Figure 12-3", "Figure 12-21", "Figure 12-22"], 44),
    ("phak/phak_ch15.pdf", [f"Figure 15-{n}" for n in (2, 4, 3, 5, 6, 7)], 3),
    ("pdf/ac_90-66c.pdf", ["Figure 1", *[""] * 9], 1),
]


@pytest.mark.parametrize(("name", "labels", "refused"), FIGURES)
def test_real_figures_are_kept_and_junk_is_refused(
    name: str, labels: list[str], refused: int, out: Path
) -> None:
    book = shown(name, out)
    assert book.labels() == labels
    assert sum(book.refused.values()) == refused


def test_the_parts_of_a_figure_are_one(out: Path) -> None:
    (figure,) = shown("phak/phak_ch04.pdf", out).figures
    assert figure.caption == "Figure 4-1. Microscopic surface of a wing."
    assert figure.bbox[1] < 190 < 514 < figure.bbox[3]


def test_tables_that_fill_a_page_are_kept_apart_although_they_look_alike(out: Path) -> None:
    book = shown("pdf/FAA-S-ACS-6C_Private_Pilot_ACS.pdf", out)
    charts = [figure.pages for figure in book.figures if not figure.embedded]
    assert charts[:3] == [(78,), (79,), (80,)]


def test_a_chunk_that_names_a_figure_is_linked_to_it(out: Path) -> None:
    book = shown("phak/phak_ch15.pdf", out)
    drafts = chunk_pages(book.parsed, count_tokens=lambda text: len(text.split()))
    links = find_links(
        [LinkedChunk(draft.text, ()) for draft in drafts],
        [LinkedFigure(figure.label, figure.caption, figure.pages) for figure in book.figures],
    )
    named = {
        (drafts[link.chunk].heading, book.figures[link.figure].label)
        for link in links
        if link.relevance == 0.9
    }
    assert ("Prohibited Areas", "Figure 15-2") in named
