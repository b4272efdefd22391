"""A reviewer's day end to end: what the exam needs, items and claims by key, a batch, the graph, and a dispute whose
student reads what was decided."""

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import House, picture, sign_in
from tests.browser.test_queue import ITEMS, QUEUE, claim_of, press
from tests.browser.test_room import enter_room, final_verdict, leave_no_exam

BOARD = "/admin/curation/claim/items/"
MATTER = f"{QUEUE}?q=flight+restriction"
GRAPH = "/admin/curation/graphdecision/review/?what=beliefs"
PARTS = (
    "A temporary flight restriction closes airspace for a disaster, a fire or the movement of the President.",
    "Before every flight the notice of a temporary flight restriction must be read.",
)


def pending_claims(page: Page) -> list[str]:
    """Of those on the matter: a walk through the whole queue takes minutes."""
    page.goto(MATTER)
    if not page.locator("[data-claim]").count():
        return []
    found = [claim_of(page)]
    while page.locator("[data-key=j]").count():
        press(page, "j")
        if claim_of(page) in found:
            break
        found.append(claim_of(page))
    return found


def beliefs_waiting(page: Page) -> int:
    counted = re.search(r"Wrong beliefs\s+(\d+)", page.locator("body").inner_text())
    assert counted
    return int(counted[1])


def test_a_day_from_the_board_to_a_dispute_that_is_decided(page: Page, house: House) -> None:
    enter_room(page)
    final_verdict(page, "I don’t know.")
    card = page.locator(".verdict").first
    card.locator("text=I disagree").click()
    card.locator("textarea").fill("I was asked about something else.")
    card.locator("text=Send to a reviewer").click()
    expect(card).to_contain_text("Sent to a reviewer")
    room = page.url
    leave_no_exam(page)

    sign_in(page, "reviewer")
    page.goto("/admin/")
    page.get_by_role("link", name="What the exam needs").first.click()
    expect(page).to_have_url(re.compile(BOARD))
    picture(page, "day-board")

    page.goto(f"{ITEMS}?state=approved")
    press(page, "b")  # back to all Tasks
    expect(page).to_have_url(re.compile(BOARD))

    # Claims: one is put aside, flagged, taken in line again, and split; another is approved and taken back.
    claims = pending_claims(page)
    page.goto(f"{QUEUE}{claims[0]}/")
    press(page, "d")
    assert claims[0] not in pending_claims(page)
    page.goto(f"{QUEUE}{claims[0]}/")
    press(page, "d")
    assert claims[0] in pending_claims(page)
    page.goto(f"{QUEUE}{claims[0]}/")
    press(page, "f")
    page.goto(f"{QUEUE}{claims[0]}/")
    expect(page.locator(".queue-tags")).to_contain_text("flagged")
    page.keyboard.press("x")
    page.fill("#split-parts", "\n".join(PARTS))
    press(page, "Control+Enter")
    expect(page.locator(".queue-history")).to_contain_text("Split")
    parts = [one for one in pending_claims(page) if one not in claims]
    assert len(parts) == len(PARTS)
    page.goto(f"{QUEUE}{parts[0]}/")
    press(page, "a")
    expect(page.locator(".queue-history").first).to_contain_text("Approve")
    press(page, "u")
    assert parts[0] in page.url
    picture(page, "day-claim")

    # The graph: a wrong belief is approved by key.
    page.goto(GRAPH)
    before = beliefs_waiting(page)
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.keyboard.press("a")
    page.goto(GRAPH)
    assert beliefs_waiting(page) == before - 1
    picture(page, "day-graph")

    # The dispute: overruled, and told to the student.
    page.goto("/admin/exams/dispute/")
    page.locator("#result_list tbody a").first.click()
    for choice in page.locator("select[name^=met_]").all():
        choice.select_option("met")
    page.fill("#resolution", "The question can be read in two ways.")
    picture(page, "day-dispute")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        page.get_by_role("button", name="Overrule and grade again").click()
    sign_in(page, "student")
    page.goto(f"{room}report/")
    expect(page.locator("main")).to_contain_text("The question can be read in two ways.")
    picture(page, "day-report")
