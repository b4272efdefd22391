"""An answer that contradicts itself is asked about once more: what the student then settles on is what counts."""

import pytest

from exams.domain.values import Exchange, Expectation
from exams.examiner.assessor import Material, OfflineJudge
from exams.offline.classifier import Classifier

ASKED = (
    "Twenty miles along, the lake that should be under your nose is two miles to your left. You've held your computed"
    " heading exactly. What went differently from the plan, and what do you do with your heading?"
)
POINTS = (
    Expectation(
        key="wind",
        text="Wind from the left makes the aircraft drift to the right of the course.",
        also=("wind from the left is pushing me right", "there's more wind from the left than I planned"),
    ),
    Expectation(
        key="turn",
        text="If the wind is from the left, the correction is made by pointing the aircraft to the left a certain"
        " number of degrees.",
        also=("I turn a few degrees left, into the wind", "crab some more to the left"),
    ),
)
BOTH = (
    "The wind is from the left and it blew me to the right of course. So I turn left, into the wind. Actually the wind"
    " was from the right and it pushed me left, so I turn right."
)


def found_after(last: str, classifier: Classifier) -> dict[str, str]:
    exchanges = (Exchange(asked=ASKED, said=BOTH), Exchange(asked="Think once more about it.", said=last))
    judge = OfflineJudge(lambda: classifier)
    return {one.key: one.met for one in judge(Material(exchanges=exchanges, expectations=POINTS)).points}


def test_what_is_settled_on_counts(classifier: Classifier) -> None:
    last = "The wind is from the left. I turn left, about six degrees to hold, and another six to get back."
    assert set(found_after(last, classifier).values()) == {"met"}


@pytest.mark.parametrize("last", ["I don't know.", "Yes, that is what I do.", "I turn right."])
def test_silence_and_insisting_take_nothing_back(last: str, classifier: Classifier) -> None:
    assert found_after(last, classifier)["turn"] != "met"


def test_the_words_shown_may_stand_in_an_earlier_answer(classifier: Classifier) -> None:
    wind = "Wind from the left is blowing me to the right of my course."
    exchanges = (
        Exchange(asked=ASKED, said=f"{wind} So I have to do something about it."),
        Exchange(
            asked="What do you do?",
            said="As I said, wind from the left, so I turn a few degrees left, into the wind.",
        ),
    )
    judge = OfflineJudge(lambda: classifier)
    points = judge(Material(exchanges=exchanges, expectations=POINTS)).points
    assert [(one.met, one.said.rstrip(".")) for one in points] == [
        ("met", wind.rstrip(".")),
        ("met", exchanges[1].said.rstrip(".")),
    ]


def test_a_figure_that_was_put_right_counts_and_the_wrong_one_is_not_quoted(classifier: Classifier) -> None:
    glide = Expectation(
        key="glide",
        text="From 5,500 feet MSL, 4,500 feet above the lake, the airplane glides about 6.75 NM, less than the 7.5 NM"
        " from the middle to the shore.",
        also=(
            "6.75 NM of glide, shore is 7.5 away, so no",
            "I'd come up short by about three quarters of a mile",
        ),
        kind="read",
    )
    asked = "Here's your sheet: 1.5 NM for each 1,000 feet lost. How does 5,500 work out over the lake?"
    first, last = (
        "I would glide about 4 miles I guess. 1.5 times 4.5.",
        "At 4,500 feet above the lake it's 6.75 miles.",
    )
    exchanges = (
        Exchange(asked=asked, said=first),
        Exchange(asked="How far do you get from the middle?", said=last),
    )
    judged = OfflineJudge(lambda: classifier)(Material(exchanges=exchanges, expectations=(glide,))).points[0]
    assert judged.met in ("half", "met")
    assert judged.said == last


def test_words_that_say_the_contrary_are_not_shown(classifier: Classifier) -> None:
    last = "No, I turn a few degrees left, into the wind."
    exchanges = (
        Exchange(asked=ASKED, said="The wind from the left pushes me right. So I turn right, away from it."),
        Exchange(asked="What do you do with your heading?", said=last),
    )
    points = OfflineJudge(lambda: classifier)(Material(exchanges=exchanges, expectations=POINTS)).points
    assert (points[1].met, points[1].said) == ("met", last)


VOR = (
    Expectation(
        key="flag",
        text="An alarm flag indicates that signal strength is inadequate to operate the navigational equipment.",
        kind="hazard",
        also=(
            "the flag means I've no navigation now",
            "no signal, I'm on my own",
            "the station's gone for me, no course guidance",
            "flag's out, that needle is meaningless",
            "flag means too little signal, so the indication's worthless",
        ),
    ),
    Expectation(
        key="sight",
        text="VOR signals are line of sight, so a weak or no signal is received if the aircraft is too low or too far"
        " from the station.",
        kind="assess",
        also=(
            "I'm too low, the ridge is between us",
            "it's line of sight, being low behind a ridge kills it",
            "down here I've no line of sight, and there's terrain",
            "low next to a ridge at night is serious, and that's why it's gone",
            "low down and behind the hill, the station can't reach me",
        ),
    ),
    Expectation(
        key="climb",
        text="Climb, because an increase in altitude increases radio and navigation reception range.",
        kind="mitigate",
        also=(
            "climb to get the signal back and clear the ridge",
            "go up until the needle comes back",
            "climb, watch the heading and call ATC",
            "I climb away from the terrain and use heading and time",
            "go higher, up there I'd get the signal again",
            "I climb, that gives more range",
        ),
    ),
    Expectation(
        key="heading",
        text="Dead reckoning goes on by computations based on time, airspeed, distance and direction.",
        importance="should",
        kind="mitigate",
        also=("hold my last heading and use time", "time and heading carry me on till then"),
    ),
)


def test_what_neither_answer_says_is_not_met_by_both_together(classifier: Classifier) -> None:
    """Right twice in all else, and wrong in what to do: read as one text, the answers seemed to say it all."""
    asked = (
        "Night, cross-country, tracking a VOR at 2,500 feet MSL. Near a ridge the needle goes dead center and the flag"
        " shows. Your tablet was left at home. What does that flag tell you, why is it likely to have come up here, and"
        " what do you do?"
    )
    said = (
        "Flag means no usable signal, so that centered needle is a lie. The ridge is blocking it. I'd hold my heading"
        " and stay at my altitude till it comes back.",
        "The ridge sits between me and the station and VOR is line of sight, so it gets blocked. The flag tells me the"
        " signal isn't good enough to use.",
    )
    exchanges = (Exchange(asked=asked, said=said[0]), Exchange(asked="Why there?", said=said[1]))
    judged = OfflineJudge(lambda: classifier)(Material(exchanges=exchanges, expectations=VOR)).points
    assert [one.met for one in judged[:3]] == ["met", "met", "half"]


LOW = Expectation(
    key="name",
    text="Scud running is pressing on at low altitude, keeping visual contact with the terrain, under a deck that"
    " comes down.",
    keywords=(("scud*",),),
    ask="What do pilots call pressing on low like that?",
)


@pytest.mark.parametrize(
    ("asked", "said", "found"),
    [
        (f"Let me come at that from another side. {LOW.ask}", "Scud running.", "met"),
        (f"Let me come at that from another side. {LOW.ask}", "Low flying, I think.", "missing"),
    ],
)
def test_a_short_reply_to_the_follow_up_is_read_as_one(
    asked: str, said: str, found: str, classifier: Classifier
) -> None:
    opening = "Both ends look good; it's the middle that bothers me. What do these notes show there, and what is it?"
    exchanges = (
        Exchange(asked=opening, said="Overcast at 2,200 over ground at 900, five miles in haze. I'd cancel."),
        Exchange(asked=asked, said=said),
    )
    judge = OfflineJudge(lambda: classifier)
    assert judge(Material(exchanges=exchanges, expectations=(LOW,))).points[0].met == found
