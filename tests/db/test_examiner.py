"""What an examiner's model says is checked before it is shown; what fails twice is replaced by our own question."""

from typing import Any

import pytest

from exams.briefing import Briefing, briefing_for_element
from exams.examiner import Asked, transition_to, write_hint, write_opening, write_probe
from exams.focus import focus_of
from exams.values import Point
from llm.errors import TimedOut
from tests.doubles.chats import SaysInTurn
from tests.doubles.demo_library import Demo

pytestmark = pytest.mark.django_db
GOOD = "The tower reports a low overcast just after noon and you want to leave. How do you decide whether you may go?"


@pytest.fixture
def briefing(demo: Demo) -> Briefing:
    whole = briefing_for_element("PA.I.H.K1f", tenant=None)
    return whole.only(focus_of(whole.bases, "seed"))


def reply(text: str, **changes: Any) -> dict[str, Any]:
    return {"text": text, "expectations": [], "sources": [], **changes}


def test_a_good_question_is_shown_as_it_is(briefing: Briefing) -> None:
    model = SaysInTurn(reply(GOOD))
    words = write_opening(briefing, seed="s", model=model)
    assert (words.text, words.degraded) == (GOOD, "")
    assert words.provenance["provider"] == "double"


@pytest.mark.parametrize(
    "bad",
    [
        reply("Is carbon monoxide dangerous?"),
        reply("Great. What is carbon monoxide?"),
        reply("According to the handbook, what is carbon monoxide?"),
        reply("What is carbon monoxide? And what do you do about it?"),
        reply("word " * 70 + "what?"),
        reply("Tell me nothing.", sources=[99]),
        reply("What about it?", expectations=["no such key"]),
    ],
)
def test_a_bad_one_is_asked_for_again_with_the_reason(briefing: Briefing, bad: dict[str, Any]) -> None:
    model = SaysInTurn(bad, reply(GOOD))
    assert write_opening(briefing, seed="s", model=model).text == GOOD
    assert "was not shown" in model.asked[1].system
    assert "was not shown" not in model.asked[0].system


def test_bad_twice_is_replaced_by_our_own(briefing: Briefing) -> None:
    words = write_opening(briefing, seed="s", model=SaysInTurn(reply("Is it dangerous?")))
    assert words.text.endswith(("?", "."))
    assert words.degraded
    assert words.provenance["provider"] == "offline"


def test_a_model_that_is_away_stops_no_exam(briefing: Briefing) -> None:
    words = write_opening(briefing, seed="s", model=SaysInTurn(TimedOut("too late")))
    assert words.text
    assert "could not be reached" in words.degraded


def test_a_probe_quotes_the_student_and_names_nothing(briefing: Briefing) -> None:
    expectation = briefing.expectations[0]
    point = Point(expectation=expectation.text, key=expectation.key, met="missing")
    words = write_probe(
        question=GOOD,
        answer="I would get sleepy, I guess",
        points=[point],
        expectations=briefing.expectations,
        citations=briefing.citations,
        seed="s",
        model=SaysInTurn(TimedOut("away")),
    )
    assert "sleepy" in words.text or "I would get" in words.text
    assert "exhaust" not in words.text


def test_a_hint_points_to_a_place(briefing: Briefing) -> None:
    words = write_hint(
        question=GOOD,
        points=[],
        expectations=briefing.expectations,
        citations=briefing.citations,
        context=briefing.context,
        seed="s",
        model=SaysInTurn(TimedOut("away")),
    )
    assert words.text


def test_the_next_subject_follows_or_the_change_is_said() -> None:
    before = [
        Asked(text="?", task="PA.I.A", task_title="Pilot Qualifications", area_title="Preflight Preparation")
    ]
    assert transition_to("PA.I.A", "Pilot Qualifications", "Preflight Preparation", before) == ""
    said = transition_to("PA.I.B", "Airworthiness Requirements", "Preflight Preparation", before)
    assert "pilot qualifications" in said
    assert "airworthiness requirements" in said.lower()
