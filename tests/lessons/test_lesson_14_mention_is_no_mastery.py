"""Merely mentioning a topic in a wrong answer credited it as mastered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.domain.mastery import Attempt, estimates_from
from exams.domain.values import Verdict


@pytest.mark.parametrize("verdict", ["partial", "unsatisfactory", "ungraded"])
def test_lesson_14_no_credit_by_mention_from_anything_but_a_satisfactory_answer(verdict: Verdict) -> None:
    assert "B" not in estimates_from([Attempt(element="A", verdict=verdict, mentioned=("B",))])


def test_lesson_14_a_mention_is_marked_counts_less_and_is_not_read_as_asked() -> None:
    found = estimates_from([Attempt(element="A", verdict="satisfactory", mentioned=("B",))])
    assert found["B"].by_mention
    assert found["B"].attempts == 0
    assert found["B"].value < found["A"].value


def test_lesson_14_the_first_attempt_replaces_a_mention() -> None:
    mentioned = Attempt(element="A", verdict="satisfactory", mentioned=("B",))
    found = estimates_from([mentioned, Attempt(element="B", verdict="unsatisfactory"), mentioned])
    assert (found["B"].value, found["B"].by_mention) == (0.0, False)


def test_lesson_14_an_element_gains_nothing_by_mentioning_itself() -> None:
    found = estimates_from([Attempt(element="A", verdict="unsatisfactory", mentioned=("A",))])
    assert found["A"].value == 0


@given(st.lists(st.sampled_from("spu"), min_size=1, max_size=6), st.integers(0, 5))
def test_lesson_14_mentions_never_change_what_was_shown(told: list[str], mentions: int) -> None:
    verdicts: dict[str, Verdict] = {"s": "satisfactory", "p": "partial", "u": "unsatisfactory"}
    asked = [Attempt(element="B", verdict=verdicts[one]) for one in told]
    mention = Attempt(element="A", verdict="satisfactory", mentioned=("B",))
    with_mentions = [mention] * mentions + asked + [mention] * mentions
    assert estimates_from(with_mentions)["B"] == estimates_from(asked)["B"]
