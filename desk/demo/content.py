"""The demo's claims and its standard, from this folder's files. Pure: it knows no database."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from knowledge.standards.acs_reader import AcsAreaText, AcsElementText, AcsStandard, AcsTaskText
from knowledge.standards.references import parse_references

HERE = Path(__file__).parent
HANDBOOK = HERE / "heydpe_demo_handbook.pdf"
CLAIMS_FILE = HERE / "claims.json"
STANDARD_FILE = HERE / "standard.json"
ITEMS = HERE / "items"
FACTS_FILE = HERE / "facts.json"
RULES_FILE = HERE / "rules.json"

Role = Literal["rule", "explain", "hazard", "assess", "mitigate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoClaim:
    """A claim of the handbook; `quote` is its sentence there, `status` the demo reviewer's decision."""

    key: str
    statement: str
    quote: str
    elements: tuple[str, ...]
    priority: str
    importance: Literal["must", "should"]
    role: Role
    status: Literal["approved", "pending"]
    key_facts: dict[str, Any]


def demo_claims() -> tuple[DemoClaim, ...]:
    rows = json.loads(CLAIMS_FILE.read_text(encoding="utf-8"))
    return tuple(DemoClaim(**{**row, "elements": tuple(row["elements"])}) for row in rows)


def demo_standard() -> AcsStandard:
    """Real codes with our own texts; the FAA's own standard replaces it once that is loaded."""
    data = json.loads(STANDARD_FILE.read_text(encoding="utf-8"))
    areas = tuple(
        AcsAreaText(
            number=area["number"],
            title=area["title"],
            page=0,
            tasks=tuple(
                AcsTaskText(
                    code=task["code"],
                    title=task["title"],
                    classes=(),
                    references_line=task["references"],
                    references=parse_references(task["references"]),
                    objective="",
                    notes=(),
                    page=0,
                    elements=tuple(
                        AcsElementText(
                            code=element["code"],
                            parent=element["code"][:-1] if element["code"][-1].isalpha() else "",
                            kind=element["kind"],
                            text=element["text"],
                            page=0,
                            archived=False,
                        )
                        for element in task["elements"]
                    ),
                )
                for task in area["tasks"]
            ),
        )
        for area in data["areas"]
    )
    return AcsStandard(
        certificate=data["certificate"],
        number=data["number"],
        title=data["title"],
        edition_date=None,
        areas=areas,
    )
