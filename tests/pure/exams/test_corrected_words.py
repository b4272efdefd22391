"""What a report calls corrected, or complete, after a follow-up."""

from types import SimpleNamespace
from typing import Any

import pytest

from exams.conf import HALF_HEARD
from exams.domain.verdicts import TURNED_ROUND
from exams.exchange.completion import completed_after_follow_up, corrected_words

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


@pytest.mark.parametrize(
    ("met", "importance", "conveyed", "verdict", "listed"),
    [
        ("missing", "must", HALF_HEARD - 0.01, "satisfactory", ("Left out at first: Call for a briefing.",)),
        ("missing", "must", HALF_HEARD, "satisfactory", ()),  # may have been misheard
        (
            "half",
            "must",
            0.9,
            "satisfactory",
            ("At first I heard “I look”; the source says: Call for a briefing.",),
        ),
        ("half", "should", 0.9, "satisfactory", ()),
        ("missing", "should", 0.1, "satisfactory", ()),
        ("missing", "must", 0.1, "partial", ()),  # the verdict says more
    ],
)
def test_what_a_follow_up_had_to_be_asked_for_is_listed(
    met: str, importance: str, conveyed: float, verdict: str, listed: tuple[str, ...]
) -> None:
    point = {
        "expectation": "Call for a briefing.",
        "key": "briefing",
        "met": met,
        "importance": importance,
        "said": "I look." if met == "half" else "",
        "why": TURNED_ROUND if met == "half" else "",
        "conveyed": conveyed,
    }
    first = SimpleNamespace(final=False, verdict="unsatisfactory", points=[point])
    last = SimpleNamespace(final=True, verdict=verdict, points=[], provenance={})
    assert completed_after_follow_up([first, last], []) == listed  # type: ignore[list-item]
    last.provenance = {"reviewer": "ann"}
    assert completed_after_follow_up([first, last], []) == ()  # type: ignore[list-item]
