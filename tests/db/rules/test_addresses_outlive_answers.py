"""The address of an answer goes on to show what it said, after a load or an operator took the answer away."""

from uuid import uuid4

import pytest
from django.test import Client

from knowledge.models import Tenant
from knowledge.models.tenancy import Role
from llm import registry
from llm.offline import OfflineChatModel
from rules.data.edit import remove_answer
from rules.models import RuleAnswer, RuleAnswerChange
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import PLAN, QUESTIONS, load_desk, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(rules_desk: HashingEmbedding, client: Client) -> Client:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    client.force_login(make_user("ria", Role.STUDENT))
    return client


def germany() -> RuleAnswer:
    return RuleAnswer.objects.get(question__key=PLAN, country="DE")


def page(client: Client, answer_id: object) -> tuple[int, str]:
    shown = client.get(f"/rules/answers/{answer_id}/")
    return shown.status_code, shown.content.decode()


def test_a_load_that_drops_the_question_leaves_what_was_said(reader: Client) -> None:
    gone = germany()
    load_desk(*QUESTIONS[1:])
    status, told = page(reader, gone.pk)
    assert status == 410
    assert "was withdrawn on" in told
    assert gone.text in told
    assert PLAN in told


def test_so_does_an_operator_and_the_answer_of_today_is_linked(reader: Client) -> None:
    gone = germany()
    remove_answer(gone, by=None)
    change = RuleAnswerChange.objects.first()
    assert change is not None
    load_desk()
    status, told = page(reader, change.answer)
    assert status == 410
    assert f"/rules/answers/{germany().pk}/" in told


def test_an_answer_that_changed_keeps_its_address(reader: Client) -> None:
    row = germany()
    row.text = "only at night"
    row.save()
    assert page(reader, row.pk)[0] == 200


def test_what_never_was_is_not_found(reader: Client) -> None:
    assert page(reader, uuid4())[0] == 404


def test_another_schools_answer_stays_its_own(reader: Client) -> None:
    school = Tenant.objects.create(slug="school", name="School")
    load_desk(QUESTIONS[0], tenant=school)
    theirs = RuleAnswer.objects.get(question__tenant=school, country="DE")
    remove_answer(theirs, by=None)
    change = RuleAnswerChange.objects.first()
    assert change is not None
    assert page(reader, change.answer)[0] == 404
