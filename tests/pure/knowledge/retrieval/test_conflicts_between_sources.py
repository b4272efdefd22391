"""Two sources that set another limit for the same thing are flagged; what only looks like it is not."""

from itertools import count

import pytest

from knowledge.retrieval.authority import SourceText, conflicts_between

_number = count(1)


def said(doc_type: str, text: str, *, heading: str = "", document: str = "") -> SourceText:
    n = str(next(_number))
    return SourceText(
        chunk_id=n,
        document=document or n,
        label=f"{doc_type} {n}",
        doc_type=doc_type,
        heading=heading,
        text=text,
    )


FUEL = "Under VFR by day the airplane carries fuel for at least {} minutes beyond the first point of intended landing."
ALCOHOL = (
    "No pilot acts as a crewmember of a civil aircraft within {} hours after drinking an alcoholic beverage."
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FUEL.format(30), FUEL.format(45)),
        (FUEL.format(30), "By day under VFR " + FUEL.format("60")[17:]),
        (ALCOHOL.format(8), ALCOHOL.format(12)),
        (
            "No person may operate an aircraft below 10,000 feet MSL at an indicated airspeed of more than 250 knots.",
            "Below 10,000 feet MSL no one may operate an aircraft at an indicated airspeed of more than 200 knots.",
        ),
    ],
)
def test_another_limit_for_the_same_thing(one: str, other: str) -> None:
    rule, school = said("cfr", one), said("sop", other)
    (found,) = conflicts_between([school, rule])
    assert found.chunks == (school.chunk_id, rule.chunk_id)
    assert found.holds == rule.chunk_id
    assert found.quotes == (other, one)
    assert found.what.endswith(f"{rule.label} holds")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (FUEL.format(30), FUEL.format(30)),
        (FUEL.format(30), FUEL.format(0.5).replace("minutes", "hours")),
        (FUEL.format(30), FUEL.format(45).replace("by day", "at night")),
        (FUEL.format(30), FUEL.format(45).replace("VFR", "IFR")),
        (FUEL.format(30), FUEL.format(20).replace("airplane", "helicopter")),
        (FUEL.format(30), FUEL.format(45).replace("at least", "at most")),
        (FUEL.format(30), FUEL.format(45).replace("carries", "never carries")),
        (FUEL.format(30), FUEL.format(45).replace(" minutes", " miles")),
        (
            "In Class G airspace a pilot needs at least 1 statute mile of flight visibility near clouds below.",
            "In Class E airspace a pilot needs at least 3 statute miles of flight visibility near clouds below.",
        ),
        (
            "The tank holds at least 26 gallons of usable fuel at the first filling.",
            "A fire extinguisher is looked at after at least 12 months of standing idle.",
        ),
        ("", FUEL.format(30)),
    ],
)
def test_what_only_looks_like_it(one: str, other: str) -> None:
    assert conflicts_between([said("cfr", one), said("aim", other)]) == ()


def test_the_heading_says_under_which_conditions() -> None:
    plain = FUEL.replace("Under VFR by day the", "The")
    day, night = (
        said("cfr", plain.format(30), heading="By day"),
        said("aim", plain.format(45), heading="At night"),
    )
    assert conflicts_between([day, night]) == ()
    again = said("aim", plain.format(45), heading="Daytime")
    assert len(conflicts_between([day, again])) == 1


def test_a_document_is_not_held_against_itself() -> None:
    assert (
        conflicts_between(
            [said("cfr", FUEL.format(30), document="x"), said("cfr", FUEL.format(45), document="x")]
        )
        == ()
    )


def test_one_that_says_both_agrees() -> None:
    both = said("aim", f"{FUEL.format(45)} {FUEL.format(30)}")
    assert conflicts_between([said("cfr", FUEL.format(30)), both]) == ()


def test_between_equals_none_holds() -> None:
    (found,) = conflicts_between([said("handbook", FUEL.format(30)), said("handbook", FUEL.format(45))])
    assert found.holds == ""
    assert found.to_dict()["holds"] is None
