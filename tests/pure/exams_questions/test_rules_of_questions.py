"""Each way in which a question can be a bad one, and good questions beside it."""

from __future__ import annotations

import pytest

from exams.question_rules import faults_of

RULE = "To enter Class C airspace you must establish two-way radio communication with the facility before you enter."
FUEL = (
    "By day you may not begin a flight unless there is enough fuel for at least 30 minutes at cruising speed."
)
GOOD = "The edge of a Class C area lies ahead of you. What has to happen before you cross it?"


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        "Walk me through what happens to the engine when the mixture is too lean.",
        "You are level at 5,500 feet. How do you choose what to do next?",
        "At night, where do you look to see another airplane?",
        "How long is a medical certificate good for?",
    ],
)
def test_a_good_question_has_no_fault(text: str) -> None:
    assert faults_of(text, expectations=(RULE,), element_text="Classes of airspace", previous="Why?") == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("Do you need a clearance there?", "open"),
        ("You come near the edge. Can you tell me what you need?", "open"),
        ("At the edge of the airspace, must you call somebody?", "open"),
        ("What do you need there? And why?", "one"),
        ("What do you need there, a clearance or a call?", "choices"),
        ("According to the handbook, what do you need there?", "passage"),
        ("Well done. What do you need next?", "praise"),
        ("Good! What do you need next?", "praise"),
        ("That is correct. What do you need next?", "praise"),
        ("You need to call somebody there, right?", "open"),
        ("In rain or at night, are those lights enough?", "open"),
        ("Is it the tower or the ground that you call?", "choices"),
        ("What do you need there? a) a clearance b) a call", "choices"),
        ("Look at this text. What does the excerpt ask of you?", "passage"),
        ("A pilot must give way to the right. What do you do?", "rule"),
        ("No person may take off there without a call. What do you do?", "rule"),
        ("You need to call somebody there.", "prompt"),
        ("What must you do about two-way radio communication with the facility?", "five words"),
        ("What about the classes of airspace and what each asks?", "element"),
        ("Why " + "very " * 60 + "much?", "60 words"),
        ("The edge of a Class D area lies ahead. What now?", "other words"),
        ("", "prompt"),
    ],
)
def test_each_fault_is_named(text: str, fault: str) -> None:
    found = faults_of(
        text, expectations=(RULE,), element_text="Classes of airspace and what each asks", previous=GOOD
    )
    assert any(fault in one for one in found), found


@pytest.mark.parametrize(
    "text", ["What does a reserve of 30 minutes mean?", "Why carry half an hour of fuel more than you need?"]
)
def test_the_answers_number_is_found_in_any_unit(text: str) -> None:
    assert any("numbers" in one for one in faults_of(text, expectations=(FUEL,)))


def test_another_number_is_no_leak() -> None:
    assert (
        faults_of("You fly for 2 hours by day. How much fuel do you take along?", expectations=(FUEL,)) == ()
    )


def test_an_amount_must_stand_in_the_passages_and_a_name_need_not() -> None:
    text = "You fly for 2 hours by day. How much fuel do you take along?"
    assert any("passages" in one for one in faults_of(text, expectations=(FUEL,), support=(FUEL,)))
    assert faults_of(text, expectations=(FUEL,), support=("A flight of 2 hours.",)) == ()
    assert (
        faults_of("You fly a Cessna 172. How much fuel do you take along?", expectations=(FUEL,), support=())
        == ()
    )


def test_the_students_own_words_may_be_quoted() -> None:
    own = "two-way radio communication with the facility, I think"
    text = "You said “two-way radio communication with the facility”. When would that have to be?"
    assert faults_of(text, expectations=(RULE,), own_words=own) == ()
    assert faults_of(text, expectations=(RULE,), own_words="something else") != ()


@pytest.mark.parametrize("own", ["?", "a", "…", "“", "what"])
def test_an_answer_of_next_to_nothing_hides_nothing_of_the_question(own: str) -> None:
    assert faults_of(GOOD, expectations=(RULE,), own_words=own) == ()
    assert faults_of("Do you need a clearance there?", expectations=(RULE,), own_words=own) != ()
