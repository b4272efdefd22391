"""The query was 500 characters of conversation: the answer was cut off, the tested element was not in it."""

import pytest

from knowledge import conf
from knowledge.retrieval.query.builder import Asked, build_query

ELEMENT = "National Airspace System. Airspace classes and associated requirements and limitations"
QUESTION = "You cross a quiet corner of Class G late in the evening. What weather do you need?"
LONG = ("I would think about many things first. " * 125) + "Three statute miles and 152 feet from clouds."


@pytest.mark.parametrize("answer", ["1 SM", "91.155"[:5], LONG])
def test_lesson_22_query_contains_element_question_and_answer(answer: str) -> None:
    query = build_query(Asked(element=ELEMENT, question=QUESTION, answer=answer))
    terms = {wording for term in query.terms for wording in term.wordings}
    assert ELEMENT in query.semantic
    assert "Class G" in query.semantic
    assert "airspace" in terms


def test_lesson_22_short_answer_is_in_the_query_whole() -> None:
    query = build_query(Asked(element=ELEMENT, question=QUESTION, answer="1 SM"))
    assert query.semantic.endswith("1 SM")
    assert ("sm", "statute miles") in [term.wordings for term in query.terms]


def test_lesson_22_long_answer_is_in_the_query_by_its_claims() -> None:
    assert len(LONG) > 4900
    query = build_query(Asked(element=ELEMENT, question=QUESTION, answer=LONG))
    assert "Three statute miles and 152 feet from clouds." in query.semantic
    assert ("152",) in [term.wordings for term in query.terms]


def test_lesson_22_each_part_keeps_its_share_of_the_query() -> None:
    query = build_query(Asked(element=ELEMENT, question=QUESTION * 20, answer=LONG * 5))
    assert ELEMENT in query.semantic
    most = conf.ELEMENT_CHARACTERS + conf.QUESTION_CHARACTERS + conf.ANSWER_CHARACTERS
    assert len(query.semantic) <= most + len(query.strands)
    assert len(query.terms) <= conf.ELEMENT_TERMS + conf.QUESTION_TERMS + conf.ANSWER_TERMS
    assert dict(zip([strand.name for strand in query.strands], query.shares, strict=True))["tested"] > 0.5
