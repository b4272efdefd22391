"""On answers that people judged, the offline judge is right, and never passes what is wrong."""

from collections.abc import Callable

import pytest

from exams.offline.vectors import KeptVectors
from tests.doubles.judged import Row, label_of, rows_of, verdict_on

WRONG = (
    *("number", "wrong_number", "negated", "opposite", "swap", "comparator"),
    *("other", "other_topic", "idk", "dont_know"),
)


@pytest.fixture(scope="module")
def verdicts(vectors: KeptVectors) -> Callable[[list[Row]], list[tuple[Row, str]]]:
    return lambda rows: [(row, verdict_on(row, vectors)) for row in rows]


def test_our_own_cases(verdicts: Callable[[list[Row]], list[tuple[Row, str]]]) -> None:
    judged = verdicts(rows_of("answers_mind.jsonl"))
    right = sum(verdict == label_of(row) for row, verdict in judged)
    assert right / len(judged) >= 0.9


@pytest.mark.parametrize(("name", "split"), [("answers_mind.jsonl", ""), ("answers_demo.jsonl", "dev")])
def test_what_is_wrong_never_passes(
    verdicts: Callable[[list[Row]], list[tuple[Row, str]]], name: str, split: str
) -> None:
    wrong = [row for row in rows_of(name, split) if (row.get("category") or row["kind"]) in WRONG]
    assert len(wrong) > 30
    assert [row["answer"] for row, verdict in verdicts(wrong) if verdict == "satisfactory"] == []
