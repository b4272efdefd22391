"""What the extractor that needs no model makes of rules, and what it refuses."""

import pytest

from curation.extraction import extract_from
from curation.offline.extractor import extract_drafts
from curation.values import Material
from knowledge.grounding.citations import find_quote
from llm.offline import OfflineChatModel


def claims(text: str) -> list[str]:
    material = Material(text=text, section="7.12", heading="Club flying", doc_type="cfr")
    return [claim.statement for claim in extract_drafts(material).claims]


def reasons(text: str) -> list[str]:
    return [
        item.reason for item in extract_drafts(Material(text=text, section="7.12", doc_type="cfr")).refused
    ]


LONG = (
    "that the board has signed and sealed in the presence of the guide and of the oldest member of the club "
    * 3
)
LONG = LONG.strip()
WHOLE = [
    ("Each member must log a flight within 2 days.", ["Each member must log a flight within 2 days."]),
    (
        "(a) No member may taxi an airplane unless—\n(1) The brakes work; and\n(2) The marshaller waves.",
        [
            "No member may taxi an airplane unless the brakes work.",
            "No member may taxi an airplane unless the marshaller waves.",
        ],
    ),
    (
        "(a) No member may fly a glider unless the member has—\n(1) A badge; or\n(2) A letter of the board.",
        ["No member may fly a glider unless the member has a badge; or a letter of the board."],
    ),
    (
        "(a) No person may tow a glider unless the tank holds fuel, assuming calm air—\n"
        "(1) By day, for 20 minutes; or\n(2) At night, for 40 minutes.",
        [
            (
                "No person may tow a glider unless the tank holds fuel, assuming calm air by day, "
                "for 20 minutes."
            ),
            (
                "No person may tow a glider unless the tank holds fuel, assuming calm air, at night, "
                "for 40 minutes."
            ),
        ],
    ),
    (
        "(a) A member may fly at night if—\n(1) The lights work; and\n(2) The member is current.",
        ["A member may fly at night if the lights work; and the member is current."],
    ),
    (
        "(a) Each pilot must—\n(1) Circle to the left; or\n(2) Stay away from the pattern.",
        ["Each pilot must circle to the left; or stay away from the pattern."],
    ),
    (
        "(a) No person may operate a winch except in compliance with the following rules:\n"
        "(1) The operator must wear gloves at all times.",
        ["When operating a winch, the operator must wear gloves at all times."],
    ),
    (
        "(a) Unless told otherwise, no person may operate a winch in rain, except a winch of the club, at any field"
        " unless the following are met:\n(1) The operator must wear gloves.",
        [
            "Unless told otherwise, when operating a winch in rain, except a winch of the club, at any field, the"
            " operator must wear gloves."
        ],
    ),
    (
        "(a) Except as provided in paragraph (b) of this section, if a winch is used, the following apply:\n"
        "(1) The guide must wear gloves.",
        [
            "Under § 7.12 (club flying), except as provided in § 7.12(b), if a winch is used, the guide must wear"
            " gloves."
        ],
    ),
    (
        "(a) Notwithstanding paragraph (b) of this section, the following apply:\n(1) The guide must wear gloves at all"
        " times.",
        ["Under § 7.12 (club flying), the guide must wear gloves at all times."],
    ),
    (
        "(a) If agreed, guests get a card if the following apply:\n(1) If a guest is ill, the Administrator may call.",
        [],
    ),
    (
        "(a) To get a card, the following apply:\n(1) The guest must sign the book.\n(2) In order to get a card, the"
        " guest must pay.",
        [
            "Under § 7.12 (club flying), to get a card, the guest must sign the book.",
            "Under § 7.12 (club flying), in order to get a card, the guest must pay.",
        ],
    ),
    (
        "(a) No person may operate a winch unless—\n(1) During tows in rain, the guide must hold a lamp; and",
        ["When operating a winch, during tows in rain, the guide must hold a lamp."],
    ),
    (
        "(a) No member may fly unless that member carries when flying alone—\n(1) A badge; or\n(2) A letter.",
        ["No member may fly unless that member carries when flying alone a badge; or a letter."],
    ),
    (
        "(a) No member may fly a glider unless the member—\n(1) Has a badge; or\n(2) In the case of a foreign"
        " glider, has a letter.",
        [
            "No member may fly a glider unless the member has a badge; or in the case of a foreign glider, has a"
            " letter."
        ],
    ),
    (
        "(a) A member may log a tow only for the time the member holds—\n(1) A rope; or\n(2) A hook.",
        ["A member may log a tow only for the time the member holds a rope; or a hook."],
    ),
    (
        "(a) A guest may apply for a card by showing the following:\n(1) A badge; and\n(2) A letter.",
        ["A guest may apply for a card by showing the following: a badge; and a letter."],
    ),
    (
        f"(a) A guest may apply for a card by showing the following:\n(1) A badge {LONG}; and\n(2) A letter {LONG}.",
        [
            f"A guest may apply for a card only by showing the following: a {paper} {LONG}."
            for paper in ("badge", "letter")
        ],
    ),
    (
        f"(a) No member may fly unless that member holds—\n(1) A badge {LONG}; or\n(2) A letter {LONG}.",
        [
            f"No member may fly unless that member holds a {paper} {LONG}, or as § 7.12(a) otherwise provides."
            for paper in ("badge", "letter")
        ],
    ),
    (
        "(a) A note must state any word regarding the—\n(1) Grade of the card.",
        ["A note must state any word regarding the grade of the card."],
    ),
    (
        "(a) Except as provided in paragraph (b) of this section, a guest—\n(1) Must sign; and",
        ["Except as provided in § 7.12(b), a guest must sign."],
    ),
    (
        "(a) Lamp Rules—\n(1) For gliders flown in rain—\n(i) The lamp must be red.\n(2) No guest may keep a rope"
        " except—\n(i) In a box, or in a bag.",
        [
            "For gliders flown in rain, the lamp must be red.",
            "No guest may keep a rope except in a box, or in a bag.",
        ],
    ),
    (
        "(a) Lamp and Rope Rules—\n(1) Gliders flown in rain, but not in snow, must have lamps.",
        ["Under § 7.12 (club flying), gliders flown in rain, but not in snow, must have lamps."],
    ),
    (
        "(a) No member may tow a glider unless that member—\n(1) Has a badge; and\n(2) Within 2 months has—\n"
        "(i) Made three tows; or\n(ii) Flown with a guide.",
        [
            "No member may tow a glider unless that member has a badge.",
            "No member may tow a glider unless that member within 2 months has made three tows; or flown with a"
            " guide.",
        ],
    ),
    (
        "(a) Updates meeting the rules of this paragraph may be made by pilots provided:\n(1) The update is:\n"
        "(i) Begun on the ground; and\n(ii) Free of charge; and\n(2) The power is on.",
        [
            f"Updates meeting the rules of § 7.12(a) may be made by pilots only if {told}."
            for told in (
                "the update is begun on the ground",
                "the update is free of charge",
                "the power is on",
            )
        ],
    ),
    (
        "(a) A member may fly at night if—\n(1) The lamp is—\n(i) Red; or\n(ii) Green; and\n(2) A guide is on board.",
        [
            "A member may fly at night only if the lamp is red; or green.",
            "A member may fly at night only if a guide is on board.",
        ],
    ),
    (
        "(a) A member must hold a badge for each of the following:\n(1) A glider with—\n(i) Skis; or\n(ii) Floats.",
        [
            "A member must hold a badge for each of the following: a glider with skis.",
            "A member must hold a badge for each of the following: a glider with floats.",
        ],
    ),
    (
        "(a) The fee of a member shall be raised by the total of the following:\n(1) The fuel used; and\n"
        "(2) The tows made.",
        [
            "The fee of a member shall be raised by the total of the following: the fuel used; and the tows made."
        ],
    ),
    (
        "(a) No member may fly the following gliders without a guide:\n(1) A glider for which a guide is required.",
        ["No member may fly the following gliders without a guide: a glider for which a guide is required."],
    ),
    (
        "(b) Except as provided in paragraph (c) of this section, no member may carry a guest.",
        ["Except as provided in § 7.12(c), no member may carry a guest."],
    ),
    (
        "(a) Logs. Each member must keep a log. The log must be signed each month by the member.",
        [
            "Each member must keep a log.",
            "Under § 7.12 (club flying; logs), the log must be signed each month by the member.",
        ],
    ),
    (
        "(a) A guest may fly if the following requirements are met:\n(1) The card must be valid; and\n(2) The club must"
        " be open.",
        [
            "A guest may fly if the following requirements are met: the card must be valid; and the club must be open."
        ],
    ),
    (
        "(a) A guest must meet the following requirements—\n(1) The most recent card—\n(i) May be old.",
        ["A guest must meet the following requirements: the most recent card may be old."],
    ),
    (
        "(a) A member with a badge may—\n(1) For a balloon—\n(i) Sign a card.",
        ["A member with a badge may, for a balloon, sign a card."],
    ),
    (
        "(a) Except as specified in § 7.13, a student pilot must have the following cards:\n(1) A student pilot must"
        " have a card that is signed.",
        [
            "Under § 7.12 (club flying), except as specified in § 7.13, a student pilot must have a card that is"
            " signed."
        ],
    ),
    (
        "(a) In addition to the log required by § 7.13, each member must keep a card.",
        ["In addition to the log required by § 7.13, each member must keep a card."],
    ),
    (
        "(a) Each card must be signed by the board, and must be carried in the glider.",
        ["Each card must be signed by the board.", "Each card must be carried in the glider."],
    ),
    (
        "(a) A guest must comply with § 7.13 of this chapter and may not fly a glider—\n(1) Without a lamp at night.",
        ["A guest may not fly a glider without a lamp at night."],
    ),
    (
        "(a) Each card must be signed if it is new, and must be carried in the glider.",
        ["Each card must be signed if it is new, and must be carried in the glider."],
    ),
    (
        "(a) A member must enter the following:\n(1) Conditions of flight—\n(i) Use of lamps.",
        ["A member must enter the following: conditions of flight: use of lamps."],
    ),
    (
        "(a) To be eligible for a badge, an applicant must:\n(1) If the applicant is young, the applicant must"
        " present a letter.",
        ["To be eligible for a badge, if the applicant is young, the applicant must present a letter."],
    ),
    (
        "(a) A member must receive a card from a guide who—\n(1) Signs it.",
        ["A member must receive a card from a guide who signs it."],
    ),
    (
        "(b) Each application for a badge must be signed.",
        ["Under § 7.12 (club flying), each application for a badge must be signed."],
    ),
]


def test_a_sentence_of_an_appendix_has_the_title_of_the_appendix() -> None:
    path = ("14 CFR Part 7", "Appendix A to Part 7—Lamps of Winches", "3. Approval")
    material = Material(
        text="(a) The chain of each tow must be red.",
        heading="3. Approval",
        section_path=path,
        doc_type="cfr",
    )
    (claim,) = extract_from(material, OfflineChatModel({"extractor": extract_drafts})).claims
    assert (
        claim.statement == "Under Appendix A to Part 7 (Lamps of Winches), the chain of each tow must be red."
    )


@pytest.mark.parametrize(("text", "expected"), WHOLE)
def test_rules_are_drawn_whole(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


REFUSED = [
    ("(a) The term “member” must be read as in the yearbook of the club.", "a definition that does not"),
    (
        "(a) In granting it, the Federal Air Surgeon may ask for any test of the pilot.",
        "speaks of the authority",
    ),
    ("(a) The Administrator may issue a waiver for any airplane of the club.", "speaks of the authority"),
    ("(a) Each member must comply with § 7.13 of this chapter.", "only refers to another rule"),
    ("(a) The marshaller must stay away from that airplane at all times.", "points at something"),
    ("(2) The brakes of the airplane, if the member may taxi it;", "its lead-in is missing"),
    ("(a) Each member must log a flight within 2 days of the", "cut off"),
    ("(a) The rules described above must be read by each member.", "points at something"),
    ("(a) It must be read by each member of the club.", "points at something"),
]


@pytest.mark.parametrize(("text", "reason"), REFUSED)
def test_fragments_are_refused_with_a_reason(text: str, reason: str) -> None:
    assert claims(text) == []
    assert [found for found in reasons(text) if found.startswith(reason)], reasons(text)


def test_what_is_no_rule_is_neither_claimed_nor_refused() -> None:
    result = extract_drafts(Material(text="(a) The club was founded in 1931 by four pilots.", doc_type="cfr"))
    assert result.claims == []
    assert result.refused == []


def test_may_of_possibility_is_no_permission_outside_the_regulations() -> None:
    text = (
        "Fog may occur in the valley before noon. Members may park near the hangar. The winch may not always hold."
        " The hangar may not be a club. Members may be slow at first. A lamp may be lit at night."
    )
    result = extract_drafts(Material(text=text, doc_type="handbook"))
    assert [claim.statement for claim in result.claims] == [
        "Members may park near the hangar.",
        "A lamp may be lit at night.",
    ]


def test_every_quote_stands_in_the_text() -> None:
    for text, _ in WHOLE:
        for claim in extract_drafts(
            Material(text=text, section="7.12", heading="Club flying", doc_type="cfr")
        ).claims:
            assert all(find_quote(text, quote) for quote in claim.quotes)


TABLE = """Airspace | Flight visibility | Distance from clouds
Class B | 3 statute miles | Clear of Clouds.
Class E: Less than 10,000 feet MSL | 3 statute miles | 500 feet below.
Class E: Less than 10,000 feet MSL | 3 statute miles | 1,000 feet above.
Class E: Less than 10,000 feet MSL | 3 statute miles | 2,000 feet horizontal.
Class D | 3 statute miles | 1,000 feet above."""


def test_rows_of_weather_minimums_become_one_claim_a_group() -> None:
    assert claims(TABLE) == [
        (
            "In Class B airspace, VFR flight requires a flight visibility of 3 statute miles and "
            "staying clear of clouds."
        ),
        "In Class E airspace, less than 10,000 feet MSL, VFR flight requires a flight visibility "
        "of 3 statute miles "
        "and a distance from clouds of 500 feet below, 1,000 feet above, and 2,000 feet horizontal.",
    ]
    assert reasons(TABLE) == ["a row of a table without its neighbors"]


def test_table_that_a_chunk_cuts_after_two_rows_is_refused() -> None:
    rows = TABLE.splitlines()
    cut = "\n".join([*rows[:4], rows[-1]])
    assert reasons(cut) == ["a row of a table without its neighbors"] * 2


def test_number_names_the_thing_that_a_rule_speaks_of() -> None:
    said = "The 100-hour limitation may be exceeded by not more than 10 hours on the way to the inspection."
    assert claims(f"(a) {said}") == [said]


def test_the_same_text_gives_the_same_claims() -> None:
    assert claims(TABLE) == claims(TABLE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "12.2.1 A glider has the right-of-way over powered aircraft.",
            ["A glider has the right-of-way over powered aircraft."],
        ),
        (
            "Note: Pilots should monitor the frequency of the field.",
            ["Pilots should monitor the frequency of the field."],
        ),
        ("9.11.5 Consider That Other Pilots May Not Understand.", []),
        (
            "Pilots should:\n1. Fly the pattern at the altitude that is published.",
            ["Pilots should fly the pattern at the altitude that is published."],
        ),
        (
            "121.5 MHz must be monitored by each pilot in flight.",
            ["121.5 MHz must be monitored by each pilot in flight."],
        ),
    ],
)
def test_numbers_notes_and_titles_of_a_circular(text: str, expected: list[str]) -> None:
    found = extract_drafts(Material(text=text, doc_type="ac"))
    assert [claim.statement for claim in found.claims] == expected
