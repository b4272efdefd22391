"""Chunks and figures become links: a named figure, a caption in common words, at last the same page. Pure."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge import conf
from knowledge.ingestion.layout.figure_labels import base_of, key_of, mentions_in, without_label

Strategy = Literal["figure_ref", "caption_match", "same_page"]

_SHARED_LEAST = 2  # words that caption and chunk must share: one is chance
NEAR_PAGES = 2  # pages from a figure within which words of its caption mean it
_TELLING_NEAR = 0.45  # least share of the caption's words, weighted by how rare they are, on a page nearby
_TELLING_FAR = 0.6  # the same further away, where the words are more likely to be about something else
_NO_SUBJECT = frozenset(
    re.findall(
        r"\w+",
        "figure table this that these those with from into onto upon over under above below between through during "
        "after before while when where which what their there them then than have been being does were will would "
        "should must also each every both same other another such only more most very many some used using uses "
        "show shows shown showing example examples sample typical various different common general basic type types "
        "illustration illustrates diagram depicting depicts depicted view effect effects note notes photo photograph",
    )
)


@dataclass(frozen=True, slots=True)
class LinkedChunk:
    text: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LinkedFigure:
    label: str
    caption: str
    pages: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Positions of chunk and figure in what was given."""

    chunk: int
    figure: int
    strategy: Strategy
    relevance: float


def links_between(
    chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure], own_names: Sequence[str] = ()
) -> tuple[Link, ...]:
    """At most one link for each chunk and figure, by the strongest strategy that holds. `own_names` are what the
    document is called: a figure of another document is no figure of this one."""
    found: dict[tuple[int, int], Link] = {}
    for link in (
        *_links_by_name(chunks, figures, own_names),
        *_links_by_caption(chunks, figures),
        *_links_by_page(chunks, figures),
    ):
        found.setdefault((link.figure, link.chunk), link)
    return tuple(found[pair] for pair in sorted(found))


# --- by name ------------------------------------------------------------


def _links_by_name(
    chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure], own_names: Sequence[str]
) -> Iterator[Link]:
    named = _figures_by_key(figures)
    for at, chunk in enumerate(chunks):
        for mention in mentions_in(chunk.text, own_names):
            keys = mention.keys if not mention.instead or mention.keys[0] in named else mention.instead
            for key in keys:
                for figure in _meant(named.get(key) or named.get(base_of(key), []), chunk, figures):
                    yield Link(at, figure, "figure_ref", conf.LINK_FIGURE_REF)


def _figures_by_key(figures: Sequence[LinkedFigure]) -> Mapping[str, list[int]]:
    """Figures by their name; the parts 4-5A and 4-5B of a figure also by that of the whole."""
    exact: dict[str, list[int]] = defaultdict(list)
    parts: dict[str, list[int]] = defaultdict(list)
    for at, figure in enumerate(figures):
        if figure.label:
            key = key_of(figure.label)
            exact[key].append(at)
            if base_of(key) != key:
                parts[base_of(key)].append(at)
    return {key: exact.get(key) or parts[key] for key in (*exact, *parts)}


def _meant(named: Sequence[int], chunk: LinkedChunk, figures: Sequence[LinkedFigure]) -> list[int]:
    """Of figures that have one name, as where each chapter counts from 1, the one nearest to the chunk; parts of one
    figure, which have different names, all of them."""
    nearest: dict[str, int] = {}
    for at in sorted(named, key=lambda at: (_pages_apart(chunk, figures[at]), at)):
        nearest.setdefault(figures[at].label, at)
    return list(nearest.values())


def _pages_apart(chunk: LinkedChunk, figure: LinkedFigure) -> int:
    return min((abs(one - two) for one in chunk.pages for two in figure.pages), default=0)


# --- by caption ------------------------------------------------------------


def _links_by_caption(chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure]) -> Iterator[Link]:
    words = [_words(chunk.text) for chunk in chunks]
    having: dict[str, list[int]] = defaultdict(list)
    for at, found in enumerate(words):
        for word in found:
            having[word].append(at)
    for at, figure in enumerate(figures):
        wanted = _words(without_label(figure.caption)) - _NO_SUBJECT_STEMS
        weights = {word: _weight(len(having.get(word, ())), len(chunks)) for word in wanted}
        shared = Counter(chunk for word in wanted for chunk in having.get(word, ()))
        for chunk, count in shared.items():
            share = count / len(wanted)
            if count >= _SHARED_LEAST and share >= conf.LINK_CAPTION_LEAST:
                telling = _share_of(weights, words[chunk])
                if telling >= _least(chunks[chunk], figure):
                    yield Link(chunk, at, "caption_match", round(share, 3))


def _weight(having: int, chunks: int) -> float:
    """How much a word tells that `having` of all chunks have: most where few have it, nothing where all do."""
    return math.log((chunks + 1) / max(1, having))


def _share_of(weights: Mapping[str, float], words: set[str]) -> float:
    whole = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in words) / whole if whole > 0 else 0.0


def _least(chunk: LinkedChunk, figure: LinkedFigure) -> float:
    return _TELLING_NEAR if _pages_apart(chunk, figure) <= NEAR_PAGES else _TELLING_FAR


def _words(text: str) -> set[str]:
    found = re.findall(r"[a-z]+", text.lower())
    return {_stem(word) for word in found if len(word) >= conf.LINK_CAPTION_LETTERS}


def _stem(word: str) -> str:
    """A word without what number and tense add to it: "clouds" and "cloud", "stalled" and "stalling"."""
    for ending, least in (("ies", 3), ("ing", 4), ("ed", 4), ("es", 4), ("s", 4)):
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            stem = word[: -len(ending)] + ("y" if ending == "ies" else "")
            return stem.rstrip("e") if ending != "ies" else stem
    return word.rstrip("e") if len(word) > conf.LINK_CAPTION_LETTERS else word


_NO_SUBJECT_STEMS = frozenset(_stem(word) for word in _NO_SUBJECT)

# --- by page ------------------------------------------------------------


def _links_by_page(chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure]) -> Iterator[Link]:
    on_page: dict[int, list[int]] = defaultdict(list)
    for shown_at, one in enumerate(figures):
        for page in one.pages:
            on_page[page].append(shown_at)
    for at, chunk in enumerate(chunks):
        for figure in dict.fromkeys(shown for page in chunk.pages for shown in on_page.get(page, ())):
            yield Link(at, figure, "same_page", conf.LINK_SAME_PAGE)
