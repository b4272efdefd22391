"""Word lists are data: each file is read by its schema, and phrases match whole words."""

import pytest
from pydantic import ValidationError

from rules.countries.gazetteer import EUROPE, KNOWN_COUNTRIES, read_gazetteer
from rules.phrases import PhraseSet, read_phrases
from rules.query.synonyms import read_matters

FILES = [
    ("rules.countries", "words.yaml"),
    ("rules.countries", "turns.yaml"),
    ("rules.query", "words.yaml"),
    ("rules.statements", "words.yaml"),
]


@pytest.mark.parametrize(("package", "file"), FILES)
def test_every_list_of_a_file_has_phrases(package: str, file: str) -> None:
    lists = read_phrases(package, file)
    assert lists
    for name, some in lists.items():
        assert some.words, name
        assert all(phrase == " ".join(phrase.split()) and phrase for phrase in some.words), name
        assert not some.is_in("\x00"), name


def test_a_list_that_holds_no_text_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rules.phrases.yaml.safe_load", lambda text: {"words": ["yes", True]})
    with pytest.raises(ValidationError):
        read_phrases("rules.countries", "words.yaml")


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


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("taxi~", "taxiing", True),
        ("taxi", "taxiing", False),
        ("all (of) them", "all them", True),
        ("all (of) them", "all of  them", True),
        ("(to) (be) avoided", "avoided", True),
        ("(to) (be) avoided", "be avoided", True),
        ("the first|second one", "the second one", True),
        ("no * entry", "no free entry", True),
        ("no (**) required", "no PPR/PNR required", True),
        ("no (*) required", "no PPR/PNR required", False),
        ("never|no_longer allowed", "no longer allowed", True),
        ("never|no_longer allowed", "longer allowed", False),
        ("don't", "Don’t enter", True),
        ("[D] area", "D area", True),
        ("[D] area", "d area", False),
        ("a/g", "A/G", True),
    ],
)
def test_a_phrase_is_matched_as_it_is_written(phrase: str, text: str, found: bool) -> None:
    assert PhraseSet([phrase]).is_in(text) is found


def test_where_a_phrase_stands() -> None:
    words = PhraseSet(["in", "within"])
    assert words.begins(" within it")
    assert not words.begins("and in")
    assert words.ends("rules in ")
    assert not words.ends("rules in it")
    assert words.is_all_of("In")
    assert words.remove("in or out") == "  or out"
