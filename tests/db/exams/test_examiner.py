"""An item is asked in its own words. Where there is none, what a model says is checked before it is asked."""

from dataclasses import replace
from typing import Any, get_args

import pytest

from exams.domain.feedback import vary
from exams.domain.values import Persona, Point
from exams.domain.verdicts import SAID_OTHERWISE, TURNED_ROUND
from exams.examiner.briefing import Briefing, NoSupport
from exams.examiner.examiner import (
    MAYBE_HEARD,
    QUOTED_BACK,
    Asked,
    Words,
    asked_next,
    transition_to,
    write_follow_up,
    write_opening,
)
from knowledge.text.slots import fill_slots
from llm.errors import TimedOut
from tests.doubles.briefings import briefing_about
from tests.doubles.chats import SaysInTurn
from tests.doubles.demo_library import Demo
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db
GOOD = "It is Sunday morning and your instructor sits beside you. Walk me through what you do."


@pytest.fixture
def briefing(demo: Demo) -> Briefing:
    return briefing_about("PA.I.H.K1f")


@pytest.fixture
def without_item(briefing: Briefing) -> Briefing:
    return replace(briefing, item=None)


def vendor(*replies: Any) -> SaysInTurn:
    return SaysInTurn(*replies, external=True)


def reply(text: str, **changes: Any) -> dict[str, Any]:
    return {"text": text, "expectations": [], "sources": [], **changes}


def test_an_item_is_asked_in_its_own_words_and_no_model_is_called(briefing: Briefing) -> None:
    model = vendor(reply(GOOD))
    words = write_opening(briefing, seed="s", model=model)
    assert briefing.item is not None
    assert words.text == fill_slots(briefing.item.stem, briefing.values or {})
    assert (words.provenance["item"], words.provenance["model"]) == (briefing.item.key, "item bank")
    assert not model.asked


def test_without_an_item_a_good_question_is_shown_as_it_is(without_item: Briefing) -> None:
    words = write_opening(without_item, seed="s", model=vendor(reply(GOOD)))
    assert words.text == GOOD
    assert words.provenance["provider"] == "double"


BAD = [
    reply("Is carbon monoxide dangerous?"),
    reply("Great. What is carbon monoxide?"),
    reply("According to the handbook, what is carbon monoxide?"),
    reply("What is carbon monoxide? And what do you do about it?"),
    reply("word " * 70 + "what?"),
    reply("What do you do at 1,730 feet?"),
    reply("Nobody has to be told about it. What do you do?"),
    reply("Tell me nothing.", sources=[99]),
    reply("What about it?", expectations=["no such key"]),
]


@pytest.mark.parametrize("bad", sample_of([*BAD], 3))
def test_a_bad_one_is_asked_for_again_with_the_reason(without_item: Briefing, bad: dict[str, Any]) -> None:
    model = vendor(bad, reply(GOOD))
    assert write_opening(without_item, seed="s", model=model).text == GOOD
    assert "was not shown" in model.asked[1].system
    assert "was not shown" not in model.asked[0].system


@pytest.mark.parametrize("replies", [(BAD[0], BAD[1]), (TimedOut("too late"),)], ids=["bad twice", "away"])
def test_else_the_element_is_not_asked(without_item: Briefing, replies: tuple[Any, ...]) -> None:
    with pytest.raises(NoSupport, match=r"PA\.I\.H\.K1f"):
        write_opening(without_item, seed="s", model=vendor(*replies))


def probe(briefing: Briefing, answer: str, **found: Any) -> str:
    expectation = briefing.expectations[0]
    point = Point(expectation=expectation.text, key=expectation.key, **found)
    return write_follow_up(
        "probe",
        answer=answer,
        points=[point],
        expectations=briefing.expectations,
        citations=briefing.citations,
    ).text


def test_a_probe_is_the_missing_points_own_question(briefing: Briefing) -> None:
    assert probe(briefing, "I would get sleepy, I guess", met="missing") == briefing.expectations[0].ask


def test_a_second_must_that_was_left_out_is_asked_for_too_in_the_order_of_the_rubric(
    briefing: Briefing,
) -> None:
    first = briefing.expectations[0]
    second = replace(first, key="second", ask="Who decides it?")
    points = [Point(expectation=one.text, key=one.key, met="missing") for one in (first, second)]

    def follow_up(answer: str, *points: Point) -> Words:
        return write_follow_up(
            "probe", points=points, expectations=(first, second), citations=briefing.citations, answer=answer
        )

    nearer, further = replace(points[0], conveyed=0.1), points[1]
    words = follow_up("I look out.", nearer, further)
    assert words.text == f"{first.ask} And who decides it?"
    assert set(words.about) == {first.key, "second"}
    assert follow_up("I don't know.", *points).text == first.ask  # who does not know is asked for one thing


def test_a_second_probe_leaves_alone_what_the_first_asked_about(briefing: Briefing) -> None:
    first = briefing.expectations[0]
    second = replace(first, key="second", ask="Who decides it?")
    points = [Point(expectation=one.text, key=one.key, met="missing") for one in (first, second)]
    words = write_follow_up(
        "probe",
        points=points,
        expectations=(first, second),
        citations=briefing.citations,
        asked_about=[first.key],
    )
    assert (words.text, words.about) == ("Who decides it?", ("second",))


@pytest.mark.parametrize(
    ("heard", "goes_on"),
    [
        ({"met": "met"}, True),
        ({"met": "half", "conveyed": 0.9}, True),
        ({"met": "missing"}, False),  # who knew nothing is probed
        ({"met": "missing", "conveyed": 0.05}, False),  # as is who spoke of something else
        ({"met": "missing", "conveyed": 0.3}, True),
        ({"met": "contradicted"}, False),  # what is wrong is repaired first
        ({"met": "half", "conveyed": 0.9, "why": TURNED_ROUND}, False),
        ({"met": "missing", "conveyed": 0.2, "why": SAID_OTHERWISE}, False),
    ],
)
def test_the_talk_goes_on_to_what_the_item_asks_next(
    briefing: Briefing, heard: dict[str, Any], goes_on: bool
) -> None:
    first = briefing.expectations[0]
    plan = replace(first, key="plan", ask="So what do you do?", then=True)
    points = [
        Point(expectation=first.text, key=first.key, **heard),
        Point(expectation="", key="plan", met="missing"),
    ]
    coming = asked_next(points, (first, plan))
    assert (coming == plan) == goes_on
    half = replace(points[1], met="half", conveyed=0.9)
    assert asked_next([points[0], half], (first, plan)) is None  # said, if not in full: that is for a probe
    words = write_follow_up(
        "probe",
        points=[replace(points[0], met="met"), half],
        expectations=(first, plan),
        citations=briefing.citations,
        answer="I would stop.",
        opening=True,
    )
    assert (words.text, words.goes_on) == (plan.ask, False)


def test_what_was_said_wrongly_is_challenged_in_the_students_words(briefing: Briefing) -> None:
    said = probe(briefing, "It is harmless. I go on.", met="contradicted", said="It is harmless.")
    quoted = {one.format(said="It is harmless") for one in QUOTED_BACK}
    assert said in {f"{one} {briefing.expectations[0].ask}" for one in quoted}


def test_long_words_are_not_clipped_but_left_out(briefing: Briefing) -> None:
    long = "it is harmless as far as I know because nobody at our field has ever had any trouble with it"
    said = probe(briefing, long, met="contradicted", said=long)
    assert "“" not in said
    assert briefing.expectations[0].ask in said


@pytest.mark.parametrize("turn", range(5))
def test_what_was_half_heard_is_asked_for_without_finding_fault(briefing: Briefing, turn: int) -> None:
    expectation = briefing.expectations[0]
    half = Point(expectation=expectation.text, key=expectation.key, met="half", said="I get sleepy.")
    words = write_follow_up(
        "probe",
        points=[half],
        expectations=[expectation],
        citations=briefing.citations,
        answer="I get sleepy.",
        turn=turn,
    )
    assert words.text == f"{vary(MAYBE_HEARD, turn)} {expectation.ask}".lstrip()
    gap = write_follow_up(
        "probe",
        points=[half],
        expectations=[expectation],
        citations=briefing.citations,
        answer="I get sleepy. I don't know what I would turn off.",
        turn=turn,
    )
    assert gap.text == expectation.ask


def test_a_hint_never_repeats_what_was_said(briefing: Briefing) -> None:
    known = briefing.expectations[0]
    point = Point(expectation=known.text, key=known.key, met="missing")
    words = write_follow_up(
        "hint",
        points=[point],
        expectations=briefing.expectations,
        citations=briefing.citations,
        answer=known.hint,
    )
    assert words.text
    assert words.text != known.hint


def test_a_hint_is_the_points_own(briefing: Briefing) -> None:
    words = write_follow_up(
        "hint",
        points=[],
        expectations=briefing.expectations,
        citations=briefing.citations,
    )
    assert words.text == briefing.expectations[0].hint


def test_the_next_subject_follows_or_the_change_is_said() -> None:
    before = [
        Asked(text="?", task="PA.I.A", task_title="Pilot Qualifications", area_title="Preflight Preparation")
    ]
    here = ("PA.I.A", "Pilot Qualifications", "Preflight Preparation")
    assert transition_to(*here, before)
    assert transition_to(*here, before, because="bridging")
    assert "step back" in "".join(
        transition_to(*here, before, because="drill_down", seed=str(n)) for n in range(9)
    )
    said = transition_to("PA.I.B", "Airworthiness Requirements", "Preflight Preparation", before)
    assert "airworthiness requirements" in said.lower()


def test_a_persona_leads_over_in_its_own_words() -> None:
    here = ("PA.I.A", "Pilot Qualifications", "Preflight Preparation")
    before = [Asked(text="?", task="PA.I.A", task_title=here[1], area_title=here[2])]
    first = {transition_to(*here, (), persona=one, seed="s") for one in get_args(Persona)}
    assert len(first) == 3
    assert all("pilot qualifications" in said.lower() for said in first)
    assert transition_to(*here, before, because="bridging", persona="brisk") == ""


def test_titles_are_said_as_people_say_them() -> None:
    said = transition_to("PA.I.E", "National Airspace System (ASEL, AMEL)", "Preflight Preparation", ())
    assert said.endswith("the national airspace system.")


def test_all_wordings_are_used_before_one_comes_again() -> None:
    before, openings = [Asked(text="?", task="PA.I.A", task_title="", area_title="A")], list[str]()
    for number in range(4):
        said = transition_to(f"PA.I.{number}", "Airspace", "A", before, seed="s")
        openings.append(said[:6])
        before.append(Asked(text="?", task=f"PA.I.{number}", area_title="A", transition=said))
    assert len(set(openings)) == len(openings)


def test_no_transition_is_worded_as_the_one_before() -> None:
    said = "On to pilot qualifications."
    for number in range(60):
        before = [
            Asked(text="?", task=f"PA.I.{number % 2}", task_title="Weather", area_title="A", transition=said)
        ]
        now = transition_to("PA.I.C", "Airspace", "A", before, seed=str(number))
        assert now.split()[:2] != said.split()[:2]
        said = now
