"""A quote is cited only if it stands in its passage word for word."""

import pytest

from knowledge.grounding.citations import QuoteNotFound, cite_quote, find_quote
from knowledge.grounding.context import NO_SOURCES, GroundedContext, Passage, context_of

TEXT = "No pilot may taxi\nwithout   a clearance. The tower answers on 121.5 MHz."
PASSAGE = Passage(
    n=1,
    chunk_id="c1",
    text=TEXT,
    document="Club handbook",
    abbreviation="CH",
    label="CH 2",
    page=4,
    page_label="2-1",
)


@pytest.mark.parametrize(
    "quote",
    [
        "No pilot may taxi without a clearance.",
        "taxi without\n a clearance",
        "121.5 MHz",
        "The tower answers on 121.5 MHz.",
    ],
)
def test_white_space_is_free(quote: str) -> None:
    citation = cite_quote(PASSAGE, quote)
    assert citation.quote == " ".join(quote.split())
    assert (citation.chunk_id, citation.page, citation.page_label, citation.label) == ("c1", 4, "2-1", "CH 2")


@pytest.mark.parametrize(
    "quote",
    [
        "No pilot may taxi with a clearance.",
        "no pilot may taxi",
        "No pilot may taxi, without a clearance.",
        "21.5 MHz. ",
        "1.5 MHz",
        "",
        "   ",
        "pilot may not taxi",
        "(?:No pilot).*",
    ],
)
def test_any_other_difference_is_refused(quote: str) -> None:
    with pytest.raises(QuoteNotFound):
        cite_quote(PASSAGE, quote)


def test_the_quote_is_the_source_s_own_characters() -> None:
    start, end = find_quote(TEXT, "taxi without a") or (0, 0)
    assert TEXT[start:end] == "taxi\nwithout   a"


def test_no_sources_is_a_value() -> None:
    assert context_of((), "strong") is NO_SOURCES
    assert GroundedContext((), "none") == NO_SOURCES
    assert NO_SOURCES.is_empty


def test_passages_are_numbered_as_they_are_shown() -> None:
    context = context_of((PASSAGE, PASSAGE, PASSAGE), "weak")
    assert [passage.n for passage in context.passages] == [1, 2, 3]


def test_a_citation_has_the_fields_of_the_contract() -> None:
    expected = (
        "n document abbreviation doc_type section label edition page page_label anchor quote "
        "chunk_id relevance url"
    )
    assert list(cite_quote(PASSAGE, "The tower").to_dict()) == expected.split()
