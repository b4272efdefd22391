"""Begin the passages of an edition where those of the previous edition began, if the words are the same. Pure.

Chunks are filled in order, so one more sentence at the start of a section would move every later border, and each later
passage would need a new vector although none of its words changed.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from knowledge import conf
from knowledge.ingestion.document_model import CELL_GAP, squeeze_spaces


class Place(NamedTuple):
    """A section as stored with its passages."""

    section: str
    heading: str


class Stretch(NamedTuple):
    """A passage of an edition."""

    place: Place
    text: str


#: How each passage but the first of a section begins, without what it repeats of the one before it.
Borders = Mapping[Place, frozenset[str]]


def borders_between(passages: Iterable[Stretch]) -> Borders:
    """The borders of passages in their order."""
    found: dict[Place, frozenset[str]] = {}
    for place, group in groupby(passages, key=lambda passage: passage.place):
        openings = set()
        for (_, before), (_, after) in pairwise(group):
            old, new = squeeze_spaces(before), squeeze_spaces(after)
            # A passage repeats the end of the one before it, or the head of a table.
            lengths = range(min(len(old), len(new) - 1), 0, -1)
            repeated = next((one for one in lengths if new[one] == " " and old.endswith(new[:one])), 0)
            first, _, rest = after.partition("\n")
            if not repeated and CELL_GAP in first and first in before.split("\n"):
                new = squeeze_spaces(rest)
            openings.add(new[repeated:].lstrip()[: conf.BORDER_LETTERS])
        found[place] = found.get(place, frozenset()) | openings - {""}
    return found


def begins_at(texts: Sequence[str], openings: frozenset[str]) -> list[bool]:
    """For each of a section's texts in order, whether a passage began with it. An opening that occurs twice is
    ignored."""
    starts: list[str] = []  # as many letters from each text on as an opening has
    for at in range(len(texts) if openings else 0):
        start, next_at = "", at
        while next_at < len(texts) and len(start) < conf.BORDER_LETTERS:
            start = f"{start} {squeeze_spaces(texts[next_at])}".strip()
            next_at += 1
        starts.append(start)
    found = [[at for at, start in enumerate(starts) if start.startswith(opening)] for opening in openings]
    borders = {places[0] for places in found if len(places) == 1}
    return [at in borders for at in range(len(texts))]
