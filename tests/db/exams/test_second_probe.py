"""What a student was never asked about does not decide: there is a second probe, and no third."""

import pytest

from exams.models import Turn
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam

pytestmark = pytest.mark.django_db(transaction=True)


def test_what_no_probe_asked_about_is_asked_before_the_verdict(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, demo.student)
    room.hear("question")
    assert not room.answer("I don't know.", "opening")["final"]
    probe = Turn.objects.get(exam=exam, number=room.hear("question")["turn"])
    asked = probe.rubric["asked_about"]
    assert asked
    assert set(asked) <= {one["key"] for one in probe.expectations}
    probe.rubric["asked_about"] = []
    probe.save(update_fields=["rubric"])
    assert not room.answer("I don't know that either.", "probe")["final"]
    second = room.hear("question")
    assert (second["form"], second["attempt"]) == ("probe", 3)
    assert room.answer("No idea, sorry.", "second")["final"]
