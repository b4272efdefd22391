"""A search taken apart becomes what the laboratory shows: rows, a drawing of the ranks, and one expected passage."""

import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from desk.operations.charts import Path, short, slopes
from knowledge.models import Chunk
from knowledge.retrieval.explain import Explanation, Place, Row

COLUMNS = ("meaning", "words", "together", "read again", "given")
DRAWN = 12
_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)


class NotExpected(LookupError):
    """What was typed names no passage; the text says what would."""


def expected_passage(typed: str, readable: QuerySet[Chunk]) -> Chunk:
    """By its id or its address in the library, else by the number of its section. Raises NotExpected."""
    found = _ID.search(typed)
    if found:
        chunk = readable.filter(pk=UUID(found[0])).first()
        if chunk is None:
            raise NotExpected("There is no such passage in your library.")
        return chunk
    section = typed.strip().lstrip("§").strip()
    chunk = (
        readable.filter(section=section[:40], retired_at=None).order_by("document__status", "index").last()
    )
    if chunk is None:
        raise NotExpected(
            "No passage has this address or section. Open it in the library and copy its address, or give a section"
            " number like 91.155."
        )
    return chunk


def drawing(explanation: Explanation) -> str:
    """The places of what was given and of what came near it, from leg to leg."""
    drawn = explanation.rows[:DRAWN]
    paths = [
        Path(_name(row), _places(row), given=row.given is not None, label=row.found.label) for row in drawn
    ]
    return slopes("Place of each passage in each leg", COLUMNS, paths) if paths else ""


def _name(row: Row) -> str:
    return short(f"{row.found.label}: {row.found.heading}", 90)


def _places(row: Row) -> tuple[int | None, ...]:
    return (*(_rank(place) for place in (row.vector, row.lexical, row.fused, row.reranked)), row.given)


def _rank(place: Place | None) -> int | None:
    return place.rank if place else None


def gate_words(explanation: Explanation) -> str:
    """Why the verdict is what it is, and what was searched where the question itself found too little."""
    said = _verdict_words(explanation)
    instead = explanation.reformulated
    return f"{said} What was asked found less; searched was “{short(instead, 200)}”." if instead else said


def _verdict_words(explanation: Explanation) -> str:
    limits, top = explanation.thresholds, explanation.top
    if top is None:
        return f"Nothing reached the floor of {explanation.floor:.2f}."
    if top >= limits.strong:
        return f"The best has {top:.2f}; from {limits.strong:.2f} on one is enough."
    if explanation.quality == "strong":
        return f"The best has {top:.2f}, below {limits.strong:.2f}, but a second is above {limits.weak:.2f}."
    return f"The best has {top:.2f}, and there are not two above {limits.weak:.2f}."


def filters_in_words(filters: dict[str, Any]) -> str:
    """ "kind cfr, section 91.155"; "none" where there are none."""
    names = {"doc_types": "kind", "sections": "section", "abbreviation": "document", "task": "Task"}
    said = [f"{names.get(name, name)} {_said(value)}" for name, value in filters.items()]
    return ", ".join(said) or "none"


def _said(value: Any) -> str:
    return value if isinstance(value, str) else " or ".join(_plain(value))


def _plain(values: Sequence[Any]) -> list[str]:
    return [str(value) for value in values]
