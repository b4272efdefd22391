"""The decision tables, filled by the approved claims of the demo's own handbook."""

from desk.demo.content import demo_claims
from knowledge.decision_tables.placement import Claim, FilledCell, fill_cells
from knowledge.decision_tables.table_data import table_named

BELOW = "500_below_1000_above_2000_horizontal"
ABOVE = "1000_below_1000_above_1_sm_horizontal"


def filled_cells(domain: str) -> dict[str, FilledCell]:
    claims = [
        Claim(id=one.key, statement=one.statement, reference=one.key_facts.get("cfr_reference", ""))
        for one in demo_claims()
        if one.status == "approved"
    ]
    cells = fill_cells(table_named(domain), claims)
    return {" ".join(one.cell.where.values()): one for one in cells}


def facts_of(domain: str) -> dict[str, tuple[object, ...]]:
    """The facts of the cells that are filled."""
    return {
        cell: tuple(way.value for ways in filled.values.values() for way in ways)
        for cell, filled in filled_cells(domain).items()
        if filled.claims
    }


def test_weather_minimums() -> None:
    assert facts_of("weather_minimums") == {
        "B": (3, "clear_of_clouds"),
        "C": (3, BELOW),
        "D": (3, BELOW),
        "E below_10000_msl": (3, BELOW),
        "E at_or_above_10000_msl": (5, ABOVE),
        "G below_1200_agl day airplane": (1, "clear_of_clouds"),
        "G below_1200_agl night airplane": (3, BELOW),
        "G above_1200_agl_below_10000_msl day": (1, BELOW),
    }


def test_what_the_handbook_does_not_say_is_empty() -> None:
    cells = filled_cells("weather_minimums")
    empty = [cell for cell, filled in cells.items() if not filled.claims]
    assert "G above_1200_agl_below_10000_msl night" in empty
    assert "G below_1200_agl night helicopter" in empty
    assert all(not cells[cell].values for cell in empty)


def test_the_exception_in_the_traffic_pattern_is_no_minimum() -> None:
    night = filled_cells("weather_minimums")["G below_1200_agl night airplane"]
    assert [claim.id for claim in night.claims] == ["wx_g_night"]


def test_the_other_tables() -> None:
    assert facts_of("fuel_reserves") == {"airplane day": (30,), "airplane night": (45,)}
    assert facts_of("oxygen") == {
        "above_12500": ("flight_crew", "used", 30),
        "above_14000": ("flight_crew", "used", "entire_time"),
        "above_15000": ("each_occupant", "provided"),
    }
    assert facts_of("alcohol") == {
        "time": (8, "forbidden"),
        "concentration": (0.04, "forbidden"),
        "influence": ("forbidden",),
        "drugs": ("forbidden",),
    }
    assert facts_of("inspections") == {
        "annual": (12,),
        "100_hour": (100,),
        "transponder": (24,),
        "elt": (12,),
    }
    assert facts_of("speeds") == {"below_10000_msl": (250,), "near_class_c_or_d": (200,)}
    assert facts_of("medical_duration") == {
        "third private under_40": (60,),
        "third private 40_or_over": (24,),
    }
