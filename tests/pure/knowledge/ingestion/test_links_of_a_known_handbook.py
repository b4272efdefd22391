"""Links measured against a handbook whose references and subjects are known, through the whole way from the PDF.

The bars are those of the project: by reference 0.98 precise and 0.95 complete, by caption 0.95 and 0.90.
"""

from collections.abc import Iterable

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.figures.linking import Link, LinkedChunk, LinkedFigure, find_links
from tests.doubles.figured_handbook import Truth, write_handbook
from tests.doubles.illustrations import Illustrated, illustrate
from tests.doubles.pages import plain

Pairs = set[tuple[int, int]]
SEEDS = range(8)


@pytest.fixture(scope="module")
def truth_and_book(tmp_path_factory: pytest.TempPathFactory) -> tuple[Truth, Illustrated]:
    folder = tmp_path_factory.mktemp("book")
    truth = write_handbook(folder / "book.pdf")
    return truth, illustrate(folder / "book.pdf", folder / "out")


def test_each_figure_is_found_with_its_name_and_page(truth_and_book: tuple[Truth, Illustrated]) -> None:
    truth, book = truth_and_book
    found = {(figure.label, figure.caption, figure.pages[0]) for figure in book.figures}
    captions = [f"{label}. {caption}" for label, caption in zip(truth.labels, truth.captions, strict=True)]
    assert found == set(zip(truth.labels, captions, truth.figure_pages, strict=True))
    assert not book.refused
    assert not book.without_picture


def test_a_drawing_is_cut_out_where_it_stands(truth_and_book: tuple[Truth, Illustrated]) -> None:
    _, book = truth_and_book
    drawn = [figure for figure in book.figures if not figure.embedded]
    assert len(drawn) == len(book.figures) // 3
    for figure in drawn:
        assert figure.bbox == pytest.approx((150, 480, 400, 620), abs=8)
        assert figure.picture.width == pytest.approx((figure.bbox[2] - figure.bbox[0]) / 72 * 200, abs=3)


def test_links_of_the_book_as_it_is_chunked(truth_and_book: tuple[Truth, Illustrated]) -> None:
    truth, book = truth_and_book
    drafts = chunk_pages(
        book.parsed, strategy=Strategy("fixed", 60, 0), count_tokens=lambda text: len(text.split())
    )
    chunks = [LinkedChunk(draft.text, tuple({line.page for line in draft.lines})) for draft in drafts]
    figures = [LinkedFigure(figure.label, figure.caption, figure.pages) for figure in book.figures]
    links = find_links(chunks, figures)
    inside = _paragraphs_in(truth, chunks)
    number = {label: at for at, label in enumerate(truth.labels)}
    at = [number[figure.label] for figure in book.figures]
    named = {(chunk, of) for chunk, held in enumerate(inside) for one, of in truth.by_name if one in held}
    named |= {(chunk, of) for chunk, one in enumerate(chunks) for of in _captions_in(truth, one.text)}
    about = {(chunk, of) for chunk, held in enumerate(inside) for one, of in truth.by_subject if one in held}
    _assert_bars(_pairs(links, "figure_ref", at), named, 0.98, 0.95)
    _assert_bars(_pairs(links, "caption_match", at), about - named, 0.95, 0.90)


def test_links_of_paragraphs_over_many_orders() -> None:
    """Each paragraph is a chunk of its own; figures and fillers are shuffled anew for each seed."""
    named: list[Pairs] = [set(), set()]
    about: list[Pairs] = [set(), set()]
    for seed in SEEDS:
        truth = write_handbook(None, seed)
        chunks = [
            LinkedChunk(text, (page,)) for text, page in zip(truth.paragraphs, truth.pages, strict=True)
        ]
        links = find_links(chunks, _figures(truth))
        for pairs, strategy, true in (
            (named, "figure_ref", truth.by_name),
            (about, "caption_match", truth.by_subject),
        ):
            pairs[0] |= {(seed * 1000 + one, of) for one, of in _pairs(links, strategy)}
            pairs[1] |= {(seed * 1000 + one, of) for one, of in true}
    _assert_bars(named[0], named[1], 0.98, 0.95)
    _assert_bars(about[0], about[1], 0.95, 0.90)


def test_everything_else_on_a_figures_page_is_linked_by_the_page_alone(
    truth_and_book: tuple[Truth, Illustrated],
) -> None:
    truth, _ = truth_and_book
    chunks = [LinkedChunk(text, (page,)) for text, page in zip(truth.paragraphs, truth.pages, strict=True)]
    links = find_links(chunks, _figures(truth))
    on_page = {
        (one, of)
        for one, page in enumerate(truth.pages)
        for of, at in enumerate(truth.figure_pages)
        if at == page
    }
    stronger = {(link.chunk, link.figure) for link in links if link.strategy != "same_page"}
    assert _pairs(links, "same_page") == on_page - stronger
    assert {link.relevance for link in links if link.strategy == "same_page"} == {0.5}


def _figures(truth: Truth) -> list[LinkedFigure]:
    told = zip(truth.labels, truth.captions, truth.figure_pages, strict=True)
    return [LinkedFigure(label, f"{label}. {caption}", (page,)) for label, caption, page in told]


def _pairs(links: Iterable[Link], strategy: str, at: list[int] | None = None) -> Pairs:
    return {
        (link.chunk, at[link.figure] if at else link.figure) for link in links if link.strategy == strategy
    }


def _paragraphs_in(truth: Truth, chunks: list[LinkedChunk]) -> list[set[int]]:
    """The paragraphs that stand whole in each chunk, on its page."""
    return [
        {
            at
            for at, (text, page) in enumerate(zip(truth.paragraphs, truth.pages, strict=True))
            if page in chunk.pages and plain([text]) in plain([chunk.text])
        }
        for chunk in chunks
    ]


def _captions_in(truth: Truth, text: str) -> set[int]:
    return {at for at, label in enumerate(truth.labels) if f"{label}. {truth.captions[at]}" in text}


def _assert_bars(found: Pairs, true: Pairs, precision: float, recall: float) -> None:
    right = len(found & true)
    assert right / len(found) >= precision, sorted(found - true)
    assert right / len(true) >= recall, sorted(true - found)
