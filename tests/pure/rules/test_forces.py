"""What a clause does: oblige, permit, advise, forbid, or none of these."""

import pytest

from rules.statements.entailment import force_of
from rules.statements.stance import position_of


@pytest.mark.parametrize(
    ("clause", "force"),
    [
        ("No flight plan (FPL) required", "not required"),
        ("no PPR/PNR needed", "not required"),
        ("In Class G no clearance available / required", "not required"),
        ("Aircraft may no longer enter", "forbidden"),
        ("It should no longer be used", "discouraged"),
        ("a longer permitted stay", "permitted"),
        ("A flight plan is recommanded", "recommended"),
        ("A flight plan is required", "required"),
    ],
)
def test_a_clause_has_its_force(clause: str, force: str) -> None:
    assert force_of(clause) == force


def test_what_is_to_be_avoided_is_discouraged_and_avoiding_something_else_is_not() -> None:
    assert position_of("To be avoided") == "discouraged"
    assert position_of("To avoid delays, file a flight plan") != "discouraged"
