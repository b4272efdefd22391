"""What comes with the application to weigh answers by is whole and fits together."""

import re
from pathlib import Path

import pytest

from exams.offline.examples import Example, Examples, digest_of, grams_in, rows_in
from exams.offline.trees import METS, Trees
from exams.offline.vectors import KeptVectors
from exams.offline.weighing import FOLDER, experience
from exams.values import Expectation
from tests.doubles.judged import points_of, rows_of

STATEMENT = "You must wait at least 8 hours after drinking alcohol."


def test_the_trees_were_made_from_these_answers() -> None:
    assert experience().trees.made_from == digest_of(FOLDER), (
        "make the trees again: see exams/offline/graded/README.md"
    )


def test_no_answer_that_measures_is_among_those_that_teach() -> None:
    """Not even to another question."""
    taught = {plain_words(row["answer"]) for row in rows_in(FOLDER)}
    files = ("answers_demo.jsonl", "answers_holdout.jsonl", "answers_unseen.jsonl")
    assert [
        row["answer"] for file in files for row in rows_of(file) if plain_words(row["answer"]) in taught
    ] == []


def plain_words(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9.']+", text.lower())).strip(". ")


def test_every_answer_is_graded_against_statements_that_there_are() -> None:
    examples = experience().examples
    assert sum(examples.graded) == sum(len(row["keys"]) for row in rows_in(FOLDER))
    assert {met for row in rows_in(FOLDER) for met in row["met"]} == set(METS)


def test_a_file_that_holds_no_trees_is_named(tmp_path: Path) -> None:
    (tmp_path / "trees.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"trees\.npz holds no trees"):
        Trees.load(tmp_path / "trees.npz")


def test_probabilities_are_of_every_class_and_sum_to_one() -> None:
    chances = experience().trees.probabilities({})
    assert tuple(chances) == METS
    assert sum(chances.values()) == pytest.approx(1)


def test_figures_are_the_same_in_words_and_digits() -> None:
    assert grams_in("Thirty minutes") == grams_in("30 minutes")


def test_answers_to_the_question_itself_can_be_left_out(vectors: KeptVectors) -> None:
    examples = Examples()
    for number in range(6):
        examples.add(STATEMENT, Example.of("How long?", f"eight hours {number}", 0))
    assert "near_met" in examples.signs(STATEMENT, "How long?", "8 hours", vectors)
    assert "near_met" not in examples.signs(STATEMENT, "How long?", "8 hours", vectors, leave_out="How long?")


def test_an_edited_statement_has_no_examples() -> None:
    known = experience().examples
    statement = next(iter(known.by_statement))
    assert known.of(statement)
    assert not known.of(f"{statement} But not today.")


@pytest.mark.parametrize("answer", ["1 2 7", "banana", "yes", "The quick brown fox jumps over the lazy dog"])
def test_words_about_nothing_meet_nothing(answer: str, vectors: KeptVectors) -> None:
    statements = list(experience().examples.by_statement)[::30]
    expected = [Expectation(key=str(place), text=text) for place, text in enumerate(statements)]
    met = [points_of("What is the rule?", answer, [one], vectors)[0].met for one in expected]
    assert not {"met", "half"} & set(met)
