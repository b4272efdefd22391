"""Whom a rule binds, by its own words, its headings, its section and its subpart."""

import pytest

from knowledge.grounding.applicability import applicability_of, kinds_in, subpart_in, subpart_scope

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
        ("No person may operate a civil aircraft towing a glider unless the pilots agree.", ""),
        ("A person may operate under part 135 of this chapter only if so approved.", "air carrier"),
    ],
)
def test_its_own_words(statement: str, unbound: str) -> None:
    assert applicability_of(statement).unbound.startswith(unbound)
    assert bool(applicability_of(statement).unbound) == bool(unbound)


def test_a_subpart_says_in_its_first_section_whom_it_binds() -> None:
    found = applicability_of(
        "No person may operate an airplane without a cockpit checklist.",
        section="7.503",
        subpart=LARGE,
        subpart_title="Subpart F—Large Airplanes",
    )
    assert "large airplane (Subpart F)" in found.unbound
    assert "fractional ownership" in found.names()


def test_a_subpart_may_say_it_for_some_of_its_sections() -> None:
    assert "turbojet" in subpart_scope(NOISE, "7.805")
    assert "supersonic" in subpart_scope(NOISE, "7.860")
    assert "civil aircraft" in subpart_scope(NOISE, "7.817")


def test_a_heading_of_one_topic_counts_and_one_of_many_does_not() -> None:
    said = "A log must be kept by the pilot."
    assert applicability_of(said, headings=("Category II pilot authorization",)).unbound
    assert not applicability_of(
        said, headings=("Type rating requirements, additional training, and logs",)
    ).unbound


def test_a_sentence_knows_better_than_its_heading() -> None:
    said = "If the radio fails in VFR conditions, each pilot shall land."
    assert not applicability_of(said, headings=("IFR operations: Radio failure",)).unbound


def test_a_section_may_say_to_what_it_applies() -> None:
    text = "(a) This section applies to propeller-driven transport category airplanes.\n(b) No person may fly one low."
    assert "transport category" in applicability_of("No person may fly one low.", section_text=text).unbound


def test_names_and_subparts_are_read_from_words() -> None:
    assert {kind.name for kind in kinds_in("a powered parachute or a weight-shift-control aircraft")} == {
        "powered parachute",
        "weight-shift-control",
    }
    assert subpart_in(["14 CFR Part 91", "Subpart F—Large", "§ 91.503"]) == "Subpart F—Large"
    assert subpart_in(["Chapter 3"]) == ""
