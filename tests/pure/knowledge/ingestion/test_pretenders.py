"""What a site answers instead of a document is refused; a document that speaks of such pages is not."""

import pytest

from knowledge.ingestion.document_model import Line, RawPage
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.formats.error_page_detection import refuse_error_page
from knowledge.ingestion.formats.html import html_document
from knowledge.ingestion.paged_document import paged_document

INSTEAD = [
    ("Page Not Found", "We're sorry. Try the site map.", "page_not_found"),
    ("Federal Aviation Administration", "404 - Page not found\nThe page has moved.", "page_not_found"),
    ("", "The page you requested could not be found on this server.", "page_not_found"),
    ("", "The page you are looking for might have been removed or is no longer here.", "page_not_found"),
    ("404 Not Found", "nginx", "page_not_found"),
    ("Just a moment...", "Enable JavaScript and cookies to continue", "bot_wall"),
    ("", "Verify you are human by completing the action below.", "bot_wall"),
    ("Access Denied", "You don't have permission to access this page. Reference #18.2f", "bot_wall"),
    ("Pardon Our Interruption", "Something about your browser made us think you were a bot.", "bot_wall"),
    ("", "Please sign in to continue.", "sign_in_page"),
    ("503 Service Temporarily Unavailable", "", "error_page"),
]


@pytest.mark.parametrize(("title", "text", "code"), INSTEAD)
def test_what_stands_in_for_a_document_is_refused(title: str, text: str, code: str) -> None:
    with pytest.raises(RefusedFile, match="not the document") as refused:
        refuse_error_page(title, text)
    assert refused.value.code == code


def test_a_document_may_speak_of_such_pages() -> None:
    body = "The club's aircraft are flown by its members. " * 60
    refuse_error_page(
        "Club site", f"{body} When the briefing site says “page not found”, call 1-800-WX-BRIEF."
    )
    refuse_error_page(
        "Access",
        "Access to the ramp is granted by the tower. No access is denied to members who hold a badge.",
    )


def test_a_bot_wall_saved_as_html_is_refused() -> None:
    page = "<title>Just a moment...</title><body><h1>www.example.gov</h1><p>Checking your browser.</p></body>"
    with pytest.raises(RefusedFile) as refused:
        html_document(page)
    assert refused.value.code == "bot_wall"


def test_a_printed_page_not_found_is_refused() -> None:
    words = ("United States Department of Transportation", "About DOT", "Page Not Found", "Search our site")
    lines = tuple(
        Line(text=text, bbox=(72, 72 + 20 * at, 300, 84 + 20 * at)) for at, text in enumerate(words)
    )
    with pytest.raises(RefusedFile) as refused:
        paged_document([RawPage(number=1, width=612, height=792, lines=lines)])
    assert refused.value.code == "page_not_found"
