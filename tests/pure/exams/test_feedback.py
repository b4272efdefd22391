"""What is said about an answer: from the decision, in plain and neutral words."""

import re
from dataclasses import replace
from itertools import pairwise
from typing import get_args

import pytest

from exams.conf import HALF_HEARD, SURELY_SAID
from exams.domain.feedback import NOTHING_SAID, PART_STANDS, TAKEN, feedback_for, vary
from exams.domain.values import Manner, Met, Point
from exams.domain.verdicts import (
    FIGURE_WRONG,
    NOT_SAID,
    SAID_OTHERWISE,
    SAYS_ELSE,
    TURNED_ROUND,
    decide_verdict,
)

SOURCES = {1: "14 CFR 91.155(a)", 2: "AIM 3-2-6"}
PRAISE = re.compile(
    r"\b(good|great|well done|excellent|perfect|exactly|nice|correct|right|bravo|impressive)\b", re.I
)


def point(key: str, met: Met, *citations: int, must: bool = True) -> Point:
    return Point(
        expectation=f"Statement {key}.",
        key=key,
        met=met,
        importance="must" if must else "should",
        citations=citations,
    )


def test_it_says_what_was_right_what_was_missing_and_the_source() -> None:
    said = feedback_for(
        decide_verdict([point("a", "met", 1), point("b", "missing", 2)], attempt="probe"), sources=SOURCES
    )
    assert "You covered: Statement a (14 CFR 91.155(a))." in said
    assert "Missing: Statement b (AIM 3-2-6)." in said


def test_what_has_no_source_stands_on_the_table() -> None:
    assert "Statement a (from what is on the table)" in feedback_for(
        decide_verdict([point("a", "met")]), sources=SOURCES
    )


def test_before_the_verdict_is_final_nothing_is_given_away() -> None:
    said = feedback_for(
        decide_verdict([point("a", "met", 1), point("b", "contradicted", 2)]), sources=SOURCES
    )
    assert "Statement" not in said
    assert "AIM" not in said


def test_in_a_checkride_only_that_the_answer_was_taken() -> None:
    for met in ("met", "contradicted"):
        decision = decide_verdict([point("a", met, 1)], attempt="probe")
        assert feedback_for(decision, sources=SOURCES, manner="checkride") == feedback_for(
            decide_verdict([point("a", "met", 1)]), sources=SOURCES, manner="checkride"
        )


def test_a_failure_of_ours_is_not_held_against_anybody() -> None:
    assert "doesn't count against you" in feedback_for(decide_verdict([]))


def test_wordings_vary_from_turn_to_turn() -> None:
    decision = decide_verdict([point("a", "met", 1)])
    said = [feedback_for(decision, turn=turn) for turn in range(12)]
    assert all(one != other for one, other in pairwise(said))


def test_there_is_no_praise() -> None:
    for met in ("met", "half", "missing", "contradicted"):
        for turn in range(12):
            assert not PRAISE.search(
                feedback_for(decide_verdict([point("a", met)], attempt="probe"), turn=turn)
            )
            assert not PRAISE.search(feedback_for(decide_verdict([point("a", met)]), turn=turn))


def test_what_is_not_required_is_offered_and_not_reproached() -> None:
    said = feedback_for(
        decide_verdict([point("a", "met", 1), point("b", "missing", 2, must=False)]), sources=SOURCES
    )
    assert "Worth adding next time: Statement b" in said
    assert "Missing" not in said


def test_what_was_missed_is_explained_and_a_mixup_set_right() -> None:
    failed = decide_verdict([point("a", "missing", 1)], attempt="probe")
    said = feedback_for(failed, sources=SOURCES, why="Skill fades.", mixups=["A review is not currency."])
    assert "Why it matters: Skill fades." in said
    assert "A common mix-up: A review is not currency." in said
    passed = feedback_for(
        decide_verdict([point("a", "met", 1)]), sources=SOURCES, why="Skill fades.", mixups=["A review."]
    )
    assert passed.split("\n\n")[0].endswith("Why it matters: Skill fades.")  # the room shows what is spoken
    assert "A review." not in passed


def test_who_is_coached_hears_that_a_part_stands_unless_the_rest_may_have_been_said() -> None:
    stands = decide_verdict([point("a", "met"), point("b", "missing")])
    assert {feedback_for(stands, turn=turn) for turn in range(9)} == set(PART_STANDS)
    assert {feedback_for(stands, turn=turn, manner="checkride") for turn in range(9)} == set(TAKEN)
    for other in (
        point("b", "half"),
        point("b", "contradicted"),
        replace(point("b", "missing"), conveyed=HALF_HEARD),
    ):
        assert feedback_for(decide_verdict([point("a", "met"), other])) in TAKEN
    assert feedback_for(decide_verdict([point("a", "missing"), point("b", "missing")])) in NOTHING_SAID


def test_wordings_come_in_no_fixed_order() -> None:
    orders = {tuple(vary(TAKEN, turn) for turn in range(start, start + 9)) for start in range(0, 90, 9)}
    assert len(orders) == 10
    assert all(set(one) == set(TAKEN) for one in orders)
    assert all(vary(few, turn) != vary(few, turn + 1) for few in ("ab", "abc", "abcd") for turn in range(200))


@pytest.mark.parametrize("apart", [1, 2])
def test_no_acknowledgment_comes_twice_running(apart: int) -> None:
    stands = decide_verdict([point("a", "met"), point("b", "missing")])
    for manner in get_args(Manner):
        said = [feedback_for(stands, turn=turn, manner=manner) for turn in range(1, 30, apart)]
        assert all(one != following for one, following in pairwise(said))


def test_what_is_read_off_the_table_names_the_table() -> None:
    read = Point(expectation="The wind is from 240 degrees.", key="w", met="met", kind="read")
    assert "(from what is on the table)" in feedback_for(decide_verdict([read]), sources=SOURCES)


def said(key: str, met: Met, words: str, why: str = "") -> Point:
    return Point(expectation=f"Statement {key}.", key=key, met=met, said=words, why=why, citations=(1,))


def test_the_spoken_part_uses_the_students_own_words_once() -> None:
    points = [
        said("a", "met", "I look out first."),
        said("b", "contradicted", "I go on."),
        said("c", "half", "I go on."),
    ]
    spoken, _, listed = feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES).partition(
        "\n\n"
    )
    assert "“I look out first”" in spoken.splitlines()[0]
    assert spoken.count("I go on") == 1
    assert "You said “I go on”. The source says: Statement b (14 CFR 91.155(a))." in spoken
    assert listed.startswith("You covered: ")


def test_what_stands_is_said_first_and_what_was_missing_is_taught_with_its_source() -> None:
    points = [said("a", "met", "I look out first."), point("b", "missing", 2), point("c", "missing", 1)]
    for turn in range(12):
        spoken = feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES, turn=turn)
        first, *taught = spoken.partition("\n\n")[0].splitlines()
        assert "this one" in first.lower()
        assert not re.search(r"\b(one|two|three|\d) of\b", first)  # an examiner counts no points
        assert "“I look out first”" in first
        assert ["Statement b (AIM 3-2-6)." in taught[0], "Statement c" in taught[1]] == [True, True]


def test_who_knew_nothing_is_taught_two_points_and_finds_the_others_in_the_list() -> None:
    nothing = decide_verdict([point(key, "missing", 1) for key in "abc"], attempt="probe")
    spoken, _, listed = feedback_for(nothing, sources=SOURCES).partition("\n\n")
    assert [key for key in "abc" if f"Statement {key}" in spoken] == ["a", "b"]
    assert "Statement c" in listed


def test_what_may_have_been_misheard_is_not_called_missing() -> None:
    heard = replace(point("a", "missing", 1), conveyed=HALF_HEARD)
    spoken = feedback_for(decide_verdict([heard], attempt="probe"), sources=SOURCES).partition("\n\n")[0]
    assert "What I didn't hear clearly: Statement a" in spoken


@pytest.mark.parametrize("expected", ["Statement b.", "No more than 0.04."])
def test_a_sentence_is_confirmed_only_if_it_cannot_hold_a_wrong_figure(expected: str) -> None:
    stands = said("a", "met", "Eight hours, and under point oh eight.")
    open_one = replace(point("b", "missing"), expectation=expected)
    spoken = feedback_for(decide_verdict([stands, open_one], attempt="probe"), sources=SOURCES)
    assert ("point oh eight" in spoken) == (expected == "Statement b.")


@pytest.mark.parametrize(
    ("why", "between"), [("Said in part.", "In full"), (TURNED_ROUND, "The source says")]
)
def test_half_of_a_point_is_set_beside_the_whole(why: str, between: str) -> None:
    half = said("a", "half", "I make a statement.", why)
    spoken = feedback_for(decide_verdict([half], attempt="probe"), sources=SOURCES)
    assert f"You said “I make a statement”. {between}: Statement a (14 CFR 91.155(a))." in spoken


def test_something_false_beside_the_points_is_set_right_with_its_source() -> None:
    told = "At night the reserve is 45 minutes (14 CFR 91.151(a)(2))."
    decision = decide_verdict([point("a", "met", 1)])
    for turn in range(3):
        said = [("thirty minutes of fuel is enough at night.", told), ("Is it thirty at night?", told)]
        spoken = feedback_for(decision, sources=SOURCES, turn=turn, corrected=said).partition("\n\n")[0]
        stated, asked = spoken.splitlines()[1:]
        assert "“thirty minutes of fuel is enough at night”" in stated
        assert asked == f"You asked “Is it thirty at night?” {told}"
        assert stated.endswith(told)


def test_who_is_asked_about_something_false_is_not_told_that_a_part_stands() -> None:
    all_said = replace(decide_verdict([point("a", "met", 1)]), final=False, next_step="probe")
    assert feedback_for(all_said, sources=SOURCES) in TAKEN


def test_words_about_something_else_are_not_set_beside_a_half_heard_point() -> None:
    half = said("a", "half", "I go on.", "Said in part; not all of it.")
    spoken = feedback_for(decide_verdict([half], attempt="probe"), sources=SOURCES).partition("\n\n")[0]
    assert "“I go on”" not in spoken
    assert "In full: Statement a" in spoken


def test_words_without_the_wrong_figure_are_not_held_against_anybody() -> None:
    wrong = said("a", "contradicted", "I would climb.", "You said “4.5”; expected was 7,500 feet.")
    spoken = feedback_for(decide_verdict([wrong], attempt="probe"), sources=SOURCES).partition("\n\n")[0]
    assert "I would climb" not in spoken
    assert "The source says: Statement a (14 CFR 91.155(a))." in spoken


def test_what_was_wrong_at_first_is_set_beside_the_source() -> None:
    wrong = replace(point("a", "contradicted", 1), said="The RPM climbs right away.")
    now = [replace(point("a", "met", 1), said="No, it drops."), point("b", "met", 2)]
    said = feedback_for(
        decide_verdict(now, attempt="probe"), sources=SOURCES, before=[wrong, point("b", "missing")]
    )
    first = next(line for line in said.splitlines() if "RPM" in line)
    assert "“The RPM climbs right away”" in first
    assert "Statement a (14 CFR 91.155(a))" in first
    assert "RPM" not in feedback_for(decide_verdict(now, attempt="probe"), sources=SOURCES)
    same = [replace(now[0], said=wrong.said), now[1]]
    assert "RPM" not in feedback_for(decide_verdict(same, attempt="probe"), sources=SOURCES, before=[wrong])
    still = [replace(one, met="contradicted") for one in now[:1]]
    held = feedback_for(decide_verdict(still, attempt="probe"), sources=SOURCES, before=[wrong])
    assert "climbs" not in held


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (TURNED_ROUND, "At first I heard “It changes”; the source says: Statement a (14 CFR 91.155(a))."),
        (SAID_OTHERWISE, "At first I heard “It changes”; the source says: Statement a (14 CFR 91.155(a))."),
        (SAYS_ELSE, ""),  # an impression alone
        (f"{NOT_SAID}90 days.", ""),  # short of something, and not wrong
        ("Said in part; not all of it.", ""),  # too often all of it was said
    ],
)
def test_what_came_after_the_follow_up_is_told_apart_from_what_came_at_once(why: str, told: str) -> None:
    now = [replace(point("a", "met", 1), said="No, it drops."), point("b", "met", 2)]
    half = replace(point("a", "half", 1), said="It changes.", why=why)
    said = feedback_for(decide_verdict(now, attempt="probe"), sources=SOURCES, before=[half])
    assert told in said
    assert ("It changes" in said) == bool(told)
    assert "You covered: Statement b" in said
    assert "You covered after the follow-up: Statement a (14 CFR 91.155(a))." in said


def test_words_of_those_who_have_it_wrong_are_set_beside_a_missing_point() -> None:
    missing = replace(point("a", "missing", 1), said="She gets heavy on the yoke.", why=SAID_OTHERWISE)
    said = feedback_for(decide_verdict([missing, point("b", "missing", 2)], attempt="probe"), sources=SOURCES)
    told = next(line for line in said.splitlines() if "heavy" in line)
    assert told == "You said “She gets heavy on the yoke”. The source says: Statement a (14 CFR 91.155(a))."
    assert said.partition("\n\n")[0].count("Statement a") == 1
    assert "Statement b" in said.partition("\n\n")[0]


def test_first_words_are_said_back_once_and_wrong_ones_first() -> None:
    now = [replace(point(key, "met"), said="Now I know.") for key in "abcd"]
    before = [
        replace(point("a", "half"), said="I look out first.", why=TURNED_ROUND),
        replace(point("b", "half"), said="I look out first.", why=TURNED_ROUND),
        replace(point("c", "half"), said="I slow down.", why=TURNED_ROUND),
        replace(point("d", "contradicted"), said="I climb."),
    ]
    spoken = feedback_for(decide_verdict(now, attempt="probe"), before=before).partition("\n\n")[0]
    assert [words for words in ("I climb", "I look out first", "I slow down") if words in spoken] == [
        "I climb",
        "I look out first",
    ]
    assert spoken.index("I climb") < spoken.index("I look out first")
    assert spoken.count("I look out first") == 1


def test_i_do_not_know_is_met_with_a_narrower_question() -> None:
    assert feedback_for(decide_verdict([point("a", "missing")])) in NOTHING_SAID


@pytest.mark.parametrize(
    ("met", "conveyed", "listed"),
    [
        ("met", SURELY_SAID, "You covered: Statement b"),
        ("met", SURELY_SAID - 0.01, ""),
        ("half", 0.8, ""),
        ("missing", HALF_HEARD, ""),
        ("missing", HALF_HEARD - 0.01, "Worth adding next time: Statement b"),
        ("contradicted", 0.0, "Not what the source says; it says: Statement b"),
    ],
)
def test_of_a_point_that_is_not_required_only_a_sure_finding_is_told(
    met: Met, conveyed: float, listed: str
) -> None:
    should = replace(point("b", met), importance="should", conveyed=conveyed)
    required = replace(point("a", "half"), importance="must")
    said = feedback_for(decide_verdict([required, should], attempt="probe"))
    assert "Partly covered: Statement a" in said
    assert listed in said
    assert ("Statement b" in said) == bool(listed)


def judged(key: str, expectation: str, met: Met, words: str = "", why: str = "") -> Point:
    return Point(expectation=expectation, key=key, met=met, said=words, why=why, citations=(1,))


GEAR = "Lowering the landing gear or the flaps decreases the excess thrust."
DRAG = "Gear and flaps out is a lot of drag."
AWOS = "The weather should be available within about 25 NM below 10,000 feet."


@pytest.mark.parametrize(
    ("expectation", "first", "last", "words", "later"),
    [
        (GEAR, DRAG, "Weight, mostly.", DRAG, False),
        (GEAR, DRAG, "As I said, gear and flaps.", "As I said, gear and flaps.", False),
        (
            AWOS,
            "Twenty-five miles out.",
            "25 miles, up to 10,000 feet.",
            "25 miles, up to 10,000 feet.",
            True,
        ),
        (GEAR, "It is the density altitude.", DRAG, DRAG, True),
    ],
)
def test_what_was_said_at_once_is_not_credited_to_the_follow_up(
    expectation: str, first: str, last: str, words: str, later: bool
) -> None:
    decision = decide_verdict([judged("a", expectation, "met", words)], attempt="probe")
    before = [judged("a", expectation, "half", first)]
    told = feedback_for(decision, sources=SOURCES, before=before, answers=[first, last])
    assert ("You covered after the follow-up:" in told) == later
    assert ("You covered:" in told) != later
    second = feedback_for(decision, sources=SOURCES, before=before, answers=["I'd land.", first, last])
    assert "You covered after the follow-up:" in second  # an answer to a follow-up is not the first one


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        ("It should be clean.", True),
        ("It should be clean except takeoff flaps maybe.", False),
        ("Lower than you are, I'm pretty sure.", False),
        ("I think it should be clean.", False),
    ],
)
def test_nobody_is_told_to_keep_what_they_were_not_sure_of(words: str, kept: bool) -> None:
    points = [judged("a", GEAR, "met", words), judged("b", "It climbs.", "missing")]
    told = feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES, answers=[words])
    assert (words.rstrip(".") in told) == kept


def test_a_sentence_that_is_wrong_about_something_is_not_confirmed() -> None:
    answer = "The rain makes you look lower, and so you land long."
    points = [
        judged("a", "Pilots land long.", "met", "so you land long."),
        judged(
            "b", "It makes you look higher.", "contradicted", "The rain makes you look lower", "Reversed."
        ),
    ]
    told = feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES, answers=[answer])
    assert "“so you land long”" not in told
    assert "Partly covered: Pilots land long" in told
    assert "You covered" not in told


def test_a_point_is_covered_whatever_its_twin_with_another_figure_lacks() -> None:
    points = [
        judged(
            "a", "At 40 or older a medical lasts 24 months.", "met", "If you're forty or older, 24 months."
        ),
        judged("b", "Under 40 a medical lasts 60 months.", "missing"),
    ]
    told = feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES)
    assert "You covered: At 40 or older" in told
    assert "Partly covered" not in told


def test_what_only_seems_to_say_something_else_takes_no_credit_from_its_sentence() -> None:
    answer = "My medical is good for sixty months and the annual is every 24 months."
    points = [
        judged("a", "The medical lasts 60 months.", "met", "My medical is good for sixty months"),
        judged("b", "An annual is due.", "contradicted", "the annual is every 24 months", SAYS_ELSE),
    ]
    told = feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES, answers=[answer])
    assert "You covered: The medical" in told


def test_the_opposite_is_not_told_in_full() -> None:
    half = judged("a", "As the CG moves aft the airplane becomes less stable.", "half", "I said more stable.")
    told = feedback_for(decide_verdict([half], attempt="probe"), sources=SOURCES)
    assert "You said “I said more stable”. It's the other way round: As the CG moves aft" in told
    assert "In full" not in told
    assert "Partly covered" not in told


def test_an_impression_is_set_beside_the_source_and_not_called_wrong() -> None:
    points = [
        judged("a", "The left engine is critical.", "met", "The left one."),
        judged("b", "Use a VASI.", "contradicted", "I trust the VASI.", SAYS_ELSE),
    ]
    told = [feedback_for(decide_verdict(points, attempt="probe"), sources=SOURCES, turn=n) for n in range(3)]
    assert all("Compare with the source: Use a VASI" in one for one in told)
    assert not any("source says" in one.splitlines()[0] or "Not what" in one for one in told)


MINIMUM = "By night, Class G takes 3 statute miles."
CLOSER = "I'd say one mile at night."


@pytest.mark.parametrize("met", ["half", "contradicted"])
def test_a_wrong_figure_is_set_right(met: Met) -> None:
    wrong = judged(
        "a", MINIMUM, met, CLOSER, FIGURE_WRONG.format(said="one mile", expected="3 statute miles")
    )
    told = feedback_for(decide_verdict([wrong], attempt="probe"), sources=SOURCES).partition("\n\n")[0]
    assert f"You said “one mile”; it's 3 statute miles: {MINIMUM[:-1]} (14 CFR 91.155(a))." in told
    assert "didn't hear" not in told


def test_what_may_be_turned_round_was_heard() -> None:
    words = "The rain makes you think that you're lower than you are, " * 4
    turned = judged("a", "Rain gives the illusion of greater height.", "half", words, TURNED_ROUND)
    told = feedback_for(decide_verdict([turned], attempt="probe"), sources=SOURCES).partition("\n\n")[0]
    assert "The source says: Rain gives" in told
    assert "didn't hear" not in told


@pytest.mark.parametrize(
    ("last", "told"),
    [
        ("Hm, I mixed that up. It's sunset to sunrise.", False),
        ("You're higher than you think.", False),
        ("It's the ear's fluid, not the leans.", False),
        ("It's the ear's fluid.", True),
    ],
)
def test_what_the_student_puts_right_is_not_held_up_to_them(last: str, told: bool) -> None:
    first = judged("a", "Rain fools the eye.", "half", "You're lower, that's the leans.", TURNED_ROUND)
    now = decide_verdict([judged("a", "Rain fools the eye.", "met", last)], attempt="probe")
    spoken = feedback_for(now, sources=SOURCES, before=[first], answers=["You're lower.", last])
    assert ("the leans”" in spoken) == told


def test_a_scrap_is_no_words_to_keep() -> None:
    points = [judged("a", "A clearance is needed.", "met", "So a clearance."), point("b", "missing")]
    told = feedback_for(decide_verdict(points, attempt="probe"), answers=["So a clearance."])
    assert "So a clearance" not in told
