"""Whom a rule binds, by its own words, its headings, its section and its subpart."""

from pathlib import Path

import pytest

from knowledge.grounding import applicability
from knowledge.grounding.applicability import applicability_of, kinds_in, subpart_in, subpart_scope
from knowledge.standards.certificate_data import DATA
from knowledge.text.word_tables import read_rows

PRIVATE, COMMERCIAL = DATA.bound_kinds["private"], DATA.bound_kinds["commercial"]

LARGE = (
    "§ 7.501 Applicability.\n\n(a) This subpart prescribes operating rules governing the operation of large airplanes,"
    " turbojet-powered multiengine civil airplanes, and fractional ownership program aircraft."
)
NOISE = (
    "(a) This subpart prescribes noise limits that apply, as follows, to the operation of civil aircraft.\n"
    "(1) Sections 7.803 and 7.805 apply to civil subsonic jet (turbojet) airplanes of more than 75,000 pounds.\n"
    "(c) Sections 7.851 through 7.877 of this subpart prescribe limits that apply, as follows, to the operation of"
    " supersonic airplanes."
)


@pytest.mark.parametrize(
    ("statement", "unbound"),
    [
        ("No person may operate a civil aircraft without a flight manual.", ""),
        ("No person may operate a large airplane without a flight manual.", "large airplane"),
        ("No person may operate a helicopter below 500 feet.", "helicopter"),
        ("No person may operate an airplane or a helicopter below 500 feet.", ""),
        ("No person may operate an aircraft other than a helicopter below 500 feet.", ""),
        ("A balloon has the right-of-way over any other category of aircraft.", ""),
        ("A person who applies for a commercial pilot certificate must be 18.", "commercial pilot"),
        ("An applicant must, for an airline transport pilot certificate, be 23.", "airline transport pilot"),
        ("If time was provided by a flight instructor, a pilot may log it.", ""),
        ("While under the supervision of a flight instructor, a pilot may fly alone.", ""),
        ("A student pilot may not carry a passenger.", ""),
        (
            "A person who applies for a private pilot certificate with a glider rating must log 10 hours.",
            "glider",
        ),
        (
            "A student pilot who is receiving training for a multiengine airplane rating must log it.",
            "multiengine",
        ),
        (
            "A medical certificate is not required when exercising the privileges of a balloon rating.",
            "balloon",
        ),
        ("No person may act as pilot in command for towing a glider or unpowered ultralight vehicle.", ""),
        ("No person may operate a civil aircraft towing a glider unless the pilots agree.", ""),
        ("A person may operate under part 135 of this chapter only if so approved.", "air carrier"),
        ("An authorized instructor may not permit a student pilot to fly.", "flight instructor"),
        ("A private or commercial pilot must carry it.", ""),
        ("A person who has received training from a flight instructor must log it.", ""),
        ("A person who is denied a certificate by an examiner may ask again.", ""),
        ("The physician must sign each page.", "physician"),
        ("The examiner may stop the test.", "examiner"),
        ("A person is not required to hold a card when serving as an examiner.", "examiner"),
        ("The examiner or the applicant may stop the test.", ""),
        ("An applicant must be at least 14 for the operation of a glider or balloon.", "glider"),
        ("Each person performing an inspection of an airplane shall use a checklist.", "mechanic"),
        (
            "A person whose pilot, flight instructor, or ground instructor certificate is lost may not fly.",
            "",
        ),
        ("A private pilot may not act as second in command of a glider and an airplane for hire.", ""),
        ("An operator other than the holder of an air carrier certificate may go on.", ""),
        (
            "No person may take off a transport category airplane (other than a jet) unless it is light.",
            "transport category",
        ),
        ("A person may exercise the privileges of a sport pilot certificate using a license.", "sport pilot"),
    ],
)
def test_its_own_words(statement: str, unbound: str) -> None:
    assert applicability_of(statement).unbound_for(PRIVATE).startswith(unbound)
    assert bool(applicability_of(statement).unbound_for(PRIVATE)) == bool(unbound)


def test_a_subpart_says_in_its_first_section_whom_it_binds() -> None:
    found = applicability_of(
        "No person may operate an airplane without a cockpit checklist.",
        section="7.503",
        subpart=LARGE,
        subpart_title="Subpart F—Large Airplanes",
    )
    assert "large airplane (Subpart F)" in found.unbound_for(PRIVATE)
    assert "fractional ownership" in found.names()


def test_a_subpart_may_say_it_for_some_of_its_sections() -> None:
    assert "turbojet" in subpart_scope(NOISE, "7.805")
    assert "supersonic" in subpart_scope(NOISE, "7.860")
    assert "civil aircraft" in subpart_scope(NOISE, "7.817")


def test_a_heading_of_one_topic_counts_and_one_of_many_does_not() -> None:
    said = "A log must be kept by the pilot."
    assert applicability_of(said, headings=("Category II pilot authorization",)).unbound_for(PRIVATE)
    assert not applicability_of(
        said, headings=("Type rating requirements, additional training, and logs",)
    ).unbound_for(PRIVATE)


def test_large_or_turbine_powered_airplanes_are_two_kinds() -> None:
    found = applicability_of("Each pilot of a large or turbine-powered airplane must use it.")
    assert found.names("kind") == ("large airplane", "turbine-powered airplane")


def test_what_is_towed_is_not_what_a_rule_binds() -> None:
    heading = "Glider and unpowered ultralight vehicle towing: Experience requirements"
    assert not applicability_of("No person may tow by day.", headings=(heading,)).unbound_for(PRIVATE)


def test_a_sentence_knows_better_than_its_heading() -> None:
    said = "If the radio fails in VFR conditions, each pilot shall land."
    assert not applicability_of(said, headings=("IFR operations: Radio failure",)).unbound_for(PRIVATE)


def test_a_section_may_say_to_what_it_applies() -> None:
    text = "(a) This section applies to propeller-driven transport category airplanes.\n(b) No person may fly one low."
    assert "transport category" in applicability_of(
        "No person may fly one low.", section_text=text
    ).unbound_for(PRIVATE)


def test_a_rule_is_about_what_all_rules_of_its_section_are_about() -> None:
    large = "(a) No person may operate a turbine-powered airplane unless it has a lamp.\n(b) The manual must name it."
    said = "The manual must name it."
    assert "turbine-powered" in applicability_of(said, section_text=large).unbound_for(PRIVATE)
    mixed = f"{large}\n(c) No person may operate an aircraft without a door."
    assert not applicability_of(said, section_text=mixed).unbound_for(PRIVATE)


@pytest.mark.parametrize(
    ("statement", "unbound"),
    [
        (
            "No person may operate an aircraft that is being used for a test for an airline transport pilot"
            " certificate, unless it has a lamp.",
            "airline transport pilot",
        ),
        (
            "No person may serve as a pilot on a civil airplane in the following operations: scheduled air"
            " transportation for hire.",
            "air carrier",
        ),
        ("An operator of a jet airplane may apply.", "turbine-powered"),
        ("An operator of a turbine-powered rotorcraft may apply.", "helicopter"),
        ("A person must be 16 years of age for a rating in a glider.", "glider"),
        ("Each person approving an aircraft for return to service shall run its engine.", "mechanic"),
    ],
)
def test_what_is_operated_is_read_with_what_is_said_of_it(statement: str, unbound: str) -> None:
    assert unbound in applicability_of(statement).unbound_for(PRIVATE)


def test_every_kind_of_a_list_is_named() -> None:
    both = applicability_of(
        "No person may operate an airplane, or helicopter, under IFR unless it is inspected."
    )
    assert {"airplane", "helicopter"} <= set(both.names("category"))
    gyroplane = applicability_of("A pilot with a rotorcraft category and gyroplane class rating may fly.")
    assert gyroplane.names("category") == ("gyroplane",)


def test_names_and_subparts_are_read_from_words() -> None:
    assert {kind.name for kind in kinds_in("a powered parachute or a weight-shift-control aircraft")} == {
        "powered parachute",
        "weight-shift-control",
    }
    assert subpart_in(["14 CFR Part 91", "Subpart F—Large", "§ 91.503"]) == "Subpart F—Large"
    assert subpart_in(["Chapter 3"]) == ""


def test_each_certificate_says_whom_its_oral_is_about() -> None:
    commercial = applicability_of("A person who applies for a commercial pilot certificate must be 18.")
    assert commercial.unbound_for(PRIVATE)
    assert not commercial.unbound_for(COMMERCIAL)
    student = applicability_of("A student pilot may not carry a passenger.")
    assert not student.unbound_for(PRIVATE)
    assert student.unbound_for(COMMERCIAL)


def test_a_subpart_of_several_things_says_nothing_of_all_its_sections() -> None:
    text = "This subpart prescribes the requirements for type ratings, and for pilot authorizations."
    assert subpart_scope(text, "7.66") == ""
    registered = "(a) This subpart applies to large aircraft of U.S. registry and turbojet-powered airplanes."
    assert "turbojet" in subpart_scope(registered, "7.66")


def test_every_bound_kind_is_a_kind() -> None:
    rows = read_rows(Path(applicability.__file__).with_name("rule_kinds.csv"))
    assert set().union(*DATA.bound_kinds.values()) <= {row["name"] for row in rows}
