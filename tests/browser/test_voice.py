"""The room by voice. The browser's speech service is somebody else's and not here, so a double stands in for it."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_room import enter_room, leave_no_exam

SERVICE = """
window.spokenAloud = [];
speechSynthesis.speak = (said) => window.spokenAloud.push(said.text);
window.SpeechRecognition = window.webkitSpeechRecognition = class extends EventTarget {
  start() { window.listening = this; }
  hear(text) { const event = new Event("result"); event.results = [[{ transcript: text }]]; this.dispatchEvent(event); }
  stop() { this.dispatchEvent(new Event("end")); }
  fail(why) { const event = new Event("error"); event.error = why; this.dispatchEvent(event); this.stop(); }
};
"""


@pytest.fixture
def room(page: Page) -> Page:
    page.add_init_script(SERVICE)
    enter_room(page)
    return page


def test_an_answer_is_dictated_corrected_and_only_then_sent(room: Page) -> None:
    button = room.locator("#dictate")
    button.focus()
    room.keyboard.down("Space")
    expect(button).to_have_text("Listening…")
    room.evaluate("listening.hear('squawk seventy six hundred')")
    room.keyboard.up("Space")
    expect(room.locator("#answer")).to_have_value("squawk seventy six hundred")
    expect(room.locator("#state")).to_have_text("Read it over, correct it, then send.")
    assert not room.locator(".said.student").count()
    button.dispatch_event("pointerdown", {"pointerId": 1})
    room.evaluate("listening.fail('no-speech')")
    expect(room.locator("#state")).to_contain_text("I heard nothing")
    expect(room.locator("#answer")).to_have_value("squawk seventy six hundred")
    leave_no_exam(room)


def test_questions_are_read_aloud_where_that_was_asked_for(room: Page) -> None:
    asked = room.locator(".said.examiner[data-turn] .words").last.inner_text()
    assert room.evaluate("spokenAloud.length") == 0
    room.click("#read-aloud")
    assert asked.split()[-1] in room.evaluate("spokenAloud.at(-1)")
    room.reload()
    expect(room.locator("#read-aloud")).to_have_attribute("aria-pressed", "true")
    numbers_are_said_as_on_the_radio(room)
    leave_no_exam(room)


def numbers_are_said_as_on_the_radio(room: Page) -> None:
    for written, spoken in {
        "Tower is on 121.9 today.": "Tower is on one two one point niner today.",
        "You squawk 7600.": "You squawk seven six zero zero.",
        "Runway 24L, heading 090.": "Runway two four left, heading zero niner zero.",
        "You cruise at 4,500 feet.": "You cruise at four thousand five hundred feet.",
        "Up to FL180, at 1853Z.": "Up to flight level one eight zero, at one eight five three Zulu.",
        "He is 17 and weighs 195 pounds.": "He is 17 and weighs 195 pounds.",
        "14 CFR 91.155": "14 CFR 91.155",
    }.items():
        assert room.evaluate("text => heydpeVoice.spoken(text)", written) == spoken
