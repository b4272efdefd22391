"""The demo's password opens nothing unnoticed once DEBUG is off."""

import pytest
from django.conf import LazySettings
from django.test import Client

from heydpe.checks import check_demo_accounts
from knowledge.access.signed_in import new_key
from tests.doubles.demo_library import Demo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def known_password(demo: Demo, settings: LazySettings) -> None:
    settings.DEMO_PASSWORD = "demo"


def test_accounts_with_the_demo_s_password_are_named(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = False
    (found,) = check_demo_accounts(None, databases=["default"])
    assert found.id == "heydpe.W002"
    assert all(name in found.msg for name in ("student", "reviewer", "operator"))


def test_other_passwords_are_fine(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = False
    for user in (demo.student, demo.reviewer, demo.operator):
        user.set_password("something else")
        user.save()
    assert check_demo_accounts(None, databases=["default"]) == []


def test_with_debug_they_are_meant_to_be_there(demo: Demo, settings: LazySettings) -> None:
    settings.DEBUG = True
    assert check_demo_accounts(None, databases=["default"]) == []


def sign_in(client: Client) -> int:
    return client.post("/accounts/login/", {"username": "student", "password": "demo"}).status_code


@pytest.mark.parametrize(("debug", "status"), [(True, 302), (False, 200)])
def test_the_demo_s_password_opens_with_debug_alone(
    client: Client, settings: LazySettings, debug: bool, status: int
) -> None:
    settings.DEBUG = debug
    assert sign_in(client) == status
    answer = client.post("/api/v1/token/", {"username": "student", "password": "demo"})
    assert answer.status_code == (200 if debug else 400)


def test_sessions_and_tokens_of_the_demo_end_with_debug(
    demo: Demo, client: Client, settings: LazySettings
) -> None:
    settings.DEBUG = True
    sign_in(client)
    token = {"Authorization": f"Token {new_key(demo.student, 'test')[1]}"}
    assert client.get("/exams/").status_code == 200
    assert Client().get("/api/v1/exams/", headers=token).status_code == 200
    settings.DEBUG = False
    assert client.get("/exams/").status_code == 302
    assert Client().get("/api/v1/exams/", headers=token).status_code == 401


def test_a_demo_account_with_another_password_is_an_account(
    demo: Demo, client: Client, settings: LazySettings
) -> None:
    settings.DEBUG = False
    demo.student.set_password("something else")
    demo.student.save()
    form = {"username": "student", "password": "something else"}
    assert client.post("/accounts/login/", form).status_code == 302
