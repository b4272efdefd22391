"""The board of Tasks, as a page and as a command."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from exams.desk_page import areas_for, board_for
from exams.examiner.element_facts import ChosenStandard
from knowledge.library_version import library_changed
from knowledge.models import AcsElement, Concept, IngestionJob, Item
from tests.doubles.demo_library import Demo

pytestmark = pytest.mark.django_db


def told(*arguments: str) -> Any:
    out = io.StringIO()
    call_command("coverage", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


def test_demo_can_be_completed_whole(demo: Demo) -> None:
    found = told()
    assert len(found["tasks"]) == found["completable"] == 8
    assert found["elements"]["risk_askable"] >= 8
    assert found["items"] > 60


def test_nothing_approved_is_nothing_askable(demo: Demo) -> None:
    Concept.objects.filter(key_points__isnull=False).update(validation_status="pending")
    library_changed(None)
    found = told()
    assert (found["completable"], found["elements"]["askable"]) == (0, 0)


def test_certificate_without_a_standard_is_a_wrong_argument(demo: Demo) -> None:
    with pytest.raises(CommandError, match="no standard for commercial is loaded"):
        told("--certificate", "commercial")


def test_student_sees_the_board_and_its_sum_on_the_desk(demo: Demo, client: Client) -> None:
    client.force_login(demo.student)
    assert "8 of 8 Tasks can be completed" in client.get("/exams/coverage/").content.decode()
    assert "8 of 8 Tasks can be completed" in client.get("/exams/").content.decode()
    assert client.get("/exams/coverage/?certificate=nonsense&class=X").status_code == 200


def test_desk_says_why_nothing_can_be_asked_yet(demo: Demo, client: Client) -> None:
    Concept.objects.filter(key_points__isnull=False).update(validation_status="pending")
    library_changed(None)
    client.force_login(demo.student)
    assert "questions need a reviewer" in client.get("/exams/").content.decode()
    steps = [{"name": "anchor", "state": "running", "done": 20, "total": 40, "seconds": 0, "note": ""}]
    IngestionJob.objects.create(kind="items", state="running", step="anchor", steps=steps)
    assert "20 of 40 points" in client.get("/exams/").content.decode()


def test_an_element_that_names_classes_is_on_their_boards_alone(demo: Demo) -> None:
    task = AcsElement.objects.get(code="PA.I.E.K1").task
    words = "Water rudders (ASES, AMES)"
    AcsElement.objects.create(task=task, code="PA.I.E.K9", kind="knowledge", text=words, order=999)
    library_changed(None)
    boards = {name: board_for(ChosenStandard("private", name, None)) for name in ("ASEL", "ASES")}
    listed = {name: any(one.code == "PA.I.E.K9" for one in boards[name].elements) for name in boards}
    assert listed == {"ASEL": False, "ASES": True}


def test_desk_counts_elements_as_the_board_does(demo: Demo) -> None:
    element = AcsElement.objects.get(code="PA.I.E.K1")
    AcsElement.objects.create(
        task=element.task, parent=element, code="PA.I.E.K1a", kind="knowledge", text="any", order=999
    )
    Item.objects.filter(elements__contains=["PA.I.E.K1"]).update(elements=["PA.I.E.K1a"])
    library_changed(None)
    standard = ChosenStandard("private", "ASEL", None)
    board = board_for(standard)
    assert any(one.code == "PA.I.E.K1" and one.askable for one in board.elements)
    areas = areas_for(standard)
    assert sum(area.askable for area in areas) == board.askable
    assert sum(area.total for area in areas) == len(board.elements)
