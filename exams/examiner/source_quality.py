"""Describes for a prompt how good the sources are, where they disagree, and what stands around. Plain values only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from knowledge.grounding.context import GroundedContext, Quality
from llm.prompts import fence_text

OF_AUTHORITY: Final = (
    "Sources stand in the order of their authority: regulation (14 CFR), the handbook of this very aircraft, AIM, FAA"
    " handbooks, advisory circulars, anything else. Where two differ, the one of more authority holds."
)
_HOW_GOOD: Final[Mapping[Quality, str]] = {
    "strong": "strong: they speak of this matter.",
    "weak": (
        "weak: they are only near to this matter. Rely on what one of them states outright and on nothing that would"
        " have to be read into it; where they do not say it, leave it open and say nothing of it."
    ),
    "none": (
        "none: nothing in the library speaks of this matter. State no fact, no rule and no amount, and judge nothing as"
        " wrong for want of a source."
    ),
}


def told_of_sources(context: GroundedContext, notes: Iterable[str]) -> dict[str, str]:
    """What each prompt tells of its sources and of what the concept graph holds around the element, with operators'
    notes."""
    return {
        "quality": how_good(context),
        "authority": OF_AUTHORITY,
        "disagreements": listed_disagreements(context),
        "around": "\n".join(fence_text("graph", f"{one.kind}: {one.text}") for one in context.around)
        or "nothing",
        "notes": "\n".join(fence_text("note", one) for one in notes) or "none",
    }


def how_good(context: GroundedContext) -> str:
    """How far a model may rely on the passages, as a prompt says it."""
    return _HOW_GOOD["none" if context.is_empty else context.quality]


def listed_disagreements(context: GroundedContext) -> str:
    """What each side says, and which holds. The words are the documents' own and stand in fences."""
    labels = {one.chunk_id: one.label or one.document for one in context.passages}
    lines: list[str] = []
    for one in context.disagreeing:
        for chunk, quote in zip(one.chunks, one.quotes, strict=True):
            lines.append(fence_text("source", f"{labels.get(chunk, 'a source')}\n{quote}"))
        holds = labels.get(one.holds, "")
        lines.append(
            f"{holds} holds." if holds else "Neither holds before the other: rely on neither of the two."
        )
    return "\n".join(lines) or "none were found"
