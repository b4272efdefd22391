"""An operator writes and edits questions in the admin: they are found, their history tells, and loads respect them."""

from typing import Any

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from knowledge.models import Membership
from knowledge.models.tenancy import Role
from llm import registry
from llm.offline import OfflineChatModel
from rules.models import QuestionVector, RuleAnswer, RuleQuestion, RuleQuestionChange
from rules.search.search import RulesSearch, find_rules
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import make_tenant
from tests.doubles.rules_desk import PLAN, QUESTIONS, load_desk, rules_desk

__all__ = ["rules_desk"]

pytestmark = [pytest.mark.long, pytest.mark.django_db]
LIST = "/admin/rules/rulequestion/"
OXYGEN = "From which level on is oxygen carried?"


@pytest.fixture
def operator(rules_desk: HashingEmbedding, client: Client) -> Client:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


def add(client: Client, **said: str) -> Any:
    return client.post(f"{LIST}add/", {"text": OXYGEN, "category": "VFR", "tags": "", "reason": "", **said})


def edit(client: Client, row: RuleQuestion, **said: str) -> Any:
    now = {"text": row.text, "category": row.category, "tags": ", ".join(row.tags), "reason": ""}
    return client.post(f"{LIST}{row.pk}/change/", {**now, **said})


def test_a_new_question_can_be_answered_and_is_found(
    operator: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        assert add(operator, tags="Flight_plan, equipment", category="vfr").status_code == 302
        row = RuleQuestion.objects.get(text=OXYGEN)
        said = {"question": row.pk, "country": "Malta", "text": "From FL130", "links": "", "source_link": ""}
        operator.post("/admin/rules/ruleanswer/add/", {**said, "date_checked": "", "reason": "", "seen": ""})
    assert (row.category, row.tags, row.origin) == ("VFR", ["flight plan", "equipment"], "written")
    assert row.position == len(QUESTIONS)
    found = find_rules(RulesSearch(question="oxygen carried", countries=("MT",), tags=("equipment",)))
    assert [one.answers["MT"].text for one in found.results] == ["From FL130"]


def test_an_edited_question_is_embedded_again_and_its_history_tells(
    operator: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    row = RuleQuestion.objects.get(key=PLAN)
    before = QuestionVector.objects.get(question=row).text_hash
    with django_capture_on_commit_callbacks(execute=True):
        assert edit(operator, row, text="Must a plan be filed?", reason="plainer").status_code == 302
    assert QuestionVector.objects.get(question=row).text_hash != before
    assert "by olga: plainer" in operator.get(f"{LIST}{row.pk}/change/").content.decode()
    row.refresh_from_db()
    assert (row.key, row.text) == (PLAN, "Must a plan be filed?")


def test_saving_without_a_change_is_none(operator: Client) -> None:
    edit(operator, RuleQuestion.objects.get(key=PLAN))
    assert not RuleQuestionChange.objects.exists()
    assert RuleQuestion.objects.get(key=PLAN).origin == "file"


def test_a_load_keeps_what_was_written_until_the_file_says_something_new(operator: Client) -> None:
    add(operator)
    edit(operator, RuleQuestion.objects.get(key=PLAN), tags="border")
    load_desk()
    assert RuleQuestion.objects.get(key=PLAN).tags == ["border"]
    assert RuleQuestion.objects.filter(text=OXYGEN).exists()
    load_desk(*QUESTIONS[1:])
    assert RuleQuestion.objects.get(key=PLAN).tags == ["border"]


@pytest.mark.parametrize(
    "said",
    [
        {"text": " "},
        {"text": "?!"},
        {"text": PLAN},
        {"category": ""},
        {"tags": "x" * 80},
        {"text": "x" * 600},
    ],
)
def test_what_cannot_be_is_refused(operator: Client, said: dict[str, str]) -> None:
    count = RuleQuestion.objects.count()
    assert add(operator, **said).status_code == 200
    assert RuleQuestion.objects.count() == count


def test_only_what_was_written_here_is_deleted_here(operator: Client) -> None:
    add(operator)
    own, loaded = RuleQuestion.objects.get(text=OXYGEN), RuleQuestion.objects.get(key=PLAN)
    assert operator.post(f"{LIST}{loaded.pk}/delete/", {"post": "yes"}).status_code == 403
    assert operator.post(f"{LIST}{own.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not RuleQuestion.objects.filter(pk=own.pk).exists()
    change = RuleQuestionChange.objects.first()
    assert change is not None
    assert change.kind == "removed"
    assert RuleAnswer.objects.filter(question=loaded).exists()


def test_a_question_is_of_the_school_of_who_writes_it(operator: Client) -> None:
    other = make_user("otto", Role.OPERATOR)
    school = make_tenant()
    Membership.objects.filter(user=other).update(tenant=school)
    client = Client()
    client.force_login(other)
    add(client)
    assert RuleQuestion.objects.get(text=OXYGEN).tenant == school
    edit(client, RuleQuestion.objects.get(key=PLAN), text="stolen")
    assert not RuleQuestion.objects.filter(text="stolen").exists()
