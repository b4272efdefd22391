"""The search laboratory by keyboard and on a phone, under the strict policy: a drawing, passages, and why not."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import picture, sign_in


@pytest.mark.long
def test_a_question_is_taken_apart_by_keyboard(page: Page) -> None:
    sign_in(page, "operator")
    page.goto("/operations/")
    page.click("a:text-is('Quality')")
    page.focus("#q")
    page.keyboard.type("weather minimums for VFR in Class G at night")
    page.keyboard.press("Enter")
    expect(page.locator("svg.plot")).to_be_visible()
    first = page.locator("article.hit").first
    expect(first.locator(".place")).to_have_text("1")
    first.locator("summary").first.focus()
    page.keyboard.press("Enter")
    expect(first.locator("img")).to_be_visible()
    picture(page, "laboratory")
    page.click("summary:has-text('Exam context')")
    page.select_option("#arm", "hybrid+rerank")
    page.click("button:has-text('Search')")
    expect(page.locator("dt:text-is('Reranked') + dd").first).to_contain_text("late")


@pytest.mark.long
def test_why_a_passage_was_not_found(page: Page) -> None:
    sign_in(page, "operator")
    page.goto("/operations/search/?q=weather+minimums+in+Class+G&k=1")
    other = page.locator("article.hit.out a").first.get_attribute("href")
    page.fill("#expected", str(other))
    page.click("button:has-text('Search')")
    expect(page.locator("#why")).to_contain_text("Why it was not found")
    expect(page.locator("#why .reasons li").first).to_be_visible()
    picture(page, "laboratory-why")


@pytest.mark.long
def test_nothing_is_wider_than_a_phone(page: Page) -> None:
    sign_in(page, "operator")
    page.set_viewport_size({"width": 375, "height": 800})
    for path in ("search/?q=fuel+by+night", "searches/", "arms/", "costs/"):
        page.goto(f"/operations/{path}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 375, path
        picture(page, f"phone-{path.split('/')[0]}")
