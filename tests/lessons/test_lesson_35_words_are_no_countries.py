"""35. "LIST" meant Italy, "IS IT OK" meant Iceland, Italy and Austria, Ukraine meant Great Britain, "French" meant
nothing, lower-case ICAO codes were not seen, Jersey and Turkey were unknown."""

import pytest

from rules.countries import countries_of


@pytest.mark.parametrize(
    ("query", "countries"),
    [
        ("LIST the rules", ()),
        ("IS IT OK AT NIGHT", ()),
        ("Is it ok at night?", ()),
        ("NO, BE SO KIND", ()),
        ("VFR in Ukraine", ("UA",)),
        ("UKKK arrivals", ("UA",)),
        ("EGKB arrivals", ("GB",)),
        ("the French rules", ("FR",)),
        ("can i land at lfmd", ("FR",)),
        ("PPR in Jersey", ("JE",)),
        ("PPR in Turkey", ("TR",)),
        ("EGJB", ("GG",)),
        ("EGJJ", ("JE",)),
        ("EGNS", ("IM",)),
        ("EKVG", ("FO",)),
        ("LYBE, LYPG and BKPR", ("RS", "ME", "XK")),
    ],
)
def test_only_country_names_are_read_as_countries(query: str, countries: tuple[str, ...]) -> None:
    assert countries_of([query]).countries == countries
