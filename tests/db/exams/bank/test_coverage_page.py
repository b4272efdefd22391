"""The board of Tasks, as a page and as a command."""

import io
import json
import re
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from exams.desk_page import areas_for, board_for
from exams.examiner.briefing import bank_at_hand, library_state
from exams.examiner.element_facts import ChosenStandard
from knowledge.library_version import library_changed
from knowledge.models import AcsElement, Concept, IngestionJob, Item, KeyPoint
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import new_exam
from tests.doubles.schools import make_schools

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


@pytest.mark.long
def test_certificate_without_a_standard_is_a_wrong_argument(demo: Demo) -> None:
    with pytest.raises(CommandError, match="no standard for commercial is loaded"):
        told("--certificate", "commercial")


def test_student_sees_the_board_and_its_sum_on_the_desk(demo: Demo, client: Client) -> None:
    client.force_login(demo.student)
    assert "8 of 8 Tasks can be completed" in client.get("/exams/coverage/").content.decode()
    assert "8 of 8 Tasks can be completed" in client.get("/exams/").content.decode()
    assert client.get("/exams/coverage/?certificate=nonsense&class=X").status_code == 200


def test_an_item_of_another_release_is_left_out_and_named(
    demo: Demo, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    bank = bank_at_hand(library_state(None, None))
    known, other = bank.items[0], bank.items[1]
    Item.objects.filter(key=known.key).update(moment="hover", level="teach")
    KeyPoint.objects.filter(item__key=other.key, order=0).update(role="advice")
    library_changed(None)
    left = bank_at_hand(library_state(None, None))
    assert {one.key for one in bank.items} - {one.key for one in left.items} == {known.key, other.key}
    said = {one.key: one.values for one in left.unreadable}
    assert said == {known.key: "level 'teach', moment 'hover'", other.key: "points.0.role 'advice'"}
    assert f"'item': '{known.key}'" in caplog.text
    assert new_exam(demo.student).turns.count() == 0  # an oral can be ordered
    for name, told in {"student": False, "reviewer": True, "operator": True}.items():
        client.force_login(User.objects.get(username=name))
        page = unescape(client.get("/exams/coverage/").content.decode())
        assert (f"{known.key}</a>" in page) is told
        assert ("level 'teach', moment 'hover'" in page) is told
    address = reverse("admin:knowledge_item_change", args=[Item.objects.get(key=known.key).pk])
    assert address in page
    assert client.get(address).status_code == 200


def test_unreadable_items_of_a_school_are_shown_to_its_own_people(demo: Demo) -> None:
    schools = make_schools()
    of_first, shared = (one.key for one in bank_at_hand(library_state(None, None)).items[:2])
    Item.objects.filter(key__in=(of_first, shared)).update(level="teach")
    Item.objects.filter(key=of_first).update(tenant=schools.first)
    library_changed(None)
    shown = {
        "reviewer-of-first": {of_first, shared},
        "operator-of-first": {of_first, shared},
        "superuser": {shared},  # reads the shared library alone
        "student-of-first": set(),
        "reviewer-of-second": {shared},
        "reversed": {shared},  # student of the first, operator of the second
    }
    for name, keys in shown.items():
        client = schools.client(name)
        page = unescape(client.get("/exams/coverage/").content.decode())
        links = {
            key: address for address, key in re.findall(r'<a href="(/admin/[^"]+/change/)">([^<]+)</a>', page)
        }
        assert (name, set(links)) == (name, keys)
        assert page.count("level 'teach'") == len(keys)
        assert {client.get(address).status_code for address in links.values()} <= {200}


@pytest.mark.long
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


@pytest.mark.long
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
