"""An exam's passages are read again by what is configured, unless a student would wait for it."""

from typing import Any

import pytest

from exams.examiner.briefing import arm_of_exams


@pytest.mark.parametrize("quick", ["keyword", "cohere", "openai"])
def test_what_costs_this_machine_little_reads_again(settings: Any, quick: str) -> None:
    settings.RERANKER = quick
    assert arm_of_exams() == "hybrid+rerank"


@pytest.mark.parametrize("slow", ["late", "none"])
def test_nobody_waits_for_word_by_word(settings: Any, slow: str) -> None:
    settings.RERANKER = slow
    assert arm_of_exams() == "hybrid"
