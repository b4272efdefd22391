"""The gazetteer and the dictionary of the rules desk are data with a shape of their own."""

from rules.countries.gazetteer import EUROPE, KNOWN_COUNTRIES, read_gazetteer
from rules.query.synonyms import read_matters


def test_the_gazetteer_names_countries_that_exist() -> None:
    for name, (countries, kind) in read_gazetteer().items():
        assert name == name.strip().lower()
        assert set(countries) <= KNOWN_COUNTRIES
        assert bool(countries) == (kind != "no place"), name
        assert (len(countries) > 1) == (kind == "group"), name
    assert EUROPE <= KNOWN_COUNTRIES


def test_every_matter_of_the_dictionary_has_wordings() -> None:
    for matter in read_matters():
        assert matter.formal.strip()
        assert matter.said
