"""Which item is asked: one not met, then the scene that goes on, then the level; always the same for the same exam."""

from collections import Counter
from typing import Any

import pytest

from exams.bank.selection import ItemInForce, PointInForce, choose_item, draw_values
from exams.domain.sampling import LAST, asks_again
from exams.domain.scenes.scene import place_on_flight


def point(key: str = "p", must: bool = True, text: str = "A fact.", **when: tuple[int, ...]) -> PointInForce:
    return PointInForce(
        key=key,
        concept="c",
        version=1,
        text=text,
        role="rule",
        must=must,
        p0=False,
        accept=(),
        ask="?",
        hint=".",
        when=when,
    )


def item(key: str, level: str = "apply", after: str = "", **changes: object) -> ItemInForce:
    values: dict[str, object] = {
        "key": key,
        "version": 1,
        "task": "PA.I.A",
        "elements": ("PA.I.A.K1",),
        "level": level,
        "stem": "?",
        "again": "?",
        "why": ".",
        "slots": {},
        "cases": (),
        "points": (point(),),
        "after": after,
    }
    return ItemInForce(**(values | changes))  # type: ignore[arg-type]


def chosen(
    *items: ItemInForce, met: dict[str, int] | None = None, asked: tuple[str, ...] = (), **how: Any
) -> str:
    options: dict[str, Any] = {"seed": "s", "difficulty": "standard"} | how
    found = choose_item(items, met=met or {}, asked=asked, **options)
    assert found is not None
    return found.key


def test_item_that_was_not_met_comes_first_then_the_one_met_longest_ago() -> None:
    assert chosen(item("a"), item("b"), met={"a": 7}) == "b"
    assert chosen(item("a"), item("b"), met={"a": 7, "b": 9}) == "a"


def test_an_item_of_some_classes_is_for_no_other_and_one_without_classes_is_for_all() -> None:
    twin, any_class = item("a", classes=("AMEL", "AMES")), item("b")
    assert [twin.is_for(name) for name in ("AMEL", "AMES", "ASEL", "")] == [True, True, False, True]
    assert any_class.is_for("ASES")


def test_scene_goes_on_where_it_can() -> None:
    items = (item("a"), item("b", after="x"), item("c", after="y"))
    assert chosen(*items, asked=("x",)) == "b"


def test_second_question_of_a_scene_does_not_open_it() -> None:
    assert chosen(item("b", after="a"), item("a")) == "a"


def test_difficulty_chooses_the_level_of_the_question() -> None:
    items = (item("r", "recall"), item("a", "apply"), item("c", "correlate"))
    assert [chosen(*items, difficulty=one) for one in ("recall", "standard", "hard")] == ["r", "a", "c"]


def test_same_exam_draws_the_same_and_exams_differ() -> None:
    items = tuple(item(name) for name in "abcd")
    drawn = Counter(chosen(*items, seed=str(seed)) for seed in range(60))
    assert len(drawn) == 4
    assert chosen(*items, seed="7") == chosen(*items, seed="7")


def test_item_asked_in_this_exam_is_not_asked_again_while_there_are_others() -> None:
    assert chosen(item("a"), item("b"), asked=("a",)) == "b"
    assert chosen(item("a"), asked=("a",)) == "a"


VMC = "Below VMC the rudder cannot hold the heading on one engine."


def test_item_that_asks_for_what_was_asked_comes_after_one_that_does_not() -> None:
    same = item("a", points=(point(text=VMC), point(text="The red line marks it.")), on_trip="{destination}?")
    other = item("b", points=(point(text="Feather the propeller."), point(text=VMC, must=False)))
    asked = item("c", points=(point(text="The rudder can't hold a heading below VMC on one engine."),)).musts
    assert chosen(same, other, met={"b": 7}, musts_asked=asked) == "b"
    assert chosen(same, other, trip={"destination": "Marden"}, musts_asked=asked) == "b"
    assert chosen(same, other, met={"b": 7}) == "a"
    assert chosen(same, musts_asked=asked) == "a"


def test_another_figure_or_time_of_day_is_another_must() -> None:
    low, high = (
        point(text=f"Below {feet} feet VFR takes so many miles of visibility.") for feet in (1_200, 10_000)
    )
    assert not asks_again(item("a", points=(low,)).musts, item("b", points=(high,)).musts)
    day, night = (
        point(text=f"By {time} a VFR flight takes a reserve of fuel for half an hour.")
        for time in ("day", "night")
    )
    assert not asks_again(item("a", points=(day,)).musts, item("b", points=(night,)).musts)
    assert asks_again(item("a", points=(low,)).musts, item("b", points=(low,)).musts)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (
            "Stop, think, slow down, and prioritize when there is work overload.",
            "A pilot with too much work needs to stop, think, slow down, and prioritize.",
            True,
        ),
        (
            "If the angle of attack becomes excessive at any time during a turn, the airplane stalls.",
            "An airplane stays in a stalled condition unless the angle of attack is decreased.",
            False,
        ),
    ],
)
def test_the_same_must_in_other_words_is_known_again(one: str, other: str, same: bool) -> None:
    musts = [item("a", points=(point(text=text),)).musts for text in (one, other)]
    assert asks_again(*musts) is same


def test_item_nearest_to_the_planned_place_comes_first() -> None:
    early, late, final, never = (
        item(name, on_trip="{destination}?", moment=at, stage=stage)
        for name, at, stage in (("a", "planning", 5), ("b", "arrival", 2), ("d", "arrival", 7), ("c", "", 5))
    )
    trip = {"destination": "Marden"}
    assert chosen(early, late, trip=trip, place=place_on_flight("stopover", 5)) == "b"
    assert chosen(early, late, trip=trip, place=place_on_flight("preflight", 5), met={"a": 7}) == "a"
    assert chosen(late, final, trip=trip, place=place_on_flight("arrival", 6)) == "d"
    assert chosen(late, never, trip=trip, place=place_on_flight("preflight", 5)) == "c"


def test_item_of_a_topic_that_was_asked_about_comes_after_the_others() -> None:
    gear, door = item("a", topic="failure-gear"), item("b", topic="failure-door")
    assert chosen(gear, door, met={"b": 7}, topics_asked=["failure-gear"]) == "b"
    assert chosen(gear, door, met={"b": 7}, topics_asked=[""]) == "a"
    assert chosen(gear, topics_asked=["failure-gear"]) == "a"
    aside = item("c", topic="tfr")
    on_trip = item("d", topic="moa", on_trip="{destination}?")
    assert chosen(aside, on_trip, trip={"destination": "Marden"}) == "d"
    assert chosen(aside, on_trip, trip={"destination": "Marden"}, topics_asked=["moa"]) == "c"


def test_values_come_from_the_items_own_tables_and_cases_stay_together() -> None:
    one = item("a", slots={"days": (40, 95)}, cases=({"age": 39, "months": 60}, {"age": 41, "months": 24}))
    drawn = [draw_values(one, str(seed)) for seed in range(40)]
    assert {found["days"] for found in drawn} == {40, 95}
    assert {(found["age"], found["months"]) for found in drawn} == {(39, 60), (41, 24)}


def test_right_answer_follows_from_the_givens() -> None:
    one = item(
        "a",
        points=(
            point("late", days=(95,)),
            point("early", days=(40,)),
            point("should", must=False),
            point("always"),
        ),
    )
    assert [found.key for found in one.expected_with({"days": 95})] == ["late", "always", "should"]


def test_item_that_hangs_on_the_trip_comes_first_even_if_it_was_met() -> None:
    items = (item("a"), item("b", on_trip="You go to {destination}. Why?"))
    assert chosen(*items, met={"b": 7}) == "a"
    assert chosen(*items, met={"b": 7}, trip={"destination": "Marden"}) == "b"


@pytest.mark.parametrize(
    ("on_trip", "fit"),
    [
        ("You go to {destination} across {ridge}. Why?", 1),
        ("You go to {destination}. Why?", 2),
        ("Say you go to {destination} across {ridge}. Why?", 3),
        ("You go to {destination}. Suppose it rains. Why?", 3),
        ("On the way to {destination}, let's say, it rains. Why?", 3),
        ("If it rains in {destination}, why?", 3),
        ("You're told to say when you see {destination}. Why?", 2),
        ("You cross {water} to {destination}. Why?", LAST),
        ("", LAST),
    ],
)
def test_item_that_has_to_suppose_something_fits_a_trip_less(on_trip: str, fit: int) -> None:
    assert item("a", on_trip=on_trip).fit_on({"destination": "Marden", "ridge": "the ridge"}) == fit


def test_of_two_that_hang_on_the_trip_the_better_fit_is_asked_unless_it_was_met() -> None:
    items = (
        item("a", on_trip="Say you go to {destination}. Why?"),
        item("b", on_trip="You go to {destination}. Why?"),
    )
    trip = {"destination": "Marden"}
    assert {chosen(*items, trip=trip, seed=str(number)) for number in range(9)} == {"b"}
    assert chosen(*items, trip=trip, met={"b": 7}) == "a"


def test_stem_hangs_on_a_trip_that_fills_all_but_its_own_slots() -> None:
    one = item("a", on_trip="{days} days, {ridge}, {fuses}?", slots={"days": (4,)}, cases=({"fuses": "no"},))
    assert one.hangs_on({"ridge": "the ridge", "destination": "Marden"})
    assert not one.hangs_on({"destination": "Marden"})
    assert not item("b").hangs_on({"destination": "Marden"})


def test_nothing_is_chosen_from_nothing() -> None:
    assert choose_item((), met={}, asked=(), seed="s", difficulty="hard") is None
