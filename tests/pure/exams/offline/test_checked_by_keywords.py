"""Key words of a point: what stands for a group, and what they do to what the classifier finds."""

import pytest

from exams import conf
from exams.domain.keywords import matched_groups, said_wrong, share_of_groups, stand_together
from exams.domain.values import Met
from exams.offline.features import PointText
from exams.offline.findings import checked_by_keywords

DEAD_FOOT = (("no pressure", "idle", "slack", "dead foot"), ("failed", "dead", "quit*", "that's the one"))


@pytest.mark.parametrize(
    ("group", "said", "found"),
    [
        (("dead foot",), "Dead-foot, dead engine.", True),
        (("dead foot",), "The dead one is the foot I push.", False),
        (("quit*",), "It quitted on me.", True),
        (("quit",), "It quitted on me.", False),
        (("10,000", "ten thousand"), "Above 10000 feet.", True),
        (("10000",), "Above 10,000 feet.", True),
        (("don't",), "I don’t go.", True),
        (("2.5",), "2.5 hours.", True),
        (("2.5",), "25 hours, or 12.5.", False),
        (("half way*",), "I turn half-way.", True),
        (("in",), "Inside.", False),
        (("500", "five hundred"), "Stay 500ft above.", True),
        (("can't",), "I cant do it.", True),
        (("pilot",), "That's the pilot's job.", True),
        (("then",), "I pitch.then trim.", True),
        (("going around",), "I call 'going around'.", True),
        (("1 + 39",), "It takes 1+39.", True),
        (("7:19*",), "At 7:19z.", True),
        (("low on the horizon",), "It's low on horizon.", True),
        (("right was critical",), "The right is the critical one.", True),
        (("right was critical",), "The right, critical one.", False),
        (("isn't required",), "It wasn't required.", True),
    ],
)
def test_whole_words_match(group: tuple[str, ...], said: str, found: bool) -> None:
    assert matched_groups((group,), said) == (found,)


def test_groups_stand_together_in_neighboring_sentences_only() -> None:
    assert stand_together(DEAD_FOOT, "My left foot is idle. So the left one quit.")
    assert not stand_together(DEAD_FOOT, "My left foot is idle. I look out. I trim. Then the left one quit.")
    assert not stand_together((), "Anything.")
    assert share_of_groups(DEAD_FOOT, "One of them failed.") == 0.5
    assert share_of_groups((), "One of them failed.") == 0


@pytest.mark.parametrize(
    ("phrase", "said", "found"),
    [
        ("last .. taxiway", "I exit at the last taxiway I can make.", True),
        ("last .. taxiway", "The last one, any taxiway.", True),
        ("last .. taxiway", "Last, and I take a good long look, taxiway.", False),
        ("last .. taxiway", "At the last moment. Taxiway Alpha.", False),
        ("last .. taxiway", "Not the last taxiway, the first.", False),
        ("last .. taxiway", "The first instead of the last taxiway.", False),
        ("last .. taxiway", "I don't want to hold anybody up, so the last taxiway.", True),
        ("frost .. more angle", "The frost doesn't take more angle.", False),
        ("no trouble", "It's no trouble.", True),
        ("descend .. quick*", "I descend more quickly.", True),
    ],
)
def test_a_phrase_of_those_who_have_it_wrong_counts_unless_it_is_denied(
    phrase: str, said: str, found: bool
) -> None:
    assert bool(said_wrong([phrase], said)) == found


SURE, UNSURE = conf.KEYWORDS_DOUBT, conf.KEYWORDS_DOUBT - 0.01


@pytest.mark.parametrize(
    ("met", "conveyed", "said", "then"),
    [
        ("met", UNSURE, "The one that failed is where I push.", "half"),
        ("half", UNSURE, "The one that failed is where I push.", "half"),
        ("met", UNSURE, "It is where I push.", "missing"),
        ("half", UNSURE, "It is where I push.", "missing"),
        ("met", SURE, "It is where I push.", "met"),
        ("met", SURE, "The one that failed is where I push.", "met"),
        ("met", UNSURE, "Where the foot is idle, that one failed.", "met"),
        ("half", conf.KEYWORDS_DECIDE, "Where the foot is idle, that one failed.", "met"),
        ("missing", conf.KEYWORDS_DECIDE, "Where the foot is idle, that one failed.", "met"),
        ("missing", conf.KEYWORDS_DECIDE - 0.01, "Where the foot is idle, that one failed.", "missing"),
        ("contradicted", UNSURE, "Where the foot is idle, that one failed.", "contradicted"),
        ("missing", UNSURE, "One of them failed.", "missing"),
    ],
)
def test_key_words_decide_where_the_classifier_is_not_sure(
    met: Met, conveyed: float, said: str, then: Met
) -> None:
    point = PointText("The failed engine is on the side of the idle foot.", keywords=DEAD_FOOT)
    assert checked_by_keywords(met, conveyed, point, said, said) == then


def test_words_that_are_not_asserted_help_nobody() -> None:
    point = PointText("The failed engine is on the side of the idle foot.", keywords=DEAD_FOOT)
    said = "Is it that where the foot is idle, that one quit?"
    assert checked_by_keywords("half", conf.KEYWORDS_DECIDE, point, said, "") == "half"


def test_a_point_without_key_words_is_left_to_the_classifier() -> None:
    assert checked_by_keywords("met", 0.5, PointText("Anything."), "Something.", "Something.") == "met"
    assert checked_by_keywords("half", 0.9, PointText("Anything."), "Something.", "Something.") == "half"
