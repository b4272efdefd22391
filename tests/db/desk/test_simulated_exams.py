"""Exams by made-up students: drawn with a seed, through the session's own code, and gone afterwards."""

import json
from io import StringIO

import pytest
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command

from desk.evaluation.simulate import simulate
from exams.models import Exam
from knowledge.models import RetrievalLog
from llm import registry
from llm.errors import Unreachable
from tests.doubles.demo_library import Demo
from tests.doubles.models import Counted, Wire, wire

__all__ = ["wire"]
pytestmark = [pytest.mark.long, pytest.mark.django_db]


@pytest.mark.long
def test_the_same_seed_is_the_same_students(demo: Demo) -> None:
    first, second = (simulate(3, seed=5, questions=5).to_dict() for _ in range(2))
    for found in (first, second):
        found.pop("look_ups")
    assert first == second
    assert simulate(3, seed=6, questions=5).to_dict() != first


@pytest.mark.long
def test_exams_end_and_verdicts_are_as_meant(demo: Demo) -> None:
    told: list[int] = []
    found = simulate(3, questions=5, ready=told.append)
    assert (found.exams, found.ended_by_plan, told) == (3, 3, [1, 2, 3])
    assert 12 <= found.verdicts == found.questions <= 15  # a failed Task is not asked on
    assert found.right >= 0.8 * found.verdicts
    assert found.answers > found.verdicts  # who does not know is asked once more
    assert 5 <= found.elements <= 15 < found.askable < 100
    assert found.coverage == round(found.elements / found.askable, 3)


@pytest.mark.long
def test_look_ups_are_told_by_kind_and_tier(demo: Demo) -> None:
    elements = simulate(4, questions=5, processes=2).look_ups["element"]
    assert elements["number"] == elements["memory"] + elements["hot"] + elements["full"] >= 16
    assert elements["hits"] == round(1 - elements["full"] / elements["number"], 4)
    assert elements["memory"] > 0
    assert elements["hot"] > 0


@pytest.mark.long
def test_nothing_is_left(demo: Demo) -> None:
    before = get_user_model().objects.count(), Exam.objects.count(), RetrievalLog.objects.count()
    simulate(1, questions=5)
    assert (get_user_model().objects.count(), Exam.objects.count(), RetrievalLog.objects.count()) == before


def test_an_examiner_that_is_away_ends_the_command_with_status_3(demo: Demo, wire: Wire) -> None:
    wire(assessor=Counted(registry.chat_model("assessor"), fails=Unreachable("no route")))
    with pytest.raises(CommandError, match="cannot be reached") as error:
        call_command("simulate_exams", "1", "--questions", "5")
    assert error.value.returncode == 3
    assert not Exam.objects.exists()


def test_by_command(demo: Demo) -> None:
    out = StringIO()
    call_command("simulate_exams", "1", "--questions", "5", "--json", stdout=out)
    assert json.loads(out.getvalue())["ended_by_plan"] == 1
    with pytest.raises(CommandError, match="one exam"):
        call_command("simulate_exams", "0")
