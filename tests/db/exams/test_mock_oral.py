"""A mock oral is one conversation about one flight: most questions hang on it, and the student may ask about it."""

from dataclasses import replace
from importlib.resources import files
from itertools import pairwise
from typing import Literal
from uuid import UUID, uuid4

import pytest
import yaml
from django.test import Client

from exams.bank.selection import ItemInForce, draw_values
from exams.bank.trips.trip import read_trips, scene_of
from exams.domain.exam_request import order_from
from exams.domain.scenes.clarifying import AS_ASKED, NOT_GIVEN, STANDS
from exams.domain.scenes.scene import (
    AFTER_THE_FLIGHT,
    HANGING_LEAST,
    MOMENTS,
    ON_THE_GROUND,
    STAGE_USUAL,
    STAGES,
    Moment,
    Scene,
    place_on_flight,
)
from exams.examiner.briefing import bank_at_hand, briefing_for_item, library_state
from exams.examiner.examiner import Asked, signpost_to
from exams.exchange import session
from exams.exchange.completion import FAREWELL, THANKS, farewell
from exams.exchange.flight import (
    FlightSoFar,
    Stay,
    calls_off,
    coming_change,
    decision_to_stay,
    facts_of_flight,
    flight_so_far,
    lead_on_flight,
    news_of_flight,
    put_on_flight,
)
from exams.exchange.prefetch import prepare_next
from exams.models import Answer, Exam, Turn
from exams.report import report_of
from knowledge.text.slots import fill_slots
from tests.doubles.demo_library import Demo
from tests.doubles.rooms import Enter, answer_and_settle, opened, right_answer
from tests.doubles.rooms import new_exam as exam_of
from tests.sampling import sample_of

pytestmark = pytest.mark.django_db(transaction=True)

ITEM = ItemInForce(
    key="pa.i.a.k1.one",
    version=1,
    task="PA.I.A",
    elements=("PA.I.A.K1",),
    level="apply",
    stem="?",
    again="?",
    why=".",
    slots={},
    cases=(),
    points=(),
)
STEADY = yaml.safe_load(files("exams.examiner").joinpath("transitions.yaml").read_text("utf-8"))["personas"][
    "steady"
]


def new_mock(demo: Demo, **order: object) -> Exam:
    """The same trip and questions in every run."""
    wanted = order_from({"mode": "mock", "qualification": False, **order})
    return session.create_exam(demo.student, None, wanted, exam_id=UUID(int=Exam.objects.count() + 1))


def is_left_open(turn: Turn) -> bool:
    """Whether its question only supposes something, before the start: nothing has to be closed."""
    told = any(one["kind"] == "change" for one in turn.givens)
    early = turn.provenance["moment"] in ON_THE_GROUND
    return early and not told and any(word in turn.text for word in ("uppose", "Say ", "say ", "magine"))


def flight_of(exam: Exam) -> Scene:
    scene = exam.read_scene()
    assert scene is not None
    return scene


def test_a_mock_with_right_answers_is_about_its_flight_to_the_end(demo: Demo, client: Client) -> None:
    exam = opened(new_mock(demo))
    scene = flight_of(exam)
    for number in range(40):
        answer_and_settle(exam, right_answer(exam), f"a{number}")
        exam.refresh_from_db()
        if not exam.is_open:
            break
    assert exam.status == "finished"
    assert (exam.result or {})["result"] == "pass"
    turns = list(Turn.objects.filter(exam=exam, form="opening"))
    assert exam.read_planner().asked == exam.read_scope().questions >= 12
    assert len(turns) >= 10  # the others were credited by mention
    hanging = [turn for turn in turns if "trip" in turn.provenance]
    assert len(hanging) >= HANGING_LEAST * len(turns)
    assert all(any(value in turn.text for value in scene.slots.values()) for turn in hanging)
    assert not [turn.text for turn in turns if "{" in turn.text]

    assert turns[0].transition.startswith(scene.told)
    assert not [turn for turn in turns[1:] if scene.told in turn.transition]
    moments = [MOMENTS.index(turn.provenance["moment"]) for turn in turns if turn.provenance.get("moment")]
    assert len(set(moments)) >= 3
    assert sum(later < sooner for sooner, later in pairwise(moments)) <= 1  # an item may be asked already
    moment, ahead, said = "planning", 0, 0
    for before, turn in pairwise(turns):
        here, there = "trip" in turn.provenance, "trip" in before.provenance
        now = turn.provenance.get("moment") or moment
        over, on = (
            any(fill_slots(way, scene.slots) in turn.transition for way in STEADY.get(kind, ()))
            for kind in ("after the flight", f"on to {now}")
        )
        assert over == (there and not here)
        assert there or not here  # what is not about the flight comes after it
        assert not on or MOMENTS.index(now) > MOMENTS.index(moment)
        ahead += MOMENTS.index(now) > MOMENTS.index(moment)
        said += on
        stops = turn.transition.startswith(scene.between)
        assert (
            not here or stops or is_left_open(before) or turn.transition.startswith(before.provenance["ends"])
        )
        moment = now
    assert said <= ahead  # a question may say itself where it is
    assert any(turn.provenance.get("ends") for turn in turns)
    told = [(turn, given) for turn in turns for given in turn.givens if given["kind"] == "change"]
    names = [given["name"] for _, given in told]
    assert len(names) == len(set(names))
    assert set(names) <= {one.given.name for one in scene.changes}
    for turn, given in told:
        change = next(one for one in scene.changes if one.given.name == given["name"])
        assert change.said in turn.transition
        assert turn.item in {one.item for one in change.questions}
        assert turn.text in {one.stem for one in change.questions}
        assert turn in hanging

    report = report_of(exam)
    assert report.flight is not None
    assert (report.flight["questions"], report.flight["of"]) == (len(hanging), len(turns))
    client.force_login(demo.student)
    page = client.get(f"/exams/{exam.pk}/report/").content.decode()
    assert f"The flight: {scene.title}" in page
    assert all(given["value"].replace("'", "&#x27;") in page for _, given in told)


@pytest.mark.long
def test_a_change_is_told_asked_about_and_ends(demo: Demo, client: Client) -> None:
    exam = new_mock(demo)
    first, *later = exam.read_scope().plan
    bank = bank_at_hand(library_state(None, demo.student.pk))
    item = next(
        item
        for one in later
        for item in bank.items_for(one.code, "ASEL")
        if item.elements[0] == one.code and first.code not in item.elements
    )
    fact = {"about": [["rob"]], "say": "Rob comes along."}
    change = {
        "questions": [{"item": item.key, "stem": "Rob wants to come along. What now?"}],
        "said": "A message from Rob comes in.",
        "given": {"name": "Rob", "value": "He wants to come along.", "kind": "change"},
        "facts": [fact],
        "moment": "planning",
        "stage": 0,
        "ends": "Say Rob takes the train.",
    }
    exam.scene["changes"] = [change]
    queue = [one | {"moment": 0} for one in exam.planner["queue"]]
    exam.planner = exam.planner | {"queue": queue}
    exam.save(update_fields=["scene", "planner"])
    opened(exam)
    for number in range(30):
        told = Turn.objects.filter(exam=exam, givens__contains=[{"name": "Rob"}]).first()
        if told:
            break
        answer_and_settle(exam, right_answer(exam), f"b{number}")
    assert told is not None
    assert (told.text, told.item) == ("Rob wants to come along. What now?", item.key)
    assert "A message from Rob comes in." in told.transition
    assert [one.say for one in facts_of_flight(exam) if one.about == (("rob",),)] == ["Rob comes along."]
    answer_and_settle(exam, right_answer(exam), "c")
    after = Turn.objects.filter(exam=exam, form="opening").order_by("-number")[0]
    assert after.transition.startswith("Say Rob takes the train.")
    assert after.givens[-1] == {"name": "Rob", "value": "Say Rob takes the train.", "kind": "settled"}
    assert not [one for one in facts_of_flight(exam) if one.about == (("rob",),)]
    client.force_login(demo.student)
    client.post(f"/api/v1/exams/{exam.pk}/end/")
    flight = report_of(Exam.objects.get(pk=exam.pk)).flight
    assert flight is not None
    assert flight["givens"][-1]["value"] == "He wants to come along.\nSay Rob takes the train."


def test_a_change_that_the_flight_has_passed_is_not_told() -> None:
    scene = scene_of(read_trips()[0])
    change = scene.changes[0]
    items = [one.item for one in change.questions]
    place = change.place or 0
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, moment=change.moment or "planning")
    assert coming_change(scene, so_far, items, place)
    assert coming_change(scene, replace(so_far, moment="arrival"), items, place) is None
    assert coming_change(scene, replace(so_far, over=True), items, place) is None


@pytest.mark.long
def test_an_oral_from_before_places_keeps_its_changes(demo: Demo) -> None:
    exam = new_mock(demo)
    queue = [
        {name: value for name, value in one.items() if name != "item"} | {"moment": one["moment"] // STAGES}
        for one in exam.planner["queue"]
    ]
    exam.planner = exam.planner | {"queue": queue, "version": 1}
    for change in exam.scene["changes"]:
        del change["stage"]
    exam.save(update_fields=["scene", "planner"])
    read = exam.read_planner()
    assert {one.moment for one in read.queue} <= {place_on_flight(one, STAGE_USUAL) for one in MOMENTS} | {
        AFTER_THE_FLIGHT + STAGE_USUAL
    }
    scene = flight_of(exam)
    assert all(
        change.place in {place_on_flight(one, STAGE_USUAL) for one in MOMENTS} for change in scene.changes
    )


@pytest.mark.long
def test_an_oral_from_before_flights_had_moments_goes_on_in_its_order(demo: Demo) -> None:
    exam = new_mock(demo)
    for change in exam.scene["changes"]:
        del change["moment"], change["stage"], change["ends"]
    del exam.scene["between"]
    exam.planner["queue"] = [{k: v for k, v in one.items() if k != "moment"} for one in exam.planner["queue"]]
    exam.save(update_fields=["scene", "planner"])
    opened(exam)
    for number in range(3):
        answer_and_settle(exam, right_answer(exam), f"a{number}")
    assert Turn.objects.filter(exam=exam, form="opening").count() == 4


@pytest.mark.long
def test_who_calls_the_flight_off_is_asked_to_suppose_that_it_goes_on(demo: Demo) -> None:
    exam = opened(new_mock(demo))
    ways = STEADY["flight goes on"]
    for number in range(40):
        prepare_next(exam.pk)  # of a question made ahead it is not yet known
        answer_and_settle(exam, f"{right_answer(exam)} But I'd cancel the flight and drive.", f"a{number}")
        exam.refresh_from_db()
        if not exam.is_open:
            break
    turns = list(Turn.objects.filter(exam=exam, form="opening"))
    on_flight = [(before, turn) for before, turn in pairwise(turns) if "trip" in before.provenance]
    goes_on = [
        turn
        for before, turn in on_flight
        if not before.provenance["ends"]
        and "trip" in turn.provenance
        and MOMENTS.index(turn.provenance["moment"]) >= MOMENTS.index(before.provenance["moment"])
    ]
    assert goes_on
    assert all(any(way in turn.transition for way in ways) for turn in goes_on)
    assert not [turn for turn in turns if turn not in goes_on and any(way in turn.transition for way in ways)]


@pytest.mark.parametrize(
    ("said", "off"),
    [
        ("I cancel. There is ice in it.", True),
        ("It's a no-go for me.", True),
        ("We don't fly today, we drive.", True),
        ("With that light I'm not going.", True),
        ("I'd rather wait on the ground until he's well.", True),
        ("I'm not going below the minimum.", False),
        ("I wouldn't cancel the flight.", False),
        ("No need to cancel the flight, I'd divert.", False),
        ("If the landing light is out it's a no-go item.", False),
        ("I won't take off until I've checked the weight.", False),
        ("I'd postpone the flight.", True),
        ("I don't go below a thousand feet there.", False),
        ("I'd cancel my flight plan with Flight Service.", False),
        ("I would cancel if the ceiling came down.", False),
    ],
)
def test_calling_a_flight_off_is_recognized(said: str, off: bool) -> None:
    assert calls_off(said) is off


def test_who_asks_about_the_flight_is_told_and_pays_nothing(demo: Demo, enter: Enter) -> None:
    exam = new_mock(demo)
    scene = flight_of(exam)
    room = enter(exam, demo.student)
    asked = room.hear("question")
    assert asked["transition"].startswith(scene.told)
    companion = scene.slots["companion"]
    for number, (said, reply) in enumerate(
        [(f"How heavy is {companion}?", f"{companion} weighs "), ("Is it a Tuesday?", NOT_GIVEN)]
    ):
        verdict = room.answer(said, f"ask-{number}")
        assert (verdict["verdict"], verdict["final"], verdict["score"]) == ("ungraded", False, None)
        assert verdict["feedback"].startswith(reply)
        assert verdict["feedback"].endswith(STANDS)
        again = room.hear("question")
        assert (again["turn"], again["text"], again["transition"]) == (asked["turn"], asked["text"], "")
    assert Turn.objects.filter(exam=exam).count() == 1
    verdict = room.answer(f"{right_answer(exam)} How heavy is {companion}?", "a1")
    assert verdict["verdict"] == "satisfactory"
    assert f"{companion} weighs " in verdict["feedback"].split("\n")[0]
    assert report_of(exam).ungraded == 0


@pytest.mark.long
def test_outside_a_mock_such_a_question_is_no_answer_either(demo: Demo, enter: Enter) -> None:
    exam = exam_of(demo.student)
    assert exam.read_scene() is None
    room = enter(exam, demo.student)
    assert not room.hear("question")["transition"].startswith("You are planning")
    asked = room.answer("How heavy is my friend?", "a1")
    assert (asked["verdict"], asked["final"]) == ("ungraded", False)
    assert asked["feedback"].startswith(AS_ASKED)


@pytest.mark.long
def test_the_same_exam_has_the_same_flight_and_questions(demo: Demo) -> None:
    exam = new_mock(demo)
    first = opened(exam).turns.get()
    scene, scope = exam.scene, exam.scope
    exam_id = exam.pk
    exam.delete()
    again = session.create_exam(
        demo.student, None, order_from({"mode": "mock", "qualification": False}), exam_id=exam_id
    )
    assert (again.scene, again.scope) == (scene, scope)
    assert opened(again).turns.get().text == first.text


def test_the_room_shows_the_flight_and_the_desk_offers_it(demo: Demo, client: Client) -> None:
    client.force_login(demo.student)
    assert "Mock oral: one flight, about an hour" in client.get("/exams/").content.decode()
    page = client.post("/exams/begin/", {"mode": "mock", "class": "ASEL"}, follow=True).content.decode()
    scene = flight_of(Exam.objects.get())
    assert "Your flight" in page
    assert scene.title in page
    assert all(given.name in page for given in scene.givens)


@pytest.mark.long
@pytest.mark.parametrize("aircraft_class", ["ASES", "AMES"])
def test_a_seaplane_student_sits_a_mock_that_opens_with_papers(
    demo: Demo, client: Client, aircraft_class: str
) -> None:
    client.force_login(demo.student)
    page = client.post(
        "/exams/begin/", {"mode": "mock", "class": aircraft_class}, follow=True
    ).content.decode()
    exam = Exam.objects.get()
    assert exam.read_planner().papers
    assert exam.scene["trip"] == flight_of(exam).trip
    assert "landing_water" in flight_of(exam).slots
    assert flight_of(exam).title in page


def test_a_class_without_a_flight_is_refused_in_words(
    demo: Demo, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    on_land = tuple(one for one in read_trips() if not one.destination.water)
    monkeypatch.setattr("exams.bank.trips.trip.read_trips", lambda: on_land)
    client.force_login(demo.student)
    page = client.post("/exams/begin/", {"mode": "mock", "class": "ASES"})
    assert page.status_code == 400
    assert "A mock oral is about one flight, and none is written" in page.content.decode()
    answer = client.post("/api/v1/exams/", {"mode": "mock", "class": "AMES"}, content_type="application/json")
    assert answer.status_code == 400
    assert "There is one for AMEL and ASEL" in str(answer.json()["fields"]["class"])
    assert not Exam.objects.exists()


def test_the_api_tells_the_flight(demo: Demo, client: Client) -> None:
    client.force_login(demo.student)
    body = client.post("/api/v1/exams/", {"mode": "mock"}, content_type="application/json").json()
    scene = flight_of(Exam.objects.get())
    assert (body["mode"], body["flight"]["title"], body["flight"]["told"]) == (
        "mock",
        scene.title,
        scene.told,
    )
    assert [one["name"] for one in body["flight"]["givens"]] == [one.name for one in scene.givens]
    assert client.post("/api/v1/exams/", {}, content_type="application/json").json()["flight"] is None


@pytest.mark.parametrize(
    ("was", "now", "on_flight", "said"),
    sample_of(
        [
            ("planning", "takeoff", True, "on to takeoff"),
            ("planning", "arrival", False, "on to arrival"),
            ("arrival", "", True, ""),
            ("arrival", "", False, "back to the flight"),
            ("arrival", "landing", True, "on to landing"),
            ("arrival", "arrival", True, ""),
        ],
        2,
    ),
)
def test_a_question_at_another_moment_of_the_flight_says_so(
    was: Moment, now: Moment | Literal[""], on_flight: bool, said: str
) -> None:
    scene = scene_of(next(trip for trip in read_trips() if "private" in trip.certificates))
    so_far = FlightSoFar(asked=3, told=(), on_flight=on_flight, moment=was)
    told = news_of_flight(scene, so_far, (), None, seed="a", on_flight=True, moment=now).told
    landed = told.startswith(scene.between)
    assert landed == (was == "arrival" and now == "landing")
    told = told.removeprefix(scene.between).strip()
    assert told in [fill_slots(way, scene.slots) for way in STEADY[said]] if said else not told


def test_the_flight_lands_before_what_is_not_about_it() -> None:
    scene, so_far = (
        scene_of(read_trips()[0]),
        FlightSoFar(asked=3, told=(), on_flight=True, moment="en route"),
    )
    news = news_of_flight(scene, so_far, (), None, seed="a", on_flight=False, place=AFTER_THE_FLIGHT)
    left = STEADY["what is left to ask"]
    ways = [f"{fill_slots(way, scene.slots)} {one}" for way in STEADY["after the flight"] for one in left]
    assert news.told in [f"{scene.between} {way}" for way in ways]
    landed = [Asked(text="?", transition=f"{scene.between} You've landed.")]
    again = news_of_flight(scene, so_far, landed, None, seed="a", on_flight=False, place=AFTER_THE_FLIGHT)
    assert again.told in ways
    off = news_of_flight(
        scene, so_far, (), None, seed="a", on_flight=False, stay="called off", place=AFTER_THE_FLIGHT
    )
    assert off.told in [f"{way} {one}" for way in STEADY["after a flight called off"] for one in left]
    between = news_of_flight(scene, so_far, (), None, seed="a", on_flight=False, place=3)
    assert between.told in STEADY["beside the flight"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("question", "closed"),
    [
        ("Suppose the horn stays silent on downwind. What now?", False),
        ("It is hot today. Now imagine that the engine coughs.", False),
        ("The left gear light stays dark. What would you say to Dana?", True),
    ],
)
def test_what_was_only_supposed_is_over_with_the_question_before_the_start(
    demo: Demo, question: str, closed: bool
) -> None:
    exam = opened(new_mock(demo))
    turn = exam.turns.get()
    turn.text, turn.provenance = (
        question,
        {"trip": "a", "moment": "arrival", "ends": "The light works again."},
    )
    turn.givens = []
    turn.save()
    so_far = flight_so_far(exam.pk)
    assert so_far.supposed is not closed
    scene = flight_of(exam)

    def said(moment: Moment, *, stay: Stay = "") -> bool:
        news = news_of_flight(
            scene,
            replace(so_far, moment=moment),
            (),
            None,
            seed="a",
            on_flight=True,
            stay=stay,
            moment=moment,
        )
        return news.told.startswith("The light works again.")

    assert said("preflight") is closed
    assert said("arrival")
    assert said("preflight", stay="called off")
    assert said("preflight", stay="waits")


@pytest.mark.parametrize(
    ("moment", "question"),
    [
        ("taxi", "In the run-up the left magneto drops 200. What now?"),
        ("en route", "Halfway to Kingsbury your transponder quits. Where may you not go?"),
        ("arrival", "You've overshot final. What does that tempt you to do?"),
        ("return", "On the way home tonight a light goes out. What does it mean?"),
    ],
)
def test_a_question_that_says_where_it_is_is_not_led_there(moment: Moment, question: str) -> None:
    before = MOMENTS[MOMENTS.index(moment) - 1]
    scene, so_far = scene_of(read_trips()[0]), FlightSoFar(asked=3, told=(), on_flight=True, moment=before)

    def told(so_far: FlightSoFar) -> str:
        news = news_of_flight(
            scene,
            so_far,
            (),
            None,
            seed="a",
            on_flight=True,
            moment=moment,
            question=question,
        )
        assert news.moved
        return news.told

    assert told(so_far) == ""
    assert told(replace(so_far, on_flight=False))
    far = told(replace(so_far, moment="planning"))
    assert bool(far) is (moment != "taxi")  # what lies between, a takeoff, is not passed over
    assert far.startswith(scene.between if moment == "return" else "")


@pytest.mark.long
def test_what_plays_before_is_not_put_on_the_flight_any_more(demo: Demo) -> None:
    library = library_state(None, demo.student.pk)
    slots = scene_of(read_trips()[0]).slots
    item = next(
        one
        for one in bank_at_hand(library).items
        if one.hangs_on(slots) and one.moment_on(slots) == "preflight"
    )
    briefing = briefing_for_item(
        item.elements[0], item, draw_values(item, "a"), library=library, exam=UUID(int=1)
    )

    def is_on_flight(since: Moment) -> bool:
        found = put_on_flight(briefing, slots, since=since).item
        return found is not None and found.stem == item.on_trip

    assert is_on_flight("planning")
    assert is_on_flight("preflight")
    assert not is_on_flight("taxi")


@pytest.mark.long
def test_the_items_of_a_mock_are_chosen_with_its_plan(demo: Demo) -> None:
    exam = new_mock(demo)
    planned = {one.code: one.item for one in exam.read_scope().plan}
    assert all(planned.values())
    assert len(set(planned.values())) == len(planned)
    opened(exam)
    for number in range(5):
        answer_and_settle(exam, right_answer(exam), f"a{number}")
    turns = Turn.objects.filter(exam=exam, form="opening")
    assert [turn.item for turn in turns] == [planned[turn.element] for turn in turns]


def test_a_field_says_at_which_end_of_the_flight_a_question_plays() -> None:
    slots = {
        "departure": "Marden",
        "destination": "Kingsbury",
        "towered_field": "Marden",
        "untowered_field": "Kingsbury",
    }
    into = replace(ITEM, on_trip="Going into {towered_field}?", moment="arrival")
    assert into.moment_on(slots) == "landing"
    assert into.moment_on({**slots, "towered_field": "Kingsbury"}) == "arrival"
    out_of = replace(ITEM, on_trip="You climb out of {untowered_field}.", moment="takeoff")
    assert out_of.moment_on(slots) == "departing"
    both = replace(ITEM, on_trip="From {untowered_field} to {destination}?", moment="taxi")
    assert both.moment_on(slots) == "taxi"


@pytest.mark.parametrize("stay", ["", "waits", "called off"])
def test_what_would_stop_the_flight_is_closed_before_the_next_question(stay: Stay) -> None:
    scene = scene_of(read_trips()[0])
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, ends="Say the fog lifts.")
    news = news_of_flight(scene, so_far, (), None, seed="a", on_flight=True, stay=stay)
    assert news.told == "Say the fog lifts."


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Say you're on downwind. What now?", "Okay, the fog has lifted."),
        ("What's the ceiling now?", "Let's say the fog has lifted."),
    ],
)
def test_nothing_is_supposed_twice_in_a_row(question: str, told: str) -> None:
    scene = scene_of(read_trips()[0])
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, ends="Let's say the fog has lifted.")
    news = news_of_flight(scene, so_far, (), None, seed="a", on_flight=True, question=question)
    assert news.told == told


def test_a_flight_that_was_called_off_at_its_end_is_not_said_to_go_on() -> None:
    scene = scene_of(read_trips()[0])
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, ends="The fog has lifted, and you're going.")
    after = AFTER_THE_FLIGHT
    news = news_of_flight(scene, so_far, (), None, seed="a", on_flight=False, stay="called off", place=after)
    assert "going" not in news.told
    assert news.told.startswith(tuple(STEADY["after a flight called off"]))


@pytest.mark.long
def test_a_flight_that_was_talked_about_until_the_end_comes_home(demo: Demo) -> None:
    exam = opened(new_mock(demo))
    turn = exam.turns.get()
    turn.provenance = {"trip": "a", "moment": "return"}
    turn.save()
    home = {fill_slots(words, flight_of(exam).slots) for words in STEADY["after the flight"]}
    assert any(farewell(exam, "pass").startswith(words) for words in home)
    assert (
        farewell(exam, "pass", ended_early=True)
        == farewell(exam_of(demo.student), "pass")
        == f"{FAREWELL['pass']} {THANKS}"
    )
    turn.provenance = {}
    turn.save()
    assert farewell(exam, "fail") == f"{FAREWELL['fail']} {THANKS}"


@pytest.mark.parametrize(
    ("answer", "stay"),
    sample_of(
        [
            ("I'd wait for it to get better.", "waits"),
            ("We'd get a mechanic to look at it first.", "waits"),
            ("I'd delay the departure until the fog is gone.", "waits"),
            ("I don't go.", "called off"),
            ("I'd stay 500 feet below the clouds.", ""),
            ("I will stay clear of the clouds and go.", ""),
            ("I'd drive to the airport, do my preflight, and go.", ""),
            ("I'd hold off on the flaps and delay my turn.", ""),
            ("The light goes out when the gear is locked.", ""),
            ("I wait for the clearance to read it back.", ""),
        ],
        3,
    ),
)
def test_a_decision_against_going_now_is_heard(demo: Demo, answer: str, stay: Stay) -> None:
    exam = opened(new_mock(demo))
    Answer.objects.create(exam=exam, turn=exam.turns.get(), client_id=str(uuid4()), text=answer)
    assert decision_to_stay(exam) == stay


def test_a_task_is_announced_on_the_ground_once() -> None:
    asked = Asked(text="?", task="PA.I.C")
    assert signpost_to("PA.I.C", []) == signpost_to("CA.I.C", [asked]) == "Now the weather."
    assert signpost_to("PA.I.C", [asked]) == signpost_to("PA.II.A", []) == ""


CROSSES = "You cross a river. What now?"


@pytest.mark.parametrize(
    ("was", "task", "moment", "question", "kind"),
    [
        ("PA.I.G", "PA.I.C", "en route", CROSSES, "later"),
        ("PA.I.G", "PA.I.G", "en route", CROSSES, ""),
        ("PA.I.G", "PA.I.C", "en route", "You're on the way to Marden. What now?", ""),
        (
            "PA.I.G",
            "PA.I.C",
            "en route",
            "Say you're on the way to Marden. What now?",
            "something else on the flight",
        ),
        ("PA.I.G", "PA.I.C", "en route", "How low can you go?", "something else on the flight"),
        ("PA.I.C", "PA.II.A", "planning", "You read a book. Why?", "something else on the flight"),
        ("PA.I.G", "PA.I.C", "planning", "You look at the weather. Why?", "Now the weather."),
    ],
)
def test_a_question_on_another_subject_is_led_to(
    was: str, task: str, moment: Moment, question: str, kind: str
) -> None:
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, moment=moment)
    history = [Asked(text="?", task=was)]
    led = lead_on_flight(so_far, task, history, seed="a", moment=moment, question=question)
    assert led in STEADY.get(kind, [kind])


def test_after_something_supposed_the_talk_comes_back_to_the_flight() -> None:
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, moment="en route", supposed=True)
    history = [Asked(text="?", task="PA.I.G")]
    words = [
        lead_on_flight(so_far, "PA.I.G", history, seed="a", moment="en route", question=one)
        for one in (CROSSES, "Suppose it rains. What now?")
    ]
    assert words[0] in STEADY["back to the flight"]
    assert not words[1]


def test_no_lead_is_said_twice_in_a_row() -> None:
    so_far = FlightSoFar(asked=3, told=(), on_flight=True, moment="en route")
    history: list[Asked] = [Asked(text="?", task="PA.I.G")]
    for number in range(9):
        task = f"PA.I.{'CG'[number % 2]}"
        led = lead_on_flight(so_far, task, history, seed="a", moment="en route", question=CROSSES)
        history.append(Asked(text=CROSSES, task=task, transition=led))
    said = [one.transition for one in history[1:]]
    assert all(one != other for one, other in pairwise(said))
    assert set(said) == set(STEADY["later"])


def test_every_moment_has_its_words() -> None:
    assert all(STEADY[f"on to {moment}"] for moment in MOMENTS[1:])
