"""The trips of the mock orals, and the stems that hang on them: complete, consistent, and enough of them."""

import re
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from exams.bank.lint import faults_in_item
from exams.bank.schema import ItemText
from exams.bank.trips.trip import Trip, draw_trip, minute_of_day, read_trips, scene_of
from exams.domain.exam_request import AIRCRAFT_CLASSES, OrderRefused, order_from
from exams.domain.question_checks import tells_rule
from exams.domain.scenes.clarifying import NOT_GIVEN, STANDS, reply_beside, reply_to_request
from exams.domain.scenes.scene import HANGING_LEAST, MOMENTS
from exams.domain.scope import scope_for
from exams.offline.flight_answers import answer_from
from knowledge.models.items import TripMoment
from knowledge.text.word_tables import read_yaml
from tests.doubles.orals import fact
from tests.sampling import sample_of

BANK = Path(__file__).parents[4] / "exams" / "bank"
CORE = ("_i_", "_vii_d", "_xi_a")
TRIPS = read_trips()
NAMES = [trip.id for trip in TRIPS]


def order(**changes: str) -> Any:
    return order_from({"mode": "mock", **changes})


def written(name: str) -> dict[str, Any]:
    read: dict[str, Any] = read_yaml(BANK / "trips" / f"{name}.yaml")
    return read


@cache
def core_items(certificate: str) -> tuple[dict[str, Any], ...]:
    """The items of the core Tasks, as they are written."""
    files = [
        path
        for path in (BANK / "items" / certificate).glob("*.yaml")
        if any(one in path.name for one in CORE)
    ]
    return tuple(item for path in files for item in read_yaml(path)["items"])


# --- trips ---------------------------------------------------------------------------------------------------


def test_there_are_trips_for_each_certificate_and_each_is_named_as_its_file() -> None:
    counted = Counter(certificate for trip in TRIPS for certificate in trip.certificates)
    assert counted["private"] >= 9
    assert counted["commercial"] >= 2
    assert {trip.airplane.aircraft_class for trip in TRIPS if "private" in trip.certificates} == set(
        AIRCRAFT_CLASSES
    )
    assert sorted(NAMES) == sorted(path.stem for path in (BANK / "trips").glob("*.yaml"))


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_is_loaded_within_its_limits_and_told_briefly(trip: Trip) -> None:
    bags = sum(one.weight for one in trip.bags)
    aboard = bags + trip.pilot_weight + sum(one.weight for one in trip.people) + 6 * trip.fuel
    assert trip.airplane.empty + aboard <= trip.airplane.maximum
    assert trip.fuel <= trip.airplane.usable
    assert 2 <= trip.told.count(". ") + 1 <= 4
    assert len(trip.told.split()) <= 60
    for named in (trip.people[0].name, trip.departure.name, trip.destination.name):
        assert named in trip.told
    assert {name for event in trip.events for name in event.weighs} <= {one.name for one in trip.people}


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_keeps_clear_of_the_clouds_it_forecasts(trip: Trip) -> None:
    """A ceiling or a base, over the field, is at least 500 feet over the cruise, out and home in the dark."""
    cruise = int(trip.route.altitude.removesuffix(" feet").replace(",", ""))
    for place in (trip.departure, trip.destination):
        bases = re.findall(r"\b(?:FEW|SCT|BKN|OVC)(\d{3})\b", place.weather)
        assert bases or re.search(r"\b(CLR|SKC)\b", place.weather)
        assert all(place.elevation + 100 * int(base) - cruise >= 500 for base in bases), place.name
        told = [int(one.replace(",", "")) for one in re.findall(r"(\d{1,2},\d00) feet", place.sky)]
        assert all(f"{feet // 100:03}" in bases for feet in told), place.name


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_cruises_high_enough_and_at_a_vfr_altitude(trip: Trip) -> None:
    """91.159: odd or even thousands and 500; no trip tells its course. Over the hills there are 1,000 feet and more."""
    cruise = int(trip.route.altitude.removesuffix(" feet").replace(",", ""))
    [ground] = [int(one.replace(",", "")) for one in re.findall(r"\d,\d00", trip.answers["terrain"])]
    assert cruise % 1000 == 500
    assert cruise - ground >= 1000
    texts = " ".join((trip.told, trip.between, trip.route.over, *trip.answers.values()))
    assert not re.search(r"\b(north|south|east|west)(bound|ward)?\b", texts)


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_has_fuel_and_time_for_both_ways(trip: Trip) -> None:
    """At its own burn, there and back without a stop for fuel, and 45 minutes more (91.151 for the night)."""
    words = {
        "eight": 8,
        "nine": 9,
        "ten": 10,
        "eleven": 11,
        "thirteen": 13,
        "fifteen": 15,
        "twenty": 20,
        "thirty": 30,
    }
    burn = max(gallons for word, gallons in words.items() if word in trip.answers["fuel burn"].split())
    assert trip.fuel * 60 / burn >= 2 * trip.route.minutes + 45
    leaves, arrives, home, sunset = (
        minute_of_day(time)
        for time in (trip.route.leaves, trip.route.arrives, trip.route.home, trip.route.sunset)
    )
    assert leaves + trip.route.minutes == arrives < sunset
    off_again = home - trip.route.minutes
    assert off_again > arrives
    if trip.destination.water:
        assert off_again <= sunset - 15  # nobody takes off from the water in the dark
    if trip.departure.water:
        assert home <= sunset - 60


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_has_runways_into_the_wind(trip: Trip) -> None:
    """Each has its numbers, the opposite ends differ by 18, and one lies within 30 degrees of each wind."""
    for place in (one for one in (trip.departure, trip.destination) if not one.water):
        ends = [(int(one), int(other)) for one, other in re.findall(r"(\d+)[LR]?/(\d+)[LR]?", place.runway)]
        assert ends
        assert all(other - one == 18 for one, other in ends), place.runway
        assert len(ends) == {"one": 1, "two": 2, "three": 3}[place.runway.split()[0]]
        for wind in map(int, re.findall(r"\b(\d{2})0[01]\d(?:G\d\d)?KT", place.weather)):
            calm = wind == 0
            off = min(abs((wind - end + 18) % 36 - 18) for pair in ends for end in pair)
            assert calm or off <= 3, place.name


def test_the_runway_that_a_question_names_is_there() -> None:
    """Of the trips on which it is asked: "You've landed there a hundred times, always on runway 28." """
    for certificate in ("private", "commercial"):
        for item in core_items(certificate):
            for named in re.findall(r"runway (\d+)", item.get("on_trip", "")):
                for trip in (one for one in TRIPS if certificate in one.certificates and hangs(item, one)):
                    assert f"/{named}" in trip.departure.runway, (item["id"], trip.id)


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_asserts_no_rule(trip: Trip) -> None:
    scene = scene_of(trip)
    texts = [scene.told, *(one.value for one in scene.givens), *(one.say for one in scene.facts)]
    texts += [text for change in scene.changes for text in (change.said, change.given.value)]
    assert not [text for text in texts if tells_rule(text) or re.search(r"\bCFR\b|§|\bFAA\b|\bAIM\b", text)]


@pytest.mark.parametrize("trip", sample_of(TRIPS, 3), ids=sample_of(NAMES, 3))
def test_every_event_has_a_question_of_the_bank_that_is_a_sound_one_there(trip: Trip) -> None:
    known = {item["id"]: item for name in trip.certificates for item in core_items(name)}
    for one in trip.asked_on_events:
        assert faults_in_item(ItemText.model_validate(known[one])) == ()
    twice = Counter(one.item for event in trip.events for one in event.asks)
    assert len([one for one, count in twice.items() if count > 1]) == 0


def test_an_event_without_a_question_is_refused() -> None:
    whole = written("bay-house")
    for lost in ("pa.", "ca."):
        events = [
            event | {"asks": [one for one in event["asks"] if not one["item"].startswith(lost)]}
            for event in whole["events"]
        ]
        with pytest.raises(
            ValidationError, match=r"has no question for (private|commercial) pilots; add one"
        ):
            Trip.model_validate(whole | {"events": events})
    with pytest.raises(ValidationError, match="at least 1 item"):
        Trip.model_validate(whole | {"events": [one | {"asks": []} for one in whole["events"]]})


@pytest.mark.parametrize("trip", sample_of(TRIPS, 3), ids=sample_of(NAMES, 3))
def test_the_events_of_a_flight_are_asked_about(trip: Trip) -> None:
    """Where the library supports everything, whatever is drawn."""
    for certificate in trip.certificates:
        items = core_items(certificate)
        facts = [fact(code) for code in sorted({code for item in items for code in item["elements"]})]
        for seed in range(20):
            hanging = hanging_on(trip, certificate)
            scope = scope_for(facts, order(certificate=certificate), seed=f"{trip.id}{seed}", hanging=hanging)
            planned = {item.code for item in scope.plan[1:]}
            for event in trip.events:
                assert any(
                    item["elements"][0] in planned
                    for item in items
                    if item["id"] in {one.item for one in event.asks}
                ), event.id


@pytest.mark.parametrize(
    "broken",
    [
        {"airplane": None},
        {"people": []},
        {"events": []},
        {"certificates": ["astronaut"]},
        {"weather": "fine"},
        {"route": {}},
    ],
    ids=str,
)
def test_a_trip_without_its_parts_is_refused(broken: dict[str, Any]) -> None:
    whole = written("evening-game")
    assert Trip.model_validate(whole).id == "evening-game"
    with pytest.raises(ValidationError):
        Trip.model_validate(whole | broken)


def test_two_towers_are_refused() -> None:
    whole = written("evening-game")
    with pytest.raises(ValidationError, match="one of the two airports has a tower"):
        Trip.model_validate(whole | {"departure": whole["departure"] | {"tower": True}})


def test_events_stand_in_the_order_of_the_flight() -> None:
    whole = written("air-museum")
    first, *rest = whole["events"]
    with pytest.raises(ValidationError, match="events stand in the order of the flight"):
        Trip.model_validate(whole | {"events": [first | {"moment": "landing"}, *rest]})


def test_the_moments_of_items_are_those_of_a_flight() -> None:
    assert tuple(TripMoment.values) == MOMENTS


def test_nobody_comes_home_to_the_water_in_the_dark() -> None:
    whole = written("fishing-lodge")
    route = whole["route"] | {"home": "8 p.m."}
    with pytest.raises(ValidationError, match="comes home to the water after sunset"):
        Trip.model_validate(whole | {"route": route})
    on_land = whole["departure"] | {"water": False}
    assert Trip.model_validate(whole | {"route": route, "departure": on_land}).route.comes_home_in_the_dark
    with pytest.raises(ValidationError, match="“dusk” is no time of day"):
        Trip.model_validate(whole | {"route": route | {"sunset": "dusk"}})


def test_questions_about_the_dark_and_about_airports_need_trips_that_have_them() -> None:
    """A trip by day has no flight home tonight, and nobody leaves the water in the dark."""
    slots = {trip.id: trip.all_slots for trip in TRIPS}
    assert {"tonight", "night_field", "airports"}.isdisjoint(slots["fishing-lodge"])
    assert slots["old-ketch"]["tonight"] == "tonight"
    assert {"night_field", "airports"}.isdisjoint(slots["old-ketch"])
    assert slots["lake-cabin"]["night_field"] == "Tamarack"
    by_day = [
        item["on_trip"]
        for item in core_items("private")
        if hangs(item, next(trip for trip in TRIPS if trip.id == "fishing-lodge"))
    ]
    assert len(by_day) >= 60
    said = [one for one in by_day if re.search(r"\b(tonight|night|runway|(in the|after) dark)\b", one)]
    assert said == []


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_has_its_own_day(trip: Trip) -> None:
    """Its weather and sunset are that day's, whenever the oral is."""
    scene = scene_of(trip)
    times = next(one.value for one in scene.givens if one.name == "Times")
    assert re.match(r"(September|October) \d{1,2}\. Off at ", times)
    said = reply_to_request("What month is it?", scene.facts, [])
    assert said.startswith(f"It is {trip.route.day}.")


@pytest.mark.parametrize("trip", [trip for trip in TRIPS if trip.destination.water], ids=lambda trip: trip.id)
def test_the_water_is_told_to_whoever_asks(trip: Trip) -> None:
    named = trip.destination.name
    for asked in (f"What is the dock like at {named}?", f"How long is the runway at {named}?"):
        assert f"{named}: {trip.destination.runway}" in reply_to_request(asked, scene_of(trip).facts, [])


ON_THE_CARDS = [
    ("{departure.runway}", "How long is the runway?", "Which way does it run?"),
    (
        "{departure.runway}",
        "How long is the runway at {departure.name}?",
        "What are the runways at {departure.name}?",
    ),
    (
        "{destination.runway}",
        "What's the runway direction?",
        "Which way does the runway run at {destination.name}?",
    ),
    (
        "{destination.runway}",
        "What's the surface at {destination.name}?",
        "Which way does the runway run there?",
    ),
    ("{departure.elevation:,}", "What's the elevation?", "How high is the field at {departure.name}?"),
    (
        "{destination.elevation:,}",
        "What's the field elevation?",
        "What's the elevation of {destination.name}?",
    ),
    (
        "{departure.name} has",
        "Is there a tower at {departure.name}?",
        "Is {departure.name} a controlled field?",
    ),
    ("{destination.name} has", "Does {destination.name} have a tower?", "Is {destination.name} towered?"),
    ("{departure.sky}", "What's the weather?", "What's the wind at {departure.name}?"),
    ("{destination.sky}", "What's the wind direction?", "What's the forecast for {destination.name}?"),
    ("{departure.weather}", "What's the altimeter setting?", "What's the temperature at {departure.name}?"),
    ("{fuel} gallons", "How much fuel do we have?", "How many gallons are on board?"),
    ("{airplane.usable} usable", "How much usable fuel does it hold?", "How much fuel do the tanks hold?"),
    ("{bags[0].weight} pounds", "What's the weight of the bags?", "How heavy are the bags?"),
    ("weighs {people[0].weight}", "What's {people[0].name}'s weight?", "How heavy is {people[0].name}?"),
    ("You weigh {pilot_weight}", "How much do I weigh?", "What's my weight?"),
    ("{airplane.empty:,} pounds", "What's the empty weight?", "What does the airplane weigh empty?"),
    ("{airplane.maximum:,}", "What's the max gross weight?", "What's the maximum takeoff weight?"),
    ("You and {people[0].name}", "How many people are aboard?", "How many people do we have on board?"),
    ("{people[0].name} is {people[0].who}", "Who's coming along?", "Who is on board?"),
    ("{route.miles} nautical", "How far is it?", "What's the distance?"),
    ("planned {route.altitude}", "What altitude did I plan?", "What's our cruise altitude?"),
    ("{route.minutes} minutes", "How long is the flight?", "How long does the flight take?"),
    ("{departure.name} at {route.leaves}", "When do we leave?", "What time do we take off?"),
    ("{destination.name} at {route.arrives}", "When do we get there?", "What time do we arrive?"),
    ("{route.home}", "When do I have to be home?", "What time do we get home?"),
    ("{route.sunset}", "When is sunset?", "What time does the sun set?"),
    ("{route.over}", "What do we fly over?", "What's along the route?"),
    ("It is {route.day}", "What day is it?", "What's the date?"),
    ("{airplane.type}", "What airplane are we flying?", "What's the equipment?"),
]
"""What stands on the cards beside the talk, and two ways to ask for it."""
ON_NO_CARD = [
    "How wide is the runway?",
    "How long is the taxiway at {destination.name}?",
    "What's the runway condition?",
    "What's the temperature at {destination.name}?",
    "How far is the ridge from the school?",
    "Which way does the river run?",
    "What heading do I fly to {destination.name}?",
    "What's our takeoff distance on that runway?",
    "How high are the buildings at the airport?",
    "What color is the airplane?",
    "When does the sun come up?",
]


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_what_stands_on_the_cards_is_told_to_whoever_asks(trip: Trip) -> None:
    facts = scene_of(trip).facts
    find = partial(answer_from, facts=facts)
    own = dict(trip)
    for told, *wordings in ON_THE_CARDS:
        wanted = told.format_map(own).removesuffix(".")
        for asked in (one.format_map(own) for one in wordings):
            said = reply_to_request(asked, facts, [], find)
            assert wanted in said, (asked, said)
            assert said.endswith(STANDS)
            beside = reply_beside(f"I'd look it up. {asked}", facts, [], find=find)
            assert wanted in beside, (asked, beside)


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_what_stands_on_no_card_is_not_known(trip: Trip) -> None:
    facts = scene_of(trip).facts
    for asked in (one.format_map(dict(trip)) for one in ON_NO_CARD):
        said = reply_to_request(asked, facts, [], partial(answer_from, facts=facts))
        assert said.startswith(NOT_GIVEN), (asked, said)


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_a_trip_answers_what_students_ask(trip: Trip) -> None:
    """In a short sentence that states no rule."""
    assert len(trip.answers) >= 25
    for said in trip.answers.values():
        assert len(said.split()) <= 20
        assert not tells_rule(said)


def test_a_topic_nobody_asks_about_is_refused() -> None:
    with pytest.raises(ValidationError, match=r"answers.csv has no topic weather balloon"):
        Trip.model_validate(written("lake-cabin") | {"answers": {"weather balloon": "It is red."}})


# --- the one that is drawn -------------------------------------------------------------------------------------


def test_the_exams_seed_draws_among_those_that_fit() -> None:
    drawn = Counter(draw_trip(order(), str(seed)).id for seed in range(200))  # type: ignore[union-attr]
    assert set(drawn) == {trip.id for trip in TRIPS if trip.fits(order())}
    assert draw_trip(order(), "7") == draw_trip(order(), "7")


def test_other_orals_have_no_trip() -> None:
    assert draw_trip(order_from({"mode": "full", "class": "ASES"}), "7") is None


def test_a_class_without_a_trip_is_refused_in_words() -> None:
    with pytest.raises(OrderRefused) as refused:
        draw_trip(order(certificate="commercial", **{"class": "ASES"}), "7")
    assert "There is one for AMEL and ASEL. Pick another class" in refused.value.fields["class"][0]
    with pytest.raises(OrderRefused, match="none is written for instrument pilots"):
        draw_trip(order(certificate="instrument"), "7")


# --- the stems that hang on them --------------------------------------------------------------------------------


@pytest.mark.parametrize("certificate", ["private", "commercial"])
def test_stems_on_trips_are_sound(certificate: str) -> None:
    hanging = [ItemText.model_validate(item) for item in core_items(certificate) if item.get("on_trip")]
    assert len(hanging) >= 39
    assert {item.id: faults_in_item(item) for item in hanging if faults_in_item(item)} == {}


@pytest.mark.parametrize("trip", TRIPS, ids=NAMES)
def test_most_questions_of_a_mock_are_about_its_flight(trip: Trip) -> None:
    """Where the library supports everything, whatever is drawn."""
    for certificate in trip.certificates:
        items = core_items(certificate)
        facts = [fact(code) for code in sorted({code for item in items for code in item["elements"]})]
        hanging = hanging_on(trip, certificate)
        for seed in range(5):
            scope = scope_for(facts, order(certificate=certificate), seed=f"{trip.id}{seed}", hanging=hanging)
            about = [item.code in hanging for item in scope.plan]
            assert 26 <= len(about) <= 32
            assert sum(about) >= HANGING_LEAST * len(about)
            assert scope.notices == ()


def hanging_on(trip: Trip, certificate: str) -> dict[str, int]:
    """As `elements_on_trip` tells it with every item in force."""
    items = core_items(certificate)
    hanging = {code: 1 for item in items if hangs(item, trip) for code in item["elements"]}
    return hanging | {item["elements"][0]: 0 for item in items if item["id"] in trip.asked_on_events}


def hangs(item: dict[str, Any], trip: Trip) -> bool:
    own = {*item.get("slots", {}), *(name for case in item.get("cases", []) for name in case)}
    used = set(re.findall(r"\{(\w+)\}", item.get("on_trip", "")))
    fits = trip.airplane.aircraft_class in item.get("classes", AIRCRAFT_CLASSES)
    return fits and bool(used) and used <= {*trip.all_slots, *own}


def test_a_library_that_supports_little_says_so() -> None:
    facts = [fact(f"PA.I.A.{code}") for code in ("K1", "K2", "R1")]
    scope = scope_for(facts, order(), seed="7", hanging={"PA.I.A.K1": 1})
    assert "With this library, 1 of the 2 questions can be about the flight." in scope.notices


def test_areas_without_a_core_task_are_refused_in_words() -> None:
    facts = [fact(f"PA.II.A.{code}") for code in ("K1", "R1")]
    with pytest.raises(OrderRefused, match="covers the core Tasks"):
        scope_for(facts, order(), seed="7")
