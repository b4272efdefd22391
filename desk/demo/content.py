"""The demo's files become values: claims as they were written, and the standard that they belong to.

Pure: it reads the package's own files and knows no database.
"""

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

Role = Literal["rule", "explain", "hazard", "assess", "mitigate"]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoClaim:
    """A claim of the handbook; `quote` is its sentence there, `status` what the demo's reviewer decided."""

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
    """The claims as the demo's reviewer left them."""
    rows = json.loads(CLAIMS_FILE.read_text(encoding="utf-8"))
    return tuple(DemoClaim(**{**row, "elements": tuple(row["elements"])}) for row in rows)


def demo_standard() -> AcsStandard:
    """Real codes and our own words for them; the FAA's own standard takes its place when it is loaded."""
    data = json.loads(STANDARD_FILE.read_text(encoding="utf-8"))
    return AcsStandard(
        certificate=data["certificate"],
        number=data["number"],
        title=data["title"],
        edition_date=None,
        areas=tuple(_area(area) for area in data["areas"]),
    )


def _area(data: dict[str, Any]) -> AcsAreaText:
    return AcsAreaText(
        number=data["number"], title=data["title"], page=0, tasks=tuple(_task(task) for task in data["tasks"])
    )


def _task(data: dict[str, Any]) -> AcsTaskText:
    return AcsTaskText(
        code=data["code"],
        title=data["title"],
        classes=(),
        references_line=data["references"],
        references=parse_references(data["references"]),
        objective="",
        notes=(),
        page=0,
        elements=tuple(_element(element) for element in data["elements"]),
    )


def _element(data: dict[str, Any]) -> AcsElementText:
    code: str = data["code"]
    return AcsElementText(
        code=code,
        parent=code[:-1] if code[-1].isalpha() else "",
        kind=data["kind"],
        text=data["text"],
        page=0,
        archived=False,
    )
