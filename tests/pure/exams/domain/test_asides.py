"""What a student says to the examiner instead of an answer is no answer."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from exams.domain.asides import REPLIES, says_expected
from exams.domain.planner import event_for
from exams.domain.verdicts import ASKED_AGAIN
from exams.offline.asides import read_aside

ANSWER = "answer"
UNSEEN = json.loads((Path(__file__).parents[3] / "data" / "asides.json").read_text())

AGAIN = [
    "Say it again",
    "say again?",
    "Sorry, could you repeat the question?",
    "Pardon?",
    "Can you rephrase that, please?",
    "Could you say that differently?",
    "What was the question again?",
    "I didn’t catch that.",
    "I don't understand the question",
    "Repeat please",
    "Please say it one more time.",
    "What do you mean?",
]
ANSWERS = [
    "",
    "Say it again to the tower and read it back",
    "I would ask the controller to repeat the clearance",
    "Could you repeat the question? I think it is 8 hours.",
    "What",
    "I don't know",
    "Ask it again of ATC",
    "I did not hear the tower, so I look for light signals",
    "Clarify the clearance with ATC",
    "Stop.",
    "One",
    "I'd go home",
    "I would wait a few minutes",
    "I would take a break",
    "I'd skip it and land",
    "Hold short",
    "I have to stop at the hold line",
    "I'd look it up in the POH",
    "What about three landings?",
    "As I said, three landings in 90 days",
    "I'd need a minute to find the flashlight",
]
ASIDES = {
    "Take your time": [
        "Give me a minute.",
        "wait let me think",
        "Let me think about that for a second",
        "Mind if I think for a moment?",
    ],
    "I can't leave it out": ["Skip", "Can we move to another topic?", "I'd rather not answer that one."],
    "You can stop": ["I want to stop", "Can we stop here for today?", "I need a break", "Are we done?"],
    "I mean it": ["What do you mean by ceiling?", "Do you mean day or night?", "Is this a trick question?"],
    "I heard you": [
        "I just said that.",
        "Didn't I just say that?",
        "As I said before",
        "You already asked me this.",
    ],
    "I can't tell you": ["Is that right?", "Am I on the right track?", "What's the answer?"],
    "You may": ["Can I look it up?", "Am I allowed to look at the sectional?"],
    "For a hint": ["Can I have a hint?", "Give me a clue."],
    "That's all right": ["Sorry, I'm a bit nervous", "My mind just went blank"],
    "I'm here": ["Hello? Are you there?", "Can you hear me okay?"],
    "The line above": ["How many questions are left?"],
}


def meaning_of(said: str, expected: Sequence[str] = ()) -> str:
    aside = read_aside(said, expected)
    return aside.meaning if aside else ANSWER


@pytest.mark.parametrize("said", AGAIN)
def test_a_request_is_heard(said: str) -> None:
    assert meaning_of(said) in ("again", "reword", "meaning")


@pytest.mark.parametrize("said", ANSWERS)
def test_an_answer_stays_an_answer(said: str) -> None:
    assert meaning_of(said) == ANSWER


@pytest.mark.parametrize(("reply", "said"), [(reply, one) for reply, said in ASIDES.items() for one in said])
def test_each_aside_gets_its_own_reply(reply: str, said: str) -> None:
    assert REPLIES[meaning_of(said)].startswith(reply)


def test_words_of_what_is_expected_are_an_answer() -> None:
    assert meaning_of("Could we pass on that?") == "skip"
    assert meaning_of("Pass on the right", ["The pilot passes on the right"]) == ANSWER


def test_a_plain_request_is_heard_whatever_is_expected() -> None:
    assert (
        meaning_of("Repeat the question, please.", ["The pilot repeats the question and the readback"])
        == "again"
    )


def test_asides_that_were_not_fitted_to_are_recognized() -> None:
    asides = [(meaning, one) for meaning, said in UNSEEN["asides"].items() for one in said]
    found = [meaning_of(one) for _, one in asides]
    heard = sum(one != ANSWER for one in found)
    meant = sum(one == meaning for one, (meaning, _) in zip(found, asides, strict=True))
    assert heard >= 0.6 * len(asides), heard / len(asides)
    assert meant >= 0.5 * len(asides), meant / len(asides)


def test_answers_that_were_not_fitted_to_are_none() -> None:
    taken = [one for one in UNSEEN["answers"] if meaning_of(one) != ANSWER]
    assert len(taken) <= 0.05 * len(UNSEEN["answers"]), taken


def test_it_costs_nothing() -> None:
    decision = ASKED_AGAIN
    assert (decision.verdict, decision.final) == ("ungraded", False)
    assert event_for(decision).name == "repeat_asked"


@pytest.mark.parametrize(
    ("answer", "says_it"),
    [
        ("Say again for me.", True),
        ("I'd ask the controller to say the clearance again", True),
        ("Give me a minute.", False),
        ("Would you say that I should call approach?", False),
    ],
)
def test_what_is_expected_is_an_answer_whatever_it_sounds_like(answer: str, says_it: bool) -> None:
    expected = {"text": "Ask the controller to say the clearance again.", "also": ["say again for me"]}
    assert says_expected(answer, [expected]) is says_it
