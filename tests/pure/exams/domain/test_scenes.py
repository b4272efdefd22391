"""The flight of a mock: when a change is told, and what a student who asks about the flight hears."""

from dataclasses import replace
from functools import partial

import pytest

from exams.bank.trips.trip import read_trips, scene_of
from exams.domain.scenes.clarifying import (
    AS_ASKED,
    AS_YOU_LIKE,
    LEFT_UNANSWERED,
    LOOKED_UP,
    NOT_GIVEN,
    NOT_GIVEN_BESIDE,
    STANDS,
    YOURS_TO_SAY,
    reply_beside,
    reply_to_request,
    without_questions,
)
from exams.domain.scenes.scene import Change, ChangeQuestion, Fact, Given, Scene, place_on_flight
from exams.offline.flight_answers import answer_from

DANA = Fact(
    about=(("dana", "friend", "passenger"), ("weigh", "heavy", "weight")), say="Dana weighs 165 pounds."
)
ROB = Fact(about=(("rob", "passenger"), ("weigh", "heavy", "weight")), say="Rob weighs 215 pounds.")
SKY = Fact(about=(("weather", "wind"),), say="It is clear at both ends.")
THERE = Fact(about=(("weather", "wind"), ("kingsbury", "destination")), say="At Kingsbury the wind is calm.")
FAR = Fact(about=(("far", "miles"),), say="It is 142 nautical miles from Ashby to Kingsbury.")
PLANE = Fact(about=(("airplane", "plane"),), say="It is a Skylane with two radios.")
FACTS = (DANA, ROB, SKY, THERE, FAR, PLANE)
EXPECTED = ("Three takeoffs and three landings within the preceding 90 days.",)


def change(name: str, *items: str, facts: tuple[Fact, ...] = ()) -> Change:
    given = Given(name=name, value="It is so.", kind="change")
    asked = tuple(ChangeQuestion(item=one, stem=f"{name}: what now?") for one in items)
    return Change(questions=asked, said=f"{name} has changed.", given=given, facts=facts)


def scene(*changes: Change) -> Scene:
    return Scene(trip="t", title="T", told="You fly.", slots={}, givens=(), facts=FACTS, changes=changes)


# --- changes -------------------------------------------------------------------------------------------------


def test_a_change_is_told_with_the_first_question_about_it() -> None:
    light = change("Light", "a", "b")
    assert scene(light).change_among(["b", "c"], told=()) == (light, light.questions[1])
    assert scene(light).change_among(["a", "b"], told=()) == (light, light.questions[0])


def test_it_waits_where_none_of_its_questions_can_be_asked() -> None:
    assert scene(change("Light", "a")).change_among(["b"], told=()) is None
    assert scene(change("Light")).change_among(["b"], told=()) is None


def test_each_comes_once() -> None:
    light, fog = change("Light", "a"), change("Fog", "a", "b")
    assert scene(light, fog).change_among(["a"], told=()) == (light, light.questions[0])
    assert scene(light, fog).change_among(["a"], told=["Light"]) == (fog, fog.questions[0])
    assert scene(light, fog).change_among(["a"], told=["Light", "Fog"]) is None


def test_a_change_waits_for_its_place_on_the_flight() -> None:
    light = replace(change("Light", "a"), moment="taxi", stage=7)
    assert scene(light).change_among(["a"], told=(), place=place_on_flight("taxi", 7)) is not None
    assert scene(light).change_among(["a"], told=(), place=place_on_flight("taxi", 5)) is None


def test_what_has_changed_holds_from_then_on() -> None:
    heavier = Fact(about=DANA.about, say="Dana weighs 190 pounds.")
    flight = scene(change("Dana", "a", facts=(heavier,)))
    asked = "How heavy is Dana?"
    assert reply_to_request(asked, flight.facts_known([]), EXPECTED) == f"{DANA.say} {STANDS}"
    assert reply_to_request(asked, flight.facts_known(["Dana"]), EXPECTED) == f"{heavier.say} {STANDS}"


def test_a_change_that_ends_holds_while_it_is_asked_about() -> None:
    heavier = Fact(about=DANA.about, say="Dana weighs 190 pounds.")
    flight = scene(replace(change("Dana", "a", facts=(heavier,)), ends="Say Dana was joking."))
    asked = "How heavy is Dana?"
    during, later = flight.facts_known(["Dana"], asked_about="Dana"), flight.facts_known(["Dana"])
    assert reply_to_request(asked, during, EXPECTED) == f"{heavier.say} {STANDS}"
    assert reply_to_request(asked, later, EXPECTED) == f"{DANA.say} {STANDS}"


def test_scene_is_read_as_it_was_written() -> None:
    flight = scene(change("Dana", "a", facts=(DANA,)))
    assert Scene.from_dict(flight.to_dict()) == flight


# --- questions about the flight ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How heavy is my friend?", DANA.say),
        ("Is Dana too heavy?", DANA.say),
        ("How heavy is Dana, with the bags in the 172?", DANA.say),
        ("Sorry, how much does Dana weigh?", DANA.say),
        ("One question: what's Rob’s weight?", ROB.say),
        ("How heavy are my passengers?", f"{DANA.say} {ROB.say}"),
        ("What's the weather?", SKY.say),
        ("What is the wind at the destination?", THERE.say),
        ("Excuse me. How is the weather in Kingsbury?", THERE.say),
        ("How heavy is Rob, and what's the wind?", f"{ROB.say} {SKY.say}"),
        ("What's the weather and how much does Dana weigh?", f"{SKY.say} {DANA.say}"),
    ],
)
def test_what_the_flight_holds_is_said_and_the_question_stands(asked: str, said: str) -> None:
    assert reply_to_request(asked, FACTS, EXPECTED) == f"{said} {STANDS}"


@pytest.mark.parametrize(
    "asked",
    [
        "How old is Dana?",
        "Do I have a current medical?",
        "Is it day or night?",
        "Is there a mechanic at the field?",
        "May I assume I am current?",
        "How far back is the last airport?",
        "How long is the runway at Kingsbury?",
        "Is there an airport behind me? How far back is the last one?",
    ],
)
def test_what_it_does_not_hold_is_the_students_to_decide(asked: str) -> None:
    told = {reply_to_request(asked, FACTS, EXPECTED, turn=turn) for turn in range(24)}
    assert told == {f"{one} {STANDS}" for one in NOT_GIVEN}


@pytest.mark.parametrize(
    "asked",
    [
        "What are the minimums?",
        "How many landings do I need?",
        "Which rules apply here?",
        "Do we have enough fuel?",
        "Can I go?",
    ],
)
def test_what_is_asked_for_is_not_given_away(asked: str) -> None:
    assert reply_to_request(asked, FACTS, EXPECTED) == f"{YOURS_TO_SAY} {STANDS}"


def test_a_fact_beside_the_talk_is_told_whatever_the_question_wants() -> None:
    """It lies there to be read: a runway of 90 feet gives no 90 days away."""
    fact = Fact(about=(("runway",),), say="Ashby: one paved runway, 9/27, 2,400 feet by 90.")
    expected = (*EXPECTED, "The takeoff distance of 2,400 feet is longer than the runway.")
    assert reply_to_request("How long is the runway?", (fact,), expected) == f"{fact.say} {STANDS}"
    assert reply_beside("I'd add half. How long is the runway?", (fact,), expected) == fact.say


@pytest.mark.parametrize(
    "answer",
    [
        "Three takeoffs and landings in 90 days.",
        "Is it three takeoffs and landings in 90 days?",
        "Is it three takeoffs and landings?",
        "Is it 3 and 3?",
        "Is it the owner or the operator?",
        "Do I have to tell Flight Service?",
        "I would ask Dana how heavy she is.",
        "What about the weather? I'd call Flight Service.",
        "Wouldn't Dana be too heavy?",
        "Should I tell Dana to stay at home?",
        "I don't know.",
        "Why does the weather matter?",
        "",
        "?",
        "How heavy is Dana? I'd put her on a scale and then add it all up.",
        "What if the wind picks up?",
        " ".join(["how heavy is my friend and"] * 6) + "?",
    ],
)
def test_an_answer_stays_an_answer(answer: str) -> None:
    assert reply_to_request(answer, FACTS, EXPECTED) == ""


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I'd leave Rob here. How heavy is he, Rob?", ROB.say),
        ("I need three and three in the last ninety days. What's the weather?", SKY.say),
        ("I'd plan it. How far is it to Kingsbury?", FAR.say),
        ("I'd ask. Does the airplane have two radios?", PLANE.say),
    ],
)
def test_a_fact_that_is_asked_for_at_the_end_of_an_answer_is_told(said: str, told: str) -> None:
    assert reply_beside(said, FACTS, EXPECTED) == told


@pytest.mark.parametrize(
    ("said", "replies"),
    [
        ("I'd turn back. How far back is the last one?", NOT_GIVEN_BESIDE),
        ("I own the papers. Do I get another airplane, or does this one count as my trip?", NOT_GIVEN_BESIDE),
        ("It's on the chart. Does Kingsbury's come with a phone number too?", NOT_GIVEN_BESIDE),
        ("I'd land before dark. Is the moon up tonight?", NOT_GIVEN_BESIDE),
        ("I'd fly over. Which side is the highway on?", NOT_GIVEN_BESIDE),
        ("I'd look. What does gas cost at Kingsbury?", NOT_GIVEN_BESIDE),
        ("I'd count the miles. How far have we come?", NOT_GIVEN_BESIDE),
        ("I'd do the math. How many hours of fuel do we have?", NOT_GIVEN_BESIDE),
        ("I'd ask the owner. How old is the airplane?", NOT_GIVEN_BESIDE),
        ("To Kingsbury, direct. Do you want the identifier?", AS_YOU_LIKE),
        ("I'd file. By the way, do you want me to file both ways?", AS_YOU_LIKE),
    ],
)
def test_who_asks_for_what_is_not_given_hears_that_in_turns(said: str, replies: tuple[str, ...]) -> None:
    told = {reply_beside(said, FACTS, EXPECTED, turn=turn) for turn in range(24)}
    assert len(told) == len(replies)
    assert all(one.startswith(replies) for one in told)
    assert reply_beside(said, (), EXPECTED) in (replies if replies is AS_YOU_LIKE else ("", *LEFT_UNANSWERED))


@pytest.mark.parametrize(
    "said",
    [
        "I'd put her up front. Could I still ask ATC to let me in without it?",
        "The grass drags, so add half. Is that with all three of us and the tools coming home?",
        "It sinks the nose. How long do those usually last, do you know?",
        "I'd call the shop. Is Lena going to call ahead, or should I?",
        "I'd call flight service. What's that thing called that replaced the area forecast?",
    ],
)
def test_a_question_at_the_end_of_an_answer_is_not_passed_over(said: str) -> None:
    told = {reply_beside(said, FACTS, EXPECTED, turn=turn) for turn in range(24)}
    assert any(
        len(told) == len(known) and all(one.startswith(known) for one in told)
        for known in (LEFT_UNANSWERED, NOT_GIVEN_BESIDE)
    )
    assert reply_beside(said, (), EXPECTED) in LEFT_UNANSWERED


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("Does it carry a tablet?", "You carry your own tablet with charts and a moving map."),
        ("Can I move the bags to the nose, or is the Seminole not having one?", ""),
        ("Do we have avionics?", "It is a Piper Seminole from"),
        ("What airplane is it?", "It is a Piper Seminole from the flight school. Two radios, a panel GPS"),
    ],
)
def test_of_a_whole_card_only_what_was_asked_for_is_read_aloud(asked: str, said: str) -> None:
    facts = next(scene_of(trip).facts for trip in read_trips() if trip.id == "bay-house")
    card = next(fact for fact in facts if "seminole" in fact.about[0])
    told = reply_beside(f"I'd plan for it. {asked}", (card,), EXPECTED)
    assert told.startswith(said) if said else told.startswith((*LEFT_UNANSWERED, *NOT_GIVEN_BESIDE))


def test_who_says_you_is_answered_with_and_without_a_flight() -> None:
    for said in ("I'd go. Have you got the winds aloft?", "Have you got the winds aloft? I'd go."):
        assert reply_beside(said, FACTS, EXPECTED).startswith(NOT_GIVEN_BESIDE)
        assert reply_beside(said, (), EXPECTED) == AS_ASKED


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("How much do the bags weigh?", "On board: cameras and lunch, 20 pounds."),
        ("What does the airplane weigh empty?", "The airplane weighs 1,400 pounds empty"),
        ("How heavy is the Cherokee?", "The airplane weighs 1,400 pounds empty"),
        ("Who owns the airplane?", "It is a Piper Cherokee 180 from the partnership with your friend Hal."),
        ("What's the weather back home at Cobb Hollow?", "At Cobb Hollow there is a northwest wind"),
        ("How much fuel does the airplane hold?", "You have 46 gallons on board"),
        ("How old is Teddy?", "Teddy is your nephew, fourteen;"),
        ("Who is coming along?", "Walt is your father-in-law;"),
        ("When does the museum close?", "The museum closes at five."),
        ("How far have we come?", NOT_GIVEN),
        ("How many hours of fuel do we have?", NOT_GIVEN),
        ("How old is the airplane?", NOT_GIVEN),
        ("Where is the museum?", NOT_GIVEN),
    ],
)
def test_the_givens_of_a_trip_are_told_to_whoever_asks_for_them(
    asked: str, said: str | tuple[str, ...]
) -> None:
    facts = next(scene_of(trip).facts for trip in read_trips() if trip.id == "air-museum")
    assert reply_to_request(asked, facts, EXPECTED).startswith(said)
    beside = reply_beside(f"I'd plan for it. {asked}", facts, EXPECTED)
    assert beside.startswith(NOT_GIVEN_BESIDE if said == NOT_GIVEN else said)


@pytest.mark.parametrize("facts", [FACTS, ()])
def test_what_the_subject_asks_is_the_students_to_say(facts: tuple[Fact, ...]) -> None:
    for asked in ("What is density altitude again?", "Sorry, what's ground effect?"):
        assert reply_to_request(asked, facts, EXPECTED) == f"{YOURS_TO_SAY} {STANDS}"


@pytest.mark.parametrize(
    "said",
    [
        "Class C?",
        "So what do I do? I'd turn back.",
        "Is the weather good? No, so I stay.",
        "How heavy is Rob? I'd put him on a scale.",
        "I'd ask the briefer what the weather is.",
        "I'd leave Rob here.",
        "I'd leave it. Is that all right?",
        "I'd say the owner. Or is it the operator?",
        "Does it need a ferry permit?",
        "Can it get off? Can it haul us? And has it got the radios?",
        "IMSAFE. Am I sick, on any meds, stressed out?",
        "It stalls. Are the landings within the preceding 90 days three takeoffs?",
        "I'd look. Is the strip long for the load on board?",
        "I'd tell him no. Who wants to die for a lunch?",
        "I'd tell him no. Who wants to land in the dark?",
        "I run IMSAFE. What is my fatigue level?",
        "Are we over gross? I'd do the math and offload.",
        "Are we going west into it? I'd expect strong sink.",
        "It is three and three. Did I get that right?",
        "I'd go around. Could you repeat the question?",
        "I'd go around. What was the question?",
        "I'd go around. May I look it up?",
        "I'd go around. Which airspace did you mean?",
        "I'd go around. Are we done?",
        "I'd go around. Will that do?",
        "I'd go around. Does that cover it?",
        "It gets thin up there. What is density altitude again?",
    ],
)
def test_who_asks_no_examiner_is_not_answered(said: str) -> None:
    asked = "Is the strip long enough for this load?"
    assert reply_beside(said, FACTS, EXPECTED, question=asked) == ""
    assert reply_beside(said, (), EXPECTED, question=asked) == ""


# --- prepared answers ----------------------------------------------------------------------------------------


def answered(trip: str, asked: str) -> str:
    facts = next(scene_of(one) for one in read_trips() if one.id == trip).facts
    find = partial(answer_from, facts=facts)
    beside = reply_beside(f"I'd stop there. {asked}", facts, EXPECTED, find=find)
    assert reply_to_request(asked, facts, EXPECTED, find) in ("", f"{beside} {STANDS}")
    return beside


@pytest.mark.parametrize(
    ("trip", "asked", "said"),
    [
        ("campus-visit", "How high is that ridge, by the way?", "The Ferris Ridge tops out"),
        ("campus-visit", "Is there a mechanic on the field today?", "Yes, the school has one at Dunmore"),
        (
            "campus-visit",
            "Does Hadley have a shop that's open in the evening?",
            "There's a shop at Hadley Springs",
        ),
        ("lake-cabin", "Is that with all three of us and the tools coming home?", "Take the people and bags"),
        ("lake-cabin", "Does ours even have that gauge, by the way?", "It has what's on the card"),
        (
            "bay-house",
            "Can we buy fuel at Silver Bay, or do I have to carry it for both ways?",
            "Yes, Silver Bay has",
        ),
        ("dam-photos", "And how high is the ridge, by the way?", "The Carver Ridge tops out"),
    ],
)
def test_what_students_ask_has_an_answer(trip: str, asked: str, said: str) -> None:
    assert answered(trip, asked).startswith(said)


@pytest.mark.parametrize(
    ("trip", "asked"),
    [
        ("campus-visit", "Is there a flight school at Hadley Springs?"),
        ("campus-visit", "How wide is the ridge?"),
        ("bay-house", "Is there any Charlie near Silver Bay?"),
        ("bay-house", "Does the house have a garage?"),
        ("bay-house", "Can I move some of the tiles up front, or is the Seminole not having one?"),
        ("lake-cabin", "Is there a mechanic at Easton?"),
        ("old-ketch", "How old is the ketch?"),
    ],
)
def test_another_question_about_the_same_place_has_none(trip: str, asked: str) -> None:
    facts = next(scene_of(one) for one in read_trips() if one.id == trip).facts
    assert answer_from(asked, facts) == ""


def test_a_prepared_answer_that_is_expected_is_not_told() -> None:
    asked, told = "Is the moon up tonight?", "There's no moon tonight over the water."
    for wanted, heard in (([], told), ([f"It's dark, since {told}"], YOURS_TO_SAY)):
        assert reply_to_request(asked, FACTS, wanted, lambda _: told) == f"{heard} {STANDS}"
        beside = reply_beside(f"I'd go. {asked}", FACTS, wanted, find=lambda _: told)
        assert beside == ("" if wanted else told)


def test_a_scene_from_before_there_were_answers_is_read() -> None:
    stored = scene().to_dict()
    for one in stored["facts"]:
        del one["asked"]
    assert Scene.from_dict(stored) == scene()


@pytest.mark.parametrize(
    ("trip", "asked", "where"),
    [
        ("lake-cabin", "Is there any Class B or C anywhere near our route to Tamarack?", "on the chart"),
        ("arrow-delivery", "Do you know if they ever had the spar inspected?", "in the records"),
        ("campus-visit", "Is there a VOR near Hadley Springs?", "on the chart"),
        ("air-museum", "Is there snow on the runway at Fort Laird?", "in a briefing"),
        ("eye-clinic", "Is there a hospital near Harrow City?", ""),
        ("campus-visit", "What's the frequency at Hadley Springs?", "in the chart supplement"),
    ],
)
def test_a_question_about_a_thing_that_nothing_tells_of_gets_no_near_fact(
    trip: str, asked: str, where: str
) -> None:
    facts = next(scene_of(one) for one in read_trips() if one.id == trip).facts
    find = partial(answer_from, facts=facts)
    told = reply_beside(f"I'd plan it. {asked}", facts, [], find=find)
    assert told.startswith(NOT_GIVEN_BESIDE)
    assert told.endswith(LOOKED_UP.get(where, "."))
    place = [LOOKED_UP[where]] if where else []
    assert not any(told.endswith(one) for one in place) or reply_beside(
        f"I'd plan it. {asked}", facts, place, find=find
    ) in ("", *NOT_GIVEN_BESIDE)


@pytest.mark.parametrize(
    ("said", "left"),
    [
        ("I'd go wide of it. Would I have a paper sectional in the airplane?", "I'd go wide of it."),
        ("I'd go wide of it. Is there fuel at Silver Bay", "I'd go wide of it."),
        ("I'd go wide of it by the way when does the tower close", "I'd go wide of it."),
        ("I'd go wide. Could I ask Approach for a deviation?", ""),  # an act, put as a question
        ("Am I sick, on any meds, stressed out? Then I don't fly.", ""),
        ("Did it pick the airport I meant? Does the course look right?", ""),
        ("Is it 90 days?", ""),
        ("Is there fuel at Silver Bay?", ""),  # nothing else is said
        ("Is it out of annual? Then it stays.", ""),
        ("When the tower closes it's Class G.", ""),
        ("Has to be inspected every year.", ""),
    ],
)
def test_what_is_asked_of_the_examiner_is_no_answer(said: str, left: str) -> None:
    assert without_questions(said) == (left or said)
