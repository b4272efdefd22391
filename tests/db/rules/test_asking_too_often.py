"""Who asks faster than one may is told how long to wait, on the pages and over the API, and loses nothing."""

import pytest
from django.contrib.auth.models import User
from django.test import Client
from rest_framework.test import APIClient

from desk.api_limits import ScopeRate
from knowledge.models.tenancy import Role
from llm import registry
from llm.offline import OfflineChatModel
from rules.models import RuleTurn
from tests.doubles.claims import make_user
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import rules_desk

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
ASKED = "Is a flight plan required in France?"


@pytest.fixture
def user(rules_desk: HashingEmbedding, monkeypatch: pytest.MonkeyPatch) -> User:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    monkeypatch.setattr(ScopeRate, "THROTTLE_RATES", {"rules": "2/min", "token": "10/min"})
    made: User = make_user("hasty", Role.STUDENT)
    return made


@pytest.fixture
def page(user: User, client: Client) -> Client:
    client.force_login(user)
    return client


def test_the_third_question_waits(page: Client) -> None:
    answers = [page.post("/rules/ask/", {"message": ASKED}) for _ in range(3)]
    assert [one.status_code for one in answers] == [302, 302, 429]
    told = answers[-1].content.decode()
    assert "then ask again" in told
    assert ASKED in told
    assert 0 < int(answers[-1]["Retry-After"]) <= 60
    assert RuleTurn.objects.count() == 2


def test_chips_and_comparisons_count(page: Client) -> None:
    page.post("/rules/ask/", {"message": ASKED})
    turn = RuleTurn.objects.get()
    assert page.post(f"/rules/asked/{turn.pk}/again/", {"countries": ["DE"]}).status_code == 302
    assert page.post(f"/rules/asked/{turn.pk}/again/", {"countries": ["FR"]}).status_code == 429
    assert page.get("/rules/compare/?countries=FR&countries=DE").status_code == 429


def test_reading_does_not_count(page: Client) -> None:
    assert {page.get("/rules/").status_code for _ in range(5)} == {200}
    assert {page.get("/rules/compare/").status_code for _ in range(5)} == {200}


def test_pages_and_api_share_the_count(user: User, page: Client) -> None:
    page.post("/rules/ask/", {"message": ASKED})
    program = APIClient()
    program.force_authenticate(user)
    answers = [program.post("/api/v1/rules/ask/", {"query": ASKED}) for _ in range(2)]
    assert [one.status_code for one in answers] == [200, 429]
    assert answers[-1].json()["code"] == "throttled"
