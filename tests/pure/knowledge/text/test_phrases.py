"""The notation of phrases: each file is read by its schema, and phrases match whole words."""

from pathlib import Path

import pytest
import yaml
from pydantic import ValidationError

from knowledge.text.phrases import PhraseSet, read_phrase_lists

ROOT = Path(__file__).resolve().parents[4]
FILES = [
    *sorted((ROOT / "rules").rglob("*.yaml")),
    ROOT / "curation" / "offline" / "phrases.yaml",
]


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_every_list_of_a_file_has_phrases(path: Path) -> None:
    lists = read_phrase_lists(path)
    assert lists
    for name, phrases in lists.items():
        assert phrases.words, name
        assert all(phrase == " ".join(phrase.split()) and phrase for phrase in phrases.words), name
        assert not phrases.is_in("\x00"), name


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_no_phrase_stands_twice_in_its_list(path: Path) -> None:
    written = path.read_text("utf-8")
    for name, phrases in yaml.safe_load(written).items():
        listed = phrases.split() if isinstance(phrases, str) else phrases
        assert len(set(listed)) == len(listed), name


def test_list_of_anything_but_texts_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("words: [stop, yes]\n", encoding="utf-8")
    with pytest.raises(ValidationError):
        read_phrase_lists(path)


def test_phrase_may_hold_any_phrase_of_another_list(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text(
        "find: [show *2!<field> <air_field> (now)]\nair field: [strip(s), landing site]\nfield: [meadow]\n",
        encoding="utf-8",
    )
    find = read_phrase_lists(path)["find"]
    assert find.is_all_of("show me landing site")
    assert not find.is_in("show meadow strips")


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
        ("gap", "gaps", False),
        ("airport(s)", "airports", True),
        ("airport(s)", "airportss", False),
        ("~ing", "taxiing", True),
        ("from *2 to", "from to", True),
        ("from *2 to", "from here and to", True),
        ("from *2 to", "from here and there to", False),
        ("from *2 to", "from (all) a/b to", False),
        ("from **2 to", "from (all) a/b to", True),
        ("from *2!up|down to", "from here to", True),
        ("from *2!up|down to", "from up to", False),
        ("open !to|for", "open now", True),
        ("open !to|for", "open for", False),
        ("^ open", "is open", False),
        ("open $", "is it open?", True),
        ("open $", "open now", False),
        ("in # days", "in 90 days", True),
        ("no person … may", "No person except a student may enter", True),
        ("no person … may", "No person is here. One may leave", False),
        ("paragraph (…", "paragraph (b)", True),
        ("…n't", "don't", True),
    ],
)
def test_phrase_is_matched_as_it_is_written(phrase: str, text: str, found: bool) -> None:
    assert PhraseSet([phrase]).is_in(text) is found


def test_longest_phrase_at_a_place_is_found() -> None:
    found = PhraseSet(["only", "only when"]).find("only when cleared")
    assert found is not None
    assert found.group() == "only when"


def test_where_a_phrase_stands() -> None:
    words = PhraseSet(["in", "within"])
    assert words.begins(" within it")
    assert not words.begins("and in")
    assert words.ends("rules in ")
    assert not words.ends("rules in it")
    assert words.is_all_of("In")
    assert words.remove("in or out") == "  or out"
