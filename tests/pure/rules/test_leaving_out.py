"""What a message leaves out: of all countries, of those it names, and parts of countries."""

import pytest

from rules.countries import countries_of


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("All countries except Germany: is PPR required", ("DE",)),
        ("everywhere but Italy", ("IT",)),
        ("PPR outside Germany", ("DE",)),
        ("Which countries except Germany and France require PPR?", ("DE", "FR")),
        ("not Germany, PPR", ("DE",)),
        ("PPR in France", ()),
        ("all countries but Scotland: PPR?", ()),
    ],
)
def test_all_countries_but_those_that_are_left_out(text: str, without: tuple[str, ...]) -> None:
    assert countries_of([text]).without == without


def test_they_stay_left_out_until_a_country_is_named() -> None:
    said = [
        "All countries except Germany: is PPR required?",
        "and at night?",
        "not Italy either",
        "and France?",
    ]
    assert [countries_of(said[:n]).without for n in (2, 3, 4)] == [("DE",), ("DE", "IT"), ()]
    assert countries_of([*said[:2], "and in all countries?"]).without == ()


def test_everywhere_but_one_of_those_before_is_everywhere() -> None:
    scope = countries_of(["PPR in France and Germany", "everywhere except France"])
    assert (scope.countries, scope.without) == ((), ("FR",))


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("PPR in Benelux apart from Belgium", ("NL", "LU")),
        ("all of Scandinavia aside from Norway: flight plan", ("DK", "SE")),
        ("PPR in France, Italy aside, and Spain", ("FR", "ES")),
        ("instead of France, Germany", ("DE",)),
        ("instead of France and Italy, Germany", ("DE",)),
        ("PPR in France (not Corsica)", ("FR",)),
        ("Spain, excluding the Canary Islands: PPR", ("ES",)),
        ("UK but not Scotland", ("GB",)),
        ("French rules, not the Corsican ones", ("FR",)),
        ("PPR in France but not at LFMD", ("FR",)),
    ],
)
def test_what_is_left_of_the_named(text: str, countries: tuple[str, ...]) -> None:
    assert countries_of([text]).countries == countries


def test_a_country_named_by_a_part_alone_goes_with_it() -> None:
    said = ["PPR in Scotland and France", "not Scotland"]
    assert countries_of(said).countries == ("FR",)
    assert countries_of([said[0], "not Scotland, but England"]).countries == ("GB",)
    assert countries_of(["PPR in the UK and France", "not Scotland"]).countries == ("GB", "FR")


def test_a_comparison_after_some_were_dropped_is_of_the_rest() -> None:
    said = ["PPR in France?", "what about Germany, Spain and Malta?", "drop Malta", "which is stricter?"]
    assert countries_of(said).countries == ("DE", "ES")
    assert countries_of([*said[:2], "which is stricter?"]).countries == ("FR", "DE", "ES", "MT")
