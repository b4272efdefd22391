"""The grounded context: the passages that retrieval found, and the only thing an examiner or an assessor may rely on.

"No sources" is a value of the context, never None. A passage is a plain value that knows its page, its section and its
edition, and nothing of rows or searches.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Quality = Literal["strong", "weak", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A chunk as a source. `n` is its number in the context, from 1. `page` is None for a source without pages.
    `page_starts` has, for each page of a passage that runs over several, the offset of its first character, the page
    and its printed label."""

    n: int
    chunk_id: str
    text: str
    document: str
    abbreviation: str = ""
    doc_type: str = "other"
    heading: str = ""
    section: str = ""
    label: str = ""
    edition: str = ""
    page: int | None = None
    page_label: str = ""
    anchor: str = ""
    relevance: float = 0.0
    page_starts: tuple[tuple[int, int, str], ...] = ()

    def page_of(self, offset: int) -> tuple[int | None, str]:
        """The page, and what is printed on it, where the character at `offset` of the text stands."""
        found = [(page, label) for start, page, label in self.page_starts if start <= offset]
        return found[-1] if found else (self.page, self.page_label)


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two passages that set different limits for the same thing: what each says, and the chunk that holds by the order
    of authority, "" between equals."""

    chunks: tuple[str, str]
    quotes: tuple[str, str]
    holds: str = ""


@dataclass(frozen=True, slots=True)
class Surrounding:
    """What the concept graph holds near the element: its kind in words ("definition"), and its text."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class GroundedContext:
    """Numbered passages, how good they are as a whole, where they disagree, and what the graph holds around them."""

    passages: tuple[Passage, ...] = ()
    quality: Quality = "none"
    disagreeing: tuple[Disagreement, ...] = ()
    around: tuple[Surrounding, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not self.passages


NO_SOURCES = GroundedContext((), "none")


def context_of(passages: tuple[Passage, ...], quality: Quality) -> GroundedContext:
    """A context of these passages in this order, numbered from 1. Without passages it is NO_SOURCES."""
    if not passages:
        return NO_SOURCES
    return GroundedContext(
        tuple(replace(passage, n=n) for n, passage in enumerate(passages, start=1)), quality
    )
