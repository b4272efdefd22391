"""What the examiner asks after an answer: for what is missing, not for what was asked and said."""

from dataclasses import replace

import pytest

from exams.domain.values import Expectation, Point
from exams.domain.verdicts import NOT_SAID, TURNED_ROUND
from exams.examiner.examiner import (
    ALL_FIGURES,
    GO_THROUGH,
    PUT_A_FIGURE,
    QUOTED_BACK,
    SAY_MORE,
    write_follow_up,
)

QUESTION = "What is that flag on the chart, and what do you call the bridge on the radio?"
NAMES = Expectation(
    key="names",
    text="The letters are not for the radio, but the checkpoint's name may be used.",
    also=("I just say the bridge",),
    ask="What do you call the bridge on the radio?",
)
FLAG = Expectation(key="flag", text="A flag is a visual checkpoint.", ask="What is that flag?")
SAID = "The flag's a checkpoint. The letters are for the computer, so I'd just say the bridge."


def follow_up(
    point: Point, *others: Point, turn: int = 0, question: str = QUESTION, answer: str = SAID
) -> str:
    return write_follow_up(
        "probe",
        points=(point, *others),
        expectations=(NAMES, FLAG),
        citations=(),
        answer=answer,
        asked=question,
        turn=turn,
        opening=True,
    ).text


HALF = Point(
    expectation=NAMES.text, key="names", met="half", said=SAID[25:], why="Said in part.", conveyed=0.6
)
MET = Point(expectation=FLAG.text, key="flag", met="met", said=SAID[:24])


@pytest.mark.parametrize("turn", range(6))
def test_what_was_asked_and_half_heard_is_not_asked_again(turn: int) -> None:
    quoted = "The letters are for the computer, so I'd just say the bridge"
    assert follow_up(HALF, MET, turn=turn) in {one.format(said=quoted) for one in SAY_MORE}


def test_words_that_may_be_turned_round_are_gone_through_again() -> None:
    said = follow_up(replace(HALF, why=TURNED_ROUND), MET)
    assert said.endswith(tuple(GO_THROUGH))
    assert said.startswith(tuple(one.split("{")[0] for one in QUOTED_BACK))


def test_only_a_figure_that_is_lacking_is_asked_for() -> None:
    answer = "I'd say the bridge, and the usual below it, that one I mix up."
    lacks = replace(HALF, said=answer, why=f"{NOT_SAID}500 feet.")
    assert follow_up(lacks, MET, answer=answer) in {one.format(said=answer[:-1]) for one in PUT_A_FIGURE}


def test_whoever_gave_some_of_the_figures_is_asked_for_all_and_not_quoted() -> None:
    answer = "I'd say the bridge at five miles, and the usual below it."
    lacks = replace(HALF, said=answer, why=f"{NOT_SAID}500 feet.")
    assert follow_up(lacks, MET, answer=answer) in ALL_FIGURES


def test_words_that_are_lacking_are_no_figure() -> None:
    lacks = replace(HALF, why=f"{NOT_SAID}“and only the name”.")
    assert follow_up(lacks, MET).endswith(tuple(one.split("”. ")[1] for one in SAY_MORE))


def test_what_the_question_did_not_name_is_asked_for_in_the_points_own_words() -> None:
    assert follow_up(HALF, MET, question="What are those two marks?").endswith(NAMES.ask)


def test_what_was_not_said_at_all_is_asked_for_in_the_points_own_words() -> None:
    missing = replace(HALF, met="missing", said="", conveyed=0.05)
    assert follow_up(missing, MET) == NAMES.ask


def test_words_about_something_else_are_not_quoted() -> None:
    missing = replace(HALF, met="missing", said="", conveyed=0.7)
    assert "“" not in follow_up(missing, MET, answer="It's magenta, and that's all I know of it today.")


def test_who_left_out_what_is_only_good_to_add_is_asked_for_what_is_required() -> None:
    should = replace(HALF, importance="should", met="missing", said="", conveyed=0.7)
    required = Point(expectation=FLAG.text, key="flag", met="missing")
    asked = write_follow_up(
        "probe",
        points=(should, required),
        expectations=(replace(NAMES, importance="should"), replace(FLAG, then=True)),
        citations=(),
        answer=SAID,
        opening=True,
    )
    assert asked.text == FLAG.ask


def test_no_two_follow_ups_in_a_row_begin_with_so() -> None:
    plan = replace(FLAG, ask="So what do you do?", then=True)
    found = (replace(HALF, met="met"), Point(expectation=FLAG.text, key="flag", met="missing"))
    asked = [
        write_follow_up(
            "probe", points=found, expectations=(NAMES, plan), citations=(), turn=at, opening=True
        )
        for at in range(4)
    ]
    assert [one.text for one in asked] == ["So what do you do?", "What do you do?"] * 2
