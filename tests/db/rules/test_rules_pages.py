"""The rules desk in the browser: ask, change the countries, ask on; each answer keeps its address and its reader."""

import re
from typing import Any

import pytest
from django.conf import LazySettings
from django.contrib.auth import get_user_model
from django.test import Client

from llm import registry
from llm.offline import OfflineChatModel
from rules.countries import KNOWN_COUNTRIES
from rules.models import RuleAnswer, RuleQuestion, RuleTurn
from tests.doubles.embedding import HashingEmbedding
from tests.doubles.rules_desk import CIRCUIT, NOTICE, PLAN, rules_desk
from tests.sampling import sample_of

__all__ = ["rules_desk"]

pytestmark = pytest.mark.django_db
ASKED = "Is an FPL required for a VFR flight in France and Ireland?"


@pytest.fixture(autouse=True)
def _plain_search(settings: LazySettings) -> None:
    settings.RULES = {
        "query_reformulation": {"enabled": False},
        "rag": {"retrieval": {"similarity_threshold": 0.2}},
    }


@pytest.fixture
def reader(client: Client, rules_desk: HashingEmbedding) -> Client:
    registry.configure_models(chat=lambda: OfflineChatModel({}), embedding=lambda: rules_desk)
    client.force_login(get_user_model().objects.create_user("ruth"))
    return client


def ask(client: Client, message: str, **more: Any) -> Any:
    return client.post("/rules/ask/", {"message": message, **more}, follow=True)


def last() -> RuleTurn:
    return RuleTurn.objects.latest("created_at")


def text_of(response: Any) -> str:
    plain = re.sub(r"<[^>]+>", " ", response.content.decode())
    return " ".join(plain.split())


def test_an_answer_stands_country_by_country_at_an_address_of_its_own(
    rules_desk: HashingEmbedding, reader: Client
) -> None:
    shown = ask(reader, ASKED)
    assert shown.redirect_chain == [(f"/rules/asked/{last().pk}/", 302)]
    assert PLAN in text_of(shown)
    assert re.search(r"France FR no .*Ireland IE Yes", text_of(shown))
    assert f"/rules/answers/{RuleAnswer.objects.get(question__key=PLAN, country='FR').pk}/" in str(
        shown.content
    )


def test_differing_words_are_marked(rules_desk: HashingEmbedding, reader: Client) -> None:
    shown = ask(reader, "How long before arrival is prior permission (PPR) asked for in France and Germany?")
    assert b"<mark>24</mark> hours before" in shown.content
    assert "How they differ" in text_of(shown)


def test_countries_are_kept_as_the_conversation_goes_on(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    first = last()
    ask(reader, "and Germany?", after=first.pk)
    assert last().conversation == first.conversation
    assert last().countries == ["FR", "IE", "DE"]
    assert f"/rules/asked/{last().pk}/" in reader.get(f"/rules/asked/{first.pk}/").content.decode()


@pytest.mark.long
def test_countries_can_be_changed_and_the_question_asked_again(
    rules_desk: HashingEmbedding, reader: Client
) -> None:
    ask(reader, ASKED)
    again = f"/rules/asked/{last().pk}/again/"
    shown = reader.post(again, {"countries": ["IE"], "more": "Germany, be"}, follow=True)
    assert (last().countries, last().message, last().chosen) == (["IE", "DE", "BE"], ASKED, True)
    assert "set by you" in text_of(shown)
    assert "France" not in [column["name"] for part in last().answer["sections"] for column in part["lines"]]


@pytest.mark.long
def test_what_was_set_by_hand_is_what_a_follow_up_goes_on_from(
    rules_desk: HashingEmbedding, reader: Client
) -> None:
    ask(reader, ASKED)
    reader.post(f"/rules/asked/{last().pk}/again/", {"countries": ["DE", "BE"]})
    ask(reader, "and Malta?", after=last().pk)
    assert last().countries == ["DE", "BE", "MT"]
    assert PLAN in [part["question"] for part in last().answer["sections"]]


@pytest.mark.long
def test_no_country_left_is_every_country(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    reader.post(f"/rules/asked/{last().pk}/again/", {})
    assert [line["country"] for line in last().answer["sections"][0]["lines"]] == [
        "BE",
        "DE",
        "FR",
        "IE",
        "MT",
    ]
    ask(reader, "and prior permission, how long before arrival is it asked for?", after=last().pk)
    assert last().countries == []


def test_no_answer_and_not_in_the_data_are_said(rules_desk: HashingEmbedding, reader: Client) -> None:
    shown = text_of(
        ask(reader, "What are the rules for joining a visual circuit in France, Germany and Spain?")
    )
    assert CIRCUIT in shown
    assert "Germany DE No answer to this question." in shown
    assert "There are no rules for Spain in the data." in shown
    assert "Spain not in the data" in shown


def test_a_question_for_the_table_of_airports_is_answered_from_it(
    rules_desk: HashingEmbedding, reader: Client
) -> None:
    shown = text_of(ask(reader, "Find airports with AVGAS near Paris"))
    assert "LFPB, Paris-Le Bourget Airport" in shown
    assert "The table has no data on fuel." in shown
    assert last().answer["citations"] == []


@pytest.mark.long
def test_an_answer_that_changed_since_says_so(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    RuleAnswer.objects.filter(question__key=PLAN, country="FR").update(text="yes, always")
    RuleAnswer.objects.filter(question__key=PLAN, country="IE").delete()
    shown = text_of(reader.get(f"/rules/asked/{last().pk}/"))
    assert "changed since" in shown
    assert "withdrawn since" in shown
    assert "yes, always" not in shown


def test_a_conversation_is_its_users_alone(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    turn = last()
    stranger = Client()
    stranger.force_login(get_user_model().objects.create_user("sam"))
    assert stranger.get(f"/rules/asked/{turn.pk}/").status_code == 404
    assert stranger.post(f"/rules/asked/{turn.pk}/again/", {"countries": ["DE"]}).status_code == 404
    assert stranger.post("/rules/ask/", {"message": "and Germany?", "after": turn.pk}).status_code == 404
    assert stranger.post(f"/rules/conversations/{turn.conversation_id}/forget/").status_code == 404
    assert "FPL required" not in text_of(stranger.get("/rules/"))


@pytest.mark.long
def test_a_conversation_can_be_forgotten(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    assert "FPL required for a VFR flight in France" in text_of(reader.get("/rules/"))
    reader.post(f"/rules/conversations/{last().conversation_id}/forget/")
    assert not RuleTurn.objects.exists()


@pytest.mark.parametrize("message", sample_of(["", " \t ", "x" * 100_000], 2))
def test_what_is_no_question_is_refused_on_the_page(
    rules_desk: HashingEmbedding, reader: Client, message: str
) -> None:
    shown = reader.post("/rules/ask/", {"message": message})
    assert shown.status_code == 400
    assert 'role="alert"' in shown.content.decode()
    assert not RuleTurn.objects.exists()


@pytest.mark.long
def test_forty_countries_at_once_are_too_many(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    codes = sorted(KNOWN_COUNTRIES)[:40]
    shown = reader.post(f"/rules/asked/{last().pk}/again/", {"countries": codes})
    assert (shown.status_code, RuleTurn.objects.count()) == (400, 1)
    assert "at most 12 countries" in text_of(shown)


def test_a_country_that_does_not_exist_is_refused_by_name(
    rules_desk: HashingEmbedding, reader: Client
) -> None:
    ask(reader, ASKED)
    shown = reader.post(f"/rules/asked/{last().pk}/again/", {"more": "Atlantis"})
    assert shown.status_code == 400
    assert "Atlantis" in text_of(shown)


def test_markup_in_questions_and_rules_is_text(rules_desk: HashingEmbedding, reader: Client) -> None:
    RuleAnswer.objects.filter(country="FR", question__key=PLAN).update(text="<script>alert(1)</script> no")
    shown = ask(reader, f"<script>alert(2)</script> {ASKED}")
    assert b"<script>alert" not in shown.content


def test_the_page_of_one_answer_has_what_the_others_say(rules_desk: HashingEmbedding, reader: Client) -> None:
    row = RuleAnswer.objects.get(question__key=NOTICE, country="DE")
    shown = text_of(reader.get(f"/rules/answers/{row.pk}/"))
    assert "24 hours before" in shown
    assert "France 2 hours before" in shown


def test_without_rules_it_is_said_how_they_are_loaded(rules_desk: HashingEmbedding, reader: Client) -> None:
    RuleQuestion.objects.all().delete()
    for address in ("/rules/", "/rules/compare/", "/rules/overview/"):
        shown = reader.get(address)
        assert shown.status_code == 200
        assert "manage.py load_rules" in text_of(shown)
    assert reader.post("/rules/ask/", {"message": ASKED}).status_code == 400


@pytest.mark.parametrize(
    "address", ["/rules/", "/rules/compare/", "/rules/overview/", "/rules/countries/FR/"]
)
def test_who_is_not_signed_in_is_sent_to_the_door(db: None, client: Client, address: str) -> None:
    assert client.get(address)["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize(
    "address", ["/rules/countries/ZZ/", "/rules/overview/?category=Cakes", "/rules/asked/x/"]
)
def test_what_there_is_not_is_not_found(rules_desk: HashingEmbedding, reader: Client, address: str) -> None:
    assert reader.get(address).status_code == 404


def test_pages_have_no_inline_script_or_style(rules_desk: HashingEmbedding, reader: Client) -> None:
    ask(reader, ASKED)
    for address in ("/rules/", f"/rules/asked/{last().pk}/", "/rules/compare/?countries=FR&countries=DE"):
        page = reader.get(address).content.decode()
        assert not re.search(r"<script(?![^>]*src=)|\sstyle=|\son\w+=", page), address
