"""A student cannot be let off an element, or get it ungraded, by what an answer holds."""

from collections import Counter
from itertools import count

import pytest

from exams.domain.planner import PlannerState
from exams.models import Assessment, Exam, Turn
from exams.report import report_of
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Frame, Room, new_exam, right_answer
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)

HOSTILE = {
    "zero-width space": "\u200b",
    "400 digits": "7" * 400,
    "one one one": "one " * 2500,
    "10,000 of one letter": "a" * 10_000,
    "NUL": "\x00\u200b\x00",
    "lone surrogates": "\ud800" * 7,
    "right-to-left marks": "\u200f" * 300,
    "only quotes": '"' * 300,
    "only addresses": "https://example.org/ " * 100,
    "emojis": "🛩️" * 300,
}


def finished_by(room: Room, text: str) -> list[Frame]:
    """Every assessment of an oral in which the student always says the same."""
    heard: list[Frame] = []
    room.hear("question")
    for number in count():
        heard.append(room.answer(text, f"a{number}"))
        if room.hear("question", "finished")["type"] == "finished":
            return heard
    raise AssertionError("unreachable")


@pytest.mark.parametrize("name", sample_of(list(HOSTILE), 5))
def test_it_is_asked_again_and_then_counts_as_not_known(demo: Demo, enter: Enter, name: str) -> None:
    text = HOSTILE[name]
    exam = new_exam(demo.student, questions=1)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    for number in range(2):
        found = room.answer(text, f"a{number}")
        assert (found["verdict"], found["final"]) == ("unsatisfactory", False)
        assert "didn't catch an answer" in found["feedback"]
        again = room.hear("question")
        assert (again["turn"], again["text"]) == (asked["turn"], asked["text"])
    assert room.answer(text, "a2")["verdict"] == "unsatisfactory"
    assert room.hear("question")["form"] == "probe"
    room.answer(text, "a3")
    room.hear("question")
    room.answer(text, "a4")
    room.hear("question")
    last = room.answer(text, "a5")
    assert (last["verdict"], last["final"], last["score"]) == ("unsatisfactory", True, 0.0)
    assert all(point["met"] == "missing" and point["said"] == "" for point in last["points"])
    room.hear("question", "finished")
    assert not Assessment.objects.filter(verdict="ungraded").exists()


WITH_WORDS = {
    "400 digits": "I believe it is " + "7" * 400 + " feet",
    "figures": "1 2 " * 2500,
    "numbers": "one two " * 1250,
    "fractions": "½ ¼ " * 2500,
    "right-to-left marks": "Cloud\u200f s. " * 700,
    "quotes": "“Three miles” " * 700,
}


@pytest.mark.parametrize("name", sample_of(list(WITH_WORDS), 3))
def test_words_among_it_are_judged(demo: Demo, enter: Enter, name: str) -> None:
    text = WITH_WORDS[name]
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    assert room.answer(text, "a0")["verdict"] in ("partial", "unsatisfactory")
    assert room.hear("question")["form"] == "probe"


@pytest.mark.long
def test_a_slip_of_the_keyboard_costs_nothing(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    room.answer("…", "a0")
    room.hear("question")
    assert room.answer(right_answer(exam), "a1")["verdict"] == "satisfactory"
    assert Turn.objects.filter(exam=exam).count() == 2


@pytest.mark.long
def test_the_same_one_sent_twice_counts_once(demo: Demo, enter: Enter) -> None:
    room = enter(new_exam(demo.student), demo.student)
    room.hear("question")
    first = room.answer("\u200b", "a0")
    room.hear("question")
    for _ in range(4):
        assert room.answer("\u200b", "a0") == first
    assert Assessment.objects.count() == 1


@pytest.mark.long
@pytest.mark.parametrize("name", sample_of(["zero-width space", "400 digits", "one one one"], 2))
def test_who_skips_ends_as_who_honestly_does_not_know(demo: Demo, enter: Enter, name: str) -> None:
    ends = []
    for said in ("I don't know.", HOSTILE[name]):
        exam = new_exam(demo.student, questions=2)
        found = finished_by(enter(exam, demo.student), said)
        assert not any(one["verdict"] == "ungraded" for one in found)
        exam.refresh_from_db()
        planner, report = PlannerState.from_dict(exam.planner), report_of(exam)
        verdicts = Counter(outcome.verdict for outcome in planner.outcomes)
        ends.append(
            (verdicts, planner.ended_by, report.result, report.ungraded, report.skipped, planner.left_out)
        )
    assert ends[0] == ends[1]
    assert ends[0][0] == {"unsatisfactory": 2}


@pytest.mark.long
def test_the_probe_after_it_quotes_nothing_of_it(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    for number in range(3):
        room.answer("7" * 400, f"a{number}")
        room.hear("question")
    assert Turn.objects.get(exam=Exam.objects.get(), number=2).form == "probe"
    assert "777" not in room.heard[-1]["text"]


def test_an_answer_that_only_asks_is_no_answer(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student, questions=1)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    found = room.answer("Would you say that it is three miles?", "a1")
    assert "Are you asking me, or telling me?" in found["feedback"]
    assert room.hear("question")["text"] == asked["text"]
    assert room.answer(right_answer(exam), "a2")["verdict"] == "satisfactory"
