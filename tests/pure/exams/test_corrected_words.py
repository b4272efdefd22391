"""What a report calls corrected after a follow-up."""

from types import SimpleNamespace
from typing import Any

import pytest

from exams.exchange.completion import corrected_words

BRIEFING = {"key": "briefing", "keywords": [["brief*"], ["before*", "first"]]}


def assessments(said: str, verdict: str = "satisfactory") -> Any:
    wrong = {"key": "briefing", "met": "contradicted", "said": said}
    first = SimpleNamespace(final=False, verdict="partial", provenance={}, answer_id=1, points=[wrong])
    return [first, SimpleNamespace(final=True, verdict=verdict, provenance={}, answer_id=2, points=[])]


@pytest.mark.parametrize(
    ("said", "listed"),
    [
        ("I read it off the box.", ("I read it off the box",)),
        ("I get a full briefing beforehand.", ()),
    ],
)
def test_words_with_all_key_words_were_hardly_wrong(said: str, listed: tuple[str, ...]) -> None:
    assert corrected_words(assessments(said), [BRIEFING]) == listed
    assert corrected_words(assessments(said), [{"key": "briefing"}]) == (said.rstrip("."),)
    assert corrected_words(assessments(said, "partial"), [BRIEFING]) == ()
