"""What the headings of documents name: topics, procedures, and the sections that a pilot cites. Pure.

The same title in two documents is one topic. A title that a document prints under two headings, or that is a single
word, is a topic of the heading above it: "Eligibility requirements: General (Student Pilots)".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from uuid import UUID

from knowledge.standards.references import Cited
from knowledge.text.word_tables import read_rows

TITLE_WORDS: Final = 14  # of a heading; a longer one is a sentence
PROCEDURE: Final = frozenset(
    ("procedure", "procedures", "checklist", "checklists", "technique", "techniques")
)
"""Last words of a heading that names a procedure."""
_GENERIC: Final = frozenset(
    row["heading"] for row in read_rows(Path(__file__).with_name("generic_headings.csv"))
)
_NUMBERING: Final = re.compile(
    r"^(?:(?:Subpart|Part|Chapter|Section|Appendix)\s+[\w.]+(?: to Part \d+)?\s*[—–:.-]+\s*"
    r"|§+\s*[\d.]+[a-z]?\s+|\d+(?:[.-]\d+)+\.?\s+)|\s+\d+(?:-\d+)+$"
)
"""A number before or after a title: "Subpart B—", "§ 91.155", "3-2-6"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paper:
    """A document as it is cited. `name` is its identity as an artifact."""

    id: UUID
    tenant: int | None
    name: str
    title: str
    cite: str
    cited: Cited


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """A passage without its text: its section ("91.155"), and the headings above it."""

    chunk: UUID
    paper: Paper
    section: str
    path: tuple[str, ...]
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Heading:
    """A topic or procedure; `identity` is its title, with the title above it where that is needed."""

    identity: str
    category: str


@dataclass(slots=True)
class Outline:
    """The headings of a library. `chain` has the topics of each passage, the innermost last; `label` its section as it
    is cited."""

    chain: dict[UUID, tuple[Heading, ...]] = field(default_factory=dict)
    label: dict[UUID, str] = field(default_factory=dict)


def outline_of(spots: Iterable[Spot]) -> Outline:
    """The topics and sections of all passages."""
    spots = list(spots)
    above: dict[tuple[UUID, str], set[str]] = {}
    for spot in spots:
        titles = [plain_title(one) for one in spot.path]
        for place, title in enumerate(titles):
            above.setdefault((spot.paper.id, title.casefold()), set()).add(
                titles[place - 1].casefold() if place else ""
            )
    ambiguous = {key for key, parents in above.items() if len(parents) > 1}
    found = Outline()
    for spot in spots:
        chain: list[Heading] = []
        before = spot.paper.title
        for printed in spot.path:
            title = plain_title(printed)
            if title == plain_title(spot.paper.title):
                continue
            if is_topic(title):
                unclear = (spot.paper.id, title.casefold()) in ambiguous or len(title.split()) == 1
                chain.append(Heading(f"{title} ({before})" if unclear else title, category_of_title(title)))
            before = title
        found.chain[spot.chunk] = tuple(chain)
        found.label[spot.chunk] = f"{spot.paper.cite} {spot.section}".strip() if spot.section else ""
    return found


def plain_title(heading: str) -> str:
    """A heading without its number."""
    return _NUMBERING.sub("", " ".join(heading.split())).strip(" .:—–-")


def is_topic(title: str) -> bool:
    """Whether a heading names something to talk about, and is no sentence, figure or empty form."""
    words = title.split()
    plain = title.casefold().strip("[] ")
    return (
        1 <= len(words) <= TITLE_WORDS
        and plain not in _GENERIC
        and "reserved" not in plain
        and any(char.islower() for char in title)
        and title[0].isalnum()
        and not re.match(r"(?:Figure|Table|Special Federal|Note|Step)\b", title)
        and not title.endswith((",", ";"))
    )


def category_of_title(title: str) -> str:
    return "procedure" if title.split()[-1].casefold().strip(".?)") in PROCEDURE else "topic"
