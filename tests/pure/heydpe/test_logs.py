"""Addresses whose secrets open an account are logged without them."""

import logging
from io import StringIO

import pytest
import structlog

from heydpe.logs import HideSecrets, hide_secrets, logging_settings


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


@pytest.mark.parametrize("debug", [True, False])
def test_events_of_our_own_and_tracebacks_are_written_without_them(debug: bool) -> None:
    described = dict(logging_settings(debug=debug)["formatters"]["structured"])
    handler = logging.StreamHandler(StringIO())
    handler.setFormatter(described.pop("()")(**described))
    logger = logging.getLogger("a log of this test")
    logger.addHandler(handler)
    try:
        raise ConnectionError("no answer to /accounts/reset/MQ/c9-abcdef/")
    except ConnectionError:
        told = structlog.wrap_logger(logger, wrapper_class=structlog.stdlib.BoundLogger)
        told.exception("service_away", path="/accounts/invitation/Abc/")
    written = handler.stream.getvalue()
    assert "ConnectionError" in written
    assert "/accounts/invitation/…" in written
    assert "Abc" not in written
    assert "c9-abcdef" not in written
