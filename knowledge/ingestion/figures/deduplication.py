"""Pictures that were granted become the figures of a document, each once, with all pages that show it. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.captions import CAPTION_LETTERS, Texts, category_of
from knowledge.ingestion.figures.detection import FoundFigure
from knowledge.ingestion.figures.image_requests import Granted, Wish
from knowledge.ingestion.figures.regions import area, distance, union_of

SHAPE_STEP = 0.03  # in the logarithm of width by height: copies of one picture differ by less


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its picture. `pages` are all pages that show it, the first one first; `embedded` says that the file
    holds it as a picture, so that a copy of it may differ in size or format."""

    picture: Granted
    pages: tuple[int, ...]
    bbox: Box
    label: str = ""
    caption: str = ""
    category: str = "diagram"
    embedded: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The figures of a document, pictures refused by reason, and captions for which no picture was found."""

    figures: tuple[Figure, ...]
    refused: Counter[str]
    without_picture: tuple[str, ...] = ()


def settled_figures(
    texts: Texts,
    found: Sequence[FoundFigure],
    drawn: Mapping[int, int],
    wishes: Sequence[Wish],
    granted: Mapping[int, Granted],
) -> Settled:
    """Figures of all that was granted. Where a drawing failed the pictures themselves stand in for it."""
    embedded = {wish.xref: granted[wish.number] for wish in wishes if _is_embedded(wish, granted)}
    figures, missing = [], []
    for at, figure in enumerate(found):
        drawing = granted.get(drawn.get(at, -1))
        made = _made(figure, drawing if drawing and not drawing.refused else None, embedded)
        figures += made
        missing += [] if made or not figure.label else [figure.label]
    whole, swallowed = _without_parts(figures)
    pages = [wish for wish in wishes if wish.kind in ("page", "chart_page")]
    once, twice = _each_once(
        [*whole, *(figure for wish in pages for figure in _page_figure(texts, wish, granted))]
    )
    refused = Counter(
        granted[w.number].refused for w in wishes if w.kind == "embedded" and w.number in granted
    )
    refused.update({"part of a larger figure": swallowed, "shown twice": twice})
    refused.pop("", None)
    return Settled(
        figures=tuple(sorted(once, key=lambda figure: (figure.pages[0], figure.bbox[1], figure.bbox[0]))),
        refused=+refused,
        without_picture=tuple(dict.fromkeys(missing)),
    )


def _is_embedded(wish: Wish, granted: Mapping[int, Granted]) -> bool:
    return wish.kind == "embedded" and wish.number in granted and not granted[wish.number].refused


def _made(found: FoundFigure, drawing: Granted | None, embedded: Mapping[int, Granted]) -> list[Figure]:
    """The drawing, or the largest of the pictures. A caption that stands far off a picture and by a drawing is the
    drawing's: the picture is then a figure of its own, without a name."""
    figures = [_figure(found, drawing)] if drawing else []
    if drawing and not (found.far and len(found.parts) == 1):
        return figures
    if drawing:
        found = replace(found, label="", caption="", category="diagram")
    parts = [part for part in found.parts if part.xref in embedded]
    if parts:
        part = max(parts, key=lambda part: part.width * part.height)
        figures.append(_figure(found, embedded[part.xref], embedded=True))
    return figures


def _figure(found: FoundFigure, picture: Granted, *, embedded: bool = False) -> Figure:
    assert picture.bbox is not None
    return Figure(
        picture=picture,
        pages=(found.page,),
        bbox=picture.bbox,
        label=found.label,
        caption=found.caption,
        category=found.category,
        embedded=embedded,
    )


def _page_figure(by_page: Texts, wish: Wish, granted: Mapping[int, Granted]) -> list[Figure]:
    """A page as one figure, named by the only caption it has, else by its first heading."""
    picture = granted.get(wish.number)
    if picture is None or picture.refused or picture.bbox is None:
        return []
    texts = by_page.get(wish.page, ())
    captions = [text for text in texts if text.label]
    titles = [text for text in texts if text.kind == "heading"] or texts
    title = (captions[0] if len(captions) == 1 else titles[0]).text[:CAPTION_LETTERS] if texts else ""
    is_chart = wish.kind == "chart_page"
    told = category_of(title)
    return [
        Figure(
            picture=picture,
            pages=(wish.page,),
            bbox=picture.bbox,
            label=captions[0].label if len(captions) == 1 else "",
            caption=title if is_chart or captions else "",
            category=("chart" if told == "diagram" else told) if is_chart else "scan",
        )
    ]


def _without_parts(figures: Sequence[Figure]) -> tuple[list[Figure], int]:
    """Figures without the nameless pictures that a drawing beside them shows already, and how many these were."""
    drawn = [figure for figure in figures if not figure.embedded]
    kept = [
        figure
        for figure in figures
        if figure.label
        or not figure.embedded
        or not any(other.pages == figure.pages and _holds(other.bbox, figure.bbox) for other in drawn)
    ]
    return kept, len(figures) - len(kept)


def _holds(outer: Box, inner: Box) -> bool:
    return distance(outer, inner) == 0 and area(union_of([outer, inner])) <= 1.05 * area(outer)


# --- each picture once ------------------------------------------------------------


def _each_once(figures: Sequence[Figure]) -> tuple[list[Figure], int]:
    """Copies joined to the first of them, with all pages that show it; and how many were joined."""
    kept: list[Figure] = []
    shapes: dict[int, list[int]] = defaultdict(list)
    hashes: dict[str, int] = {}
    for figure in figures:
        at = hashes.get(figure.picture.sha256, _copy_of(figure, kept, shapes))
        if at is None:
            hashes[figure.picture.sha256] = len(kept)
            shapes[_shape(figure)].append(len(kept))
            kept.append(figure)
        else:
            kept[at] = _joined(kept[at], figure)
    return kept, len(figures) - len(kept)


def _copy_of(figure: Figure, kept: Sequence[Figure], shapes: Mapping[int, list[int]]) -> int | None:
    """Which figure is the same picture in another size or format. Two that have different names are two, and what was
    drawn here is the same only if it is equal: a table differs from the next by a letter."""
    mark, shape = figure.picture.fingerprint, _shape(figure)
    if not figure.embedded or mark is None:
        return None
    for at in (at for near in (shape - 1, shape, shape + 1) for at in shapes.get(near, ())):
        other = kept[at]
        known = other.picture.fingerprint
        if other.embedded and known and _names_agree(figure, other) and mark.is_like(known):
            return at
    return None


def _shape(figure: Figure) -> int:
    """Figures of nearly the same width by height have the same number, or the next."""
    mark = figure.picture.fingerprint
    return round(math.log(mark.ratio) / SHAPE_STEP) if mark else 0


def _names_agree(one: Figure, other: Figure) -> bool:
    return not (one.label and other.label and one.label != other.label)


def _joined(first: Figure, copy: Figure) -> Figure:
    named = first if first.label or not copy.label else copy
    return replace(
        first,
        pages=tuple(dict.fromkeys((*first.pages, *copy.pages))),
        label=named.label,
        caption=named.caption or first.caption,
        category=named.category if named.caption else first.category,
    )
