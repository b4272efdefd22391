"""A changed password ends everything that the old one opened; API keys can be seen, made and revoked."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from desk.conf import GUESSES_MOST
from knowledge.access.signed_in import key_by_password, new_key
from knowledge.conf import KEY_DAYS, KEYS_BY_PASSWORD_MOST, KEYS_MOST
from knowledge.models import ApiKey, UserSession
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
    assert not ApiKey.objects.exists()


def test_another_change_of_a_user_ends_nothing(amelia: Any) -> None:
    token = token_by_api()
    amelia.first_name = "Amelia"
    amelia.save()
    assert is_let_in(token)


def test_a_room_that_a_token_holds_open_is_closed(demo: Demo, enter: Enter) -> None:
    exam = new_exam(demo.student)
    room = enter(exam, None, authorization=f"Token {new_key(demo.student, 'test')[1]}")
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


def test_signing_out_everywhere_ends_all_sessions_and_keys(here: Client, amelia: Any) -> None:
    elsewhere = Client()
    elsewhere.force_login(amelia)
    token = token_by_api()
    left = here.post("/accounts/everywhere/", follow=True)
    assert "signed out on all devices" in left.content.decode()
    for browser in (here, elsewhere):
        assert browser.get("/exams/").status_code == 302
    assert not UserSession.objects.filter(user_id=amelia.pk).exists()
    assert not is_let_in(token)


def test_signing_out_ends_the_session_itself(here: Client, amelia: Any) -> None:
    """A cookie that somebody copied is worth nothing afterwards."""
    copied = Client()
    copied.cookies["sessionid"] = here.cookies["sessionid"].value
    assert copied.get("/exams/").status_code == 200
    here.post("/accounts/logout/")
    assert copied.get("/exams/").status_code == 302


def test_a_key_is_revoked_over_the_api_and_no_other(here: Client) -> None:
    first, second = token_by_api(), token_by_api()
    assert first != second
    assert Client().delete(TOKENS, headers=first).status_code == 204
    assert not is_let_in(first)
    assert is_let_in(second)
    assert Client().delete(TOKENS, headers=first).status_code == 401
    assert Client().delete(TOKENS).status_code == 401


def test_keys_that_programs_get_by_password_do_not_pile_up(amelia: Any) -> None:
    own, _secret = new_key(amelia, "Upload script")
    secrets = [key_by_password(amelia)[1] for _ in range(KEYS_BY_PASSWORD_MOST + 1)]
    assert [is_let_in({"Authorization": f"Token {one}"}) for one in secrets] == [False] + [
        True
    ] * KEYS_BY_PASSWORD_MOST
    assert ApiKey.objects.filter(pk=own.pk).exists()


def test_the_page_makes_a_key_shows_it_once_and_revokes_it(here: Client, amelia: Any) -> None:
    assert "You have no API key" in here.get("/accounts/").content.decode()
    made = here.post("/accounts/keys/", {"name": " Upload  script "}).content.decode()
    key = ApiKey.objects.get(user=amelia)
    (secret,) = set(re.findall(r"hd_[\w-]{40}", made))
    assert key.name == "Upload script"
    assert secret not in "".join(map(str, ApiKey.objects.values_list()))
    assert is_let_in({"Authorization": f"Token {secret}"})
    later = here.get("/accounts/").content.decode()
    assert secret not in later
    assert secret[:8] in later
    assert "Last used" in later
    here.post("/accounts/keys/", {"revoke": key.pk})
    assert not is_let_in({"Authorization": f"Token {secret}"})
    assert (
        "was revoked before" in here.post("/accounts/keys/", {"revoke": key.pk}, follow=True).content.decode()
    )


def test_nobody_revokes_the_key_of_somebody_else(here: Client) -> None:
    other = get_user_model().objects.create_user("other")
    theirs, secret = new_key(other, "theirs")
    here.post("/accounts/keys/", {"revoke": theirs.pk})
    assert is_let_in({"Authorization": f"Token {secret}"})
    assert "theirs" not in here.get("/accounts/").content.decode()


@pytest.mark.parametrize("name", ["", " ", "x" * 61])
def test_a_key_has_a_name(here: Client, name: str) -> None:
    answer = here.post("/accounts/keys/", {"name": name})
    assert (answer.status_code, "1 to 60 characters" in answer.content.decode()) == (400, True)


def test_a_user_has_so_many_keys_and_no_more(here: Client, amelia: Any) -> None:
    for n in range(KEYS_MOST):
        new_key(amelia, str(n))
    answer = here.post("/accounts/keys/", {"name": "one more"})
    assert (answer.status_code, "Revoke one" in answer.content.decode()) == (400, True)
    assert here.post("/accounts/keys/", {"revoke": "²"}).status_code == 302


def test_a_key_ends_by_itself(amelia: Any) -> None:
    token = token_by_api()
    key = ApiKey.objects.get()
    assert timedelta(days=KEY_DAYS - 1) < key.expires_at - timezone.now() < timedelta(days=KEY_DAYS)
    ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    assert not is_let_in(token)
    assert is_let_in(token_by_api())


def test_a_new_account_may_be_saved_without_a_password(db: None) -> None:
    get_user_model().objects.create_user("nobody")
    call_command("check")
