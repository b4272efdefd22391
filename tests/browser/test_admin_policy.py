"""The admin's pages work under their policy: Chromium reports nothing that it stopped."""

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import House, sign_in

PAGES = [
    "/admin/",
    "/admin/curation/claim/",
    "/admin/curation/claim/queue/",
    "/admin/knowledge/document/",
    "/admin/knowledge/acselement/?q=airspace",
    "/admin/exams/exam/",
]


@pytest.fixture
def stopped(page: Page) -> list[str]:
    """What the policy stopped, as the page itself is told."""
    found: list[str] = []
    page.expose_function("heydpeStopped", lambda what: found.append(what))
    page.add_init_script(
        "document.addEventListener('securitypolicyviolation', event => "
        "heydpeStopped(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`))"
    )
    return found


@pytest.mark.parametrize("path", PAGES)
def test_a_page_of_the_admin_is_stopped_in_nothing(page: Page, stopped: list[str], path: str) -> None:
    sign_in(page, "reviewer")
    answer = page.goto(path)
    assert answer is not None
    assert answer.status in (200, 403), path
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    page.wait_for_load_state("networkidle")
    assert stopped == []


def test_a_form_of_the_admin_opens_and_its_menus_work(page: Page, stopped: list[str], house: House) -> None:
    sign_in(page, "reviewer")
    page.goto("/admin/curation/claim/")
    page.locator("#result_list a").first.click()
    page.wait_for_load_state("networkidle")
    page.goto("/admin/knowledge/document/")
    page.locator("#result_list th a, #result_list td a").first.click()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("typeof Alpine") == "object"
    assert stopped == []
