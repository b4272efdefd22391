"""An operator uploads a new edition and sees what became of it: former edition, claims, the way back."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import picture, sign_in
from tests.doubles import editions

LIMIT = 60_000  # ms; the machine may have other things to do


def feed(page: Page, path: Path) -> None:
    page.goto("/operations/")
    page.set_input_files("#files", str(path))
    page.click("summary:has-text('Document details')")
    page.select_option("#doc_type", "sop")
    page.fill("#title", "Club Handbook")
    page.fill("#abbreviation", "CH")
    page.click("button:has-text('Upload')")
    job = page.locator("article.job").filter(has_text=path.name).first
    expect(job).to_have_attribute("data-state", "succeeded", timeout=LIMIT)


@pytest.mark.long
def test_a_new_edition_and_what_became_of_its_claims(page: Page, tmp_path: Path) -> None:
    sign_in(page, "operator")
    feed(page, editions.pdf(tmp_path / "club-2025.pdf"))
    page.goto("/operations/")  # the list of documents is as it was when the page came
    page.click("button[aria-label='Extract claims from Club Handbook']")
    sign_in(page, "reviewer")
    for _ in range(LIMIT // 500):  # the worker draws the claims
        page.goto("/admin/curation/claim/?q=must+use+oxygen")
        if page.locator("text=must use oxygen").count():
            break
        page.wait_for_timeout(500)
    sign_in(page, "operator")
    feed(page, editions.pdf(tmp_path / "club-2026.pdf", editions.SECOND, front=1))
    picture(page, "edition-job")
    page.goto("/operations/editions/")
    expect(page.locator("#former")).to_contain_text("Club Handbook")
    expect(page.locator("#gaps")).to_contain_text("FAA-H-8083")
    expect(page.locator("#stale")).to_contain_text("is no longer in")
    picture(page, "editions-and-gaps")
    page.locator("#former a").first.click()
    picture(page, "edition-former")
    page.goto("/library/")
    picture(page, "library-editions")
    page.click("summary:has-text('former edition')")
    page.locator("details a:has-text('Club Handbook')").click()
    expect(page.locator("[data-superseded]")).to_be_visible()
    picture(page, "edition-superseded-page")
    sign_in(page, "reviewer")
    page.goto("/admin/curation/claim/?stale__exact=1")
    page.locator("#result_list a:has-text('must use oxygen')").first.click()
    expect(page.locator("#why-stale")).to_contain_text("is no longer in")
    picture(page, "claim-stale")
    sign_in(page, "operator")
    page.goto("/operations/editions/")
    page.click("button[aria-label^='Restore Club Handbook']")
    expect(page.locator(".messages")).to_contain_text("is in force again")
    expect(page.locator("#stale")).to_contain_text("None")
    picture(page, "edition-brought-back")
    page.click("button[aria-label^='Restore Club Handbook']")
    expect(page.locator("#stale")).to_contain_text("is no longer in")
    place_it_with_two_keys(page)
    sign_in(page, "operator")
    page.goto("/operations/editions/")
    expect(page.locator("#stale")).to_contain_text("None")


def place_it_with_two_keys(page: Page) -> None:
    """The reviewer sees what changed, and the claim stands on the new words."""
    sign_in(page, "reviewer")
    page.goto("/admin/curation/claim/?stale__exact=1")
    page.locator("#result_list a:has-text('must use oxygen')").first.click()
    expect(page.locator("#offer-1 del")).to_have_text("30")
    expect(page.locator("#offer-1 dd ins").first).to_have_text("20")
    expect(page.locator("#offer-1 .lit").first).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    picture(page, "phone-claim-stale")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.set_viewport_size({"width": 1280, "height": 900})
    page.keyboard.press("1")
    with page.expect_navigation():
        page.keyboard.press("a")
    expect(page.locator("body")).to_contain_text("Placed in the edition in force and approved")


@pytest.mark.long
def test_a_school_writes_a_document_and_publishes_it(page: Page) -> None:
    sign_in(page, "operator")
    page.goto("/operations/")
    page.click("text=Write a document")
    page.fill("[name=title]", "Parking rules")
    page.fill("[name=body]", f"## 1.1 Parking\n\n{editions.PARKING}")
    picture(page, "write-a-document")
    page.click("text=Save and publish")
    page.goto("/operations/")
    job = page.locator("article.job").filter(has_text="parking-rules.md").first
    expect(job).to_have_attribute("data-state", "succeeded", timeout=LIMIT)
    page.goto("/library/")
    expect(page.locator("main")).to_contain_text("Parking rules")
