"""Where the passages of an edition begin becomes where those of the next one begin, as far as its words are the same.
Pure.

A chunk is filled from the one before it: a sentence more at the head of a section would move every border behind it,
and each passage there would be another, with another vector, although not a word of it changed. So an edition that
is much like the one before it begins its passages where that one did.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from knowledge import conf
from knowledge.ingestion.document_model import CELL_GAP, squeezed


class Place(NamedTuple):
    """A section as its passages know it."""

    section: str
    heading: str


class Stretch(NamedTuple):
    """A passage of an edition."""

    place: Place
    text: str


#: How each passage but the first of a section begins, without what it repeats of the one before it.
Borders = Mapping[Place, frozenset[str]]


def borders_between(passages: Iterable[Stretch]) -> Borders:
    """The borders of passages that are given in their order."""
    found: dict[Place, frozenset[str]] = {}
    for place, group in groupby(passages, key=lambda passage: passage.place):
        openings = {_opening(before.text, after.text) for before, after in pairwise(group)}
        found[place] = found.get(place, frozenset()) | openings - {""}
    return found


def begins_at(texts: Sequence[str], openings: frozenset[str]) -> list[bool]:
    """For each of a section's texts, in their order, whether a passage began with it; an opening that stands there
    twice tells nothing."""
    if not openings:
        return [False] * len(texts)
    ahead = [_ahead(texts, at) for at in range(len(texts))]
    found = [[at for at, text in enumerate(ahead) if text.startswith(opening)] for opening in openings]
    sure = {places[0] for places in found if len(places) == 1}
    return [at in sure for at in range(len(texts))]


def _ahead(texts: Sequence[str], at: int) -> str:
    """As many of the next letters as an opening has."""
    said = ""
    while at < len(texts) and len(said) < conf.BORDER_LETTERS:
        said = f"{said} {squeezed(texts[at])}".strip()
        at += 1
    return said


def _opening(before: str, after: str) -> str:
    """What a passage begins with, behind what it repeats: the end of the one before it, or the head of a table."""
    old, new = squeezed(before), squeezed(after)
    repeated = _repeated(old, new)
    first, _, rest = after.partition("\n")
    if not repeated and CELL_GAP in first and first in before.split("\n"):
        new = squeezed(rest)
    return new[repeated:].lstrip()[: conf.BORDER_LETTERS]


def _repeated(before: str, after: str) -> int:
    """How many letters of a passage are the end of the one before it, in whole words."""
    longest = min(len(before), len(after) - 1)
    for length in range(longest, 0, -1):
        if after[length] == " " and before.endswith(after[:length]):
            return length
    return 0
