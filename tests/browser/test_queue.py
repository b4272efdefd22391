"""The verification queue by keyboard in a real browser: next, previous, edit, and a refusal that keeps the text."""

from playwright.sync_api import Page, expect

from tests.browser.conftest import picture, sign_in

QUEUE = "/admin/curation/claim/queue/"


def claim_of(page: Page) -> str:
    return page.locator("[data-claim]").get_attribute("data-claim") or ""


def press(page: Page, key: str) -> None:
    with page.expect_navigation():
        page.keyboard.press(key)


def test_j_and_k_walk_the_queue_and_letters_in_a_field_are_letters(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    first = claim_of(page)
    press(page, "j")
    assert claim_of(page) != first
    press(page, "k")
    assert claim_of(page) == first
    page.keyboard.press("e")
    page.keyboard.type(" jkar")
    expect(page.locator("#edit-statement")).to_have_value(page.locator("#statement").inner_text() + " jkar")
    picture(page, "queue-edit")


def test_keys_work_with_caps_lock(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    first = claim_of(page)
    press(page, "J")
    assert claim_of(page) != first


def test_a_decision_on_an_older_reading_keeps_the_text(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    page.keyboard.press("r")
    page.keyboard.type("Not what the page says.")
    page.evaluate("document.querySelectorAll('[name=version]').forEach((field) => { field.value = 999; })")
    press(page, "Control+Enter")
    expect(page.locator("#refused")).to_contain_text("has changed since you opened it")
    expect(page.locator("#reject-reason")).to_have_value("Not what the page says.")
    picture(page, "queue-refused")
