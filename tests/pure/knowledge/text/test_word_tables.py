"""Word tables are well-formed: every row has its columns, and every phrase is a pattern that is looked for."""

import csv
import re
from pathlib import Path

import pytest

from knowledge.text.opposites import opposite_beginnings
from knowledge.text.synonyms import are_alike, idea_of, idea_set
from knowledge.text.tokens import content_words, normalize_text, plain_words, stem_word
from knowledge.text.units import CANONICAL, COUNTED, UNITS, unit_words
from knowledge.text.word_tables import read_phrases, read_rows, word_lists

ROOT = Path(__file__).resolve().parents[4]
EXAM_FOLDERS = ("bank", "domain", "examiner", "offline")
TABLES = sorted(
    path
    for folder in ("knowledge/text", "knowledge/grounding", *(f"exams/{one}" for one in EXAM_FOLDERS))
    for path in (ROOT / folder).glob("*.csv")
)
PHRASES = [path for path in TABLES if path.read_text("utf-8").startswith("meaning,phrase\n")]
SEVERAL_ROWS = frozenset(("word_lists.csv", "rule_kinds.csv"))
"""Tables in which a first column may stand in several rows, besides those of phrases."""


def name_of(path: Path) -> str:
    return path.name


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_every_row_has_every_column(path: Path) -> None:
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    assert rows
    assert all(len(row) == len(head) and row[0] == row[0].strip() != "" for row in rows)


@pytest.mark.parametrize("path", TABLES, ids=name_of)
def test_no_row_stands_twice(path: Path) -> None:
    rows = path.read_text("utf-8").splitlines()
    assert len(set(rows)) == len(rows)


@pytest.mark.parametrize("path", PHRASES, ids=name_of)
def test_every_meaning_is_looked_for(path: Path) -> None:
    code = "".join(one.read_text("utf-8") for one in path.parent.glob("*.py"))
    assert not [meaning for meaning in read_phrases(path) if meaning.split(":")[0] not in code]


@pytest.mark.parametrize("path", PHRASES, ids=name_of)
def test_no_phrase_matches_nothing_at_all(path: Path) -> None:
    assert not [meaning for meaning, pattern in read_phrases(path).items() if pattern.search("")]


def test_phrases_end_at_the_edge_of_words(tmp_path: Path) -> None:
    path = tmp_path / "phrases.csv"
    path.write_text("meaning,phrase\nno,not|never\nno,…n't\nstart,air…\n", encoding="utf-8")
    phrases = read_phrases(path)
    assert phrases["no"].findall("not nothing never don't nevermore") == ["not", "never", "n't"]
    assert phrases["start"].search("airport")
    assert not phrases["start"].search("midair")
    assert not phrases["no"].search("NOT")
    assert read_phrases(path, ignore_case=True)["no"].search("NOT")


@pytest.mark.parametrize("path", PHRASES, ids=name_of)
def test_no_phrase_captures(path: Path) -> None:
    assert {pattern.groups for pattern in read_phrases(path).values()} == {0}


def test_compounds_are_patterns() -> None:
    rows = read_rows(ROOT / "knowledge" / "text" / "compounds.csv")
    for row in rows:
        assert re.compile(row["pattern"]).groups >= row["words"].count("\\1")


def test_units_have_one_spelling_each() -> None:
    spellings = [
        spelling
        for row in read_rows(ROOT / "knowledge" / "text" / "units.csv")
        for spelling in row["spellings"].split("|")
    ]
    assert len(set(spellings)) == len(spellings)
    assert set(CANONICAL.values()) == {*UNITS, *COUNTED}


@pytest.mark.parametrize(
    ("unit", "value", "words"),
    [
        ("day", 1, "day"),
        ("day", 2, "days"),
        ("hour", 1, "hour"),
        ("hour", 0.5, "hours"),
        ("ft", 500, "feet"),
        ("passenger", 3, "passengers"),
        ("approach", 6, "approaches"),
        ("", 1, ""),
    ],
)
def test_units_are_written_out(unit: str, value: float, words: str) -> None:
    assert unit_words(unit, value) == words


def test_lists_and_opposites_are_in_lower_case() -> None:
    words = {word for listed in word_lists().values() for word in listed}
    assert all(word == word.lower() for word in words)
    assert all(one != other for one, other in opposite_beginnings())


def test_normalized_text_keeps_every_place() -> None:
    text = "İ Don’t fly below ½⁄³ mile–ever\u00a0"
    assert len(normalize_text(text)) == len(text)
    assert normalize_text("Don’t") == "don't"


def test_plain_words_leave_punctuation_out() -> None:
    assert plain_words("§ 91.3  Pilot-in-command;") == "91 3 pilot in command"


def test_content_words_meet_other_forms() -> None:
    assert content_words("The PIC inspects the airplanes.") == content_words(
        "Pilot in command, inspected airplane"
    )
    assert stem_word("stopped") == "stop"


def test_synonyms_share_their_ideas() -> None:
    assert idea_set("The plane has gone up in 3 minutes") >= idea_set("aircraft increase")
    assert idea_of("larger") == idea_of("increase") != idea_of("large")
    assert are_alike("stabil", "stabiliz")
    assert not are_alike("stab", "stabiliz")
