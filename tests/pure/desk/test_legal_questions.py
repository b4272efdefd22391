"""The legal questions can be evaluated: known sections, and no section in both halves."""

from pathlib import Path

import pytest

from desk.evaluation.beir import BeirRow, judged_questions
from desk.evaluation.labeled_files import read_rows

FOLDER = Path(__file__).parents[2] / "data" / "legal_questions"
CORPUS = Path(__file__).parents[4] / "shared" / "data" / "retrieval" / "cfr_aim" / "corpus.jsonl"
QUESTIONS = judged_questions(FOLDER)


def first_section(right: dict[str, int]) -> str:
    return next(iter(right))


def test_a_section_belongs_to_one_half() -> None:
    halves: dict[str, set[str]] = {"fitted": set(), "unseen": set()}
    for question in QUESTIONS:
        halves[question.name.split("-")[0]].add(first_section(dict(question.right)))
    assert not halves["fitted"] & halves["unseen"]
    assert min(len(some) for some in halves.values()) >= 40
    assert len(QUESTIONS) == 225


@pytest.mark.skipif(not CORPUS.exists(), reason="the labeled sets of ../shared/data are not here")
def test_each_section_is_in_the_corpus() -> None:
    known = {row.name for row in read_rows(CORPUS, BeirRow)}
    assert {section for question in QUESTIONS for section in question.right} <= known
