"""Item files as an author would write them, whole or with one thing wrong."""

from copy import deepcopy
from pathlib import Path
from typing import Any

import yaml

ITEM: dict[str, Any] = {
    "id": "pa.i.a.k1.passengers-after-a-break",
    "elements": ["PA.I.A.K1"],
    "level": "apply",
    "stem": "You last flew {days} days ago, a solo hour in the pattern. Two friends want to come along this afternoon. "
    "How do you decide whether you may take them?",
    "again": "The same plan, asked another way. What recent flying has to be in your logbook before they board?",
    "slots": {"days": [40, 95]},
    "points": [
        {
            "id": "three-in-90",
            "text": "Three takeoffs and three landings within the preceding 90 days.",
            "role": "rule",
            "p0": True,
            "source": "14 CFR 61.57(a)(1)",
            "accept": ["three and three in the last ninety days"],
            "ask": "How much recent flying, and within what time?",
            "hint": "The logbook is searched a fixed number of days back.",
        },
        {
            "id": "full-stop",
            "text": "At night the landings are to a full stop.",
            "must": False,
            "source": ["14 CFR 61.57(b)(1)", "AIM 8-1-1"],
            "ask": "And after dark?",
            "hint": "Think of how the landing ends.",
        },
    ],
    "mixups": [
        {
            "text": "My flight review is current, so I can take passengers.",
            "answer": "A flight review keeps the certificate usable; passengers need recent landings as well.",
            "source": "14 CFR 61.56(c)",
            "contradicts": ["three-in-90"],
        }
    ],
    "why": "Skill fades within weeks, and passengers cannot judge it.",
}


def item(**changes: Any) -> dict[str, Any]:
    return deepcopy(ITEM) | changes


def point(**changes: Any) -> dict[str, Any]:
    first: dict[str, Any] = deepcopy(ITEM["points"][0])
    return first | changes


def write_file(folder: Path, *items: dict[str, Any], name: str = "pa_i_a.yaml", **more: Any) -> Path:
    path = folder / name
    path.write_text(yaml.safe_dump({"task": "PA.I.A", "items": list(items), **more}, sort_keys=False))
    return path
