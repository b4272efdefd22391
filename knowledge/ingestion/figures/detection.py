"""Decide which pictures of a document are worth keeping, what they are called, and what is drawn beside captions.

It takes two passes. The first asks for every embedded picture that may be a figure (`request_embedded`). Captions then
find their pictures among those that show something (`find_figures`). The second asks for drawings where a caption has
no picture, and for pages that are all chart (`request_drawings`). Junk is refused and counted by reason. Pure.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from knowledge import conf
from knowledge.ingestion.document_model import Box, ParsedDocument, Picture
from knowledge.ingestion.figures.captions import (
    CAPTION_LETTERS,
    TEXT_LETTERS,
    PlacedText,
    TextsByPage,
    category_of,
    title_of,
)
from knowledge.ingestion.figures.image_requests import ImageRequest, RequestKind
from knowledge.ingestion.layout.boxes import area_of, distance_between, hits_any, overlap_of, union_of

REPEATED_ON = 3  # pages that show one picture: a logo or an ornament
CHART_LETTERS = 400  # running text on a page: with more it is no chart with words beside it
CHART_SHARE = 0.25  # of its page: a figure that large is the page's chart
ABUTTING = 20.0  # points between the parts of one figure


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFigure:
    """A figure before it is drawn, in the frame in which its page is read.

    `parts` are its embedded pictures, none for a drawing. `is_far`: the caption stands too far off to be certain that
    it means these pictures.
    """

    page: int
    parts: tuple[Picture, ...] = ()
    label: str = ""
    caption: str = ""
    category: str = "diagram"
    caption_box: Box | None = None
    is_far: bool = False

    @property
    def bbox(self) -> Box | None:
        return union_of([part.bbox for part in self.parts]) if self.parts else None

    @property
    def is_far_from_one(self) -> bool:
        """The caption may mean this picture, or a drawing that is nearer to it."""
        return self.is_far and len(self.parts) == 1


# --- the first pass: embedded pictures ------------------------------------------------------------


def request_embedded(document: ParsedDocument) -> tuple[tuple[ImageRequest, ...], Counter[str]]:
    """Requests for the embedded pictures that may be figures, and how many were refused for which reason."""
    refused: Counter[str] = Counter()
    pages_with = Counter(
        xref for page in document.pages for xref in {picture.xref for picture in page.pictures}
    )
    requests: list[ImageRequest] = []
    seen: set[int] = set()
    for page in document.pages:
        for picture in page.pictures:
            if page.needs_ocr or page.recognised:
                reason = "part of a scanned page"
            else:
                reason = refusal_of(picture, pages_with[picture.xref])
            if not reason and picture.xref in seen:
                reason = "shown twice"
            seen.add(picture.xref)
            if reason:
                refused[reason] += 1
            else:
                number, xref = len(requests), picture.xref
                requests.append(
                    ImageRequest(
                        number=number, kind="embedded", page=page.number, xref=xref, bbox=picture.bbox
                    )
                )
    refused["too many figures"] = max(0, len(requests) - conf.MAX_IMAGES)
    return tuple(requests[: conf.MAX_IMAGES]), +refused


def refusal_of(picture: Picture, pages: int = 1) -> str:
    """Why a picture that is on so many pages is not worth opening; empty if it is."""
    if picture.xref <= 0:
        return "drawn inline"
    if refused := refusal_of_size(picture.width, picture.height, picture.size):
        return refused
    if picture.width * picture.height > conf.MAX_IMAGE_PIXELS:
        return "too many pixels"
    return "on three pages or more" if pages >= REPEATED_ON else ""


def refusal_of_size(width: int, height: int, size: int = conf.FIGURE_MIN_BYTES) -> str:
    """Why an image of so many pixels and bytes is no figure; empty if it may be one."""
    short, long = sorted((width, height))
    if short < conf.FIGURE_MIN_PIXELS:
        return f"smaller than {conf.FIGURE_MIN_PIXELS} pixels"
    if size < conf.FIGURE_MIN_BYTES:
        return f"less than {conf.FIGURE_MIN_BYTES // 1024} KB"
    return f"longer than {conf.FIGURE_MAX_ASPECT:g} : 1" if long > conf.FIGURE_MAX_ASPECT * short else ""


# --- captions find their pictures ------------------------------------------------------------


def find_figures(
    document: ParsedDocument, texts: TextsByPage, shown: Iterable[ImageRequest]
) -> tuple[FoundFigure, ...]:
    """The figures of a document: on each page its captions, with the pictures of `shown` that belong to them or without
    any, then the pictures without a caption."""
    wanted = {(one.page, one.xref, one.bbox) for one in shown}
    found: list[FoundFigure] = []
    for page in document.pages:
        frame = page.frame
        pictures = [
            replace(picture, bbox=frame.read_box(picture.bbox))
            for picture in page.pictures
            if (page.number, picture.xref, picture.bbox) in wanted
        ]
        on_page = texts.get(page.number, ())
        captions = [text for text in on_page if text.label]
        near, matched = _match_captions(pictures, captions)
        parts: dict[int, list[Picture]] = defaultdict(list)
        for at, caption in matched.items():
            parts[caption].append(pictures[at])
        alone = [picture for at, picture in enumerate(pictures) if at not in matched]
        _move_abutting(alone, parts, on_page)
        found += [
            FoundFigure(
                page=page.number,
                parts=tuple(parts[at]),
                label=text.label,
                caption=text.text[:CAPTION_LETTERS],
                category=category_of(text.text),
                caption_box=text.box,
                is_far=at not in near.values(),
            )
            for at, text in enumerate(captions)
        ]
        for picture in alone:
            title = title_of(picture.bbox, on_page)
            category = category_of(title)
            found.append(FoundFigure(page=page.number, parts=(picture,), caption=title, category=category))
    return tuple(found)


def _match_captions(
    pictures: Sequence[Picture], captions: Sequence[PlacedText]
) -> tuple[dict[int, int], dict[int, int]]:
    """The caption of each picture that has one in reach (a caption names one picture, the nearest pairs first), and the
    same with those that are set apart."""
    pairs = []
    for at, picture in enumerate(pictures):
        for of, caption in enumerate(captions):
            is_below = caption.box[1] >= picture.bbox[3] - 5
            reach = conf.FIGURE_CAPTION_DISTANCE if is_below else conf.FIGURE_LABEL_DISTANCE
            distance = distance_between(picture.bbox, caption.box)
            if distance <= reach:
                pairs.append((distance, at, of))
    near: dict[int, int] = {}
    for _, at, of in sorted(pairs):
        if at not in near and of not in near.values():
            near[at] = of
    left = [of for of in range(len(captions)) if of not in near.values()]
    unnamed = [at for at in range(len(pictures)) if at not in near]
    # As many captions as pictures: both stand in the order of the page.
    if len(left) == len(unnamed) and (len(left) == 1 or not near):
        return near, near | dict(zip(unnamed, left, strict=True))
    # One caption and several pictures in a row: they are its parts.
    boxes = [pictures[at].bbox for at in unnamed]
    is_row = bool(boxes) and all(
        any(_are_abutting(box, other) for other in boxes[:at]) for at, box in enumerate(boxes) if at
    )
    return near, dict.fromkeys(unnamed, left[0]) if len(left) == 1 and not near and is_row else near


def _move_abutting(
    alone: list[Picture], parts: dict[int, list[Picture]], texts: Sequence[PlacedText]
) -> None:
    """Move pictures that abut on one with a caption, with no text between, to its parts."""
    walls = [text.box for text in texts if text.is_running]
    moved = True
    while moved:
        moved = False
        for picture in list(alone):
            for members in parts.values():
                boxes = [member.bbox for member in members]
                if any(_are_abutting(picture.bbox, box) for box in boxes) and not hits_any(
                    union_of([picture.bbox, *boxes]), walls
                ):
                    members.append(picture)
                    alone.remove(picture)
                    moved = True
                    break


def _are_abutting(one: Box, other: Box) -> bool:
    """Side by side or one above the other, with most of their edges in common."""
    across, down = overlap_of(one, other)
    is_beside = down >= 0.5 * min(one[3] - one[1], other[3] - other[1])
    is_above = across >= 0.5 * min(one[2] - one[0], other[2] - other[0])
    return (is_above and -down <= ABUTTING) or (is_beside and -across <= ABUTTING)


# --- the second pass: drawings and pages ------------------------------------------------------------


def request_drawings(
    document: ParsedDocument,
    texts: TextsByPage,
    figures: Sequence[FoundFigure],
    overlaid: Iterable[int],
    first: int,
) -> tuple[dict[int, int], tuple[ImageRequest, ...]]:
    """What has to be drawn: figures (position → number of the request), chart-like pages and scanned ones. `overlaid`
    are the numbers (xref) of pictures over which something is painted, `first` is the first free number."""
    turns = {page.number: page.turn for page in document.pages}
    painted_over = set(overlaid)
    requests: list[ImageRequest] = []
    drawn: dict[int, int] = {}
    for at, figure in enumerate(figures):
        if len(figure.parts) == 1 and not figure.is_far and figure.parts[0].xref not in painted_over:
            continue
        drawn[at] = first + len(requests)
        around = [text for text in texts.get(figure.page, ()) if text.box != figure.caption_box]
        requests.append(
            ImageRequest(
                number=drawn[at],
                kind="drawing",
                page=figure.page,
                bbox=None if figure.is_far_from_one else figure.bbox,
                caption=figure.caption_box,
                texts=tuple(text.box for text in around if text.is_running),
                turn=turns[figure.page],
            )
        )
    for page in document.pages:
        kind: RequestKind = "page" if page.needs_ocr or page.recognised else "chart_page"
        if kind == "chart_page":
            shown = [one.bbox for one in figures if one.page == page.number and one.bbox]
            large = CHART_SHARE * page.width * page.height
            letters = [len(text.text) for text in texts.get(page.number, ()) if text.kind != "row"]
            running = sum(count for count in letters if count >= TEXT_LETTERS)
            if running >= CHART_LETTERS or any(area_of(box) >= large for box in shown):
                continue
        number, turn = first + len(requests), turns[page.number]
        requests.append(ImageRequest(number=number, kind=kind, page=page.number, turn=turn))
    return drawn, tuple(requests)
