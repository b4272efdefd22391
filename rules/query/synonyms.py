"""What pilots say, in the terms of the rules: "squawk box" is a transponder. Pure.

The dictionary `synonyms.csv` has only wordings, no countries and no answers.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from knowledge.text.phrases import PhraseSet


@dataclass(frozen=True, slots=True)
class Matter:
    """What rules call it, and the phrases that mean it, in the notation of `knowledge.text.phrases`."""

    formal: str
    said: tuple[str, ...]


@cache
def read_matters() -> tuple[Matter, ...]:
    """Each matter once, in the order of the file."""
    found: dict[str, list[str]] = {}
    with files("rules.query").joinpath("synonyms.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["matter"], []).append(row["wording"])
    return tuple(Matter(formal, tuple(said)) for formal, said in found.items())


@cache
def _phrases_of(matter: Matter) -> PhraseSet:
    return PhraseSet(matter.said, edge=r"\w-")


def matters_in(text: str) -> Iterator[Matter]:
    """The subjects that a text mentions, in the order of the dictionary."""
    return (matter for matter in read_matters() if _phrases_of(matter).is_in(text))
