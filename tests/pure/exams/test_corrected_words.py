"""What a report calls corrected, or complete, after a follow-up."""

from types import SimpleNamespace
from typing import Any

import pytest

from exams.conf import HALF_HEARD
from exams.domain.verdicts import NOT_SAID, TURNED_ROUND
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
    answer = SimpleNamespace(text=point["said"])
    first = SimpleNamespace(
        final=False, verdict="unsatisfactory", points=[point], answer=answer, decision={"next_step": "probe"}
    )
    last = SimpleNamespace(final=True, verdict=verdict, points=[], provenance={})
    assert completed_after_follow_up([first, last], []) == listed  # type: ignore[list-item]
    last.provenance = {"reviewer": "ann"}
    assert completed_after_follow_up([first, last], []) == ()  # type: ignore[list-item]


@pytest.mark.parametrize(
    ("said", "why", "listed"),
    [
        ("I read the page.", "", ("Left out at first: Call for a briefing.",)),
        ("I call for a briefing, sure.", "", ()),  # said at once, and said again
        ("I wouldn't call for a briefing.", "", ("Left out at first: Call for a briefing.",)),
        ("I call.", f"{NOT_SAID}90 days.", ("Not in full at first: Call for a briefing.",)),
    ],
)
def test_what_was_only_said_again_is_not_listed(said: str, why: str, listed: tuple[str, ...]) -> None:
    open_one = {
        "expectation": "Call for a briefing.",
        "key": "briefing",
        "met": "half" if why else "missing",
        "said": said if why else "",
        "why": why,
    }
    met = {**open_one, "met": "met", "said": "Like I said, I call for a briefing.", "why": ""}
    asked_back = SimpleNamespace(
        final=False,
        verdict="ungraded",
        points=[],
        answer=SimpleNamespace(text="Could you say that again?"),
        decision={"next_step": "repeat"},
    )
    first = SimpleNamespace(
        final=False,
        verdict="unsatisfactory",
        points=[open_one],
        answer=SimpleNamespace(text=said),
        decision={"next_step": "probe"},
    )
    last = SimpleNamespace(final=True, verdict="satisfactory", points=[met], provenance={})
    assert completed_after_follow_up([asked_back, first, last], []) == listed  # type: ignore[list-item]
    assert completed_after_follow_up([first, last], []) == listed  # type: ignore[list-item]
