"""A must that the stem does not ask for is asked about next, as part of the question; the probes come after that."""

from collections.abc import Callable
from functools import partial

import pytest

from exams.domain.feedback import TAKEN
from exams.exchange.completion import completed_after_follow_up
from exams.models import Assessment, Exam, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import assessed, new_exam, opened

pytestmark = pytest.mark.django_db
QUESTION = "You have a headache in the cockpit, and the heater is on. What do you think of?"
SIGN = "A headache in the cockpit is a sign of carbon monoxide, which leaks from the exhaust into the cabin heat."
PROBE = "What could leak into the cabin?"
ASK = "what would you do with the vents?"
PLAN = "The pilot opens the fresh air vents."


@pytest.fixture
def exam(demo: Demo) -> Exam:
    """Its first question, whichever was drawn, is ours, with two musts, the second of which it asks about next."""
    exam = opened(new_exam(demo.student))
    turn = Turn.objects.get(exam=exam)
    drawn = next(one for one in turn.expectations if one["importance"] == "must")
    bare = {**drawn, "also": [], "reject": [], "keywords": [], "p0": False}
    plan = {
        **bare,
        "key": "plan",
        "text": PLAN,
        "keywords": [["vent*"]],
        "kind": "mitigate",
        "ask": f"So {ASK}",
        "then": True,
    }
    turn.text = QUESTION
    turn.expectations = [{**bare, "text": SIGN, "ask": PROBE}, plan]
    turn.rubric["mixups"] = []
    turn.save(update_fields=["text", "expectations", "rubric"])
    return exam


@pytest.fixture
def say(exam: Exam) -> Callable[[str], Assessment]:
    return partial(assessed, exam)


def last_turn(exam: Exam) -> Turn:
    return exam.turns.latest("number")


def asks_for_plan(turn: Turn) -> bool:
    """With "So" or without it: it is dropped at every second follow-up."""
    return turn.text.lower().endswith(ASK)


def test_what_the_stem_asks_for_is_taken_and_the_talk_goes_on(
    exam: Exam, say: Callable[[str], Assessment]
) -> None:
    taken = say(SIGN)
    assert not taken.final
    assert taken.feedback in TAKEN  # not "That's part of it": all that was asked for is there
    turn = last_turn(exam)
    assert (turn.form, turn.attempt) == ("probe", 2)
    assert asks_for_plan(turn)
    final = say(PLAN)
    assert (final.final, final.verdict) == (True, "satisfactory")
    assert "after the follow-up" not in final.feedback
    found = list(Assessment.objects.filter(turn__element=turn.element).order_by("id"))
    assert not completed_after_follow_up(found, turn.expectations)


def test_who_says_all_at_once_is_not_asked_for_it(exam: Exam, say: Callable[[str], Assessment]) -> None:
    assert say(f"{SIGN} {PLAN}").final


def test_what_is_left_out_then_is_probed_in_other_words(exam: Exam, say: Callable[[str], Assessment]) -> None:
    say(SIGN)
    assert not say("I'm not sure what I would do there.").final
    probe = last_turn(exam)
    assert (probe.form, probe.attempt) == ("probe", 3)
    assert not asks_for_plan(probe)
    assert say("No idea, sorry.").final


def test_who_does_not_know_is_probed_and_decides_all_the_same(
    exam: Exam, say: Callable[[str], Assessment]
) -> None:
    say("I don't know.")
    assert last_turn(exam).text == PROBE
    assert not say("I don't know that either.").final
    assert last_turn(exam).attempt == 3
    assert asks_for_plan(last_turn(exam))
    assert say(PLAN).final


def test_who_misses_the_point_is_asked_for_both(exam: Exam, say: Callable[[str], Assessment]) -> None:
    say("I would look out of the window and fly the airplane as usual.")
    assert last_turn(exam).text.startswith(PROBE)
    assert asks_for_plan(last_turn(exam))
