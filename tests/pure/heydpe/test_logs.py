"""Addresses whose secrets open an account are logged without them."""

import logging

import pytest

from heydpe.logs import HideSecrets, hide_secrets


@pytest.mark.parametrize(
    ("logged", "kept"),
    [
        ("GET /accounts/invitation/Abc-123_x/ HTTP/1.1", "GET /accounts/invitation/… HTTP/1.1"),
        ("/accounts/reset/MQ/c9-abcdef/", "/accounts/reset/MQ/…"),
        ("/accounts/first/?key=abc&next=/", "/accounts/first/?…&next=/"),
        ('"/accounts/invitation/Abc"', '"/accounts/invitation/…"'),
        ("/accounts/login/?next=/accounts/invitation/Abc/", "/accounts/login/?next=/accounts/invitation/…"),
        ("?next=%2Faccounts%2Finvitation%2FAbc%2F", "?next=%2Faccounts%2Finvitation%2F…"),
        ("/accounts/login/?next=/exams/", "/accounts/login/?next=/exams/"),
        ("/accounts/reset/", "/accounts/reset/"),
    ],
)
def test_only_the_secret_goes(logged: str, kept: str) -> None:
    assert hide_secrets(logged) == kept


def test_the_arguments_of_a_record_are_read_as_well() -> None:
    path = "/accounts/invitation/Abc/"
    record = logging.LogRecord("uvicorn.access", 20, "", 0, '%s "%s %d"', ("1.2.3.4", path, 200), None)
    assert HideSecrets().filter(record)
    assert record.getMessage() == '1.2.3.4 "/accounts/invitation/… 200"'
