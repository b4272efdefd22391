"""What pilots say, in the terms of the rules: "squawk box" is a transponder. Pure.

The dictionary `synonyms.csv` has only wordings, no countries and no answers.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from knowledge.text.phrases import PhraseSet
from knowledge.text.word_tables import read_rows


@dataclass(frozen=True, slots=True)
class Matter:
    """What rules call it, and the phrases that mean it, in the notation of `knowledge.text.phrases`."""

    formal: str
    said: tuple[str, ...]


@cache
def read_matters() -> tuple[Matter, ...]:
    """Each matter once, in the order of the file."""
    found: dict[str, list[str]] = {}
    for row in read_rows(Path(__file__).with_name("synonyms.csv")):
        found.setdefault(row["matter"], []).append(row["wording"])
    return tuple(Matter(formal, tuple(said)) for formal, said in found.items())


@cache
def _phrases_of(matter: Matter) -> PhraseSet:
    return PhraseSet(matter.said, edge=r"\w-")


def matters_in(text: str) -> Iterator[Matter]:
    """The subjects that a text mentions, in the order of the dictionary."""
    return (matter for matter in read_matters() if _phrases_of(matter).is_in(text))
