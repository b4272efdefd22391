"""What comes with the application to weigh answers by is whole and fits together."""

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from exams.offline.examples import Example, Examples, digest_of, grams_in, rows_in
from exams.offline.trees import METS, Trees
from exams.offline.vectors import KeptVectors, read_vectors
from exams.offline.weighing import FOLDER, experience, vectors_of_experience
from exams.values import Expectation
from llm.local import LocalEmbeddingModel
from tests.doubles.judged import points_of, rows_of
from training.vectors import texts

STATEMENT = "You must wait at least 8 hours after drinking alcohol."


def test_the_trees_were_made_from_these_answers() -> None:
    assert experience().trees.made_from == digest_of(FOLDER), (
        "make the trees again: see exams/offline/graded/README.md"
    )


def test_the_vectors_are_those_of_these_texts(tmp_path: Path) -> None:
    known = vectors_of_experience()
    assert set(texts()) <= set(known), "make the vectors again: see exams/offline/graded/README.md"
    some = sorted(known)[::400]
    for text, fresh in zip(some, LocalEmbeddingModel(tmp_path).embed_passages(some), strict=True):
        assert np.dot(known[text], fresh) == pytest.approx(1, abs=0.002)


def test_a_file_that_holds_no_vectors_is_named(tmp_path: Path) -> None:
    (tmp_path / "vectors.npz").write_bytes(b"nothing")
    with pytest.raises(ValueError, match=r"vectors\.npz holds no vectors"):
        read_vectors(tmp_path / "vectors.npz")


def test_what_is_known_is_not_embedded_again() -> None:
    asked: list[str] = []

    def embed(some: Sequence[str]) -> list[list[float]]:
        asked.extend(some)
        return [[0.0, 1.0] for _ in some]

    vectors = KeptVectors(embed, 10, lambda: {"known": np.array([1.0, 0.0], np.float32)})
    vectors.learn(["known", "new", " "])
    assert [list(vectors("known")), list(vectors("new"))] == [[1, 0], [0, 1]]
    assert asked == ["new"]


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
