"""The room when the server answers with an error that passes, or the connection breaks: it goes on by itself.

Playwright stands between page and server and answers some frames in its stead; the rest is the real server's.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.conftest import House
from tests.browser.test_room import ASKED, enter_room, in_database, leave_no_exam, question
from tests.sampling import sample_of

Json = dict[str, Any]
WAIT_MS = 30_000
FOR_NOW = {"type": "error", "code": "internal", "message": "Not just now.", "retryable": True}


@dataclass
class Between:
    """Every frame that the page sent; `instead` says what becomes of one: True lets it pass."""

    sent: list[Json] = field(default_factory=list)
    routes: list[WebSocketRoute] = field(default_factory=list)
    instead: Callable[[WebSocketRoute, Json], bool] = lambda route, frame: True

    def stand(self, page: Page) -> None:
        page.route_web_socket("**/ws/exams/**", self._carry)

    def _carry(self, route: WebSocketRoute) -> None:
        self.routes.append(route)
        server = route.connect_to_server()

        def pass_on(message: str | bytes) -> None:
            frame = json.loads(message)
            self.sent.append(frame)
            if self.instead(route, frame):
                server.send(message)

        route.on_message(pass_on)

    def of(self, kind: str) -> list[Json]:
        return [frame for frame in self.sent if frame["type"] == kind]

    def fail_once(self, kind: str, do: Callable[[WebSocketRoute], None]) -> None:
        failed: list[Json] = []

        def instead(route: WebSocketRoute, frame: Json) -> bool:
            if frame["type"] != kind or failed:
                return True
            failed.append(frame)
            do(route)
            return False

        self.instead = instead


@pytest.fixture
def between(page: Page) -> Between:
    found = Between()
    found.stand(page)
    return found


def say_error(kind: str) -> Callable[[WebSocketRoute], None]:
    return lambda route: route.send(json.dumps({**FOR_NOW, "about": kind}))


def close(code: int) -> Callable[[WebSocketRoute], None]:
    return lambda route: route.close(code=code)


FAULTS = {"error": say_error("answer"), "1012": close(1012), "1011": close(1011), "another code": close(3006)}
SAMPLE = sample_of(list(FAULTS), 4)


@pytest.mark.parametrize("fault", [FAULTS[name] for name in SAMPLE], ids=SAMPLE)
def test_an_answer_that_failed_for_now_is_sent_again_with_its_id(
    page: Page, house: House, between: Between, fault: Callable[[WebSocketRoute], None]
) -> None:
    enter_room(page)
    exchanges, text = page.locator(ASKED).count(), f"said through fault {id(fault)}"
    between.fail_once("answer", fault)
    page.fill("#answer", text)
    page.click("#send")
    page.fill("#answer", "typed meanwhile")
    expect(page.locator(ASKED)).to_have_count(exchanges + 1, timeout=WAIT_MS)
    expect(page.locator("#send")).to_be_enabled(timeout=WAIT_MS)
    expect(page.locator("#answer")).to_have_value("typed meanwhile")
    assert len({frame["id"] for frame in between.of("answer")}) == 1
    assert len(between.of("answer")) >= 2
    expect(page.locator(".said.student", has_text=text)).to_have_count(1)
    assert in_database(house, "SELECT count(*) FROM exams_answer WHERE text = %s", text) == [(1,)]
    page.fill("#answer", "")
    leave_no_exam(page)


@pytest.mark.long
def test_a_question_that_could_not_be_sent_for_now_comes_by_itself(page: Page, between: Between) -> None:
    between.fail_once("resume", say_error("resume"))
    enter_room(page)
    for _ in range(100):
        if len(between.of("resume")) >= 2:
            break
        page.wait_for_timeout(100)
    assert len(between.of("resume")) >= 2
    leave_no_exam(page)


@pytest.mark.long
def test_the_room_says_calmly_what_goes_on(page: Page, between: Between) -> None:
    enter_room(page)
    asked, exchanges = question(page).inner_text(), page.locator(ASKED).count()
    page.fill("#answer", "half a thought")
    between.instead = lambda route, frame: bool(route.close(code=1012))  # type: ignore[func-returns-value]
    between.routes[-1].close(code=1012)
    expect(page.locator("#state")).to_contain_text("Reconnecting… The server is restarting.", timeout=WAIT_MS)
    expect(page.locator("#banner")).to_be_hidden()
    between.instead = lambda route, frame: True
    expect(page.locator("#state")).to_have_text("Connected again. Nothing was lost.", timeout=WAIT_MS)
    expect(page.locator("#state")).to_have_text("", timeout=WAIT_MS)
    expect(page.locator("#answer")).to_have_value("half a thought")
    assert (question(page).inner_text(), page.locator(ASKED).count()) == (asked, exchanges)
    leave_no_exam(page)


@pytest.mark.long
def test_an_answer_that_is_refused_for_good_is_given_back(page: Page, between: Between) -> None:
    enter_room(page)

    def refuse(route: WebSocketRoute) -> None:
        error = {"code": "busy", "message": "Wait for the verdict.", "retryable": False, "about": "answer"}
        route.send(json.dumps({"type": "error", **error}))

    between.fail_once("answer", refuse)
    page.fill("#answer", "refused at first")
    page.click("#send")
    expect(page.locator("#banner")).to_have_text("Wait for the verdict.", timeout=WAIT_MS)
    expect(page.locator("#answer")).to_have_value("refused at first")
    expect(page.locator(".said.student")).to_have_count(0)
    expect(page.locator("#send")).to_be_enabled()
    leave_no_exam(page)


@pytest.mark.long
def test_every_button_that_failed_for_now_is_pressed_again(
    page: Page, house: House, between: Between
) -> None:
    enter_room(page)
    exchanges = page.locator(ASKED).count()
    between.fail_once("look_up", say_error("look_up"))
    page.locator("details.look-up summary").last.click()
    expect(page.locator("details.look-up blockquote").first).to_be_visible(timeout=WAIT_MS)
    between.fail_once("hint", say_error("hint"))
    page.click("#hint")
    expect(page.locator(ASKED)).to_have_count(exchanges + 1, timeout=WAIT_MS)
    room = page.url
    between.fail_once("pause", say_error("pause"))
    page.click("#pause")
    page.wait_for_url("**/exams/", timeout=WAIT_MS)
    paused = "SELECT count(*) FROM exams_exam WHERE status = 'paused'"
    assert in_database(house, paused) == [(1,)]
    page.goto(room)
    expect(page.locator("#send")).to_be_enabled(timeout=WAIT_MS)
    between.fail_once("end", say_error("end"))
    page.click("#end")
    page.click("#confirm button[value=yes]")
    expect(page.locator("#closing")).to_be_visible(timeout=WAIT_MS)
    assert [len(between.of(kind)) >= 2 for kind in ("look_up", "hint", "pause", "end")] == [True] * 4


@pytest.mark.long
def test_the_source_is_not_in_the_page_until_it_is_looked_up(page: Page, house: House) -> None:
    enter_room(page)
    fold = page.locator("details.look-up").last
    quote = in_database(house, "SELECT citations->0->>'quote' FROM exams_turn ORDER BY id DESC LIMIT 1")[0][0]
    assert quote not in page.content()
    fold.locator("summary").click()
    expect(fold.locator("blockquote").first).to_contain_text(quote, timeout=WAIT_MS)
    page.reload()
    expect(page.locator("details.look-up blockquote").first).to_contain_text(quote, timeout=WAIT_MS)
    assert in_database(house, "SELECT looked_up FROM exams_turn ORDER BY id DESC LIMIT 1") == [(True,)]
    leave_no_exam(page)
