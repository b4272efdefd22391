"""On answers that people judged, and that nothing was fitted to, the offline judge is right nine times in ten.

Those to every third question, in `make soak` all; `python -m benchmarks offline_assessor` tells the figures.
"""

import os

import pytest

from exams.offline.vectors import KeptVectors
from tests.doubles.judged import Row, label_of, rows_of, verdict_on

NO_ANSWER = ("other_topic", "topic_words", "dont_know")
DEMO = "answers_demo.jsonl"
EVERY = 1 if os.environ.get("HEYDPE_SOAK") else 3
SAMPLED = 1 / EVERY


@pytest.fixture(scope="module")
def judged(vectors: KeptVectors) -> list[tuple[Row, str]]:
    rows = rows_of(DEMO)
    asked = set(list(dict.fromkeys(row["question"] for row in rows))[::EVERY])
    return [(row, verdict_on(row, vectors)) for row in rows if row["question"] in asked]


def test_it_is_right(judged: list[tuple[Row, str]]) -> None:
    right = sum(verdict == label_of(row) for row, verdict in judged)
    assert right / len(judged) >= 0.9


def test_other_words_are_no_failure(judged: list[tuple[Row, str]]) -> None:
    paraphrases = [verdict for row, verdict in judged if row["category"] == "paraphrase"]
    assert len(paraphrases) > 60 * SAMPLED
    assert sum(verdict != "satisfactory" for verdict in paraphrases) / len(paraphrases) <= 0.05


def test_what_is_wrong_hardly_passes(judged: list[tuple[Row, str]]) -> None:
    """One does: "at least half" of a bill that four share is wrong by a sum that this judge does not work out."""
    wrong = [verdict for row, verdict in judged if row["category"] in ("wrong_number", "negated")]
    assert len(wrong) > 70 * SAMPLED
    assert wrong.count("satisfactory") <= 1


def test_no_answer_hardly_passes(judged: list[tuple[Row, str]]) -> None:
    empty = [verdict for row, verdict in judged if row["category"] in NO_ANSWER]
    assert len(empty) > 30 * SAMPLED
    assert empty.count("satisfactory") <= 1
