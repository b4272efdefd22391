"""The planner never advanced in a live exam: N satisfactory answers are N different elements and a natural end."""

import pytest

from exams.models import Exam
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam, right_answer

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("questions", [1, 5])
def test_lesson_05_n_right_answers_cover_n_elements_and_end_the_oral(
    demo: Demo, enter: Enter, questions: int
) -> None:
    exam = new_exam(demo.student, questions=questions)
    room = enter(exam, demo.student)
    planned = room.hear("question")["budget"]["planned"]
    number = 0
    while room.heard[-1]["type"] != "finished":
        verdict = room.answer(right_answer(exam), f"a{number}")
        assert (verdict["verdict"], verdict["final"]) == ("satisfactory", True)
        room.hear("question", "finished")
        number += 1
    asked = [frame["element"] for frame in room.heard if frame["type"] == "question"]
    outcomes = Exam.objects.get(pk=exam.pk).read_planner().outcomes
    assert len(set(asked)) == len(asked) == sum(not one.by_mention for one in outcomes)
    assert len(outcomes) == planned
    counts = [frame["budget"]["asked"] for frame in room.heard if frame["type"] == "question"]
    assert counts == sorted(set(counts))
    assert room.heard[-1]["type"] == "finished"
    assert Exam.objects.get(pk=exam.pk).status == "finished"


def test_lesson_05_the_words_come_before_their_frame_and_add_up_to_it(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    question = room.hear("question")
    tokens = [frame["delta"] for frame in room.heard if frame["type"] == "token"]
    assert "".join(tokens) in ("", question["text"])
    assert [frame["seq"] for frame in room.heard if "seq" in frame] == [1]
