"""Which claims stand in a cell, what they tell, and what is never guessed."""

import pytest

from knowledge.decision_tables.placement import Claim, FilledCell, fill_cells
from knowledge.decision_tables.table_data import Fact, UnknownCell, decision_tables, find_cell, table_named

DAY = "No person may begin a flight in an airplane by day without fuel for at least {} minutes."


def claim(statement: str, reference: str = "14 CFR 91.151(a)(1)") -> Claim:
    return Claim(id=statement, statement=statement, reference=reference)


def fuel(*claims: Claim) -> dict[str, FilledCell]:
    cells = fill_cells(table_named("fuel_reserves"), claims)
    return {" ".join(one.cell.where.values()): one for one in cells}


def test_two_claims_that_agree_make_one_fact() -> None:
    cell = fuel(claim(DAY.format(30)), claim(DAY.format(30) + " It is a minimum."))["airplane day"]
    assert [way.value for way in cell.values["reserve_minutes"]] == [30]
    assert len(cell.claims) == 2
    assert not cell.conflicts


def test_two_claims_that_contradict_each_other_are_both_told() -> None:
    cell = fuel(claim(DAY.format(30)), claim(DAY.format(20)))["airplane day"]
    assert [way.value for way in cell.values["reserve_minutes"]] == [30, 20]
    assert cell.conflicts == ("reserve_minutes",)


def test_a_claim_that_leaves_out_an_addition_contradicts_nobody() -> None:
    whole = (
        "No person may, during the period from sunset to sunrise (or, in Alaska, during the period a prominent"
        " unlighted object cannot be seen from a distance of 3 statute miles or the sun is more than 6 degrees below"
        " the horizon), operate an aircraft unless it has lighted position lights."
    )
    short = "From sunset to sunrise, no person may operate an aircraft unless it has lighted position lights."
    told = [claim(text, "14 CFR 91.209(a)(1)") for text in (short, whole)]
    cells = {one.cell.where["light"]: one for one in fill_cells(table_named("lights"), told)}
    position = cells["position"]
    assert len(position.claims) == 2
    assert [way.value for way in position.values["when"]] == ["sunset_to_sunrise_but_alaska"]
    assert not position.conflicts


def test_a_claim_that_tells_a_fact_in_two_ways_stands_in_no_cell() -> None:
    assert not fuel(claim(DAY.format("30 minutes, or at least 40")))["airplane day"].claims


def test_a_claim_without_the_fact_stands_in_no_cell() -> None:
    assert not fuel(claim("By day no airplane may take off without enough fuel."))["airplane day"].claims


def test_a_claim_of_another_section_stands_in_no_cell() -> None:
    assert not fuel(claim(DAY.format(30), "14 CFR 91.1510"))["airplane day"].claims


@pytest.mark.parametrize(
    ("statement", "cells"),
    [
        ("An airplane needs fuel for at least 30 minutes.", {"airplane day", "airplane night"}),
        ("At night fuel for at least 45 minutes is needed.", {"airplane night"}),
        ("A rotorcraft needs fuel for at least 20 minutes.", {"helicopter"}),
    ],
)
def test_silence_is_read_as_the_table_says(statement: str, cells: set[str]) -> None:
    assert {name for name, cell in fuel(claim(statement)).items() if cell.claims} == cells


def test_an_ordinal_is_read_as_a_number() -> None:
    told = fill_cells(
        table_named("medical_duration"),
        [
            claim(
                "If you are under age 40, a third-class medical certificate for private pilot flying ends"
                " with the 60th month after the month of the examination.",
                "14 CFR 61.23(d)",
            )
        ],
    )
    assert [[way.value for way in one.values["months"]] for one in told if one.claims] == [[60]]


@pytest.mark.parametrize(
    ("asked", "cell"),
    [
        ({"airspace": "B"}, {"airspace": "B"}),
        ({"airspace": "B", "altitude": "below_1200_agl", "time": "night"}, {"airspace": "B"}),
        (
            {"airspace": "G", "altitude": "below_1200_agl", "time": "day"},
            {"airspace": "G", "altitude": "below_1200_agl", "time": "day", "aircraft": "airplane"},
        ),
    ],
)
def test_what_makes_no_difference_may_be_left_out_or_said(
    asked: dict[str, str], cell: dict[str, str]
) -> None:
    assert find_cell(table_named("weather_minimums"), asked).where == cell


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"airspace": "F"}, "has no airspace 'F'; there are A, B, C, D, E, G"),
        ({"height": "low"}, "has no height; it has airspace, altitude, time, aircraft"),
        ({"airspace": "E"}, "--airspace E needs --altitude: below_10000_msl, at_or_above_10000_msl"),
        ({"airspace": "E", "altitude": "below_1200_agl"}, "needs --altitude: below_10000_msl"),
        ({"time": "day"}, "needs --airspace: A, B"),
    ],
)
def test_what_is_unknown_or_missing_is_told_with_what_exists(asked: dict[str, str], told: str) -> None:
    with pytest.raises(UnknownCell, match=told):
        find_cell(table_named("weather_minimums"), asked)


def test_an_unknown_domain_is_told_with_those_that_exist() -> None:
    with pytest.raises(UnknownCell, match="no domain 'cooking'; there are weather_minimums, fuel_reserves"):
        table_named("cooking")


def test_every_cell_can_be_asked_for_by_its_own_values() -> None:
    for table in decision_tables().values():
        assert [find_cell(table, cell.where) for cell in table.cells] == table.cells


def test_every_name_of_the_tables_is_used() -> None:
    for table in decision_tables().values():
        told = {name for cell in table.cells for name in cell.facts}
        asked = {(name, value) for cell in table.cells for name, value in cell.where.items()}
        assert told == set(table.facts)
        assert asked == {(name, value) for name, one in table.dimensions.items() for value in one.values}
        for fact in table.facts.values():
            assert reads_something(fact)


def reads_something(fact: Fact) -> bool:
    return bool(fact.choices or fact.quantity or fact.ordinal or fact.clearance or fact.rest_after)
