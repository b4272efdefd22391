"""Lesson 20: splitters cut "121.5" and "91.205" in two. Here no splitting of text parts a number."""

import re

import pytest

from knowledge.ingestion.chunking.chunker import chunk_pages
from knowledge.ingestion.chunking.strategies import Strategy
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.text.sentences import sentences_in

NUMBERS = ["121.5", "91.205", "91.205(b)(1)", "1,200", "3.5", "3-2-6", "29.92", "61.57(c)", "10.1"]


def count_tokens(text: str) -> int:
    return len(re.findall(r"\w+|[^\w\s]", text))


@pytest.mark.parametrize("number", NUMBERS)
def test_lesson_20_sentences_keep_a_number_whole(number: str) -> None:
    text = f"Use {number} here. The value {number} is stated in {number}. See {number}, then {number}; also {number}."
    found = sentences_in(text)
    assert len(found) == 3
    assert sum(sentence.text.count(number) for sentence in found) == text.count(number)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("max_tokens", [12, 20, 45])
def test_lesson_20_cut_sentence_keeps_a_number_whole(number: str, max_tokens: int) -> None:
    text = "# Rules\n\n## All\n\n" + " ".join(f"word {number}" for _ in range(40)) + "."
    drafts = chunk_pages(
        markdown_document(text), strategy=Strategy("fixed", max_tokens, 4), count_tokens=count_tokens
    )
    assert len(drafts) > 1
    assert sum(draft.text[draft.overlap :].count(number) for draft in drafts) == 40
