"""Texts with slots: "You last flew {days} days ago", filled with the givens of one question. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

SlotValue = str | int | float

SLOT: Final = re.compile(r"\{([^{}]*)\}")
_SLOT_AND_PERIOD: Final = re.compile(rf"{SLOT.pattern}(\.?)")


def fillings_of(
    slots: Mapping[str, Sequence[SlotValue]],
    cases: Sequence[Mapping[str, SlotValue]],
    when: Mapping[str, Sequence[SlotValue]] | None = None,
) -> Iterator[dict[str, SlotValue]]:
    """Every way to fill the slots of an item; one empty way where there are none.

    With `when`, those alone in which each slot that it names has one of the values that it lists.
    """
    for case in cases or [{}]:
        for values in product(*slots.values()):
            filling = {**case, **dict(zip(slots, values, strict=True))}
            if is_given(when or {}, filling):
                yield filling


def is_given(when: Mapping[str, Sequence[SlotValue]], values: Mapping[str, SlotValue]) -> bool:
    """Whether a point that is expected `when` slots have certain values is expected with these."""
    return all(values.get(slot) in wanted for slot, wanted in when.items())


def fill_slots(text: str, values: Mapping[str, SlotValue]) -> str:
    """The text with its slots filled; a slot without a value is left unchanged. "p.m." ends a sentence as it stands."""

    def fill(slot: re.Match[str]) -> str:
        value = str(values.get(slot[1], f"{{{slot[1]}}}"))
        return value if value.endswith(".") else value + slot[2]

    return _SLOT_AND_PERIOD.sub(fill, text)
