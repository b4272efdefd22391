"""The admin's pages work under the policy of all pages: Chromium reports nothing that it stopped, no expression of the
theme fails (Alpine throws what it cannot read, and the fixture `page` fails for it), and what they open opens."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import picture, sign_in
from tests.sampling import sample_of

PAGES = [
    "/admin/curation/claim/",
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


def open_row(page: Page, table: str) -> str:
    """The form of a table's first row, by its link; the row's address."""
    page.goto(f"/admin/{table}/")
    page.locator("#result_list a[href*='/change/']").first.click()
    page.wait_for_url("**/change/**")
    page.wait_for_load_state("networkidle")
    return page.url.partition("change/")[0]


@pytest.mark.long
@pytest.mark.parametrize("path", sample_of(PAGES, 3))
def test_a_page_of_the_admin_is_stopped_in_nothing(page: Page, stopped: list[str], path: str) -> None:
    sign_in(page, "reviewer")
    answer = page.goto(path)
    assert answer is not None
    assert answer.ok
    assert "unsafe" not in answer.headers["content-security-policy"]
    page.wait_for_load_state("networkidle")
    assert page.evaluate("Alpine.version")
    assert stopped == []


@pytest.mark.long
def test_a_lists_menus_open(page: Page, stopped: list[str]) -> None:
    sign_in(page, "operator")
    page.goto("/admin/rules/ruleanswer/")
    page.keyboard.press("/")
    expect(page.locator("#searchbar")).to_be_focused()
    page.locator("#searchbar").blur()
    filters = page.locator("#changelist-filter")
    expect(filters).to_be_hidden()
    page.locator("a", has_text="Filters").click()
    expect(filters).to_be_visible()
    picture(page, "admin-filters")
    page.keyboard.press("Escape")
    expect(filters).to_be_hidden()
    page.locator("input.action-select").first.check()
    run = page.get_by_role("button", name="Run")
    expect(run).to_be_hidden()
    page.locator("select[name=action]").select_option("delete_selected")
    expect(run).to_be_visible()
    wide = page.locator("#changelist-actions").bounding_box()
    assert wide is not None
    assert wide["width"] > 1000
    picture(page, "admin-actions")
    run.click()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("heading", level=1)).to_have_text("Delete multiple objects")
    assert stopped == []


@pytest.mark.long
def test_a_forms_menus_open(page: Page, stopped: list[str]) -> None:
    sign_in(page, "operator")
    page.goto("/admin/rules/ruleanswer/add/")
    page.locator(".select2-selection").click()
    expect(page.locator(".select2-results__option[role=option]").first).to_be_visible()
    page.keyboard.press("Escape")
    page.locator("[x-ref=relatedWidgetWrapperquestion]").click()
    expect(page.locator("#related-widget-wrapper-question")).to_be_visible()
    picture(page, "admin-form")
    row = open_row(page, "rules/ruleanswer")
    page.locator(".date-icon").click()
    page.locator(".calendarbox td a", has_text="15").click()
    expect(page.locator("#id_date_checked")).to_have_value(re.compile("-15$"))
    for name in ("history", "delete"):
        page.goto(f"{row}{name}/")
        page.wait_for_load_state("networkidle")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("html.dark")).to_have_count(1)
    assert stopped == []


@pytest.mark.long
def test_a_row_is_added_to_a_form(page: Page, stopped: list[str]) -> None:
    sign_in(page, "reviewer")
    open_row(page, "knowledge/item")
    page.goto("/admin/knowledge/item/add/")
    points = page.locator("#points-group .form-group:not(.empty-form)")
    expect(points).to_have_count(1)
    page.locator("#points-group .add-row").click()
    expect(points).to_have_count(2)
    assert stopped == []
