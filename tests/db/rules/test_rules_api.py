"""`rules/ask` and `rules/compare`: CONTRACT's shapes, a token or a session, and errors that name the field."""

import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from rest_framework.test import APIClient

from rules.models import RuleQuestion, RuleTurn
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import DANGER, PLAN, rules_desk
from tests.sampling import sample_of

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
ASK, COMPARE = "/api/v1/rules/ask/", "/api/v1/rules/compare/"
ASKED = "Is an FPL required for a VFR flight in France?"


@pytest.fixture(autouse=True)
def _plain_search(settings: LazySettings) -> None:
    settings.RULES = {
        "query_reformulation": {"enabled": False},
        "rag": {"retrieval": {"similarity_threshold": 0.2}},
    }


@pytest.fixture
def program() -> APIClient:
    client = APIClient()
    client.force_authenticate(get_user_model().objects.create_user("robot"))
    return client


def test_an_answer_has_its_citations(rules_desk: HashingEmbedding, program: APIClient) -> None:
    told = program.post(ASK, {"query": ASKED}).json()
    assert (told["path"], told["countries"], told["missing_countries"]) == ("rules", ["FR"], [])
    assert told["citations"][0]["question"] == PLAN
    assert "France: no [1]" in told["answer"]
    assert set(told) >= {"confidence", "reasoning", "sections", "unanswered", "quality"}
    assert not RuleTurn.objects.exists()


def test_what_was_said_before_is_heard(rules_desk: HashingEmbedding, program: APIClient) -> None:
    told = program.post(ASK, {"query": "and Germany?", "history": [ASKED]}).json()
    assert told["countries"] == ["FR", "DE"]
    assert told["sections"][0]["question"] == PLAN


def test_countries_that_are_given_win(rules_desk: HashingEmbedding, program: APIClient) -> None:
    assert program.post(ASK, {"query": ASKED, "countries": ["Ireland", "be"]}).json()["countries"] == [
        "IE",
        "BE",
    ]


def test_a_comparison(rules_desk: HashingEmbedding, program: APIClient) -> None:
    told = program.post(COMPARE, {"countries": ["FR", "Germany"], "tags": ["penetration"]}).json()
    assert [one["question"] for one in told["differences"]] == [DANGER]
    assert told["countries"] == ["FR", "DE"]


def test_how_many_and_how_different_can_be_said(rules_desk: HashingEmbedding, program: APIClient) -> None:
    both = {"countries": ["FR", "DE"]}
    assert len(program.post(COMPARE, {**both, "max": 1}).json()["differences"]) == 1
    every = program.post(COMPARE, {**both, "min_difference": 0}).json()["differences"]
    some = program.post(COMPARE, {**both, "min_difference": 0.9}).json()["differences"]
    assert len(some) < len(every)


def test_what_is_missing_is_listed_and_not_compared(rules_desk: HashingEmbedding, program: APIClient) -> None:
    told = program.post(COMPARE, {"countries": ["FR", "DE", "ES"]}).json()
    assert told["missing_countries"] == ["ES"]
    assert {gap["country"] for gap in told["missing"]} == {"DE", "ES"}


BAD = [
    (ASK, {}, "query"),
    (ASK, {"query": " "}, "query"),
    (ASK, {"query": "\u200b\u0007"}, "query"),
    (ASK, {"query": "x" * 100_000}, "query"),
    (ASK, {"query": ["a"]}, "query"),
    (ASK, {"query": "fuel?", "countries": ["Atlantis"]}, "countries"),
    (ASK, {"query": "fuel?", "countries": [str(n) for n in range(1000)]}, "countries"),
    (ASK, {"query": "fuel?", "countries": "AT BE BG CH CY CZ DE DK EE ES FI FR GB".split()}, "countries"),  # noqa: SIM905
    (ASK, {"query": "fuel at night?", "category": "Cakes"}, "category"),
    (ASK, {"query": "fuel at night?", "tags": ["cakes"]}, "tags"),
    (ASK, {"query": "fuel at night?", "tags": ["no category"]}, "tags"),
    (ASK, {"query": "fuel?", "countries": ["not France"]}, "countries"),
    (ASK, {"query": "fuel?", "history": "before"}, "history"),
    (COMPARE, {}, "countries"),
    (COMPARE, {"countries": ["FR"]}, "countries"),
    (COMPARE, {"countries": ["FR", "UK", "XQ"]}, "countries"),
    (COMPARE, {"countries": ["FR", "DE"], "max": 0}, "max"),
    (COMPARE, {"countries": ["FR", "DE"], "max": "many"}, "max"),
    (COMPARE, {"countries": ["FR", "DE"], "min_difference": 2}, "min_difference"),
    (COMPARE, {"countries": ["FR", "DE"], "tags": ["cakes"]}, "tags"),
]


@pytest.mark.parametrize(("address", "body", "field"), sample_of(BAD, 3))
def test_bad_input_is_refused_by_its_field(
    rules_desk: HashingEmbedding, program: APIClient, address: str, body: dict[str, object], field: str
) -> None:
    refused = program.post(address, body)
    assert refused.status_code == 400
    assert set(refused.json()) == {"code", "message", "fields"}
    assert list(refused.json()["fields"]) == [field]


@pytest.mark.parametrize("address", [ASK, COMPARE])
def test_without_rules_it_is_said_how_they_are_loaded(
    rules_desk: HashingEmbedding, program: APIClient, address: str
) -> None:
    RuleQuestion.objects.all().delete()
    refused = program.post(address, {"query": ASKED, "countries": ["FR", "DE"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_rules")
    assert "manage.py load_rules" in refused.json()["message"]


@pytest.mark.parametrize("address", [ASK, COMPARE])
def test_strangers_are_turned_away(db: None, address: str) -> None:
    assert APIClient().post(address, {"query": ASKED}).status_code == 401


def test_both_stand_in_the_schema(db: None) -> None:
    schema = APIClient().get("/api/v1/schema/?format=json").json()
    for address in (ASK, COMPARE):
        assert "post" in schema["paths"][address]
        assert "200" in schema["paths"][address]["post"]["responses"]
