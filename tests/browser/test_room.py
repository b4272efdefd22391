"""The room when things go wrong, and for those without a mouse or a large screen."""

import json
import os
import re
import signal
from typing import Any

import psutil
import psycopg
import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from heydpe.runtime.paths import paths_for
from tests.browser.conftest import House, csrf_token, picture, sign_in

ASKED = ".said.examiner[data-turn] .words"
TABS_MOST = 60


def question(page: Page) -> Locator:
    return page.locator(ASKED).last


def enter_room(page: Page) -> None:
    """The student's open oral, or a new one; its question is out and can be answered."""
    sign_in(page, "student")
    page.goto("/exams/")
    page.locator("text=/Continue your oral|Start a short oral/").first.click()
    expect(page.locator("#send, h1:text('You have to wait')").first).to_be_visible(timeout=30_000)
    if not page.locator("#send").count():  # the tests begin more orals within a minute than one student may
        page.wait_for_timeout(60_000)
        return enter_room(page)
    expect(page.locator("#send")).to_be_enabled(timeout=30_000)


def leave_no_exam(page: Page) -> None:
    """Ends this room's oral, so that the next test begins its own; by its button one ends in `test_reconnecting`."""
    room = re.search(r"/exams/[^/]+/", page.url)
    assert room
    ended = page.request.post(f"/api/v1{room[0]}end/", headers={"X-CSRFToken": csrf_token(page)})
    assert ended.status in (200, 409)


def tab_to(page: Page, selector: str) -> None:
    for _ in range(TABS_MOST):
        if page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        page.keyboard.press("Tab")
    pytest.fail(f"the Tab key does not lead to {selector}")


def final_verdict(page: Page, text: str) -> None:
    """Answers until a verdict is final; the ladder has at most two rungs here."""
    before = page.locator(".verdict").count()
    for _ in range(3):
        expect(page.locator("#send")).to_be_enabled(timeout=30_000)
        page.fill("#answer", text)
        page.click("#send")
        expect(page.locator(".said.student").last).to_have_text(text)
        page.wait_for_function(
            "() => !document.querySelector('#send').disabled || !document.querySelector('#closing').hidden"
        )
        if page.locator(".verdict").count() > before:
            return
    pytest.fail("no verdict became final")


def in_database(house: House, statement: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(paths_for(house.data_dir).addresses.database_url, autocommit=True) as connection:
        cursor = connection.execute(statement, values)  # type: ignore[arg-type]
        return cursor.fetchall() if cursor.description else []


def test_a_question_by_keyboard_alone(page: Page) -> None:
    page.goto("/accounts/login/")
    tab_to(page, "button[value=student]")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.goto("/exams/")
    tab_to(page, ".main-button")
    page.keyboard.press("Enter")
    expect(page.locator("#send")).to_be_enabled(timeout=30_000)
    tab_to(page, "#answer")
    page.keyboard.type("I would breathe deeper")
    page.keyboard.press("Enter")
    page.keyboard.type("and hope that it passes.")
    assert page.locator("#answer").input_value() == "I would breathe deeper\nand hope that it passes."
    asked = question(page).inner_text()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".said.student").last).to_contain_text("I would breathe deeper")
    expect(question(page)).not_to_have_text(asked, timeout=30_000)
    expect(page.locator("#send")).to_be_enabled(timeout=30_000)
    tab_to(page, "#dontknow")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict").first).to_be_visible(timeout=30_000)
    tab_to(page, ".verdict button")
    leave_no_exam(page)


@pytest.mark.long
def test_the_place_the_next_question_and_the_way_to_the_report_stay_in_sight(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 700})
    enter_room(page)
    final_verdict(page, "I don't know.")
    expect(page.locator("#asking")).to_contain_text("Next question")  # it stands below a long verdict
    expect(page.locator("#budget")).to_be_in_viewport()
    page.click("#end")
    page.click("#confirm button[value=yes]")
    expect(page.locator("#closing a")).to_be_in_viewport(timeout=30_000)


@pytest.mark.long
def test_words_that_are_no_answer_are_asked_for_again(page: Page) -> None:
    enter_room(page)
    asked = question(page).inner_text()
    page.fill("#answer", "…!?")
    page.click("#send")
    expect(page.locator(".said.examiner").last).to_contain_text("I didn't catch an answer", timeout=30_000)
    expect(question(page)).to_have_text(asked)
    expect(page.locator("#send")).to_be_enabled()
    leave_no_exam(page)


@pytest.mark.long
def test_an_oral_paused_because_nothing_could_be_assessed_says_so(page: Page) -> None:
    paused = {
        "type": "error",
        "code": "not_assessed",
        "message": "Answer again to go on.",
        "retryable": False,
    }

    def pause_after_the_verdict(room: WebSocketRoute) -> None:
        server = room.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            room.send(message)
            if '"type":"question"' in str(message) and '"turn":2' in str(message):
                room.send(json.dumps(paused))

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/exams/"), pause_after_the_verdict)
    enter_room(page)
    page.fill("#answer", "I keep clear of the clouds.")
    page.click("#send")
    expect(page.locator("#banner")).to_have_text("Answer again to go on.", timeout=30_000)
    expect(page.locator("#send")).to_be_enabled()
    leave_no_exam(page)


@pytest.mark.long
def test_an_oral_paused_for_want_of_the_examiner_says_so_and_goes_on_without_retyping(page: Page) -> None:
    away = {"type": "error", "code": "examiner_away", "message": "Your oral is paused.", "retryable": True}
    told: list[str] = []

    def first_time_away(room: WebSocketRoute) -> None:
        server = room.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            if len(told) == 1:
                return
            if '"type":"assessment"' in str(message) and not told:
                told.append(room.url)
                room.send(json.dumps(away))
            else:
                room.send(message)

        server.on_message(pass_on)

    page.route_web_socket(re.compile("/ws/exams/"), first_time_away)
    enter_room(page)
    asked = question(page).inner_text()
    page.fill("#answer", "I keep clear of the clouds.")
    page.click("#send")
    expect(page.locator("#banner")).to_contain_text("Your oral is paused.", timeout=30_000)
    expect(page.locator("#state")).to_have_text("Your answer is kept.")
    told.append("back")
    page.press("#banner a", "Enter")
    expect(question(page)).not_to_have_text(asked, timeout=30_000)
    expect(page.locator(".said.student")).to_have_text(["I keep clear of the clouds."])
    expect(page.locator("#banner")).to_be_hidden()
    leave_no_exam(page)


@pytest.mark.long
def test_the_room_and_what_it_leads_to_do_not_scroll_sideways_on_a_phone(
    browser: Browser, house: House
) -> None:
    context = browser.new_context(base_url=house.url, viewport={"width": 390, "height": 844}, has_touch=True)
    page = context.new_page()
    page.goto("/accounts/login/")
    fits(page, "login")
    enter_room(page)
    final_verdict(page, "I don’t know. " * 3 + "x" * 300)
    fits(page, "room")
    leave_no_exam(page)
    page.goto(f"{page.url}report/")
    fits(page, "report")
    page.goto("/library/")
    page.locator("main a[href*='/library/']").first.click()
    page.wait_for_load_state()
    fits(page, "library page")
    context.close()


def fits(page: Page, name: str) -> None:
    picture(page, f"phone-{name.replace(' ', '-')}")
    wide, seen = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
    widest = page.evaluate(
        "() => [...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > innerWidth + 1"
        " && !e.closest('.scroll')).slice(0, 5).map(e => e.tagName + '.' + e.className)"
    )
    assert wide <= seen <= 390, f"{name} is {wide} wide: {widest}"


def web_process(house: House) -> psutil.Process:
    assert house.process is not None
    children = psutil.Process(house.process.pid).children(recursive=True)
    return next(child for child in children if "uvicorn" in " ".join(child.cmdline()))


def kill_web(page: Page, house: House) -> psutil.Process:
    killed = web_process(house)
    os.kill(killed.pid, signal.SIGKILL)
    expect(page.locator("#state")).to_contain_text("Reconnecting", timeout=20_000)
    return killed


@pytest.mark.long
def test_an_answer_given_while_the_killed_server_is_away_is_sent_when_it_is_back(
    page: Page, house: House
) -> None:
    enter_room(page)
    exchanges = page.locator(ASKED).count()
    page.fill("#answer", "said to nobody at first")
    killed = kill_web(page, house)
    expect(page.locator("#answer")).to_have_value("said to nobody at first")
    page.click("#send")
    expect(page.locator("#state")).to_contain_text("kept")
    expect(page.locator(ASKED)).to_have_count(exchanges + 1, timeout=60_000)
    expect(page.locator(".said.student", has_text="said to nobody at first")).to_have_count(1)
    stored = in_database(
        house, "SELECT count(*) FROM exams_answer WHERE text = %s", "said to nobody at first"
    )
    assert stored == [(1,)]
    assert web_process(house).pid != killed.pid
    leave_no_exam(page)


@pytest.mark.long
def test_signed_out_in_another_window_the_room_says_so(page: Page, house: House) -> None:
    """The session is gone and the connection breaks: the words stay, and the way back is one link."""
    connections: list[WebSocketRoute] = []

    def keep(connection: WebSocketRoute) -> None:
        connections.append(connection)
        connection.connect_to_server()

    page.route_web_socket(re.compile("/ws/exams/"), keep)
    enter_room(page)
    room, asked = page.url, question(page).inner_text()
    page.fill("#answer", "kept while signed out")
    in_database(house, "DELETE FROM knowledge_usersession")
    connections[-1].close(code=1012)
    expect(page.locator("#banner")).to_contain_text("signed out", timeout=60_000)
    page.click("#banner a")
    page.click("button[value=student]")
    expect(page).to_have_url(room)
    expect(page.locator("#send")).to_be_enabled(timeout=30_000)
    expect(page.locator("#answer")).to_have_value("kept while signed out")
    expect(question(page)).to_have_text(asked)
    leave_no_exam(page)


@pytest.mark.long
def test_an_answer_after_signing_out_in_another_window_is_sent_when_one_is_back(
    page: Page, house: House
) -> None:
    """No connection breaks here: the open room itself refuses what comes after the sign-out."""
    enter_room(page)
    room, exchanges = page.url, page.locator(ASKED).count()
    other = page.context.new_page()
    other.goto("/exams/")
    other.click("form[action='/accounts/logout/'] button")
    expect(other).to_have_url(re.compile("/accounts/login/"))
    other.close()
    page.fill("#answer", "said after the sign-out")
    page.click("#send")
    expect(page.locator("#banner")).to_contain_text("signed out", timeout=20_000)
    expect(page.locator("#state")).to_contain_text("kept")
    picture(page, "signed-out")
    stored = "SELECT count(*) FROM exams_answer WHERE text = 'said after the sign-out'"
    assert in_database(house, stored) == [(0,)]
    page.click("#banner a")
    page.click("button[value=student]")
    expect(page).to_have_url(room)
    expect(page.locator(ASKED)).to_have_count(exchanges + 1, timeout=60_000)
    assert in_database(house, stored) == [(1,)]
    leave_no_exam(page)


@pytest.mark.long
def test_i_disagree_is_seen_by_a_reviewer(page: Page, house: House) -> None:
    enter_room(page)
    final_verdict(page, "I don’t know.")
    card = page.locator(".verdict").first  # a later verdict would be the last while the note is written
    card.locator("text=I disagree").click()
    card.locator("textarea").fill("The question was about something else, <b>entirely</b>.")
    card.locator("text=Send to a reviewer").click()
    expect(card).to_contain_text("Sent to a reviewer")
    leave_no_exam(page)
    assert (
        in_database(house, "SELECT count(*) FROM exams_dispute WHERE note LIKE %s", "%entirely%")[0][0] == 1
    )
    sign_in(page, "reviewer")
    page.goto("/admin/exams/dispute/")
    expect(page.locator("#result_list, table").first).to_contain_text(
        "about something else, <b>entirely</b>."
    )
    picture(page, "disputes")


@pytest.mark.long
def test_a_second_window_takes_over_and_the_first_says_so(page: Page) -> None:
    enter_room(page)
    other = page.context.new_page()
    other.goto(page.url)
    expect(other.locator("#send")).to_be_enabled(timeout=30_000)
    expect(page.locator("#banner")).to_contain_text("another window")
    expect(page.locator("#send")).to_be_disabled()
    page.click("#banner a")
    expect(page.locator("#send")).to_be_enabled(timeout=30_000)
    expect(other.locator("#banner")).to_contain_text("another window")
    other.close()
    leave_no_exam(page)
