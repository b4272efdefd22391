"""A sentence's key facts, domain and priority."""

import pytest

from curation.offline.key_facts import key_facts_of, read_fields, reference_of
from curation.offline.priority import domain_of, priority_of
from curation.values import Material

MINIMUMS = Material(text="", section="91.155", doc_type="cfr", edition_date="2021-07-01")
GOLF = (
    "In Class G airspace, 1,200 feet or less above the surface (regardless of MSL altitude), for "
    "aircraft other than "
    "helicopters, at night, except as provided in § 91.155(b), VFR flight requires a flight "
    "visibility of 3 statute "
    "miles and a distance from clouds of 500 feet below, 1,000 feet above, and 2,000 feet horizontal."
)


def test_a_row_of_minimums_has_the_facts_that_answers_are_computed_from() -> None:
    facts = key_facts_of(GOLF, MINIMUMS, "(a)")
    expected = {
        "domain": "weather_minimums",
        "airspace_class": "G",
        "altitude_band": "below_1200_agl",
        "day_night": "night",
        "visibility_sm": 3,
        "cloud_clearance": "500_below_1000_above_2000_horizontal",
        "cfr_reference": "14 CFR 91.155(a)",
        "effective_date": "2021-07-01",
        "aircraft": ["aircraft other than helicopters"],
    }
    assert facts | expected == facts
    assert any("91.155(b)" in exception for exception in facts["exceptions"])


@pytest.mark.parametrize(
    ("words", "band"),
    [
        (
            "more than 1,200 feet above the surface but less than 10,000 feet MSL",
            "above_1200_agl_below_10000_msl",
        ),
        ("at or above 10,000 feet MSL", "at_or_above_10000_msl"),
        ("less than 10,000 feet MSL", "below_10000_msl"),
        (
            "more than 1,200 feet above the surface and at or above 10,000 feet MSL",
            "above_1200_agl_at_or_above_10000_msl",
        ),
    ],
)
def test_altitude_bands(words: str, band: str) -> None:
    facts = key_facts_of(f"In Class G airspace, {words}, VFR flight requires 5 statute miles.", MINIMUMS)
    assert facts["altitude_band"] == band


def test_a_date_in_the_rule_wins_over_the_edition() -> None:
    facts = key_facts_of("After January 1, 2020, each member must use the new radio.", MINIMUMS)
    assert facts["effective_date"] == "2020-01-01"

    facts = key_facts_of("Members must do the following: beginning on May 3, 2018, use the radio.", MINIMUMS)
    assert facts["effective_date"] == "2018-05-03"


@pytest.mark.parametrize(
    ("doc_type", "section", "reference"),
    [("cfr", "91.155", "14 CFR 91.155(a)"), ("aim", "3-2-6", "AIM 3-2-6"), ("handbook", "", "PHAK p. 15-3")],
)
def test_references_are_said_as_a_pilot_cites_them(doc_type: str, section: str, reference: str) -> None:
    material = Material(text="", section=section, doc_type=doc_type, label="PHAK p. 15-3")
    assert reference_of(material, "(a)") == reference


def test_a_numbered_paragraph_of_a_special_regulation_is_cited() -> None:
    material = Material(text="", section="SFAR 7", doc_type="cfr", document="14 CFR 61")
    assert reference_of(material, "2(b)(1)") == "14 CFR 61 SFAR 7, paragraph 2(b)(1)"
    assert reference_of(material, "(b)") == "14 CFR 61 SFAR 7(b)"


def test_a_section_of_an_appendix_is_cited() -> None:
    path = ("Part 91", "Appendix A to Part 91—Manual", "3. Approval")
    material = Material(text="", heading="3. Approval", doc_type="cfr", section_path=path)
    assert reference_of(material, "(b)") == "14 CFR Appendix A to Part 91, section 3(b)"


@pytest.mark.parametrize(
    ("statement", "numbers"),
    [
        ("Time may not exceed 1 hour for each 3 hours of it.", ["not more than 1 hour", "3 hours"]),
        ("A pilot must log at least one 2-hour flight.", ["at least 1 2-hour flight"]),
        (
            "A guest must log at least 20 hours of training from a guide and 10 hours of solo flight.",
            ["at least 20 hours", "at least 10 hours"],
        ),
        ("A trip within 50 miles may end within 50 miles.", ["not more than 50 miles"]),
        (
            "A guest must do the following: three hovering tasks, one circling tow of over 9 miles, and two VHF calls.",
            ["3 hovering tasks", "1 circling tow", "more than 9 miles", "2 VHF calls"],
        ),
        (
            "A guest may go in one direction from one place to the one that remains, with one engine inoperative and a"
            " one-time endorsement.",
            [],
        ),
        (
            "A guest must fly at least two ILS approaches, and not more than one flight check during the week.",
            ["at least 2 ILS approaches", "not more than 1 flight check"],
        ),
        (
            "A guest must log at least the following hours: 30 hours in gliders, which consists of 10 hours at night.",
            ["at least 30 hours", "at least 10 hours"],
        ),
        (
            "The club shall keep a maximum of, after May 3, 1998, 50 percent of its gliders.",
            ["not more than 50 percent"],
        ),
        ("A guest must log, if a winch is used, at least, one flight.", ["at least 1 flight"]),
        (
            "No guest may fly more than 30 minutes flying time or 100 nautical miles from the shore.",
            ["more than 30 minutes", "more than 100 nautical miles"],
        ),
        (
            "A guest must make within the preceding 90 days at least three takeoffs and three landings.",
            ["not more than 90 days", "at least 3 takeoffs", "at least 3 landings"],
        ),
        (
            "A guest must fly during the 12 calendar months preceding the test.",
            ["not more than 12 calendar months"],
        ),
        (
            "A guest must be at least 17 years old (or 16 years old for a balloon).",
            ["at least 17 years", "at least 16 years"],
        ),
        (
            "A guest must fly at least one straight-in approach, one circling approach, and one missed approach.",
            ["at least 1 straight-in approach", "at least 1 circling approach", "at least 1 missed approach"],
        ),
        (
            "A guest may use not more than a combination of 25 hours in a simulator; or 40 hours in a trainer.",
            ["not more than 25 hours", "not more than 40 hours"],
        ),
    ],
)
def test_each_amount_is_told_once_with_its_own_comparator(statement: str, numbers: list[str]) -> None:
    assert key_facts_of(statement, MINIMUMS)["numbers"] == numbers


def test_what_a_rule_is_about_is_no_condition() -> None:
    said = "A guide may not fly a glider that is carrying a passenger or property for hire."
    assert key_facts_of(said, MINIMUMS)["conditions"] == []
    said = "A pilot must log 75 hours in actual or simulated instrument conditions."
    assert key_facts_of(said, MINIMUMS)["conditions"] == []


@pytest.mark.parametrize(
    ("section", "statement", "domain", "priority"),
    [
        ("91.207", "Each emergency locator transmitter must be inspected.", "inspections", "P1"),
        ("91.207", "Batteries of the emergency locator transmitter must be new.", "equipment", "P2"),
        ("61.93", "The endorsement must name the aircraft.", "endorsements", "P1"),
        ("91.113", "Each aircraft must keep well clear.", "right_of_way", "P0"),
        ("91.409", "Each owner must have the aircraft inspected.", "inspections", "P1"),
        ("61.57", "No person may carry passengers.", "currency", "P1"),
        ("91.151", "No person may begin a flight without fuel.", "fuel", "P1"),
        ("61.110", "The club must log a flight.", "training", "P2"),
        ("91.405", "Each owner shall repair it.", "inspections", "P1"),
        ("", "Pilots must remain outside Class B airspace.", "airspace", "P0"),
        ("61.110", "The instructor must endorse the logbook.", "endorsements", "P1"),
        ("", "Members must wash the hangar.", "general", "P2"),
    ],
)
def test_domain_and_priority(section: str, statement: str, domain: str, priority: str) -> None:
    assert domain_of(statement, Material(text="", section=section, doc_type="cfr")) == domain
    assert priority_of(domain) == priority


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        (
            "Except as provided in § 7.1(a), (b), and (c), no person who is required to hold a permit may take off if"
            " the wind exceeds 20 knots or 30 miles per hour, unless otherwise authorized by ATC.",
            {
                "subject": "no person who is required to hold a permit",
                "modality": "may_not",
                "numbers": ["more than 20 knots", "more than 30 mph"],
                "conditions": ["if the wind exceeds 20 knots or 30 miles per hour"],
                "exceptions": [
                    "Except as provided in § 7.1(a), (b), and (c)",
                    "unless otherwise authorized by ATC",
                ],
            },
        ),
        (
            "You are authorized to provide training that is required for a permit only if the glider (other than a"
            " balloon) is at 2,000 feet AGL or 500 feet MSL, whichever is higher.",
            {"subject": "You", "modality": "may", "exceptions": ["other than a balloon"]},
        ),
        (
            "For IFR flight, the following are required: a radio, and, for night flight, a lamp.",
            {"conditions": ["For IFR flight", "ifr"], "modality": "must"},
        ),
        (
            "A crew of two or more pilots, except as provided in § 61.110, 3 hours after 10 p.m., may not carry"
            " passengers with a fourth pilot or a speed less than or equal to 87 knots for night flight training.",
            {"numbers": ["at least 2 pilots", "3 hours", "not more than 87 knots"], "conditions": []},
        ),
        (
            "No pilot may, outside Class A airspace, tow a Stage 2 glider with two pilot stations unless, since the"
            " 24th calendar month before, the pilot has logged 20 night vision goggle operations on a VFR flight plan.",
            {
                "numbers": ["2 pilot stations", "20 night vision goggle operations", "24th calendar month"],
                "conditions": [
                    "outside Class A airspace",
                    "unless, since the 24th calendar month before, the pilot has logged 20 night vision goggle"
                    " operations on a VFR flight plan",
                ],
            },
        ),
        (
            "A member must log at least the following hours: 50 hours in gliders built after January 2, 2020.",
            {"numbers": ["at least 50 hours"], "effective_date": ""},
        ),
        (
            "At least one hand lamp must hang there, under 14 CFR Parts 121 and 135, and a pilot must have made"
            " at least three takeoffs and landings and at least one 2-hour flight, with no visit lasting more than"
            " three hours.",
            {
                "numbers": [
                    "at least 1 hand lamp",
                    "at least 3 takeoffs and landings",
                    "at least 1 2-hour flight",
                    "not more than 3 hours",
                ]
            },
        ),
        (
            "No pilot may fly with a ratio of seats to doors greater than 14:1 when the ceiling is less than 1,000"
            " feet, and no passengers are carried.",
            {
                "numbers": ["more than 14:1", "less than 1,000 feet"],
                "conditions": ["when the ceiling is less than 1,000 feet, and no passengers are carried"],
            },
        ),
        (
            "Club lamp means a lamp, other than a candle, that may be lit when it is dark.",
            {"subject": "Club lamp", "modality": "", "conditions": [], "exceptions": ["other than a candle"]},
        ),
        (
            "The notes must include a list of tows that are provided.",
            {"conditions": []},
        ),
        (
            "For flights other than those of § 7.1(a)(1), a member must show a note for purposes other than towing.",
            {"conditions": ["For flights other than those of § 7.1(a)(1)"], "exceptions": []},
        ),
        (
            "For a card (other than a badge), a member must sign.",
            {"exceptions": ["other than a badge"]},
        ),
        (
            "A member must log 20 hours as a guide, or when flying as a cook while under the eyes of a guide, if old.",
            {"conditions": ["if old"]},
        ),
        (
            "You may fly only if you hold a card, and you must comply with the rules.",
            {"conditions": ["only if you hold a card"]},
        ),
    ],
)
def test_facts_come_from_the_clause_that_holds_them(statement: str, expected: dict[str, object]) -> None:
    facts = key_facts_of(statement, Material(text="", section="7.3", doc_type="cfr"))
    assert {name: facts[name] for name in expected} == expected
    assert "altitude_band" not in facts
    assert "day_night" not in facts


def test_a_passage_without_a_section_is_cited_by_its_appendix() -> None:
    path = ("14 CFR Part 7", "Appendix A to Part 7—Lamps", "3. Approval")
    material = Material(text="", doc_type="cfr", document="14 CFR", section_path=path)
    assert reference_of(material, "(a)") == "14 CFR Appendix A to Part 7"


@pytest.mark.parametrize(
    ("section", "statement", "told"),
    [
        (
            "91.151",
            "During the day, an airplane must have enough fuel to fly after that for at least 30 minutes.",
            {"reserve_minutes": 30},
        ),
        (
            "91.17",
            "No person may act as a crewmember within 8 hours after the consumption of any alcoholic beverage.",
            {"within_hours": 8},
        ),
        (
            "91.211",
            "At cabin pressure altitudes above 12,500 feet (MSL) up to and including 14,000 feet (MSL), the crew must "
            "use supplemental oxygen for that part of the flight that is of more than 30 minutes duration.",
            {"after_minutes": 30},
        ),
        (
            "91.211",
            "Above flight level 250, at least a 10-minute supply of oxygen must be available for each occupant.",
            {"supply_minutes": 10},
        ),
        (
            "61.57",
            "Each pilot must have made at least three takeoffs and three landings within the preceding 90 days.",
            {"takeoffs": 3, "landings": 3, "within_days": 90},
        ),
        (
            "61.57",
            "Within the preceding 6 calendar months, the pilot must have made at least six instrument approaches.",
            {"approaches": 6, "within_months": 6},
        ),
        (
            "91.117",
            "No person may fly below 10,000 feet MSL at an indicated airspeed of more than 250 knots.",
            {"knots": 250},
        ),
        (
            "91.119",
            "A pilot must stay 1,000 feet above the highest obstacle within a horizontal radius of 2,000 feet.",
            {"above_obstacle_feet": 1000},
        ),
        (
            "91.151",
            "A helicopter must have fuel for at least 20 minutes, an airplane at night for at least 45 minutes.",
            {},
        ),
        ("91.409", "The 100-hour limitation may be exceeded by not more than 10 hours while en route.", {}),
        ("91.103", "Each pilot must arrive at least 30 minutes before the flight.", {}),
    ],
)
def test_amounts_that_a_subject_is_about_are_facts_where_they_are_told_in_one_way(
    section: str, statement: str, told: dict[str, float]
) -> None:
    facts = key_facts_of(statement, Material(text=statement, section=section, doc_type="cfr"))
    measured = {one["name"] for one in read_fields() if "quantity" in one}
    assert {name: value for name, value in facts.items() if name in measured} == told


def test_the_heading_above_a_section_says_whom_it_binds() -> None:
    path = ("14 CFR Part 7", "Subpart B—Flight Rules", "Instrument Flight Rules", "§ 7.173 Clearances")
    facts = key_facts_of(
        "No person may operate an aircraft unless that person has filed a plan.",
        Material(text="", section="7.173", doc_type="cfr", section_path=path),
    )
    assert facts["unbound"] == "instrument flight (“Instrument Flight Rules”)"


def test_the_heading_of_a_section_says_in_which_airspace_it_holds() -> None:
    material = Material(text="", section="7.129", heading="Operations in Class D airspace", doc_type="cfr")
    facts = key_facts_of("Each pilot must circle to the left.", material)
    assert (facts["airspace_class"], facts["conditions"]) == ("D", ["class D"])
    facts = key_facts_of("Each pilot must circle to the left of Class C airspace.", material)
    assert facts["airspace_class"] == "C"


def test_a_class_of_equipment_and_a_period_of_days_are_no_conditions() -> None:
    said = "No person may fly unless it has Class B equipment within the 90-day period before."
    facts = key_facts_of(said, Material(text=""))
    assert facts["conditions"] == ["unless it has Class B equipment within the 90-day period before"]
    assert "airspace_class" not in facts
    said = "A member may fly it for not more than an additional 15 days."
    assert key_facts_of(said, Material(text=""))["numbers"] == ["not more than 15 days"]


def test_at_and_above_has_its_limit_in_it() -> None:
    facts = key_facts_of("A member may fly there at and above 10,000 feet MSL.", Material(text=""))
    assert facts["numbers"] == ["at least 10,000 feet MSL"]
    assert facts["altitude_band"] == "at_or_above_10000_msl"


def test_what_is_excepted_and_a_radius_are_no_conditions() -> None:
    facts = key_facts_of("Except in Class A airspace, a pilot may cancel the plan.", Material(text=""))
    assert facts["conditions"] == []
    assert "airspace_class" not in facts
    said = "A pilot must stay high within a radius of 2,000 feet in weather less than the minimum prescribed for VFR."
    assert key_facts_of(said, Material(text=""))["conditions"] == []


def test_a_long_subject_is_kept_whole() -> None:
    subject = "Each guest who " + "holds a card, " * 40 + "or sings"
    assert key_facts_of(f"{subject} must sign.", Material(text=""))["subject"] == subject


def test_coordinates_are_no_numbers() -> None:
    facts = key_facts_of("A person may fly west of 67°00′00″ W for 2 hours.", Material(text=""))
    assert facts["numbers"] == ["2 hours"]
