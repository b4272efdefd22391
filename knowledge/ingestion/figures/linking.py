"""Link chunks to figures: by a figure's name, by the words of its caption, or by the page. Pure."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from knowledge import conf
from knowledge.ingestion.layout.figure_labels import base_of, key_of, mentions_in, without_label

Strategy = Literal["figure_ref", "caption_match", "same_page"]

_MIN_SHARED = 2  # words that caption and chunk must share: one is chance
NEAR_PAGES = 2  # pages from a figure within which words of its caption mean it
_TELLING_NEAR = 0.45  # least share of the caption's words, weighted by how rare they are, on a page nearby
_TELLING_FAR = 0.6  # the same further away, where the words are more likely to be about something else
_NO_SUBJECT = frozenset(
    str.split(
        "figure table this that these those with from into onto upon over under above below between through during "
        "after before while when where which what their there them then than have been being does were will would "
        "should must also each every both same other another such only more most very many some used using uses "
        "show shows shown showing example examples sample typical various different common general basic type types "
        "illustration illustrates diagram depicting depicts depicted view effect effects note notes photo photograph"
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


def find_links(
    chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure], own_names: Sequence[str] = ()
) -> tuple[Link, ...]:
    """At most one link for each chunk and figure, by the strongest strategy that holds. `own_names` are the document's
    names: a figure of another document is not linked."""
    found: dict[tuple[int, int], Link] = {}
    for link in (*_link_by_name(chunks, figures, own_names), *_link_by_caption(chunks, figures)):
        found.setdefault((link.figure, link.chunk), link)
    on_page: dict[int, list[int]] = defaultdict(list)
    for at, figure in enumerate(figures):
        for page in figure.pages:
            on_page[page].append(at)
    for at, chunk in enumerate(chunks):
        for shown in (one for page in chunk.pages for one in on_page.get(page, ())):
            found.setdefault((shown, at), Link(at, shown, "same_page", conf.LINK_SAME_PAGE))
    return tuple(found[pair] for pair in sorted(found))


# --- by name ------------------------------------------------------------


def _link_by_name(
    chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure], own_names: Sequence[str]
) -> Iterator[Link]:
    exact: dict[str, list[int]] = defaultdict(list)
    parts: dict[str, list[int]] = defaultdict(list)  # 4-5A and 4-5B by the name of the whole
    for at, figure in enumerate(figures):
        if figure.label:
            key = key_of(figure.label)
            exact[key].append(at)
            if base_of(key) != key:
                parts[base_of(key)].append(at)
    by_key = {**parts, **exact}
    for at, chunk in enumerate(chunks):
        for mention in mentions_in(chunk.text, own_names):
            is_known = not mention.instead or mention.keys[0] in by_key
            for key in mention.keys if is_known else mention.instead:
                named = by_key.get(key) or by_key.get(base_of(key), [])
                nearest: dict[str, int] = {}  # several have one label where each chapter counts from 1
                for one in sorted(named, key=lambda one: (_pages_apart(chunk, figures[one]), one)):
                    nearest.setdefault(figures[one].label, one)
                for one in nearest.values():
                    yield Link(at, one, "figure_ref", conf.LINK_FIGURE_REF)


def _pages_apart(chunk: LinkedChunk, figure: LinkedFigure) -> int:
    return min((abs(one - two) for one in chunk.pages for two in figure.pages), default=0)


# --- by caption ------------------------------------------------------------


def _link_by_caption(chunks: Sequence[LinkedChunk], figures: Sequence[LinkedFigure]) -> Iterator[Link]:
    stems = [_stems_in(chunk.text) for chunk in chunks]
    chunks_with: dict[str, list[int]] = defaultdict(list)
    for at, found in enumerate(stems):
        for stem in found:
            chunks_with[stem].append(at)
    for at, figure in enumerate(figures):
        wanted = _stems_in(without_label(figure.caption)) - _NO_SUBJECT_STEMS
        # A stem weighs most where few chunks have it, and nothing where all do.
        weights = {
            stem: math.log((len(chunks) + 1) / max(1, len(chunks_with.get(stem, ())))) for stem in wanted
        }
        whole = sum(weights.values())
        shared = Counter(chunk for stem in wanted for chunk in chunks_with.get(stem, ()))
        for chunk, count in shared.items():
            share = count / len(wanted)
            if count < _MIN_SHARED or share < conf.LINK_CAPTION_LEAST:
                continue
            telling = sum(weights[stem] for stem in wanted & stems[chunk]) / whole if whole > 0 else 0.0
            is_near = _pages_apart(chunks[chunk], figure) <= NEAR_PAGES
            if telling >= (_TELLING_NEAR if is_near else _TELLING_FAR):
                yield Link(chunk, at, "caption_match", round(share, 3))


def _stems_in(text: str) -> set[str]:
    words = re.findall(r"[a-z]+", text.lower())
    return {_stem_of(word) for word in words if len(word) >= conf.LINK_CAPTION_LETTERS}


def _stem_of(word: str) -> str:
    """A word without what number and tense add to it: "clouds" and "cloud", "stalled" and "stalling"."""
    if word.endswith("ies") and len(word) >= 6:
        return word[:-3] + "y"
    for ending in ("ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) >= len(ending) + 4 and not word.endswith("ss"):
            return word[: -len(ending)].rstrip("e")
    return word.rstrip("e") if len(word) > conf.LINK_CAPTION_LETTERS else word


_NO_SUBJECT_STEMS = frozenset(map(_stem_of, _NO_SUBJECT))
