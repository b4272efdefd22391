"""Of 100 offline claims drawn from 14 CFR part 91 at least 90 are whole single rules, as a person judged them.

The judgements are kept by the sha256 of the statement, without the FAA's words. How they were made is in
`docs/architecture/claims.md`.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.regulation_claims import claims_of_part, part_file, sha
from tests.sampling import WHOLE

ROOT = Path(__file__).resolve().parents[3]
JUDGED: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "claims_part91_judged.json").read_text())
SEED = "part 91: "
EVERY = 1 if WHOLE else 5
"""Sections: of a fifth of them a fifth is drawn; in `make soak` of all."""
DRAWN = 100 // EVERY

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not part_file(91).exists(), reason="../shared/data/faa/cfr is not there"),
]


@cache
def statements() -> tuple[tuple[str, str], ...]:
    """Each claim of part 91 once, with its section."""
    return tuple((claim.statement, material.section) for material, claim in claims_of_part(91, every=EVERY))


def test_nine_in_ten_of_the_drawn_claims_are_whole_single_rules() -> None:
    drawn = sorted((statement for statement, _ in statements()), key=lambda said: sha(SEED + said))[:DRAWN]
    judged = [JUDGED[sha(statement)]["good"] for statement in drawn if sha(statement) in JUDGED]
    assert len(judged) >= 0.9 * DRAWN, "the draw changed: read the new claims and judge them"
    assert sum(judged) >= 0.9 * len(judged)


def test_the_weather_minimums_are_drawn_row_by_row() -> None:
    rows = [said for said, section in statements() if section == "91.155" and "VFR flight requires" in said]
    assert len(rows) == 12
    assert any(
        "Class G" in row and "by day" in row and "1 statute mile and staying clear" in row for row in rows
    )


def test_the_night_traffic_pattern_exception_is_a_claim_of_its_own() -> None:
    found = [
        said for said, section in statements() if section == "91.155" and "airport traffic pattern" in said
    ]
    assert any("during night hours" in said and said.startswith("In Class G airspace") for said in found)
