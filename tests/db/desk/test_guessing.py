"""Whoever guesses at a password has to wait, at every door that takes one; whoever knows it gets in."""

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings

from desk.conf import GUESSES_ADDRESS_MOST, GUESSES_MOST, GUESSES_SECONDS
from tests.doubles.live_web import free_port

pytestmark = pytest.mark.django_db
PAGE, TOKEN = "/accounts/login/", "/api/v1/token/"


@pytest.fixture(autouse=True)
def users(db: None) -> None:
    for name in ("amelia", "bessie"):
        get_user_model().objects.create_user(name, password="right enough")


def sign_in(name: str, password: str, door: str = PAGE, **more: Any) -> Any:
    return Client().post(door, {"username": name, "password": password}, **more)


def guess(name: str = "amelia", times: int = GUESSES_MOST, door: str = PAGE, **more: Any) -> list[int]:
    return [sign_in(name, f"wrong {n}", door, **more).status_code for n in range(times)]


def test_after_some_guesses_even_the_right_password_has_to_wait() -> None:
    assert guess() == [200] * GUESSES_MOST
    answer = sign_in("amelia", "right enough")
    assert (answer.status_code, "_auth_user_id" in answer.wsgi_request.session) == (429, False)
    assert 0 < int(answer["Retry-After"]) <= GUESSES_SECONDS
    page = answer.content.decode()
    assert "Too many tries with this name or from this address" in page
    assert "in 5 minutes" in page
    assert 'value="amelia"' in page


@pytest.mark.parametrize("name", ["Amelia", " amelia ", "AMELIA", "ａmelia"])
def test_the_same_name_written_otherwise_is_no_other(name: str) -> None:
    guess()
    assert sign_in(name, "right enough").status_code == 429


def test_another_name_or_another_address_is_not_held_up() -> None:
    guess()
    assert sign_in("bessie", "right enough").status_code == 302
    assert sign_in("amelia", "right enough", REMOTE_ADDR="192.0.2.7").status_code == 302


def test_the_right_password_begins_the_count_anew() -> None:
    guess(times=GUESSES_MOST - 1)
    assert sign_in("amelia", "right enough").status_code == 302
    assert guess() == [200] * GUESSES_MOST


def test_a_written_address_is_not_believed() -> None:
    for number in range(GUESSES_MOST):
        guess(times=1, headers={"X-Forwarded-For": f"10.0.0.{number}"})
    assert sign_in("amelia", "right enough").status_code == 429


def test_one_password_is_not_tried_on_every_name() -> None:
    """And whoever knows theirs has to wait as well: nobody can tell the two apart before the password is read."""
    tried = [sign_in(f"pilot {number}", "summer2026").status_code for number in range(60)]
    assert tried == [200] * GUESSES_ADDRESS_MOST + [429] * (60 - GUESSES_ADDRESS_MOST)
    assert sign_in("pilot 61", "summer2026", TOKEN).status_code == 429
    assert sign_in("bessie", "right enough", REMOTE_ADDR="192.0.2.7").status_code == 302


def test_right_passwords_do_not_count_for_an_address() -> None:
    for _ in range(GUESSES_ADDRESS_MOST + 5):
        assert sign_in("amelia", "right enough").status_code == 302
    assert guess(times=1) == [200]


def test_the_addresses_of_one_ipv6_network_count_as_one() -> None:
    for number in range(GUESSES_MOST):
        guess(times=1, REMOTE_ADDR=f"2001:db8::{number + 1:x}")
    assert sign_in("amelia", "right enough", REMOTE_ADDR="2001:db8::ffff").status_code == 429
    assert sign_in("amelia", "right enough", REMOTE_ADDR="2001:db8:0:1::1").status_code == 302


def test_a_token_is_got_by_the_same_count() -> None:
    assert guess(door=TOKEN) == [400] * GUESSES_MOST
    answer = sign_in("amelia", "right enough", TOKEN)
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert int(answer["Retry-After"]) > 0
    assert sign_in("amelia", "right enough").status_code == 429
    assert sign_in("bessie", "right enough", TOKEN).status_code == 200


@pytest.mark.parametrize("name", ["", "x" * 5000, "\ud7ff", "ﬁ"])
def test_odd_names_are_counted_too(name: str) -> None:
    assert guess(name) == [200] * GUESSES_MOST
    assert guess(name, times=1) == [429]


def test_the_admin_has_no_door_of_its_own(client: Client) -> None:
    answer = client.get("/admin/exams/dispute/", follow=True)
    assert answer.redirect_chain[-1][0] == "/accounts/login/?next=/admin/exams/dispute/"
    assert client.post("/admin/login/", {"username": "amelia", "password": "right enough"})["Location"] == (
        "/accounts/login/?next="
    )
    client.force_login(get_user_model().objects.get(username="amelia"))
    assert client.get("/admin/", follow=True).status_code == 403


def test_without_a_count_nobody_may_guess() -> None:
    away = f"redis://127.0.0.1:{free_port()}/0"
    redis = {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": away}
    flags = {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
    with override_settings(CACHES={"default": redis, "flags": flags}):
        answer = sign_in("amelia", "right enough")
        assert (answer.status_code, "not possible just now" in answer.content.decode()) == (503, True)
        assert sign_in("amelia", "right enough", TOKEN).status_code == 503
    assert sign_in("amelia", "right enough").status_code == 302
