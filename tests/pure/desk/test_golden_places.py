"""Which passage holds a place that somebody judged, and whether a distractor came before it."""

import json
from pathlib import Path

import pytest

from desk.evaluation.golden import (
    Judged,
    Piece,
    Question,
    is_fooled,
    passages_holding,
    read_questions,
    words_of,
)
from desk.evaluation.labeled_files import BadFile

FUEL = "By day the airplane carries fuel for 30 minutes beyond the first point of landing at cruising speed."
NIGHT = (
    "By night the airplane carries fuel for 45 minutes beyond the first point of landing at cruising speed."
)
ROW = {
    "id": "g1",
    "kind": "short",
    "question": "Reserve?",
    "passages": [{"file": "a.md", "lines": [1, 2], "grade": 2}],
}


def piece(name: str, text: str, *pages: int) -> Piece:
    return Piece(name, tuple(words_of(text)), *pages)


def test_marks_of_markdown_and_html_are_no_words() -> None:
    assert words_of("See [[14cfr#§91.3|§91.3]], [the rule](http://x.org/y)<br>2&nbsp;SM \\(a\\)") == [
        *("see", "91", "3", "the", "rule", "2", "sm", "a")
    ]


def test_the_passage_with_the_words_holds_the_place() -> None:
    pieces = [piece("fuel", f"Fuel. {FUEL}"), piece("lights", "A green light means cleared to land.")]
    assert passages_holding(FUEL, None, pieces) == {"fuel"}


def test_a_neighbour_with_nearly_the_same_words_does_not() -> None:
    pieces = [piece("day", f"{FUEL} {FUEL}"), piece("night", NIGHT)]
    assert passages_holding("By night the airplane carries fuel for 45 minutes", None, pieces) == {"night"}


def test_a_passage_of_another_page_does_not() -> None:
    assert passages_holding(FUEL, 3, [piece("here", FUEL, 3, 4), piece("there", FUEL, 7, 7)]) == {"here"}


def test_a_long_place_is_held_by_each_passage_that_has_a_good_part_of_it() -> None:
    words = [f"word{number}" for number in range(300)]
    pieces = [piece("first", " ".join(words[:200])), piece("second", " ".join(words[200:]))]
    assert passages_holding(" ".join(words), None, pieces) == {"first", "second"}


def test_no_words_are_nowhere() -> None:
    assert passages_holding("* * *", None, [piece("fuel", FUEL)]) == frozenset()


@pytest.mark.parametrize(
    ("ranked", "fooled"),
    [
        (["night", "day"], True),
        (["day", "night"], False),
        (["x", "night"], True),
        (["x"], False),
        ([], False),
    ],
)
def test_fooled(ranked: list[str], fooled: bool) -> None:
    judged = Judged(Question.model_validate(ROW), {"day": 2}, frozenset({"night"}), 0)
    assert is_fooled(ranked, judged) is fooled


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "long"},
        {"passages": []},
        {"passages": [{"file": "../a.md", "lines": [1, 2], "grade": 2}]},
        {"passages": [{"file": "a.md", "lines": [2, 1], "grade": 2}]},
        {"passages": [{"file": "a.md", "lines": [1, 2], "grade": 3}]},
        {"more": 1},
    ],
)
def test_a_bad_row_is_refused_with_its_line(tmp_path: Path, change: dict[str, object]) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n{json.dumps({**ROW, 'id': 'g2', **change})}\n")
    with pytest.raises(BadFile, match="line 2"):
        read_questions(path)


@pytest.mark.parametrize("text", ["", "{", f"{json.dumps(ROW)}\n{json.dumps(ROW)}"])
def test_a_bad_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(text)
    with pytest.raises(BadFile):
        read_questions(path)


def test_the_golden_questions_can_be_read() -> None:
    path = Path(__file__).parents[2] / "data" / "golden" / "questions.jsonl"
    assert len(read_questions(path)) == 240
