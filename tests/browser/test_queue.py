"""The verification queue by keyboard in a real browser: next, previous, edit, and a refusal that keeps the text."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import picture, sign_in

QUEUE = "/admin/curation/claim/queue/"
ITEMS = "/admin/curation/claim/items/queue/"


def claim_of(page: Page) -> str:
    return page.locator("[data-claim]").get_attribute("data-claim") or ""


def press(page: Page, key: str) -> None:
    """To the page that the key leads to, as the server answers it: a next claim is on screen before that."""
    with page.expect_navigation():
        page.keyboard.press(key)
    expect(page.locator(".queue [data-sent]")).to_have_count(0)


@pytest.mark.long
def test_j_and_k_walk_the_queue_and_letters_in_a_field_are_letters(page: Page) -> None:
    sign_in(page, "reviewer")
    wait_for_ahead(page)
    first = claim_of(page)
    second = page.locator(".queue-nav a[rel=next]").get_attribute("href") or ""
    with page.expect_response(lambda answer: "x-ahead" in answer.request.headers):
        press(page, "j")
    assert f"/{claim_of(page)}/" in second  # one press, one claim
    press(page, "k")
    assert claim_of(page) == first
    page.keyboard.press("e")
    page.keyboard.type(" jkar")
    expect(page.locator("#edit-statement")).to_have_value(page.locator("#statement").inner_text() + " jkar")
    picture(page, "queue-edit")


@pytest.mark.long
def test_keys_work_with_caps_lock(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    first = claim_of(page)
    press(page, "J")
    assert claim_of(page) != first


@pytest.mark.long
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


@pytest.mark.long
def test_a_claim_is_rejected_by_number_and_the_decision_taken_back(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    first = claim_of(page)
    page.keyboard.press("2")  # no reason is asked for yet: nothing happens
    assert claim_of(page) == first
    page.keyboard.press("r")
    picture(page, "queue-reasons")
    press(page, "2")
    assert claim_of(page) != first
    expect(page.locator(".queue-history")).to_contain_text("Reject")
    press(page, "u")
    assert claim_of(page) == first
    expect(page.locator("[data-key=a]")).to_be_visible()


def wait_for_ahead(page: Page) -> None:
    """Until the next claim has been fetched ahead, as a marked request."""
    with page.expect_response(lambda answer: "x-ahead" in answer.request.headers) as fetched:
        page.goto(QUEUE)
    fetched.value.finished()
    page.wait_for_timeout(500)  # its pictures are decoded


def test_the_next_claim_is_shown_before_the_server_answers_and_decided_on_after(page: Page) -> None:
    sign_in(page, "reviewer")
    wait_for_ahead(page)
    first, held = claim_of(page), []
    page.route(
        f"**/{first}/*",
        lambda route: held.append(route) if route.request.method == "POST" else route.continue_(),
    )
    page.keyboard.press("f")
    expect(page.locator(f".queue-claim:not([data-claim='{first}'])")).to_be_visible()
    second = claim_of(page)
    assert second in page.url
    assert len(held) == 1
    expect(page.locator(".messages")).to_have_text("Saving your decision…")
    page.keyboard.press("a")  # a slip: nothing is decided before the answer is there
    with page.expect_response(lambda answer: "x-ahead" in answer.request.headers):
        held[0].continue_()
        page.unroute_all()  # until then a request that outlives its page stays held
    expect(page.locator(".messages")).to_contain_text("Flagged")
    assert claim_of(page) == second
    expect(page.locator("[data-sent]")).to_have_count(0)
    page.go_back()
    expect(page.locator(".queue-tags")).to_contain_text("flagged by reviewer")
    assert claim_of(page) == first
    page.wait_for_load_state()  # the page is read anew, and hears no key before its scripts have run
    press(page, "d")  # back in line
    page.go_forward()


@pytest.mark.long
def test_a_next_claim_that_was_decided_on_meanwhile_is_passed_over(page: Page) -> None:
    sign_in(page, "reviewer")
    wait_for_ahead(page)
    first = claim_of(page)
    second = page.locator(".queue-nav a[rel=next]").get_attribute("href") or ""
    other = page.context.new_page()
    other.goto(second)
    press(other, "f")
    page.bring_to_front()
    press(page, "f")
    expect(page.locator(".messages")).to_contain_text("Flagged")
    assert claim_of(page) not in (first, second.split("/")[-2])
    for address in (f"{QUEUE}{first}/", second):
        page.goto(address)
        press(page, "d")


def test_a_decision_that_did_not_arrive_is_shown_again_with_its_words(page: Page) -> None:
    sign_in(page, "reviewer")
    wait_for_ahead(page)
    first = claim_of(page)
    page.route("**/*", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    page.keyboard.press("r")
    page.keyboard.type("Not what the page says.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#refused")).to_contain_text("not known whether your decision was saved")
    assert claim_of(page) == first
    assert first in page.url or page.url.endswith(QUEUE)
    expect(page.locator("#reject-reason")).to_have_value("Not what the page says.")
    picture(page, "queue-unsent")


@pytest.mark.long
def test_a_part_of_a_document_is_parked_and_brought_back(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    press(page, "b")
    picture(page, "queue-board")
    page.get_by_role("button", name="Park all of").first.click()
    expect(page.get_by_role("heading", name="Parked")).to_be_visible()
    page.get_by_role("button", name="Bring back").click()
    expect(page.get_by_role("heading", name="Parked")).to_have_count(0)


@pytest.mark.long
def test_search_by_slash_and_no_sideways_scrolling_on_a_phone(page: Page) -> None:
    sign_in(page, "reviewer")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(QUEUE)
    page.keyboard.press("/")
    page.keyboard.type("nothing says this")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing here.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    picture(page, "queue-phone")


def test_no_key_decides_by_accident(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    first = claim_of(page)
    page.keyboard.press("r")
    page.keyboard.press("Space")  # scrolls
    page.keyboard.press("Control+Enter")
    page.keyboard.type("My own words.")
    page.keyboard.press("Escape")
    page.keyboard.press("1")  # one's own words stand
    expect(page.locator("#reject-reason")).to_have_value("My own words.")
    page.reload()
    assert claim_of(page) == first
    expect(page.locator("[data-key=a]")).to_be_visible()


@pytest.mark.long
def test_elements_are_ticked_by_digit_and_the_keys_are_explained(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(QUEUE)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog")
    expect(keys).to_contain_text("merge it into the nearest claim")
    page.keyboard.press("a")  # nothing is decided behind the dialog
    expect(keys).to_be_visible()
    picture(page, "queue-keys")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    first = page.locator(".queue-elements input").first
    expect(first).to_be_checked()
    page.keyboard.press("1")
    expect(first).not_to_be_checked()
    page.keyboard.press("n")
    page.keyboard.type("pa.i.e.k1")
    page.keyboard.press("Enter")  # adds it, and approves nothing
    expect(page.locator(".queue-elements input[value='PA.I.E.K1']").last).to_be_checked()
    claim = claim_of(page)
    press(page, "a")
    page.goto(f"{QUEUE}{claim}/")
    expect(page.locator(".queue-elements")).to_contain_text("added by a reviewer")
    press(page, "u")


@pytest.mark.long
def test_an_item_is_reopened_rejected_by_number_and_taken_back(page: Page) -> None:
    sign_in(page, "reviewer")
    page.goto(f"{ITEMS}?state=approved")
    press(page, "O")  # with Caps Lock
    item = page.url
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("tick or untick a point")
    page.keyboard.press("a")  # nothing is decided behind the dialog
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    expect(page.locator(".queue-points input[type=checkbox]").first).to_be_checked()
    page.keyboard.press("r")
    page.keyboard.press("Control+Enter")  # without a reason nothing is sent
    assert page.url == item
    page.keyboard.press("Escape")
    page.keyboard.press("R")
    press(page, "2")
    expect(page.locator(".queue-history").first).to_contain_text("Reject")
    press(page, "U")
    assert page.url == item
    expect(page.get_by_text("Taken back: 1 point.")).to_be_visible()
    picture(page, "item-queue")
    press(page, "a")
    expect(page.locator(".queue-history").first).to_contain_text("Approve")
