"""The concept graph in a real browser: drawn, walked by clicks, and reviewed by keys."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import picture, sign_in
from tests.browser.test_queue import QUEUE, press

REVIEW = "/admin/curation/graphdecision/review/"


def place_of(page: Page, ring: int) -> dict[str, Any]:
    """A node of a ring of the drawing: its id, its title, and where it is on the page."""
    found: dict[str, Any] = page.evaluate(
        """(ring) => {
            const place = document.getElementById("drawing");
            const node = place._cyreg.cy.nodes(`[ring = ${ring}]`)[0];
            const box = place.getBoundingClientRect();
            const at = node.renderedPosition();
            return { id: node.id(), title: node.data("title"), x: box.left + at.x, y: box.top + at.y };
        }""",
        ring,
    )
    return found


def center_is(page: Page, title: str) -> None:
    """Wait until the drawing is one around this node."""
    page.wait_for_function(
        """(title) => document.getElementById("drawing")?._cyreg?.cy.nodes("[ring = 0]").data("title") === title""",
        arg=title,
    )


def open_node(page: Page, words: str) -> str:
    """The page of the first node that a search of the graph finds; its title."""
    page.goto(f"/library/graph/?q={words}")
    page.locator("main li a[href*='/library/graph/']").first.click()
    page.wait_for_function("() => Boolean(document.getElementById('drawing')?._cyreg)")
    return str(place_of(page, 0)["title"])


@pytest.mark.long
def test_nodes_are_drawn_and_a_click_walks_to_one_with_its_evidence(page: Page) -> None:
    sign_in(page, "student")
    title = open_node(page, "PA.I.A.K1")
    start = page.url
    expect(page.locator("#drawing canvas").first).to_be_visible()
    picture(page, "graph")
    page.evaluate("window.scrollTo(0, 0)")
    there = place_of(page, 1)
    page.mouse.move(there["x"], there["y"])
    expect(page.locator("#drawing")).to_have_attribute("title", there["title"])
    page.mouse.click(there["x"], there["y"])
    page.wait_for_url(f"**/library/graph/{there['id']}/**")
    expect(page.locator("h1.node-title")).to_contain_text(there["title"][:40])
    expect(page.locator("aside h2")).to_have_text("Evidence")
    center_is(page, there["title"])
    page.go_back()
    page.wait_for_url(start)
    center_is(page, title)


@pytest.mark.long
def test_evidence_beside_a_node_opens_its_passage(page: Page) -> None:
    sign_in(page, "student")
    open_node(page, "PA.I.A.K1")
    summary = page.locator(".graph-steps summary", has_text="Evidence").first
    summary.click()
    quote = page.locator(".graph-steps details[open] blockquote").first
    expect(quote).to_be_visible()
    with page.expect_navigation():
        quote.locator("a").click()
    assert "/library/passages/" in page.url


@pytest.mark.long
def test_rows_are_removed_skipped_and_taken_back_by_key_also_later(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(f"{REVIEW}?state=accepted")
    rows = page.locator("[data-row]")
    first, second = (rows.nth(at).get_attribute("data-row") for at in (0, 1))
    expect(rows.nth(0)).to_have_attribute("data-current", "")
    page.keyboard.press("s")
    expect(rows.nth(1)).to_have_attribute("data-current", "")
    page.keyboard.press("k")
    page.keyboard.press("R")
    expect(rows.nth(0)).to_have_attribute("data-done", "remove")
    expect(page.locator("#graph-own")).to_contain_text("Reject")
    expect(rows.nth(1)).to_have_attribute("data-current", "")
    page.keyboard.press("u")
    expect(page.locator("#graph-said")).to_have_text("Taken back.")
    expect(rows.nth(0)).to_have_attribute("data-done", "")
    page.keyboard.press("r")
    expect(rows.nth(0)).to_have_attribute("data-done", "remove")
    picture(page, "graph-review")
    page.goto(QUEUE)
    page.goto(f"{REVIEW}?state=removed")
    expect(page.locator(f"[data-row='{first}']")).to_be_visible()
    page.goto(f"{REVIEW}?state=accepted")
    expect(page.locator("[data-row]").first).to_have_attribute("data-row", second or "")
    press(page, "u")
    expect(page.locator("[data-row]").first).to_have_attribute("data-row", first or "")


@pytest.mark.long
def test_what_was_removed_is_accepted_by_key_and_the_button_undoes_without_leaving(page: Page) -> None:
    sign_in(page, "reviewer")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{REVIEW}?what=subjects")
    subject = page.locator("[data-row]").first.get_attribute("data-row")
    page.keyboard.press("r")
    expect(page.locator("[data-done=remove]")).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    picture(page, "graph-review-phone")
    page.goto(f"{REVIEW}?what=subjects&state=removed")
    row = page.locator(f"[data-row='{subject}']")
    row.focus()
    page.keyboard.press("a")
    expect(row).to_have_attribute("data-done", "accept")
    page.locator("#graph-own button").click()
    expect(row).to_have_attribute("data-done", "")
    page.keyboard.press("a")
    expect(row).to_have_attribute("data-done", "accept")
