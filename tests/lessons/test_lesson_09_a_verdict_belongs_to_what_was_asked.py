"""The verdict went to another element than the one that was asked: an off-by-one after resuming."""

from typing import Any

import pytest

from exams.models import Assessment, Exam, Mastery, Turn
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, Room, new_exam, right_answer
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)
WRONG = "I do not know."


def take(exam: Exam, enter: Enter, *, reconnect: bool) -> list[dict[str, Any]]:
    """Every frame of an exam in which every second answer is wrong; each question may be answered anew elsewhere."""
    frames: list[dict[str, Any]] = []
    room = enter(exam, exam.student)
    room.hear("question")
    for number in range(30):
        if reconnect:
            room = changed(room, exam, enter, frames)
        room.answer(right_answer(exam) if number % 2 else WRONG, f"a{number}")
        if room.hear("question", "finished")["type"] == "finished":
            break
    return frames + room.heard


def changed(room: Room, exam: Exam, enter: Enter, frames: list[dict[str, Any]]) -> Room:
    frames += room.heard
    room.leave()
    again = enter(exam, exam.student)
    again.hear("question")
    return again


@pytest.mark.parametrize("reconnect", sample_of([True, False], 2))
def test_lesson_09_all_verdicts_belong_to_the_element_that_was_asked(
    demo: Demo, enter: Enter, reconnect: bool
) -> None:
    exam = new_exam(demo.student)
    frames = take(exam, enter, reconnect=reconnect)
    asked = {frame["turn"]: frame["element"] for frame in frames if frame["type"] == "question"}
    judged = [frame for frame in frames if frame["type"] == "assessment"]
    assert len(judged) >= len(set(asked.values())) > 1
    for frame in judged:
        assert frame["element"] == asked[frame["turn"]]
    for found in Assessment.objects.select_related("turn", "answer__turn"):
        assert found.element == found.turn.element == found.answer.turn.element == asked[found.turn.number]


def test_lesson_09_only_asked_elements_are_graded(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    finished = take(exam, enter, reconnect=False)[-1]
    exam.refresh_from_db()
    mentioned = {one.code for one in exam.read_planner().outcomes if one.by_mention}
    graded = {
        one["element"]: one["verdict"]
        for area in finished["areas"]
        for task in area["tasks"]
        for one in task["elements"]
        if one["element"] not in mentioned
    }
    finals = Assessment.objects.filter(turn__exam=exam, final=True)
    assert graded == dict(finals.values_list("element", "verdict"))
    asked = Mastery.objects.filter(student=demo.student, by_mention=False)
    assert set(graded) == set(asked.values_list("element", flat=True))


@pytest.mark.long
def test_lesson_09_an_answer_sent_again_later_gets_its_own_verdict(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    first = room.answer(right_answer(exam), "a1")
    room.hear("question")
    again = room.answer("Something else altogether.", "a1")
    assert again == first
    assert Turn.objects.filter(exam=exam).count() == 2
    assert not Assessment.objects.filter(turn__number=2).exists()
