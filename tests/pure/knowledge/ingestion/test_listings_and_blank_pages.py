"""Tables of contents and indexes are known as such, blank pages hold nothing."""

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.document_model import RawPage
from knowledge.ingestion.paged_document import paged_document
from tests.doubles.pages import line, page

ENTRIES = [
    "Airspace",
    "Weather Minimums",
    "Right of Way",
    "Fuel Planning",
    "Night Flight",
    "Oxygen",
    "Light Signals",
]
BODY = [
    "No person may operate an aircraft below the minimum safe altitude",
    "unless it is necessary for landing.",
] * 4


def listing(number: int, title: str, entries: list[str]) -> RawPage:
    return page(number, line(title, y=90, size=16, bold=True), "", *entries)


def kinds(*pages: RawPage) -> list[tuple[str, str]]:
    drafts = chunk_pages(paged_document(pages), count_tokens=lambda text: len(text.split()))
    return [(draft.heading, draft.kind) for draft in drafts]


@pytest.mark.parametrize("form", ["{} ........ {}", "{} {}", "{}   3-{}"])
def test_a_table_of_contents_is_known_with_and_without_leaders(form: str) -> None:
    entries = [form.format(entry, at) for at, entry in enumerate(ENTRIES, 1)]
    found = kinds(
        listing(1, "Contents", entries), page(2, line("Airspace", y=88, size=16, bold=True), "", *BODY)
    )
    assert ("Contents", "toc") in found
    assert ("Airspace", "body") in found


def test_it_goes_on_over_pages_that_have_no_heading() -> None:
    entries = [f"{entry} {at}" for at, entry in enumerate(ENTRIES * 3, 1)]
    found = kinds(listing(1, "Table of Contents", entries[:10]), page(2, *entries[10:]), page(3, "", *BODY))
    assert [kind for _, kind in found][:1] == ["toc"]


def test_an_index_is_known() -> None:
    entries = [f"{entry}, 3-{at}, 4-{at}" for at, entry in enumerate(ENTRIES, 1)]
    assert ("Index", "index") in kinds(page(1, *BODY), listing(2, "Index", entries))


def test_a_text_under_contents_that_lists_nothing_is_text() -> None:
    assert ("Contents", "body") in kinds(listing(1, "Contents", BODY))


@pytest.mark.parametrize(
    "said",
    ["This page intentionally left blank", "[Intentionally Left Blank]", "THIS PAGE IS INTENTIONALLY BLANK."],
)
def test_a_blank_page_holds_nothing(said: str) -> None:
    document = paged_document([page(1, *BODY), page(2, "", said), page(3, *BODY)])
    assert not any("lank" in paragraph.text for paragraph in document.paragraphs())
    assert document.pages[1].running == (said,)
