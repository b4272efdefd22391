"""The hand-judged answers rest on the demo's claims and are balanced enough to tell assessors apart."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from desk.demo.content import demo_claims

FILE = Path(__file__).resolve().parents[3] / "data" / "answers_demo.jsonl"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines()]
CLAIMS = {claim.key: claim for claim in demo_claims()}


def test_expectations_are_the_approved_claims() -> None:
    for row in ROWS:
        for expectation in row["expectations"]:
            claim = CLAIMS[expectation["key"]]
            assert claim.status == "approved"
            assert expectation["text"] == claim.statement
            assert (expectation["importance"], expectation["kind"]) == (claim.importance, claim.role)
            assert row["element"] in claim.elements


def test_a_question_is_in_one_part_alone() -> None:
    parts = {(row["question"], row["split"]) for row in ROWS}

    assert len(parts) == len({question for question, _ in parts})


def test_parts_and_categories_are_balanced() -> None:
    splits = Counter(row["split"] for row in ROWS)
    categories = Counter(row["category"] for row in ROWS)

    assert len(ROWS) >= 160
    assert 0.35 <= splits["dev"] / len(ROWS) <= 0.45
    assert categories["paraphrase"] >= 30
    assert min(categories.values()) >= 10
    assert set(categories) == {
        "paraphrase", "exact", "extra", "half", "wrong_number", "negated",
        "other_topic", "dont_know", "topic_words", "unit_change",
    }  # fmt: skip


def test_ids_and_answers_are_unique() -> None:
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert len({(row["question"], row["answer"]) for row in ROWS}) == len(ROWS)
