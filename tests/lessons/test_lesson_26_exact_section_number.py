"""The keyword leg could not rescue a passage below the vector threshold."""

import pytest

from knowledge.retrieval.search import search
from knowledge.retrieval.values import SearchRequest
from tests.doubles.library import MODEL, make_chunk, make_document
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library() -> None:
    """The section that is asked for shares no word with the question; a crowd of others shares them all."""
    make_chunk("Nothing in it resembles what is asked.", section="91.155")
    make_chunk("Words apart from everything else.", make_document("AIM", doc_type="aim"), section="3-2-6")
    for number in range(80):
        make_chunk(f"What does the section say, number {number}?", section=f"91.{200 + number}")


@pytest.mark.parametrize(
    ("query", "section"),
    sample_of(
        [
            ("91.155", "91.155"),
            ("What does § 91.155 say?", "91.155"),
            ("What does 14 CFR 91.155(b)(1) say?", "91.155"),
            ("What does the section AIM 3-2-6 say?", "3-2-6"),
            ("§ 91.155 and AIM 3-2-6", "91.155"),
            ("§ 91.155 and AIM 3-2-6", "3-2-6"),
        ],
        2,
    ),
)
def test_an_exact_number_finds_its_section(query: str, section: str) -> None:
    found = search(SearchRequest(query=query), MODEL).results
    assert section in [one.section for one in found[:2]]


def test_a_number_in_the_answer_finds_its_section_too() -> None:
    found = search(SearchRequest(question="What does the section say?", answer="See 91.155."), MODEL).results
    assert found[0].section == "91.155"


def test_a_passage_asked_for_by_number_is_strong() -> None:
    assert search(SearchRequest(query="§ 91.155"), MODEL).quality == "strong"
