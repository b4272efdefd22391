"""What is longer than a chunk is cut where it hurts least; a table's head goes with its rows."""

import re
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.ingestion.chunking.chunker import ChunkDraft, chunk_pages
from knowledge.ingestion.chunking.splitting import cut_places
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.document_model import Description, Paragraph, ParsedDocument, Section
from tests.doubles.pages import plain

NUMBERS = [
    "121.5 MHz",
    "§ 91.155",
    "12:30",
    "1,000 feet",
    "29.92",
    "3-2-6",
    "section 61.57",
    "100°",
    "2030/2045",
    "5 NM",
]
whole = st.sampled_from(
    [*NUMBERS, "pilot", "airspace,", "tower;", "and", "reports:", "visibility", "—", "clearance"]
)


def count_tokens(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


def stretches(text: str, limit: int) -> list[str]:
    ends = cut_places(text, limit, count_tokens)
    return [text[start:end] for start, end in pairwise([0, *ends])]


@given(st.lists(whole, min_size=1, max_size=60), st.integers(8, 30))
@settings(max_examples=150)
def test_no_number_is_cut_and_none_loses_its_sign_or_unit(words: list[str], limit: int) -> None:
    text = " ".join(words)
    parts = stretches(text, limit)
    assert "".join(parts) == text
    for number in NUMBERS:
        assert sum(part.count(number) for part in parts) == text.count(number)


@given(st.lists(whole, min_size=1, max_size=60), st.integers(10, 30))
@settings(max_examples=50)
def test_every_stretch_fits(words: list[str], limit: int) -> None:
    assert all(count_tokens(part) <= limit for part in stretches(" ".join(words), limit))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Day, with clouds, and haze | one mile, or two, by day", "Day, with clouds, and haze"),
        ("one, two, three; four, five, six seven", "one, two, three;"),
        ("one two three four, five six seven eight nine ten", "one two three four,"),
        (
            "no person may go there unless the tower says that it is all right",
            "no person may go there",
        ),
        ("alpha beta gamma delta epsilon zeta eta theta iota kappa", "alpha beta gamma delta epsilon"),
    ],
)
def test_the_weakest_border_is_taken(text: str, first: str) -> None:
    assert stretches(text, 10 if "|" in text or "unless" in text else 8)[0].strip() == first


def test_a_word_without_end_is_cut_but_a_number_without_end_is_not() -> None:
    assert max(map(len, stretches("_-" * 60, 12))) < 120
    assert stretches("1234567890" * 50, 8) == ["1234567890" * 50]


def test_dots_that_lead_to_a_page_number_fit() -> None:
    assert all(count_tokens(part) <= 20 for part in stretches("Airspace " + "." * 90 + " 15-1", 20))


# --- tables ------------------------------------------------------------


def table(rows: int) -> ParsedDocument:
    head = Paragraph(text="Airspace | Visibility | Distance", kind="header")
    body = [
        Paragraph(text=f"Class {n} | {n} statute miles | clear of clouds", kind="row") for n in range(rows)
    ]
    section = Section(heading="Minimums", level=1, path=("Minimums",), paragraphs=(head, *body))
    return ParsedDocument(description=Description(title="Rules"), paged=False, sections=(section,))


def chunks(document: ParsedDocument, limit: int = 40, overlap: int = 12) -> tuple[ChunkDraft, ...]:
    return chunk_pages(document, strategy=Strategy("fixed", limit, overlap), count_tokens=count_tokens)


def test_a_table_that_goes_on_has_its_head_again() -> None:
    drafts = chunks(table(12))
    assert len(drafts) > 2
    assert all(draft.text.startswith("Airspace | Visibility | Distance\nClass ") for draft in drafts)
    assert {draft.kind for draft in drafts} == {"table"}
    assert all(draft.tokens <= 40 for draft in drafts)


def test_only_the_head_stands_twice() -> None:
    drafts = chunks(table(12))
    assert [draft.text[: draft.overlap].strip() for draft in drafts[1:]] == [
        "Airspace | Visibility | Distance"
    ] * (len(drafts) - 1)
    fresh = plain([draft.text[draft.overlap :] for draft in drafts])
    assert fresh == plain([paragraph.text for paragraph in table(12).paragraphs()])
