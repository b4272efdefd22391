"""A changed password ends everything that the old one opened; a token can be seen, replaced and revoked."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from rest_framework.authtoken.models import Token

from desk.conf import GUESSES_MOST
from knowledge.conf import TOKEN_DAYS
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, new_exam

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "right enough 1", "quite another 2"
API, TOKENS = "/api/v1/exams/", "/api/v1/token/"


@pytest.fixture
def amelia() -> Any:
    return get_user_model().objects.create_user("amelia", password=OLD)


@pytest.fixture
def here(amelia: Any) -> Client:
    client = Client()
    assert client.post("/accounts/login/", {"username": "amelia", "password": OLD}).status_code == 302
    return client


def token_by_api(password: str = OLD) -> dict[str, str]:
    answer = Client().post(TOKENS, {"username": "amelia", "password": password})
    assert answer.status_code == 200
    return {"Authorization": f"Token {answer.json()['token']}"}


def is_let_in(headers: dict[str, str]) -> bool:
    return Client().get(API, headers=headers).status_code == 200


def change(client: Client, old: str = OLD, new: str = NEW) -> Any:
    form = {"old_password": old, "new_password1": new, "new_password2": new}
    return client.post("/accounts/password/", form)


def test_a_changed_password_ends_tokens_and_other_sessions(here: Client, amelia: Any) -> None:
    elsewhere = Client()
    elsewhere.force_login(amelia)
    token = token_by_api()
    assert is_let_in(token)
    assert change(here).status_code == 302
    assert here.get("/exams/").status_code == 200
    assert elsewhere.get("/exams/").status_code == 302
    assert not is_let_in(token)
    assert is_let_in(token_by_api(NEW))


def test_so_does_a_password_that_somebody_else_sets(amelia: Any) -> None:
    """The admin and `manage.py changepassword` save a user, too."""
    token = token_by_api()
    found = get_user_model().objects.get(pk=amelia.pk)
    found.set_password(NEW)
    found.save(update_fields=["password"])
    assert not is_let_in(token)
    assert not Token.objects.exists()


def test_another_change_of_a_user_ends_nothing(amelia: Any) -> None:
    token = token_by_api()
    amelia.first_name = "Amelia"
    amelia.save()
    assert is_let_in(token)


def test_a_room_that_a_token_holds_open_is_closed(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, None, authorization=f"Token {Token.objects.create(user=demo.student).key}")
    room.hear("question")
    demo.student.set_password(NEW)
    demo.student.save()
    room.say({"type": "resume", "last_seq": 99})
    assert room.closed_with() == 4401


@pytest.mark.parametrize(
    ("new", "told"),
    [("short", "too short"), ("password1", "too common"), ("amelia12", "too similar"), ("", "required")],
)
def test_a_weak_password_is_refused_and_changes_nothing(here: Client, new: str, told: str) -> None:
    answer = change(here, new=new)
    assert (answer.status_code, told in answer.content.decode()) == (400, True)
    assert is_let_in(token_by_api(OLD))


def test_the_old_password_is_not_guessed_at_from_an_open_session(here: Client) -> None:
    assert [change(here, old=f"guess {n}").status_code for n in range(GUESSES_MOST)] == [400] * GUESSES_MOST
    answer = change(here)
    assert (answer.status_code, int(answer["Retry-After"]) > 0) == (429, True)
    assert here.post("/accounts/everywhere/", {"password": OLD}).status_code == 429


def test_signing_out_everywhere_leaves_the_one_who_asked(here: Client, amelia: Any) -> None:
    elsewhere = Client()
    elsewhere.force_login(amelia)
    token = token_by_api()
    assert here.post("/accounts/everywhere/", {"password": "wrong"}).status_code == 400
    assert elsewhere.get("/exams/").status_code == 200
    assert here.post("/accounts/everywhere/", {"password": OLD}).status_code == 302
    assert here.get("/exams/").status_code == 200
    assert elsewhere.get("/exams/").status_code == 302
    assert not is_let_in(token)


def test_a_token_is_revoked_over_the_api_and_made_anew(here: Client) -> None:
    token = token_by_api()
    assert token_by_api() == token
    assert Client().delete(TOKENS, headers=token).status_code == 204
    assert not is_let_in(token)
    assert Client().delete(TOKENS, headers=token).status_code == 401
    assert Client().delete(TOKENS).status_code == 401
    assert token_by_api() != token


def test_the_page_makes_shows_and_revokes_a_token(here: Client, amelia: Any) -> None:
    assert "You have no API token" in here.get("/accounts/").content.decode()
    made = here.post("/accounts/token/", {"make": ""}).content.decode()
    key = Token.objects.get(user=amelia).key
    assert key in made
    later = here.get("/accounts/").content.decode()
    assert key not in later
    assert "Created on" in later
    here.post("/accounts/token/", {"make": ""})
    assert not is_let_in({"Authorization": f"Token {key}"})
    here.post("/accounts/token/", {"revoke": ""})
    assert not Token.objects.exists()


def test_a_token_ends_by_itself(amelia: Any) -> None:
    token = token_by_api()
    Token.objects.update(created=timezone.now() - timedelta(days=TOKEN_DAYS, seconds=1))
    assert not is_let_in(token)
    assert is_let_in(token_by_api())


def test_a_new_account_may_be_saved_without_a_password(db: None) -> None:
    get_user_model().objects.create_user("nobody")
    call_command("check")
