"""A page becomes chunks: nothing is lost, nothing is cut, every word knows its place."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.grounding.highlight import rectangles_for_span
from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, RawPage, Section
from knowledge.ingestion.errors import PagesMissing
from knowledge.ingestion.paged_document import paged_document
from knowledge.text.sentences import sentences_in
from tests.doubles.pages import LETTER, line, page, plain, wrapped

WORDS = [
    "pilot",
    "121.5",
    "91.205(b)(1)",
    "airspace",
    "1,000",
    "feet",
    "MSL",
    "no",
    "person",
    "may",
    "Class",
    "G",
]
sentence = st.lists(st.sampled_from(WORDS), min_size=2, max_size=12).map(
    lambda words: "The " + " ".join(words) + "."
)
paragraphs = st.lists(st.lists(sentence, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=6)


def count_tokens(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


def chunks_of(document: ParsedDocument, max_tokens: int = 60, overlap: int = 15) -> tuple[ChunkDraft, ...]:
    return chunk_pages(document, strategy=Strategy("fixed", max_tokens, overlap), count_tokens=count_tokens)


def printed(texts: list[str], number: int = 1) -> RawPage:
    lines, y = [], 100.0
    for block, text in enumerate(texts):
        for words in wrapped(text):
            lines.append(line(words, y=y, block=block))
            y += 12
        y += 12
    return RawPage(number=number, width=612, height=100 + y, lines=tuple(lines))


@given(paragraphs)
@settings(max_examples=15)
def test_nothing_is_lost_and_only_the_overlap_stands_twice(texts: list[str]) -> None:
    document = paged_document([printed(texts)])
    drafts = chunks_of(document)
    assert plain([draft.text[draft.overlap :] for draft in drafts]) == plain(texts)
    assert plain(texts) == plain([found.text for found in document.paragraphs()])


@given(paragraphs)
@settings(max_examples=15)
def test_no_sentence_and_no_number_is_cut(texts: list[str]) -> None:
    whole = {found.text for text in texts for found in sentences_in(text)}
    for draft in chunks_of(paged_document([printed(texts)]), max_tokens=120):
        assert {found.text for found in sentences_in(draft.text)} <= whole
        assert draft.tokens <= 120
        assert draft.marked == ()


@given(paragraphs)
@settings(max_examples=15)
def test_the_words_inside_the_rectangles_are_the_words_of_the_chunk(texts: list[str]) -> None:
    raw = printed(texts)
    for draft in chunks_of(paged_document([raw])):
        assert plain([_words_inside(raw, part.bbox) for part in draft.lines]) == plain([draft.text])
        assert all(draft.text[part.start : part.end].strip() for part in draft.lines)
        for found in sentences_in(draft.text):
            lit = rectangles_for_span(draft.text, draft.lines, found.start, found.end)
            assert plain([_words_inside(raw, rect.bbox) for rect in lit]) == plain([found.text])


def _words_inside(raw: RawPage, box: tuple[float, float, float, float]) -> str:
    """The words of a page whose middle lies in a rectangle."""
    x0, y0, x1, y1 = box
    inside = []
    for found in raw.lines:
        if y0 <= (found.bbox[1] + found.bbox[3]) / 2 <= y1:
            middles = [
                (x + LETTER * len(word) / 2, word)
                for x, word in zip(found.xs, found.text.split(), strict=True)
            ]
            inside += [word for middle, word in middles if x0 <= middle <= x1]
    return " ".join(inside)


def sectioned(*sections: Section) -> ParsedDocument:
    return ParsedDocument(description=Description(title="Rules"), paged=False, sections=sections)


def section(number: str, *texts: str, level: int = 2) -> Section:
    return Section(
        heading=f"Heading {number}",
        level=level,
        path=("Part", f"{number} Heading"),
        number=number,
        anchor=number,
        paragraphs=tuple(Paragraph(text=text) for text in texts),
        border=True,
    )


LONG = "No person may do this or that without the leave of somebody who may give it."


def test_a_chunk_does_not_run_over_a_section() -> None:
    drafts = chunks_of(sectioned(section("91.1", LONG), section("91.3", LONG)))
    assert [(draft.section, draft.heading, draft.text) for draft in drafts] == [
        ("91.1", "Heading 91.1", LONG),
        ("91.3", "Heading 91.3", LONG),
    ]


def test_the_next_chunk_begins_with_the_last_sentences() -> None:
    texts = [f"Sentence number {n} says what rule {n} is about." for n in range(30)]
    drafts = chunks_of(sectioned(section("91.1", *texts)))
    for before, after in pairwise(drafts):
        repeated = after.text[: after.overlap].strip()
        assert repeated
        assert before.text.endswith(repeated)


def test_a_short_rest_joins_the_chunk_before() -> None:
    drafts = chunks_of(sectioned(section("91.1", "word " * 50 + "end.", "Short rest.")))
    assert len(drafts) == 1
    assert drafts[0].text.endswith("Short rest.")


def test_an_over_long_sentence_is_cut_at_its_weakest_border_and_marked() -> None:
    sentence = "; ".join(f"clause {n} has a number 1,00{n} and 121.{n}" for n in range(9)) + "."
    drafts = chunks_of(sectioned(section("91.1", sentence)), overlap=0)
    assert plain([draft.text for draft in drafts]) == plain([sentence])
    assert all(draft.text.rstrip().endswith((";", ".")) for draft in drafts)
    assert [bool(draft.marked) for draft in drafts] == [False] + [True] * (len(drafts) - 1)
    assert all(draft.tokens <= 60 for draft in drafts)


def test_a_bare_heading_joins_what_it_heads() -> None:
    part = Section(
        heading="Definitions",
        level=1,
        path=("6 Definitions",),
        number="6",
        paragraphs=(Paragraph(text="6 Definitions"),),
    )
    child = Section(
        heading="Taxi",
        level=2,
        path=("6 Definitions", "6.1 Taxi"),
        number="6.1",
        paragraphs=(Paragraph(text=LONG),),
    )
    (draft,) = chunks_of(sectioned(part, child))
    assert (draft.section, draft.heading, draft.text) == ("6.1", "Taxi", f"6 Definitions\n\n{LONG}")


def test_the_same_text_has_the_same_hash_whatever_its_wrapping() -> None:
    one, other = (chunks_of(paged_document([page(1, *wrapped(LONG, width))])) for width in (30, 70))
    assert one[0].content_hash == other[0].content_hash


def test_pages_and_labels_are_those_of_the_lines() -> None:
    raw = [page(n, *wrapped(LONG), line(f"7-{n}", x=300, y=770)) for n in (1, 2)]
    (draft,) = chunks_of(paged_document(raw))
    assert (draft.page_start, draft.page_end, draft.page_label) == (1, 2, "7-1")


def test_a_paged_source_without_a_page_is_refused() -> None:
    document = ParsedDocument(description=Description(), paged=True, sections=(section("1", LONG),))
    with pytest.raises(PagesMissing, match="has pages"):
        chunks_of(document)


@pytest.mark.parametrize(("max_tokens", "overlap"), [(0, 0), (50, 50), (50, -1)])
def test_limits_that_cannot_be_are_refused(max_tokens: int, overlap: int) -> None:
    with pytest.raises(ValueError, match="overlap"):
        chunks_of(sectioned(section("1", LONG)), max_tokens, overlap)
