"""The story: a student is examined, comes back, and opens a citation."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import House, picture, sign_in

ANSWERS = ["I don’t know.", "I have no idea."]


def answer(page: Page, text: str) -> None:
    turn = page.locator(".said.examiner[data-turn]").last.get_attribute("data-turn")
    page.fill("#answer", text)
    page.click("#send")
    page.wait_for_function(
        "turn => { const all = document.querySelectorAll('.said.examiner[data-turn]');"
        " if (!document.querySelector('#closing').hidden) return true;"  # a question that still comes has no heading
        " const last = all[all.length - 1]; return last.dataset.turn !== turn && last.querySelector('.meta'); }",
        arg=turn,
    )


def begin(page: Page) -> None:
    sign_in(page, "student")
    page.goto("/exams/")
    picture(page, "desk")
    if page.locator("text=Continue your oral").count():
        page.click("text=Continue your oral")
    else:
        page.click("text=Start a short oral")
    page.wait_for_selector(".said.examiner[data-turn]")


def test_a_student_is_examined_reloads_and_reads_the_lit_lines(page: Page, house: House) -> None:
    begin(page)
    first = page.locator(".said.examiner[data-turn] .words").last.inner_text()
    answer(page, ANSWERS[0])
    picture(page, "room")
    page.fill("#answer", "half a thought that was not sent")
    question = page.locator(".said.examiner[data-turn] .words").last.inner_text()
    page.reload()
    page.wait_for_selector(".said.examiner[data-turn]")
    expect(page.locator(".said.examiner[data-turn] .words").last).to_have_text(question)
    expect(page.locator(".said.examiner[data-turn] .words").first).to_have_text(first)
    expect(page.locator("#answer")).to_have_value("half a thought that was not sent")
    for turn in range(30):
        if page.locator("#closing").is_visible():
            break
        answer(page, ANSWERS[turn % 2])
    picture(page, "room-end")
    page.click("text=Read the report")
    expect(page.locator("h1")).to_contain_text("asked")
    picture(page, "report")
    with page.expect_navigation():
        page.locator("a.cite").first.click()
    expect(page.locator("svg.sheet rect.lit").first).to_be_visible()
    page.wait_for_function("document.querySelector('svg.sheet image').getBBox().width > 0")
    picture(page, "passage")


@pytest.mark.long
def test_a_page_that_the_browser_had_kept_is_read_anew(page: Page) -> None:
    sign_in(page, "student")
    page.goto("/exams/")
    with page.expect_navigation():
        page.evaluate("window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(page.locator("h2", has_text="Your orals")).to_be_visible()
