"""Chunks and figures become links: a named figure, a caption in common words, at last the same page. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge import conf

Strategy = Literal["figure_ref", "caption_match", "same_page"]

_MENTION = re.compile(
    r"\b(?P<kind>Figures?|FIGs?\.?|Tables?|TBLs?)\s+(?P<numbers>[A-Z]?\d{1,3}(?:[-–]\d{1,3}){0,2}"
    r"(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s*&\s*)[A-Z]?\d{1,3}(?:[-–]\d{1,3}){1,2})*)",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"[A-Z]?\d{1,3}(?:[-–]\d{1,3}){0,2}", re.IGNORECASE)
COMMON_SHARE = 0.15  # of a document's chunks: a word in more of them says nothing about one
COMMON_FROM = 8  # chunks from which "common" means something
_SHARED_LEAST = 2  # words that caption and chunk must share: one is chance


@dataclass(frozen=True, slots=True)
class LinkedChunk:
    text: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinkedFigure:
    label: str
    caption: str
    page: int


@dataclass(frozen=True, slots=True)
class Link:
    """Positions of chunk and figure in what was given."""

    chunk: int
    figure: int
    strategy: Strategy
    relevance: float


def links_between(chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure]) -> tuple[Link, ...]:
    """At most one link for each chunk and figure, by the strongest strategy that holds."""
    named = [figures_named(chunk.text) for chunk in chunks]
    words = _telling_words(chunks)
    return tuple(
        link
        for at_figure, figure in enumerate(figures)
        for at_chunk, chunk in enumerate(chunks)
        for link in _link(at_chunk, at_figure, chunk, figure, named[at_chunk], words[at_chunk])
    )


def _telling_words(chunks: Sequence[LinkedChunk]) -> list[set[str]]:
    """The words of each chunk without those that so many chunks have that they tell none apart."""
    words = [_words(chunk.text) for chunk in chunks]
    if len(chunks) < COMMON_FROM:
        return words
    spread = Counter(word for found in words for word in found)
    common = {word for word, count in spread.items() if count > COMMON_SHARE * len(chunks)}
    return [found - common for found in words]


def _link(
    at_chunk: int, at_figure: int, chunk: LinkedChunk, figure: LinkedFigure, named: set[str], words: set[str]
) -> Iterator[Link]:
    if figure.label and _label_key(figure.label) in named:
        yield Link(at_chunk, at_figure, "figure_ref", conf.LINK_FIGURE_REF)
        return
    share = caption_share(figure.caption, words)
    if share >= conf.LINK_CAPTION_LEAST:
        yield Link(at_chunk, at_figure, "caption_match", round(share, 3))
    elif figure.page in chunk.pages:
        yield Link(at_chunk, at_figure, "same_page", conf.LINK_SAME_PAGE)


def figures_named(text: str) -> set[str]:
    """The figures and tables a text names: {"f15-1", "f15-2"} of "Figures 15-1 and 15-2"."""
    return {
        _key(mention["kind"], number)
        for mention in _MENTION.finditer(text)
        for number in _NUMBER.findall(mention["numbers"])
    }


def caption_share(caption: str, words: set[str]) -> float:
    """Which share of a caption's words a text has; 0 where they share fewer than two."""
    wanted = _words(re.sub(r"\A\W*(?:figure|fig|table|tbl)\W*[\d-]+", "", caption, flags=re.IGNORECASE))
    shared = wanted & words
    return len(shared) / len(wanted) if len(shared) >= _SHARED_LEAST else 0.0


def _label_key(label: str) -> str:
    kind, _, number = label.partition(" ")
    return _key(kind, number)


def _key(kind: str, number: str) -> str:
    return kind[0].lower() + number.lower().replace("–", "-")


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"[a-z]+", text.lower()) if len(word) >= conf.LINK_CAPTION_LETTERS}
