"""What the library says nearest to the words of a student, by amounts and by words."""

import pytest

from exams.domain.values import Met, Point
from exams.examiner.answer_retrieval import quotes_near
from exams.examiner.supporting_quotes import nearest_quotes, says_something
from knowledge.grounding.context import Passage

CLASS_E = "In Class E airspace VFR flight requires 3 statute miles of flight visibility."
NIGHT = "Fuel for at least 45 minutes is required after the first point of intended landing at night."
LIGHTS = "The anticollision lights are lighted during all types of operations, day and night alike."
PASSAGES = (
    Passage(n=1, chunk_id="a", text=f"{CLASS_E} {LIGHTS}", document="AIM", label="AIM 3-2-6"),
    Passage(n=2, chunk_id="b", text=f"{NIGHT}\n\n| Class G | 1 statute mile |", document="CFR"),
)


def quoted(*said: str, besides: tuple[str, ...] = ()) -> list[tuple[int, str]]:
    found = nearest_quotes(said, PASSAGES, besides=besides, first=4)
    return [(one.n, one.quote) for one in found]


def test_an_amount_that_was_said_leads_to_where_it_holds() -> None:
    assert quoted("You need 3 statute miles of visibility.") == [(4, CLASS_E)]
    assert quoted("Forty-five minutes of fuel.") == [(4, NIGHT)]


def test_so_do_half_of_the_words() -> None:
    assert quoted("Anticollision lights all day and night.") == [(4, LIGHTS)]


@pytest.mark.parametrize(
    ("found", "quoted"),
    [
        (("contradicted", "met"), [CLASS_E]),
        (("missing", "missing"), [CLASS_E]),
        (("half", "missing"), []),
        (("met", "missing"), []),
    ],
)
def test_only_what_is_wrong_is_looked_up(found: tuple[Met, ...], quoted: list[str]) -> None:
    said = "3 statute miles of visibility"
    points = [
        Point(expectation=f"Point {n}.", key=str(n), met=met, said=said if met != "missing" else "")
        for n, met in enumerate(found)
    ]
    assert [one.quote for one in quotes_near(PASSAGES, said, points, [])] == quoted


def test_two_words_are_not_near() -> None:
    assert quoted("The anticollision lights, I don't know.") == []


@pytest.mark.parametrize("said", ["Ten gallons of oil.", "I would call my mechanic.", "", "3 SM"])
def test_what_stands_nowhere_leads_nowhere(said: str) -> None:
    assert quoted(said) in ([], [(4, CLASS_E)])
    assert quoted("Ten gallons of oil.") == []


def test_what_is_shown_anyway_is_not_shown_again() -> None:
    assert quoted("3 statute miles of visibility", besides=(f"(a) {CLASS_E}",)) == []
    assert quoted("3 statute miles of visibility", "flight visibility 3 statute miles") == [(4, CLASS_E)]


def test_a_verdict_has_two_of_them_at_most() -> None:
    said = ("3 statute miles of visibility", "45 minutes of fuel", "anticollision lights day and night")
    assert [n for n, _ in quoted(*said)] == [4, 5]


@pytest.mark.parametrize(
    ("sentence", "alone"),
    [
        ("See-and-avoid asks every pilot for 3 statute miles of visibility.", True),
        ("See 14 CFR 91.155, where 3 statute miles of flight visibility are listed.", False),
        ("NOTE:Pilots need 3 statute miles of flight visibility in this airspace.", False),
        ("Figure 3-4 shows the 3 statute miles of visibility of Class E.", False),
    ],
)
def test_only_a_sentence_that_points_nowhere_else_is_quoted(sentence: str, alone: bool) -> None:
    passages = [Passage(n=1, chunk_id="a", text=sentence, document="AIM")]
    found = nearest_quotes(["3 statute miles of visibility"], passages, besides=(), first=1)
    assert [one.quote for one in found] == [sentence] * alone


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("I do not know.", False),
        ("", False),
        ("???", False),
        ("3 SM", True),
        ("It depends on the weather minimums.", True),
    ],
)
def test_what_says_nothing_is_not_looked_up(answer: str, says: bool) -> None:
    assert says_something(answer) is says
