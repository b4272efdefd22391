"""A rule's subject, verb, conditions and exceptions are read from its own clauses."""

import sys

import pytest

from knowledge.text.clauses import clauses_in, without_opening_clauses
from tests.sampling import sample_of


@pytest.mark.parametrize(
    ("sentence", "subject"),
    [
        ("Except in an emergency, no pilot may land.", "no pilot"),
        ("When told to hold, the pilot MUST STOP there.", "the pilot"),
        (
            "Any person who, before May 17, 1967, has flown must log it.",
            "Any person who, before May 17, 1967, has flown",
        ),
        ("To be eligible for a permit a person must be 18.", "a person"),
        (
            "Unless told, a person whose pilot, guide, or club card is lost may not fly.",
            "a person whose pilot, guide, or club card is lost",
        ),
        ("The pilot, when a clearance is received, shall descend.", "The pilot"),
        (
            "If you hold a card, and you are under 40, then your card expires, for that flight, in May.",
            "your card",
        ),
        ("A guest who holds a card is allowed to use notes that are kept here.", "A guest who holds a card"),
        (
            "A guest who applies for a card or applies for a badge, must sign.",
            "A guest who applies for a card or applies for a badge",
        ),
        ("Prior to each flight, the pilot must sign.", "the pilot"),
        ("In short, nothing.", ""),
        ("Immediately after landing, a pilot should call.", "a pilot"),
        ("The guide, upon closing the shed, shall call.", "The guide"),
        ("If you hold a badge and a card you must sign.", "you"),
        (
            "After May 3, 1998, at least 75 percent of the gliders must be new.",
            "at least 75 percent of the gliders",
        ),
        ("Due to heat, the winch must rest.", "the winch"),
        ("Instead of a badge, the guide may show a letter that the board has signed.", "the guide"),
        (
            "Notwithstanding § 7.1, a crewmember who is due for a test under § 7.2, § 7.3, or § 7.4 may wait.",
            "a crewmember who is due for a test under § 7.2, § 7.3, or § 7.4",
        ),
        ("The rounds flown in that glider are limited to two.", "The rounds flown in that glider"),
        (
            "A card entitles a guest to any seat (for example, a member may but a child may not).",
            "",
        ),
    ],
)
def test_subject_stands_before_the_verb_of_the_main_clause(sentence: str, subject: str) -> None:
    assert clauses_in(sentence).subject == subject


@pytest.mark.parametrize(
    ("sentence", "modality"),
    [
        ("No club or guide may fly gliders that must be inspected.", "may_not"),
        ("A guide may use notes that are required by the club.", "may"),
        ("A card is not required when flying.", "not_required"),
        ("Flight below the bridge is prohibited.", "may_not"),
        ("A pilot should not turn.", "may_not"),
        ("A pilot should turn if he may.", "should"),
        ("A member who may fly needs to sign.", "must"),
        ("Standards for a badge are no illness and no debts.", "must"),
        ("A visit consists of a minimum of 1 hour.", "must"),
        ("§ 7.1(a) does not apply to a club that must be closed.", "not_required"),
    ],
)
def test_modality_is_that_of_the_main_clause(sentence: str, modality: str) -> None:
    assert clauses_in(sentence).modality == modality


def test_exceptions_end_where_they_end() -> None:
    said = "A pilot (other than a guest) may, except in fog, rain, or snow, fly if a lamp is lit and the door is shut."
    found = clauses_in(said)
    assert found.exceptions == ("other than a guest", "except in fog, rain, or snow")
    assert found.conditions == ("if a lamp is lit and the door is shut",)
    high = clauses_in("No guest may fly there, excluding the valley below 2,500 feet, unless a lamp is lit.")
    assert high.exceptions == ("excluding the valley below 2,500 feet",)
    opened = clauses_in("After May 3, 1998, and unless otherwise authorized by the club, no guest may fly.")
    assert opened.conditions == ("After May 3, 1998",)
    assert opened.exceptions == ("unless otherwise authorized by the club",)
    within = clauses_in("For a card, other than for a badge, a guest must sign.")
    assert within.exceptions == ("other than for a badge",)
    inside = clauses_in(
        "If you hold a card (for clubs other than the first), a badge, or a note, you may fly."
    )
    assert inside.exceptions == ("other than the first",)
    listed = clauses_in("A guide must keep, except for notes of each wing, lamp, rope, and door, all papers.")
    assert listed.exceptions == ("except for notes of each wing, lamp, rope, and door",)
    cited = clauses_in("A guest shall, except for §§7.1(a), 7.2(b), and 7.3, comply with the notes.")
    assert cited.exceptions == ("except for §§7.1(a), 7.2(b), and 7.3",)
    named = clauses_in("No one other than the holder of a card, issued by the club, with a seal may sign.")
    assert named.exceptions == ("other than the holder of a card, issued by the club, with a seal",)
    joined = clauses_in(
        "No guest may fly except by day; for training, including tests; or on a test of a rope."
    )
    assert joined.exceptions == ("except by day; for training, including tests; or on a test of a rope",)
    ended = clauses_in("No guest may fly except by day; and each guest must sign.")
    assert ended.exceptions == ("except by day",)
    dated = clauses_in("No plane (other than one built after September 30, 1958) may fly.")
    assert dated.exceptions == ("other than one built after September 30, 1958",)


def test_an_exception_inside_a_condition_does_not_cut_it() -> None:
    found = clauses_in(
        "No pilot may fly unless he has, except as provided in § 7.1(g), made and logged three landings."
    )
    assert found.conditions == (
        "unless he has, except as provided in § 7.1(g), made and logged three landings",
    )
    assert found.exceptions == ("except as provided in § 7.1(g)",)


def test_opening_clauses_are_conditions() -> None:
    found = clauses_in(
        "In Class G airspace, 1,200 feet or less above the surface, at night, flight requires a lamp."
    )
    assert found.opening.startswith("In Class G airspace, 1,200 feet")
    assert found.conditions == ("In Class G airspace, 1,200 feet or less above the surface", "at night")
    assert without_opening_clauses("As a guest you must sign.") == "you must sign."


@pytest.mark.parametrize(
    ("sentence", "conditions"),
    [
        ("A pilot must, before beginning a flight, read the notes.", ["before beginning a flight"]),
        ("A pilot may fly it as provided in § 7.1, in a club provided for guests.", []),
        ("A pilot may fly it provided the club is open.", ["provided the club is open"]),
        ("A member must sign each time the glider is moved.", ["each time the glider is moved"]),
        ("Members may replace a wheel where no tool is needed.", ["where no tool is needed"]),
        ("A guide must know gliders, if they are flown, that guests use.", ["if they are flown"]),
        ("A guest must leave if the card is lost, sold or old.", ["if the card is lost, sold or old"]),
        (
            "Each guest must call before entering the field and thereafter listen.",
            ["before entering the field"],
        ),
        ("Regardless of whether it rains, a lamp must be lit.", []),
        ("In accordance with § 7.3, a lamp must be lit.", []),
        (
            "In accordance with a letter of the board, a guest may fly.",
            ["In accordance with a letter of the board"],
        ),
        ("Since guests read slowly, a guide must wait.", []),
        ("A card must define when a guest may fly.", []),
        ("A guest must have a card, if required by the club, in the glider.", ["if required by the club"]),
        ("A guest may take a badge in lieu of a card.", []),
        (
            "A guest must learn the following: if a lamp is fitted, the use of lamps.",
            ["if a lamp is fitted"],
        ),
        ("A guide must use the lamp, including a lens if installed, and shall call.", ["if installed"]),
        ("A guide must look to determine if the door is shut.", []),
        ("No guest may leave even when the door is open.", []),
        ("The guide, upon closing the shed, shall call.", ["upon closing the shed"]),
        ("A card must be shown upon request.", ["upon request"]),
        ("A fee must be agreed upon.", []),
        ("A card must be shown, which must be given upon request, and shall be red.", ["upon request"]),
        ("A card may not, after May 3, 1998, be used.", ["after May 3, 1998"]),
        ("A guide must, at a minimum, carry a lamp.", []),
        (
            "A guide must, after May 3, 1998, for a flight over the sea, carry a lamp.",
            ["after May 3, 1998", "for a flight over the sea"],
        ),
        (
            "You are allowed, within the limits of the card, to fly.",
            ["within the limits of the card"],
        ),
        (
            "A guest may pay less by flying, for a glider badge, up to 7 hours alone.",
            ["for a glider badge"],
        ),
        ("A note must say: “I will not fly unless I am told.”", []),
        ("A guest may fly only if the flight: ends on the field.", ["only if the flight: ends on the field"]),
        ("A list must be used when flying the glider: its brakes.", ["when flying the glider"]),
        (
            "No guest may serve when a guide is required unless he has a badge.",
            ["when a guide is required", "unless he has a badge"],
        ),
        ("A note must show the following: in the case of gliders, one load.", ["in the case of gliders"]),
        ("A guest may fly only after the guide has signed.", ["only after the guide has signed"]),
        (
            "A lamp must stand so that damage in the event of a crash is small.",
            ["in the event of a crash"],
        ),
        (
            "A guide must, for training in a glider, balloon, or airship, carry a lamp.",
            ["for training in a glider, balloon, or airship"],
        ),
        ("A note must show the following: for any glider, the load.", ["for any glider"]),
        ("A note must show the following: for each glider: the load.", ["for each glider"]),
        ("A guide shall when over the sea, carry a vest.", ["when over the sea"]),
        (
            "A guide must hold a card if the club has one only if the guest asks.",
            ["if the club has one", "only if the guest asks"],
        ),
        (
            "A guest may fly if a lamp is lit; however, the lamp must be red.",
            ["if a lamp is lit"],
        ),
        ("A guest may sit there if a guide is asleep, but may not steer.", ["if a guide is asleep"]),
        (
            "The note must include winds, fields that are near if the flight ends early, and the load.",
            ["if the flight ends early"],
        ),
        (
            "A lamp must be set, when flying below the hill, to red.",
            ["when flying below the hill"],
        ),
        (
            "A guide must keep a height allowing, if an engine fails, a landing on the field.",
            ["if an engine fails"],
        ),
        (
            "A guest may fly by day (or in Alaska, when the sun is low) if a lamp is lit.",
            ["in Alaska, when the sun is low", "if a lamp is lit"],
        ),
        (
            "A guest may pass within 7 months for those guests who hold a card, provided the card is new.",
            ["for those guests who hold a card", "provided the card is new"],
        ),
        (
            "A guest must be 14 for the operation of a balloon if a guide is there.",
            ["for the operation of a balloon", "if a guide is there"],
        ),
        ("The club must provide for the operation of a winch.", []),
        (
            "A guest may use 5 hours toward the requirements of § 7.1 for a glider rating.",
            ["for a glider rating"],
        ),
        (
            "A guide must log the following: reports, and judging heights while in flight.",
            [],
        ),
        ("A guide must know the following: how to turn back if the rope breaks.", []),
        ("A guide must know the following: the speed of the winch if it has brakes.", ["if it has brakes"]),
        (
            "A lamp must be set to, in the case of a glider, the height of the field.",
            ["in the case of a glider"],
        ),
        (
            "A guide must pass on the areas in, for a glider badge §§ 7.2 and 7.3.",
            ["for a glider badge"],
        ),
        (
            "No guest may fly a glider with a lamp, after March 9, 2005, unless the lamp is red.",
            [
                "after March 9, 2005",
                "unless the lamp is red",
            ],
        ),
        (
            "A guest may fly unless the glider has, after March 9, 2005, a lamp.",
            ["unless the glider has, after March 9, 2005, a lamp"],
        ),
        (
            "No guest may fly below the following heights: over any town, camp, or field, a height of 7 feet.",
            ["over any town, camp, or field"],
        ),
        (
            "A manual must have a plan, when required by the club, that includes the following: winds.",
            ["when required by the club"],
        ),
        (
            "A note must state the address and, if different, the place where the card is kept.",
            ["if different"],
        ),
        (
            "A pilot shall do the following: in the absence of a route, by the road that the club names, fly on.",
            ["in the absence of a route"],
        ),
        (
            "No guest may, during the hours of dark (or, in Alaska, during the months of dark), move a glider.",
            ["during the hours of dark (or, in Alaska, during the months of dark)"],
        ),
        (
            "No guest may smoke while a lamp is lit nor may a guest smoke in the shed.",
            ["while a lamp is lit"],
        ),
    ],
)
def test_conditions_are_clauses_and_end_where_they_end(sentence: str, conditions: list[str]) -> None:
    found = clauses_in(sentence)
    assert list(found.conditions) == conditions
    assert found.exceptions == ()


def test_an_exception_that_has_a_condition_goes_on_to_its_rule() -> None:
    found = clauses_in(
        "A climb must begin there, except that when a hill intervenes, the hill must be crossed high."
    )
    assert found.exceptions == ("except that when a hill intervenes, the hill must be crossed high",)
    assert found.conditions == ()
    behind_a_plain_verb = clauses_in("A climb has the right of way, except that it shall not cut in.")
    assert behind_a_plain_verb.exceptions == ("except that it shall not cut in",)
    listed = clauses_in("A guest may not leave, except that a guest may go to Juneau, Alaska, and to Haines.")
    assert listed.exceptions == ("except that a guest may go to Juneau, Alaska, and to Haines",)


def work_of(sentence: str) -> int:
    """Calls of functions until the clauses are read, those of `re` and `str` included: no measure of time."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    profiler = sys.getprofile()
    sys.setprofile(count)
    try:
        clauses_in(sentence)
    finally:
        sys.setprofile(profiler)
    return calls


REPEATED = (
    *("pilot, ", "pilot and ", "pilot, and ", "a or ", "that is ", "who ", "must ", "is a, ", "(", "“", "x"),
    *("if a, ", " unless a pilot", "except a, ", "May ", ", before a", " when told, ", "a person who, "),
    *("a: if b, ", " following: if a,", ", including a", "flying, for a, ", ": for a ", "a. B. "),
)


@pytest.mark.parametrize("words", sample_of(REPEATED, 4))
@pytest.mark.parametrize(
    "opening", ["", "If a, ", "A pilot must ", "Except as provided, ", "No person may, except a "]
)
def test_time_for_hostile_text_has_a_limit(opening: str, words: str) -> None:
    made = [opening + words * (length // len(words)) + " a pilot must land" for length in (5_000, 40_000)]
    once, longer = (work_of(text) for text in made)
    assert once < 150_000  # with a square of the length, some take millions
    assert longer < 2 * once + 2_000


def test_what_stands_far_behind_belongs_to_the_rest() -> None:
    sentence = "If a bell rings, a pilot must land" + ", or call the guide" * 1_000 + "."
    read = clauses_in(sentence)
    assert (read.subject, read.modality, read.conditions) == ("a pilot", "must", ("If a bell rings",))
    assert sentence.endswith(read.rest)
