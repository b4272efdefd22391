"""The false beliefs of students: what the files hold, and what their words hear."""

import random
import re
from collections import Counter

import pytest

from exams.bank.beliefs.belief import Belief, read_beliefs
from exams.bank.files import ITEMS, parse_items
from exams.examiner.beliefs import beliefs_held, find_beliefs, states

HEARD_LEAST = 0.7
"""Share of the wordings of all beliefs that their words hear."""
RIGHT_READ = 1_500


def test_each_belief_is_there_once() -> None:
    beliefs = read_beliefs()
    assert len(beliefs) > 500
    assert [text for text, count in Counter(one.text for one in beliefs).items() if count > 1] == []


@pytest.mark.parametrize("field", ["text", "ways", "answer", "truths"])
def test_they_are_whole_sentences(field: str) -> None:
    for belief in read_beliefs():
        said = getattr(belief, field)
        for text in [said] if isinstance(said, str) else said:
            assert re.match(r"[A-Z0-9“\"]", text), text
            assert text[-1] in '.?!”"', text


def test_a_belief_needs_other_ways_to_say_it_words_and_a_source() -> None:
    good = read_beliefs()[0].model_dump()
    faulty: tuple[dict[str, object], ...] = (
        {"ways": ["Only one way."]},
        {"truths": []},
        {"source": "hangar talk"},
        {"words": []},
    )
    for changes in faulty:
        with pytest.raises(ValueError, match=next(iter(changes))):
            Belief.model_validate({**good, **changes})


def test_its_words_hear_most_ways_to_say_it_and_nothing_true() -> None:
    wordings = [(one, text) for one in read_beliefs() for text in (one.text, *one.ways)]
    heard = [text for one, text in wordings if find_beliefs(text)]
    assert len(heard) >= HEARD_LEAST * len(wordings)
    truths = ((one, text) for one in read_beliefs() for text in (one.answer, *one.truths))
    assert [text for one, text in truths if states(one, text)] == []


def test_no_right_wording_of_the_bank_is_taken_for_one() -> None:
    items = parse_items([ITEMS / "private", ITEMS / "commercial"]).items
    right = [text for item in items for point in item.points for text in (point.text, *point.accept)]
    taken = {
        text: held[0].belief.text
        for text in random.Random(5).sample(right, RIGHT_READ)
        if (held := find_beliefs(text))
    }
    assert not taken


def test_only_the_clause_that_states_it_is_quoted() -> None:
    said = "I'd check the tanks, because at night thirty minutes of fuel is enough, and then I'd call for a briefing."
    assert [one.said for one in find_beliefs(said)] == ["at night thirty minutes of fuel is enough"]
    told = "Well, uh, and a forward CG lowers the stall speed."
    assert [one.said for one in find_beliefs(told)] == ["a forward CG lowers the stall speed"]


def test_words_that_nobody_says_back_are_not_quoted() -> None:
    said = (
        "at night thirty minutes of fuel is enough while I keep looking at the gauges and the clock and the map"
        " and the river below us and at all the little towns along the way to see how the trip is going"
    )
    assert [one.said for one in find_beliefs(said)] == [""]


def test_who_says_the_truth_later_has_taken_it_back() -> None:
    false, true = "At night thirty minutes of fuel is enough.", "No, at night it takes forty-five minutes."
    assert len(beliefs_held([false])) == 1
    assert beliefs_held([false, true]) == ()
    for kept in ("Yes, I'm sure.", "Why not?", "I'm not sure.", "I don't know."):
        assert len(beliefs_held([false, kept])) == 1, kept
    assert len(beliefs_held([false, false])) == 1


@pytest.mark.parametrize(
    "said",
    [
        "It's a myth that at night thirty minutes of fuel is enough.",
        "Some people think that at night thirty minutes of fuel is enough, but that's wrong.",
    ],
)
def test_what_is_reported_and_rejected_is_not_held(said: str) -> None:
    assert find_beliefs(said) == ()
