"""The demo's approved claims as an examiner's material, without a database: one opening an element, or one a claim."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from exams.offline.asking import ClaimMaterial, OpeningMaterial

DEMO = Path(__file__).parents[2] / "desk" / "demo"
RISK = ("hazard", "assess", "mitigate")


def elements() -> dict[str, dict[str, Any]]:
    areas = json.loads((DEMO / "standard.json").read_text())["areas"]
    return {e["code"]: e for area in areas for task in area["tasks"] for e in task["elements"]}


def claims() -> list[dict[str, Any]]:
    return [
        claim for claim in json.loads((DEMO / "claims.json").read_text()) if claim["status"] == "approved"
    ]


def materials(seed: str = "s") -> Iterator[OpeningMaterial]:
    """One for each knowledge claim, and one for each risk element with its three."""
    known = elements()
    risks: defaultdict[str, list[ClaimMaterial]] = defaultdict(list)
    for claim in claims():
        code = claim["elements"][0]
        one = ClaimMaterial(
            key=claim["key"],
            statement=claim["statement"],
            kind=claim["role"],
            citation=1,
            facts=claim["key_facts"],
        )
        if claim["role"] in RISK:
            risks[code].append(one)
        else:
            yield material_of((one,), known[code], seed)
    for code, three in risks.items():
        yield material_of(tuple(three), known[code], seed)


def material_of(
    asked: tuple[ClaimMaterial, ...], element: dict[str, Any], seed: str, history: tuple[str, ...] = ()
) -> OpeningMaterial:
    return OpeningMaterial(
        claims=asked,
        element_kind=element["kind"],
        element_text=element["text"],
        topic=element["text"],
        history=history,
        seed=seed,
    )
