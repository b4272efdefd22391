"""Prepare a stored answer for a page: columns, pieces of text, chips. Pure.

It reads plain stored values and adds nothing to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from operator import attrgetter
from typing import Any

from rules.countries import KNOWN_COUNTRIES, name_of


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an answer; `differs` if the other countries do not have these words."""

    text: str
    differs: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """What is shown for one country. `quote` is its own answer if `text` is a model's, or is shortened."""

    country: str
    name: str
    pieces: tuple[Piece, ...] = ()
    missing: bool = False
    links: tuple[str, ...] = ()
    number: int = 0
    quote: str = ""
    checked: date | None = None
    url: str = ""
    state: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One question, its countries side by side, and why they differ."""

    question: str
    category: str
    why: str
    columns: tuple[Column, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chip:
    country: str
    name: str
    chosen: bool = False
    known: bool = True


def pieces_of(text: str, marks: Iterable[Sequence[int]]) -> tuple[Piece, ...]:
    """The text cut at its marks; together the pieces are the text. Invalid or overlapping marks are left out."""
    pieces, end = [], 0
    for start, stop in sorted((int(one[0]), int(one[1])) for one in marks):
        if not end <= start < stop <= len(text):
            continue
        pieces += [Piece(text[end:start]), Piece(text[start:stop], differs=True)]
        end = stop
    return tuple(piece for piece in (*pieces, Piece(text[end:])) if piece.text)


def parts_of(answer: Mapping[str, Any], states: Mapping[str, str] | None = None) -> tuple[Part, ...]:
    """The parts of a stored answer. `states` gives, by answer id, what has happened to each answer since."""
    citations = {one["n"]: one for one in answer["citations"]}
    return tuple(
        Part(
            question=section["question"],
            category=section["category"],
            why=section["why"],
            columns=tuple(_column_for_line(line, citations, states or {}) for line in section["lines"]),
        )
        for section in answer["sections"]
    )


def _column_for_line(
    line: Mapping[str, Any], citations: Mapping[int, Any], states: Mapping[str, str]
) -> Column:
    numbers = line["citations"]
    cited = citations.get(numbers[0]) if numbers else None
    quote = cited["quote"] if cited else ""
    return Column(
        country=line["country"],
        name=line["name"],
        pieces=pieces_of(line["text"], line["marks"]),
        missing=line["missing"],
        links=tuple(line["links"]),
        number=numbers[0] if numbers else 0,
        quote="" if quote == line["text"] else quote,
        checked=date.fromisoformat(cited["date_checked"]) if cited and cited["date_checked"] else None,
        url=cited["url"] if cited else "",
        state=states.get(cited["answer_id"], "") if cited else "",
    )


def chips_of(chosen: Sequence[str], known: Iterable[str]) -> tuple[tuple[Chip, ...], tuple[Chip, ...]]:
    """The chosen countries, in order, and the other countries with rules, by name."""
    there = frozenset(known)
    own = tuple(
        Chip(country=code, name=name_of(code), chosen=True, known=code in there)
        for code in chosen
        if code in KNOWN_COUNTRIES
    )
    others = sorted(
        (Chip(country=code, name=name_of(code)) for code in there - set(chosen)), key=attrgetter("name")
    )
    return own, tuple(others)
