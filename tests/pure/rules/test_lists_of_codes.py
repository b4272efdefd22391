"""A list of codes vouches for its members; ordinary words in sentences stay words."""

import pytest

from rules.countries import countries_of


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("SE or NO: ppr", ("SE", "NO")),
        ("PPR be, nl and lu", ("BE", "NL", "LU")),
        ("FR, NO", ("FR", "NO")),
        ("DK SE NO ppr", ("DK", "SE", "NO")),
        ("it and fr ppr", ("IT", "FR")),
        ("flight plan in at, de and ch", ("AT", "DE", "CH")),
        ("lu, nl and be ppr", ("LU", "NL", "BE")),
        ("IT, FR: TRANSPONDER?", ("IT", "FR")),
        ("FR/BE/NO?", ("FR", "BE", "NO")),
        ("AM I OK TO LAND IN SE WITHOUT PPR", ("SE",)),
        ("DO I NEED A PLAN IN DE OR IS IT FREE", ("DE",)),
    ],
)
def test_codes_side_by_side_are_countries(text: str, countries: tuple[str, ...]) -> None:
    assert countries_of([text]).countries == countries


@pytest.mark.parametrize(
    ("text", "countries"),
    [
        ("LIST", ()),
        ("IS IT OK", ()),
        ("IS IT OK AT NIGHT, OR NO?", ()),
        ("SE/ME rating, is it valid?", ()),
        ("how can it be, and is it so", ()),
        ("No, in nl: ppr", ("NL",)),
        ("ppr in de or is it free?", ("DE",)),
        ("IN FR, NO PPR?", ("FR",)),
        ("FR AT NIGHT", ("FR",)),
        ("lu, nl and no ppr needed?", ("LU", "NL")),
        ("must it be in de or fr", ("DE", "FR")),
    ],
)
def test_words_stay_words(text: str, countries: tuple[str, ...]) -> None:
    assert countries_of([text]).countries == countries
