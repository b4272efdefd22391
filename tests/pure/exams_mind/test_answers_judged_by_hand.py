"""On answers that people judged, and that nothing was fitted to, the offline judge is right nine times in ten."""

import pytest

from exams.offline.vectors import KeptVectors
from tests.doubles.judged import Row, label_of, rows_of, verdict_on

NO_ANSWER = ("other_topic", "topic_words", "dont_know")
DEMO = "answers_demo.jsonl"


@pytest.fixture(scope="module")
def judged(vectors: KeptVectors) -> list[tuple[Row, str]]:
    return [(row, verdict_on(row, vectors)) for row in rows_of(DEMO)]


def test_it_is_right(judged: list[tuple[Row, str]]) -> None:
    right = sum(verdict == label_of(row) for row, verdict in judged)
    assert right / len(judged) >= 0.9


def test_other_words_are_no_failure(judged: list[tuple[Row, str]]) -> None:
    paraphrases = [verdict for row, verdict in judged if row["category"] == "paraphrase"]
    assert len(paraphrases) > 70
    assert sum(verdict != "satisfactory" for verdict in paraphrases) / len(paraphrases) <= 0.05


def test_what_is_wrong_does_not_pass(judged: list[tuple[Row, str]]) -> None:
    wrong = [verdict for row, verdict in judged if row["category"] in ("wrong_number", "negated")]
    assert len(wrong) > 80
    assert "satisfactory" not in wrong


def test_no_answer_hardly_passes(judged: list[tuple[Row, str]]) -> None:
    empty = [verdict for row, verdict in judged if row["category"] in NO_ANSWER]
    assert len(empty) > 40
    assert empty.count("satisfactory") <= 1
