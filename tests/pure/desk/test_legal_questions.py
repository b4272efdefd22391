"""The legal questions and those of a knowledge test can be evaluated: known sections, and no section in both halves."""

from collections import defaultdict
from pathlib import Path

import pytest

from desk.evaluation.beir import BeirRow, judged_questions
from desk.evaluation.labeled_files import read_rows

DATA = Path(__file__).parents[2] / "data"
CORPUS = Path(__file__).parents[4] / "shared" / "data" / "retrieval" / "cfr_aim" / "corpus.jsonl"
SETS = {name: judged_questions(DATA / name) for name in ("legal_questions", "knowledge_test_questions")}


def first_section(right: dict[str, int]) -> str:
    return next(iter(right))


@pytest.mark.parametrize(("name", "count"), [("legal_questions", 225), ("knowledge_test_questions", 230)])
def test_a_section_belongs_to_one_half(name: str, count: int) -> None:
    halves: defaultdict[str, set[str]] = defaultdict(set)
    for question in SETS[name]:
        halves[question.name.split("-")[0]].add(first_section(dict(question.right)))
    one, other = halves.values()
    assert not one & other
    assert min(len(one), len(other)) >= 40
    assert len(SETS[name]) == count


@pytest.mark.skipif(not CORPUS.exists(), reason="the labeled sets of ../shared/data are not here")
def test_each_section_is_in_the_corpus() -> None:
    known = {row.name for row in read_rows(CORPUS, BeirRow)}
    asked = [question for questions in SETS.values() for question in questions]
    assert {section for question in asked for section in question.right} <= known
