"""What a follow-up asks for is something that the rule says."""

import pytest

from exams.offline.asking import PointMaterial
from exams.offline.missing import kind_missing

BROKEN = "What do you do about a broken instrument?"


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        (
            "The list and its letter must be aboard and say what may be inoperative (14 CFR 91.213(a)).",
            "action",
        ),
        ("The pilot must land within 3 hours (14 CFR 91.1).", "figure"),
        (
            "An item must be repaired if the VFR day type certificate requires it (14 CFR 91.213(d)).",
            "action",
        ),
        ("Lights must be on at night, but by day the pilot may leave them off.", "hour"),
    ],
)
def test_it_is_in_the_rule_and_not_in_its_number(statement: str, kind: str) -> None:
    assert kind_missing(PointMaterial(key="a", statement=statement), "I don't know", BROKEN) == kind
