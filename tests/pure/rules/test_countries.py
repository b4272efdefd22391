"""Which countries a turn is about: every labelled query of the development set, and what it does not hold."""

import pytest

from rules.countries import KNOWN_COUNTRIES, countries_of, mentions_in, name_of
from tests.pure.rules.development import rows


def test_exactly_the_labelled_countries() -> None:
    found = {row.messages: tuple(sorted(countries_of(row.messages).countries)) for row in rows()}
    assert found == {row.messages: row.countries for row in rows()}


def test_they_come_in_the_order_in_which_they_were_named() -> None:
    assert countries_of(["PPR in Norway?", "and Belgium, and Austria"]).countries == ("NO", "BE", "AT")


def test_six_messages_ago_is_forgotten() -> None:
    said = ["PPR in France?", *["and at night?"] * 6]
    assert countries_of(said).countries == ()
    assert countries_of(said[:-1]).countries == ("FR",)


def test_what_is_left_out_is_told() -> None:
    scope = countries_of(["France and Germany: PPR?", "not France"])
    assert (scope.countries, scope.excluded, scope.new) == (("DE",), ("FR",), False)


def test_a_mention_says_where_it_stands() -> None:
    text = "May I, at LFMD, speak as the Dutch do?"
    assert [(text[one.start : one.end], one.kind) for one in mentions_in(text)] == [
        ("LFMD", "airport"),
        ("Dutch", "adjective"),
    ]


@pytest.mark.parametrize(
    "text", ["", " ", "?", "\x00", "@", "İ" * 300, "ſß", "\ud800", "FR" * 3000, "a " * 50_000]
)
def test_no_text_is_too_odd(text: str) -> None:
    assert countries_of([text]).countries == ()


def test_nobody_said_anything() -> None:
    assert countries_of([]).countries == ()


def test_every_country_has_a_name() -> None:
    assert all(name_of(code) and "," not in name_of(code) for code in KNOWN_COUNTRIES)
    assert name_of("QQ") == "QQ"
