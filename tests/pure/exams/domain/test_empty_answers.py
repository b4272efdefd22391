"""What holds no word is no answer; what holds one is judged, however wrong it is."""

import pytest

from exams.domain.asides import is_non_answer
from exams.domain.feedback import feedback_for
from exams.domain.planner import event_for
from exams.domain.verdicts import NON_ANSWER

NOTHING = {
    "zero-width space": "\u200b",
    "joiners and marks": "\u200d\u2060\ufe0f\u0336",
    "right-to-left marks": "\u200f\u200e\u061c" * 30,
    "blank letters": "\u3164\u115f\u1160\uffa0",
    "braille blank": "\u2800",
    "400 digits": "9" * 400,
    "400 digits in groups": "999," * 134,
    "punctuation": "?!… --- ***",
    "quotes": "“”\"'«»" * 50,
    "emojis": "🛩️👍🏽🎉",
    "half letters": "\ufffd\ufffd",
    "one word": "one " * 2500,
    "one number": "1-" * 5000,
    "one letter": "a" * 10_000,
    "one syllable": "haha" * 2500,
    "an address": "https://example.org/rules?section=91.155 www.example.org",
}
ANSWERS = [
    "3",
    "7600",
    "٣",
    "½",
    "121.5",
    "A",
    "no",
    "Mayday, mayday, mayday",
    "Pan-pan, pan-pan, pan-pan",
    "I don't know",
    "asdf",
    "118.5,121.5,122.8,123.0",
    "Donaudampfschifffahrtsgesellschaftskapitän",
    "8 hours " * 1250,
    "不知道天气很好" * 20,
    "I know 9" + "9" * 400,
    "See https://example.org/91.155",
    "\u200bthree\u200b miles\u200f",
    "\u0336".join("I do not know"),
]


@pytest.mark.parametrize("answer", NOTHING.values(), ids=NOTHING)
def test_what_holds_no_word_is_no_answer(answer: str) -> None:
    assert is_non_answer(answer)


@pytest.mark.parametrize("answer", ANSWERS)
def test_what_holds_a_word_is_an_answer(answer: str) -> None:
    assert not is_non_answer(answer)


def test_it_is_asked_again_and_is_no_failure_of_ours() -> None:
    decision = NON_ANSWER
    assert (decision.verdict, decision.final, decision.score) == ("unsatisfactory", False, 0.0)
    assert event_for(decision).name == "repeat_asked"
    assert "didn't catch an answer" in feedback_for(decision)
