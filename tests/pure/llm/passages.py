"""Passages to embed: aviation prose of this project's own, and the FAA's where it is at hand."""

from __future__ import annotations

import random

PROSE = """
Before a flight the pilot in command looks at everything that may bear on it. For a flight away from the
airport's vicinity that means weather reports and forecasts, the fuel needed, other airports to land at
when the plan fails, and delays that air traffic control has announced. For any flight it means the
lengths of the runways in use and how much of them the aircraft needs at its weight, in the wind and the
temperature of the day. In Class G airspace at or below 1,200 feet above the surface an airplane needs 1
statute mile by day; by night it needs 3, and a distance of 500 feet below, 1,000 feet above and 2,000
feet horizontally from clouds. An emergency is declared on 121.5 MHz or on the frequency in use. A pilot
who turns left base for runway 24 announces the position, looks for others, and expects somebody without a
radio. Ice forms in visible moisture near freezing; carburettor heat is applied before the power is
reduced, not after the engine has begun to run roughly. A wing stalls at one angle of attack, at any
speed.
"""

SENTENCES = [
    "What are the basic weather minimums for VFR in Class G airspace at night?",
    "Carburettor ice can form at 20 °C with high humidity.",
    "121.5",
    "The magneto drop exceeds the limit.",
]


def passages(count: int, *, seed: int = 1) -> list[str]:
    """Stretches of prose of every length up to about two windows."""
    chance = random.Random(seed)
    words = PROSE.split()
    lengths = [chance.choice([6, 12, 30, 60, 120, 170, 300]) for _ in range(count)]
    starts = [chance.randrange(len(words)) for _ in range(count)]
    return [
        " ".join((words * 4)[start : start + length]) for start, length in zip(starts, lengths, strict=True)
    ]
