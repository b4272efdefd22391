"""An operator edits an answer in the admin: it is embedded again, its history tells it, and a load respects it."""

from datetime import date
from typing import Any, NoReturn

import pytest
from django.test import Client
from pytest_django import DjangoCaptureOnCommitCallbacks

from knowledge.library_version import generations_of
from knowledge.models import Membership
from knowledge.models.tenancy import Role
from llm import registry
from llm.errors import Unreachable
from llm.offline import OfflineChatModel
from rules.models import AnswerVector, RuleAnswer, RuleAnswerChange, RuleQuestion
from rules.search.vectors import text_hash
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.library import make_tenant
from tests.doubles.rules_desk import CIRCUIT, PLAN, load_desk, rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
LIST = "/admin/rules/ruleanswer/"


@pytest.fixture
def operator(rules_desk: HashingEmbedding, client: Client) -> Client:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    client.force_login(make_user("olga", Role.OPERATOR))
    return client


def answer(country: str = "FR", key: str = PLAN) -> RuleAnswer:
    return RuleAnswer.objects.get(question__key=key, country=country)


def sent(row: RuleAnswer, **changed: str) -> dict[str, str]:
    return {"text": row.text, "links": "\n".join(row.links), "source_link": row.source_link, "date_checked": "",
            "reason": "", "seen": str(row.version), **changed}  # fmt: skip


def edit(client: Client, row: RuleAnswer, **changed: str) -> Any:
    return client.post(f"{LIST}{row.pk}/change/", sent(row, **changed))


def test_an_edited_answer_has_a_new_vector_and_a_row_of_history(
    operator: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = generations_of(None)
    with django_capture_on_commit_callbacks(execute=True):
        done = edit(
            operator,
            answer(),
            text="only across the border",
            source_link="https://example.org/aip",
            date_checked="2026-03-01",
            reason="new AIP",
        )
    assert done.status_code == 302
    row = answer()
    assert (row.text, row.origin, row.version) == ("only across the border", "written", 2)
    assert (row.source_link, row.date_checked) == ("https://example.org/aip", date(2026, 3, 1))
    assert AnswerVector.objects.get(answer=row).text_hash == text_hash("only across the border")
    change = RuleAnswerChange.objects.first()
    assert change is not None
    assert change.by is not None
    assert (change.kind, change.by.username, change.reason) == ("edited", "olga", "new AIP")
    assert generations_of(None) != before
    shown = operator.get(f"{LIST}{row.pk}/change/").content.decode()
    assert "by olga, checked 2026-03-01: new AIP" in shown


def test_saving_without_a_change_is_none(operator: Client) -> None:
    told = RuleAnswerChange.objects.count()
    edit(operator, answer(), reason="nothing")
    assert (answer().version, answer().origin) == (1, "file")
    assert RuleAnswerChange.objects.count() == told


def test_what_somebody_else_changed_meanwhile_is_not_written_over(operator: Client) -> None:
    seen = answer()
    edit(operator, seen, text="first")
    shown = edit(operator, seen, text="second")
    assert shown.status_code == 200
    assert "Somebody else changed this answer in the meantime" in shown.content.decode()
    assert answer().text == "first"


@pytest.mark.parametrize(
    "changed",
    [
        {"text": " "},
        {"text": "–"},
        {"links": "javascript:alert(1)"},
        {"source_link": "nowhere"},
        {"date_checked": "soon"},
    ],
)
def test_what_cannot_be_is_refused(operator: Client, changed: dict[str, str]) -> None:
    assert edit(operator, answer(), **changed).status_code == 200
    assert (answer().text, answer().version) == ("no", 1)


def test_a_missing_answer_can_be_written(operator: Client) -> None:
    question = RuleQuestion.objects.get(key=CIRCUIT)
    sent = {"question": str(question.pk), "country": "Germany", "text": "45° to downwind", "links": ""}
    assert operator.post(f"{LIST}add/", sent).status_code == 302
    assert answer("DE", CIRCUIT).origin == "written"
    again = operator.post(f"{LIST}add/", sent)
    assert again.status_code == 200
    load_desk(model=registry.embedding_model())
    assert answer("DE", CIRCUIT).text == "45° to downwind"


def test_a_deleted_answer_keeps_its_history(operator: Client) -> None:
    row = answer()
    operator.post(f"{LIST}{row.pk}/delete/", {"post": "yes"})
    assert not RuleAnswer.objects.filter(pk=row.pk).exists()
    change = RuleAnswerChange.objects.first()
    assert change is not None
    assert change.kind == "removed"


def test_an_embedding_model_that_is_away_loses_no_edit(
    operator: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    class Away:
        name = "away"

        def __getattr__(self, name: str) -> NoReturn:
            raise Unreachable("away")

    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=Away)
    with django_capture_on_commit_callbacks(execute=True):
        assert edit(operator, answer(), text="only at night").status_code == 302
    assert answer().text == "only at night"


def test_only_operators_edit_and_each_for_the_own_school(operator: Client) -> None:
    row, stranger = answer(), Client()
    stranger.force_login(make_user("rita", Role.REVIEWER))
    assert stranger.get(f"{LIST}{row.pk}/change/").status_code in (302, 403)
    other = make_user("otto", Role.OPERATOR)
    Membership.objects.filter(user=other).update(tenant=make_tenant())
    school = Client()
    school.force_login(other)
    edit(school, row, text="stolen")
    assert answer().text == "no"
