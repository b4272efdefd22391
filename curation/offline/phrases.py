"""The phrase lists of `phrases.csv`, matched over a sentence at word boundaries and without regard to case. Pure.

A phrase is slots separated by spaces. A slot lists its alternatives with "|" and ends with "*" where any ending will
do; "#" is a number, and "…" any words up to the next period or semicolon.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

PHRASES: Final = Path(__file__).with_name("phrases.csv")


@cache
def read_phrases() -> dict[str, tuple[str, ...]]:
    """The phrases of each list, by the list's name."""
    lists: defaultdict[str, list[str]] = defaultdict(list)
    with PHRASES.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            lists[row["list"]].append(row["phrase"])
    return {name: tuple(phrases) for name, phrases in lists.items()}


@cache
def words_of(name: str) -> frozenset[str]:
    """The single words of a list, in small letters, each alternative by itself."""
    return frozenset(word for phrase in read_phrases()[name] for word in phrase.split("|"))


@cache
def pattern_of(name: str) -> re.Pattern[str]:
    """The pattern that finds any phrase of a list."""
    return pattern_for(read_phrases()[name])


def pattern_for(phrases: Iterable[str]) -> re.Pattern[str]:
    """The pattern that finds any of these phrases, the longest first where several begin at one place."""
    written = sorted(phrases, key=len, reverse=True)
    return re.compile("|".join(_expression_for(phrase) for phrase in written), re.IGNORECASE)


def _expression_for(phrase: str) -> str:
    slots = []
    for slot in phrase.split():
        choices = "|".join(
            re.escape(one).replace(r"\*", r"\w*").replace(r"\#", r"\d+") for one in slot.split("|")
        )
        slots.append(f"(?:{choices})")
    said = " ".join(slots).replace(" (?:…) ", r"\b[^.;]*\b")
    return rf"\b{said}" + (r"\b" if phrase[-1].isalnum() or phrase[-1] in "*#" else "")


def has_phrase(name: str, text: str) -> bool:
    """Whether a phrase of the list stands anywhere in the text."""
    return pattern_of(name).search(text) is not None


def begins_with(name: str, text: str) -> bool:
    """Whether the text begins with a phrase of the list."""
    return pattern_of(name).match(text) is not None


def without_opening_clauses(sentence: str) -> str:
    """The sentence from its subject on: "Except in an emergency, no person …" begins at "no person"."""
    while (found := pattern_of("opening").match(sentence)) and ", " in sentence[found.end() :]:
        comma = sentence.index(",", found.end())
        if not sentence.startswith(", ", comma):
            break
        sentence = sentence[comma + 2 :]
    return sentence


def subject_of(sentence: str) -> str | None:
    """The words before the sentence's verb, opening clauses aside; None where it has no verb that rules have."""
    head = without_opening_clauses(sentence)
    verbs = [found for found in pattern_of("rule verb").finditer(head) if not found.group().istitle()]
    verbs.sort(
        key=lambda found: found.group().isupper()
    )  # "the pilot MUST STOP", but "MAY NOT BE AVBL NOTAMs are"
    return head[: verbs[0].start()].strip(" ,") if verbs else None
