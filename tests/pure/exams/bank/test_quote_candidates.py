"""What may be quoted is understood where it stands alone, and stands verbatim in the passage."""

import pytest

from exams.bank.quote_candidates import Candidate, candidates_in
from knowledge.grounding.citations import find_quote
from knowledge.text.tokens import content_words

SICKNESS = """The most common symptom is joint pain, which is known as “the bends.” What to do when altitude-induced \
DCS occurs:

• Put on oxygen mask immediately and switch the regulator to 100 percent oxygen.
• Begin an emergency descent and land as soon as possible. Even if the symptoms disappear during descent, land and \
seek medical evaluation while continuing to breathe oxygen."""
BREEZE = """During the day, land heats faster than water, so the air over the land becomes warmer and less dense. It \
rises and is replaced by

Figure 12-11. Favorable winds near a high pressure system.

cooler, denser air flowing in from over the water. This causes an onshore wind called a sea breeze."""
SIGNALS = "Light signals\n\nSignal | On the surface\nFlashing green | Cleared to taxi"
EQUIPMENT = """Equipment that commonly uses the electrical system for its source of energy includes:

• Landing lights

Figure 7-33. On this master switch, the left half is for the alternator and the right half is for the battery.

• Electric fuel pump
• Stall warning system"""


def ending(text: str, words: str, heading: str = "") -> Candidate:
    """The candidate whose last quote is the shortest that ends with the words."""
    found = [one for one in candidates_in("c", text, heading) if one.quotes[-1].endswith(words)]
    return min(found, key=lambda one: len(one.quotes[-1]))


def test_run_in_heading_belongs_to_the_item_behind_it() -> None:
    found = ending(SICKNESS, "continuing to breathe oxygen.")
    assert found.quotes[-1].startswith("Begin an emergency descent and land as soon as possible.")
    assert found.whole


def test_intensity_is_quoted_with_the_name_of_the_intensity() -> None:
    text = "Intensity is reported as follows:\n2. Moderate- Similar to Light. Changes in attitude occur."
    assert ending(text, "attitude occur.").quotes[-1].startswith("Moderate")


def test_lead_in_is_the_sentence_that_ends_with_the_colon() -> None:
    assert ending(SICKNESS, "100 percent oxygen.").quotes[0] == "What to do when altitude-induced DCS occurs:"


def test_sentence_that_begins_with_a_pronoun_takes_the_sentence_before_along() -> None:
    found = ending(BREEZE, "called a sea breeze.")
    assert "During the day, land heats faster" in " ".join(found.quotes)
    assert found.whole


def test_sentence_that_a_caption_cuts_is_quoted_in_two_pieces() -> None:
    found = ending(BREEZE, "from over the water.")
    assert len(found.quotes) == 2
    assert found.quotes[0].endswith("and is replaced by")
    assert "Figure 12-11" not in found.read


def test_pronoun_of_a_paragraph_is_what_the_heading_above_it_names() -> None:
    text = (
        "Get-there-itis\n\nThis disposition impairs pilot judgment through a fixation on the original goal."
    )
    assert ending(text, "original goal.").quotes[0] == "Get-there-itis"


def test_definition_is_quoted_with_its_term() -> None:
    text = "ABORT\n\nTo terminate a preplanned aircraft maneuver; e.g., an aborted takeoff."
    found = ending(text, "takeoff.", "ABORT")
    assert found.quotes[0] == "ABORT"
    assert "abort" in found.quoted_words


@pytest.mark.parametrize(
    "sentence",
    [
        "This is a service provided by radar facilities.",
        "It is not an authorization for takeoff.",
        "It is used by controllers to name traffic.",
    ],
)
def test_pronoun_of_the_first_sentence_is_what_the_heading_names(sentence: str) -> None:
    found = ending(f"Radar Service\n\n{sentence}", sentence[-12:], "Radar Service")
    assert (found.quotes[0], found.whole) == ("Radar Service", True)


def test_other_headings_are_not_quoted() -> None:
    text = "Radar Service\n\nRadar facilities provide a service."
    assert len(ending(text, "a service.", "Radar Service").quotes) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "It is important to know that the stall speed rises with the load factor.",
        "This section applies to each person who operates a civil aircraft.",
        "Those who fly at night wait for their eyes to adapt.",
        "For those items permitted to be inoperative that person shall place a placard.",
    ],
)
def test_sentence_that_points_to_nothing_before_it_stands_alone(sentence: str) -> None:
    found = ending(f"Weight affects the stall. {sentence}", sentence[-20:])
    assert found.quotes == (sentence,)


def test_list_entry_behind_a_caption_keeps_its_lead_in() -> None:
    found = ending(EQUIPMENT, "Stall warning system")
    assert found.quotes[0].startswith("Equipment that commonly uses the electrical system")
    assert found.whole


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Stall warning system", "warning system"),  # an entry of no list
        ("It causes an onshore wind.", "onshore wind."),  # the sentence before is on another page
        ("least 20 nautical miles since hail may fall outside of the clouds.", "the clouds."),
        ("Consult airport\n\n25 Normal Approach 25 Normal Approach", "Consult airport"),
        ("The minimums are given in the following table:", "table:"),
    ],
)
def test_words_that_begin_or_end_in_the_middle_are_not_whole(text: str, words: str) -> None:
    assert not ending(text, words).whole


def test_label_on_a_line_of_its_own_belongs_to_the_line_below() -> None:
    text = "To prevent these illusions, pilots can:\n\n1.\n\nAnticipate the possibility of visual illusions."
    assert ending(text, "visual illusions.").quotes[0] == "To prevent these illusions, pilots can:"


def test_later_sentence_of_an_item_needs_no_lead_in() -> None:
    text = (
        "No person may:\n(1) Taxi an aircraft at night unless it has lighted position lights. "
        "However, the lights need not be lighted in a hangar."
    )
    assert ending(text, "in a hangar.").quotes == ("However, the lights need not be lighted in a hangar.",)


def test_row_is_quoted_with_the_head_of_its_table() -> None:
    found = ending(SIGNALS, "Cleared to taxi")
    assert found.quotes == ("Signal | On the surface", "Flashing green | Cleared to taxi")


def test_short_form_counts_as_what_it_stands_for() -> None:
    (found,) = candidates_in("c", "The AOA must increase.", "Lift", {"aoa": ("angle of attack",)})
    assert set(content_words("angle of attack")) <= found.quoted_words


@pytest.mark.parametrize("text", [SICKNESS, BREEZE, EQUIPMENT])
def test_every_quote_stands_verbatim_in_the_passage(text: str) -> None:
    for one in candidates_in("c", text, "Heading"):
        assert all(find_quote(text, quote) for quote in one.quotes)


def test_words_that_end_in_a_colon_are_quoted_with_what_follows() -> None:
    text = "The sign denotes:\n\n• An entrance to a runway.\n• An area where an aircraft may not enter."
    found = list(candidates_in("c", text, "Signs"))
    alone = [one for one in found if one.quotes[-1].endswith(":")]
    assert alone
    assert not any(one.whole for one in alone)
    longer = [
        one for one in found if one.quotes[0].startswith("The sign denotes:") and "runway." in one.quotes[-1]
    ]
    assert any(one.whole for one in longer)


CRUISE = """Each person more than 3,000 feet above the surface shall maintain the altitude prescribed below:

(a) When operating below 18,000 feet MSL and—
(1) On a magnetic course of zero degrees through 179 degrees, any odd thousand foot altitude + 500 feet; or
(2) On a magnetic course of 180 degrees through 359 degrees, any even thousand foot altitude + 500 feet.
(b) When operating above 18,000 feet MSL and—
(1) On a clearance, the flight level that is assigned by air traffic control for the route; or"""


@pytest.mark.parametrize("last", ["foot altitude + 500 feet; or", "foot altitude + 500 feet."])
def test_lead_ins_that_follow_one_another_are_one_quote(last: str) -> None:
    lead_in, _ = ending(CRUISE, last).quotes
    assert lead_in.startswith("Each person more than 3,000 feet")
    assert lead_in.endswith("below: (a) When operating below 18,000 feet MSL and—")
    assert find_quote(CRUISE, lead_in)


def test_lead_ins_with_other_words_between_them_are_two_quotes() -> None:
    assert len(ending(CRUISE, "for the route; or").quotes) == 3


def test_rows_that_go_on_from_the_passage_before_have_no_head() -> None:
    found = ending("Steady red | Stop\nFlashing red | Taxi clear\n\n(b) The rest.", "Taxi clear")
    assert found.quotes == ("Flashing red | Taxi clear",)


def test_dots_between_words_stand_for_words_left_out() -> None:
    found = ending(SIGNALS, "Cleared to taxi")
    assert found.says("flashing GREEN … to taxi")
    assert found.says("… green ... taxi")
    assert not found.says("green taxi")
    assert found.says("On the surface")
    assert not found.says("On the surface", last=True)
    assert not found.says("lashing green")
