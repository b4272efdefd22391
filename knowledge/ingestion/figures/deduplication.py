"""Build the figures of a document from the extracted images: each once, with all pages that show it. Pure."""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from knowledge.ingestion.document_model import Box
from knowledge.ingestion.figures.captions import CAPTION_LETTERS, TextsByPage, category_of
from knowledge.ingestion.figures.detection import FoundFigure
from knowledge.ingestion.figures.image_requests import ImageRequest, ImageResult
from knowledge.ingestion.layout.boxes import area_of, distance_between, union_of

SHAPE_STEP = 0.03  # in the logarithm of width by height: copies of one image differ by less


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure with its image. `pages` are all pages that show it, the first one first, on which `bbox` is its place;
    `embedded` says that the file holds it as a picture, so that a copy of it may differ in size or format."""

    picture: ImageResult
    pages: tuple[int, ...]
    bbox: Box
    label: str = ""
    caption: str = ""
    category: str = "diagram"
    embedded: bool = False

    @property
    def stored_as(self) -> str:
        """The name of its file in the storage."""
        return f"figures/{self.picture.sha256}.{self.picture.suffix}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedFigures:
    """The figures of a document, images refused by reason, and labels of captions for which no image was found."""

    figures: tuple[Figure, ...]
    refused: Counter[str]
    without_picture: tuple[str, ...] = ()


def build_figures(
    texts: TextsByPage,
    found: Sequence[FoundFigure],
    drawn: Mapping[int, int],
    requests: Sequence[ImageRequest],
    results: Mapping[int, ImageResult],
) -> ExtractedFigures:
    """Figures from all results. If a drawing failed, its embedded pictures are used instead."""
    made = {number: result for number, result in results.items() if not result.refused}
    embedded = {
        one.xref: made[one.number] for one in requests if one.kind == "embedded" and one.number in made
    }
    figures: list[Figure] = []
    missing: list[str] = []
    for at, one in enumerate(found):
        named = list(_build_named(one, made.get(drawn.get(at, -1)), embedded))
        figures += named
        missing += [one.label] if one.label and not named else []
    whole = _drop_parts(figures)
    pages = [
        _build_page_figure(texts, one, made[one.number])
        for one in requests
        if one.kind in ("page", "chart_page") and one.number in made and made[one.number].bbox
    ]
    once = _join_copies([*whole, *pages])
    refused = Counter(
        results[one.number].refused for one in requests if one.kind == "embedded" and one.number in results
    )
    refused["part of a larger figure"] += len(figures) - len(whole)
    refused["shown twice"] += len(whole) + len(pages) - len(once)
    del refused[""]
    return ExtractedFigures(
        figures=tuple(sorted(once, key=lambda figure: (figure.pages[0], figure.bbox[1], figure.bbox[0]))),
        refused=+refused,
        without_picture=tuple(dict.fromkeys(missing)),
    )


def _build_named(
    found: FoundFigure, drawing: ImageResult | None, embedded: Mapping[int, ImageResult]
) -> Iterator[Figure]:
    """The drawing, or the largest of the pictures. A caption that stands far off a picture and by a drawing is the
    drawing's: the picture is then a figure of its own, without a name."""
    if drawing:
        yield _build_figure(found, drawing)
        if not found.is_far_from_one:
            return
        found = replace(found, label="", caption="", category="diagram")
    parts = [part for part in found.parts if part.xref in embedded]
    if parts:
        largest = max(parts, key=lambda part: part.width * part.height)
        yield _build_figure(found, embedded[largest.xref], embedded=True)


def _build_figure(found: FoundFigure, image: ImageResult, *, embedded: bool = False) -> Figure:
    assert image.bbox is not None
    return Figure(
        picture=image,
        pages=(found.page,),
        bbox=image.bbox,
        label=found.label,
        caption=found.caption,
        category=found.category,
        embedded=embedded,
    )


def _build_page_figure(by_page: TextsByPage, request: ImageRequest, image: ImageResult) -> Figure:
    """A page as one figure, named by the only caption it has, else by its first heading."""
    assert image.bbox is not None
    texts = by_page.get(request.page, ())
    captions = [text for text in texts if text.label]
    only = captions[0] if len(captions) == 1 else None
    headings = [text for text in texts if text.kind == "heading"]
    named_by = next((text for text in (only, *headings, *texts) if text), None)
    title = named_by.text[:CAPTION_LETTERS] if named_by else ""
    category = "scan"
    if request.kind == "chart_page":
        category = category_of(title)
        category = "chart" if category == "diagram" else category
    return Figure(
        picture=image,
        pages=(request.page,),
        bbox=image.bbox,
        label=only.label if only else "",
        caption=title if request.kind == "chart_page" or captions else "",
        category=category,
    )


def _drop_parts(figures: Sequence[Figure]) -> list[Figure]:
    """The figures without nameless pictures that a drawing on the same page already shows."""
    drawn = [figure for figure in figures if not figure.embedded]

    def is_shown(inner: Figure) -> bool:
        return any(
            outer.pages == inner.pages
            and distance_between(outer.bbox, inner.bbox) == 0
            and area_of(union_of([outer.bbox, inner.bbox])) <= 1.05 * area_of(outer.bbox)
            for outer in drawn
        )

    return [figure for figure in figures if figure.label or not figure.embedded or not is_shown(figure)]


# --- each image once ------------------------------------------------------------


def _join_copies(figures: Sequence[Figure]) -> list[Figure]:
    """Copies joined to the first of them, with all pages that show it.

    A copy may differ in size or format. Two figures that have different names are two, and what was drawn here is the
    same only if it is equal: a table differs from the next by a letter.
    """
    kept: list[Figure] = []
    by_shape: dict[int, list[int]] = defaultdict(
        list
    )  # nearly the same width by height: the same key, or the next
    by_hash: dict[str, int] = {}
    for figure in figures:
        mark = figure.picture.fingerprint
        shape = round(math.log(mark.ratio) / SHAPE_STEP) if mark else 0
        at = by_hash.get(figure.picture.sha256)
        if at is None and figure.embedded and mark:
            alike = (
                near
                for near in (*by_shape[shape - 1], *by_shape[shape], *by_shape[shape + 1])
                if kept[near].embedded
                and (not figure.label or not kept[near].label or figure.label == kept[near].label)
                and (known := kept[near].picture.fingerprint)
                and mark.is_like(known)
            )
            at = next(alike, None)
        if at is None:
            by_hash[figure.picture.sha256] = len(kept)
            by_shape[shape].append(len(kept))
            kept.append(figure)
            continue
        first = kept[at]
        named = first if first.label or not figure.label else figure
        kept[at] = replace(
            first,
            pages=tuple(dict.fromkeys((*first.pages, *figure.pages))),
            label=named.label,
            caption=named.caption or first.caption,
            category=named.category if named.caption else first.category,
        )
    return kept
