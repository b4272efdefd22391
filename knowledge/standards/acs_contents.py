"""The table of contents of an ACS says which Tasks there have to be: what is missing shows a file that is cut off.
Pure.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .acs_rows import Row

_LEADER = re.compile(r"\.{4,}\s*\d*\s*$|(?:\s\.){4,}\s*\d*\s*$")
_AREA = re.compile(r"^(?:Area of Operation\s+)?([IVXL]{1,6})[.:]\s+\S")
_TASK = re.compile(r"^(?:Task\s+)?([A-Z])[.:]\s+\S")
_APPENDIX = re.compile(r"^Appendix \d+\b")


@dataclass(frozen=True, slots=True)
class Place:
    """A Task by its Area's numeral and its letter."""

    area: str
    task: str


@dataclass(frozen=True, slots=True)
class Contents:
    places: tuple[Place, ...] = ()
    appendix: bool = False


def places_in_contents(rows: Sequence[Row]) -> Contents:
    """The Tasks that a table of contents lists, in its order; none where the rows have no dot leaders."""
    listing = {row.page for row in rows if _LEADER.search(row.text)}
    places: dict[Place, None] = {}
    area, appendix = "", False
    for row in rows:
        if row.page not in listing:
            continue
        appendix = appendix or bool(_APPENDIX.match(row.text))
        task, heading = _TASK.match(row.text), _AREA.match(row.text)
        if heading and not (task and _goes_on(places, area, task[1])):
            area = heading[1]
        elif task and area and not appendix:
            places[Place(area, task[1])] = None
    return Contents(tuple(places), appendix)


def _goes_on(places: dict[Place, None], area: str, letter: str) -> bool:
    """ "I." and "V." may be a Task as well as an Area: a Task where the letter before it was the last."""
    last = next(reversed(places), None)
    return bool(last and last.area == area and ord(letter) == ord(last.task) + 1)


def missing_at_end(listed: Sequence[Place], read: Sequence[Place]) -> list[Place]:
    """The places behind the last one that was read. Holes before it are no sign of a file that is cut off."""
    known = set(read)
    last = max((at for at, place in enumerate(listed) if place in known), default=-1)
    return list(listed[last + 1 :])
