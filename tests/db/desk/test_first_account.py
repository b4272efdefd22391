"""The first account goes to whoever reads the log of the start, once; a forgotten password goes by mail."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import LazySettings
from django.contrib.auth.models import User
from django.core import mail
from django.db import connection
from django.test import Client

from desk.accounts.first_account import AccountExists, create_first_account, setup_key, setup_path
from desk.conf import GUESSES_MOST
from heydpe.apps import announce_setup
from heydpe.checks import check_first_account
from knowledge.access.people import schools_of
from knowledge.access.signed_in import new_key
from knowledge.models import ApiKey, Tenant
from knowledge.models.tenancy import Role
from tests.doubles.waiting_tasks import work_off

pytestmark = pytest.mark.django_db
FIRST = "/accounts/first/"
PASSWORD = "right enough 1"
FORM = {"username": "olga", "email": "olga@example.org", "password1": PASSWORD, "password2": PASSWORD}


def test_an_empty_installation_leads_to_the_first_account(client: Client) -> None:
    for address in ("/", "/exams/", "/accounts/login/"):
        assert client.get(address, follow=True).redirect_chain[-1][0] == FIRST
    page = client.get(f"{FIRST}?key={setup_key()}").content.decode()
    assert setup_key() in page
    assert setup_key() not in client.get(FIRST).content.decode()


@pytest.mark.parametrize("key", ["", "wrong", "é", setup_key()[:-1]])
def test_without_the_key_nobody_gets_it(client: Client, key: str) -> None:
    answer = client.post(FIRST, {**FORM, "key": key})
    assert (answer.status_code, "not the setup key" in answer.content.decode()) == (400, True)
    assert not User.objects.exists()


def test_with_the_key_it_may_do_everything_and_has_its_school(client: Client) -> None:
    made = client.post(FIRST, {**FORM, "key": f" {setup_key()} ", "school": "Blue Sky"}, follow=True)
    assert "People of Blue Sky" in made.content.decode()
    olga = User.objects.get()
    assert olga.is_superuser
    assert schools_of(olga, Role.OPERATOR) == [Tenant.objects.get(slug="blue-sky"), None]
    for address in ("/operations/", "/admin/", "/admin/auth/user/"):
        assert client.get(address).status_code == 200
    assert 'name="password1"' in client.get("/admin/auth/user/add/").content.decode()


def test_a_school_that_cannot_be_leaves_no_account_behind(client: Client) -> None:
    answer = client.post(FIRST, {**FORM, "key": setup_key(), "school": "x" * 201})
    assert (answer.status_code, "no short name" in answer.content.decode()) == (400, True)
    assert not User.objects.exists()


def test_afterwards_the_key_is_worth_nothing(client: Client) -> None:
    User.objects.create_user("olga")
    for answer in (client.get(FIRST), client.post(FIRST, {**FORM, "username": "eve", "key": setup_key()})):
        assert (answer.status_code, answer["Location"]) == (302, "/accounts/login/")
    assert User.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_at_once_one_gets_it() -> None:
    gate = Barrier(2)

    def make(name: str) -> bool:
        try:
            gate.wait(timeout=30)
            create_first_account(lambda: User.objects.create_user(name))
        except AccountExists:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(make, ("olga", "eve"))) == [False, True]
    assert User.objects.count() == 1


def test_the_start_and_the_check_say_where(
    settings: LazySettings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.ALLOWED_HOSTS = [".example.org", "oral.example.org"]
    assert setup_path() == f"https://oral.example.org{FIRST}?key={setup_key()}"
    (told,) = check_first_account(None, databases=["default"])
    assert setup_path() in str(told.hint)
    announce_setup()
    said = capsys.readouterr()
    assert (said.out, setup_path() in said.err) == ("", True)
    User.objects.create_user("olga")
    announce_setup()
    assert check_first_account(None, databases=["default"]) == []
    assert capsys.readouterr().err == ""


# --- a forgotten password ---


@pytest.fixture
def olga() -> User:
    return User.objects.create_user("olga", "Olga@example.org", PASSWORD)


def asked(email: str) -> Any:
    return Client().post("/accounts/reset/", {"email": email}, follow=True)


def test_a_link_comes_by_mail_and_works_once(olga: User) -> None:
    work_off()
    _key, secret = new_key(olga, "script")
    elsewhere = Client()
    elsewhere.force_login(olga)
    assert "a link is printed in the log" in asked("olga@example.org").content.decode()
    assert not mail.outbox
    assert work_off() == 1
    (sent,) = mail.outbox
    assert sent.to == ["Olga@example.org"]
    (link,) = re.findall(r"http://testserver(/accounts/reset/\S+/)", str(sent.body))
    client = Client()
    form = client.get(link, follow=True)
    page = form.redirect_chain[-1][0]
    assert urlsplit(link).path != page  # the secret has left the address
    new = {"new_password1": "quite another 2", "new_password2": "quite another 2"}
    assert "Sign in with the new one" in client.post(page, new, follow=True).content.decode()
    assert Client().login(username="olga", password="quite another 2")
    assert elsewhere.get("/exams/").status_code == 302
    assert not ApiKey.objects.exists()
    assert Client().get("/api/v1/exams/", headers={"Authorization": f"Token {secret}"}).status_code == 401
    assert "does not work" in Client().get(link, follow=True).content.decode()


def test_the_page_says_the_same_to_everybody(olga: User) -> None:
    work_off()
    known, nobody = (asked(f"{name}@example.org").content.decode() for name in ("olga", "eve"))
    cleaned = [re.sub(r"csrfmiddlewaretoken\S+ value=\S+", "", page) for page in (known, nobody)]
    assert cleaned[0].replace("olga@", "eve@") == cleaned[1]
    assert work_off() == 2
    assert len(mail.outbox) == 1


def test_nobody_is_flooded(olga: User) -> None:
    answers = [asked("olga@example.org") for _ in range(GUESSES_MOST + 1)]
    assert [answer.status_code for answer in answers] == [200] * GUESSES_MOST + [429]
    assert int(answers[-1]["Retry-After"]) > 0
    assert work_off() == GUESSES_MOST


def test_an_address_that_is_none_is_refused() -> None:
    assert "Enter an e-mail address" in asked("no address").content.decode()
