"""The pictures of a document become figures: which are worth keeping, what they are called, what is drawn beside them.

It takes two looks. First every embedded picture that may be one is asked for (`embedded_wishes`). With those that
show something, captions find their pictures (`found_figures`); what a caption names and no picture shows is asked
for as a drawing, a page that is all chart as a page (`drawing_wishes`). What came back becomes figures in
`deduplication`. Junk is refused and counted with the reason. Pure: decides, opens nothing.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from knowledge import conf
from knowledge.grounding.page_rotation import Turn
from knowledge.ingestion.document_model import Box, PageText, ParsedDocument, Picture
from knowledge.ingestion.figures.captions import (
    CAPTION_LETTERS,
    TEXT_LETTERS,
    Near,
    Texts,
    category_of,
    frame_of_page,
    title_of,
)
from knowledge.ingestion.figures.image_requests import Wish, WishKind
from knowledge.ingestion.figures.regions import area, distance, union_of

REPEATED_ON = 3  # pages that show one picture: a logo or an ornament
CHART_LETTERS = 400  # running text on a page: with more it is no chart with words beside it
CHART_SHARE = 0.25  # of its page: a figure that large is the page's chart
ABUTTING = 20.0  # points between the parts of one figure


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFigure:
    """A figure as far as it is known before it is drawn, in the frame in which its page is read.

    `parts` are its embedded pictures, none for a drawing; the rest is what the page says of it. `far`: the caption
    stands too far off to be sure that it means these pictures.
    """

    page: int
    parts: tuple[Picture, ...] = ()
    label: str = ""
    caption: str = ""
    category: str = "diagram"
    caption_box: Box | None = None
    far: bool = False

    @property
    def bbox(self) -> Box | None:
        return union_of([part.bbox for part in self.parts]) if self.parts else None


# --- the first look: embedded pictures ------------------------------------------------------------


def embedded_wishes(document: ParsedDocument) -> tuple[tuple[Wish, ...], Counter[str]]:
    """The embedded pictures that may be figures, and how many were refused for which reason."""
    refused: Counter[str] = Counter()
    shown = _pages_showing(document)
    wishes: list[Wish] = []
    seen: set[int] = set()
    for page in document.pages:
        junk = _junk_on(page)
        for picture in page.pictures:
            reason = junk or junk_reason(picture, len(shown[picture.xref]))
            if not reason and picture.xref in seen:
                reason = "shown twice"
            seen.add(picture.xref)
            refused.update([reason] if reason else [])
            if not reason:
                wishes.append(
                    Wish(
                        number=len(wishes),
                        kind="embedded",
                        page=page.number,
                        xref=picture.xref,
                        bbox=picture.bbox,
                    )
                )
    refused.update({"too many figures": max(0, len(wishes) - conf.MAX_IMAGES)})
    return tuple(wishes[: conf.MAX_IMAGES]), +refused


def junk_reason(picture: Picture, pages: int = 1) -> str:
    """Why a picture is not worth opening; empty if it is."""
    short, long = sorted((picture.width, picture.height))
    if picture.xref <= 0:
        return "drawn inline"
    if short < conf.FIGURE_MIN_PIXELS:
        return f"smaller than {conf.FIGURE_MIN_PIXELS} pixels"
    if picture.size < conf.FIGURE_MIN_BYTES:
        return f"less than {conf.FIGURE_MIN_BYTES // 1024} KB"
    if long > conf.FIGURE_MAX_ASPECT * short:
        return f"longer than {conf.FIGURE_MAX_ASPECT:g} : 1"
    if picture.width * picture.height > conf.MAX_IMAGE_PIXELS:
        return "too many pixels"
    return "on three pages or more" if pages >= REPEATED_ON else ""


def _junk_on(page: PageText) -> str:
    return "part of a scanned page" if page.needs_ocr or page.recognised else ""


def _pages_showing(document: ParsedDocument) -> dict[int, tuple[int, ...]]:
    shown: dict[int, dict[int, None]] = defaultdict(dict)
    for page in document.pages:
        for picture in page.pictures:
            shown[picture.xref][page.number] = None
    return {xref: tuple(pages) for xref, pages in shown.items()}


# --- captions find their pictures ------------------------------------------------------------


def found_figures(document: ParsedDocument, texts: Texts, shown: Iterable[Wish]) -> tuple[FoundFigure, ...]:
    """The figures of a document, with the pictures of `shown` that belong to each, and captions without any."""
    by_page: dict[int, list[Wish]] = defaultdict(list)
    for wish in shown:
        by_page[wish.page].append(wish)
    return tuple(
        figure
        for page in document.pages
        for figure in _named(page, _pictures_of(page, by_page[page.number]), texts.get(page.number, ()))
    )


def _pictures_of(page: PageText, wishes: Sequence[Wish]) -> list[Picture]:
    wanted, frame = {(wish.xref, wish.bbox) for wish in wishes}, frame_of_page(page)
    return [
        replace(picture, bbox=frame.read(picture.bbox))
        for picture in page.pictures
        if (picture.xref, picture.bbox) in wanted
    ]


def _named(page: PageText, pictures: Sequence[Picture], texts: Sequence[Near]) -> list[FoundFigure]:
    """The figures of one page: each caption with its pictures, pictures without a caption, captions without one."""
    captions = [text for text in texts if text.label]
    owner = _nearest(pictures, captions)
    far = _in_order(pictures, captions, owner)
    parts: dict[int, list[Picture]] = defaultdict(list)
    for at, caption in (owner | far).items():
        parts[caption].append(pictures[at])
    alone = [picture for at, picture in enumerate(pictures) if at not in owner and at not in far]
    _join(parts, alone, texts)
    certain = set(owner.values())
    named = [_captioned(page, text, parts[at], at not in certain) for at, text in enumerate(captions)]
    return [*named, *(_uncaptioned(page, picture, texts) for picture in alone)]


def _nearest(pictures: Sequence[Picture], captions: Sequence[Near]) -> dict[int, int]:
    """For pictures with a caption in reach, which; each caption names one picture, the nearest pairs first."""
    pairs = sorted(
        (distance(picture.bbox, caption.box), at, of)
        for at, picture in enumerate(pictures)
        for of, caption in enumerate(captions)
        if distance(picture.bbox, caption.box) <= _reach(picture.bbox, caption.box)
    )
    owner: dict[int, int] = {}
    for _, at, of in pairs:
        if at not in owner and of not in owner.values():
            owner[at] = of
    return owner


def _in_order(
    pictures: Sequence[Picture], captions: Sequence[Near], owner: Mapping[int, int]
) -> dict[int, int]:
    """As many captions as pictures, set apart from them: both stand in the order of the page. One caption and several
    pictures in a row: they are its parts."""
    left = [of for of in range(len(captions)) if of not in owner.values()]
    unnamed = [at for at in range(len(pictures)) if at not in owner]
    if len(left) == len(unnamed) and (len(left) == 1 or not owner):
        return dict(zip(unnamed, left, strict=True))
    if len(left) == 1 and not owner and _is_row([pictures[at].bbox for at in unnamed]):
        return dict.fromkeys(unnamed, left[0])
    return {}


def _is_row(boxes: Sequence[Box]) -> bool:
    """Each abuts on one before it."""
    return bool(boxes) and all(
        any(_abut(box, other) for other in boxes[:at]) for at, box in enumerate(boxes) if at
    )


def _join(parts: dict[int, list[Picture]], alone: list[Picture], texts: Sequence[Near]) -> None:
    """Move pictures that abut on one with a caption, with no text between, to its parts."""
    walls = [text.box for text in texts if text.is_running]
    moved = True
    while moved:
        moved = False
        for picture in list(alone):
            for members in parts.values():
                if any(_abut(picture.bbox, member.bbox) for member in members) and not _hit(
                    union_of([picture.bbox, *(member.bbox for member in members)]), walls
                ):
                    members.append(picture)
                    alone.remove(picture)
                    moved = True
                    break


def _abut(one: Box, other: Box) -> bool:
    """Side by side or one above the other, with most of their edges in common."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    beside = down >= 0.5 * min(one[3] - one[1], other[3] - other[1])
    above = across >= 0.5 * min(one[2] - one[0], other[2] - other[0])
    return (above and -down <= ABUTTING) or (beside and -across <= ABUTTING)


def _hit(box: Box, walls: Iterable[Box]) -> bool:
    return any(
        min(box[2], wall[2]) - max(box[0], wall[0]) > 2 and min(box[3], wall[3]) - max(box[1], wall[1]) > 2
        for wall in walls
    )


def _reach(picture: Box, text: Box) -> float:
    is_below = text[1] >= picture[3] - 5
    return conf.FIGURE_CAPTION_DISTANCE if is_below else conf.FIGURE_LABEL_DISTANCE


def _captioned(page: PageText, text: Near, parts: Sequence[Picture], far: bool) -> FoundFigure:
    return FoundFigure(
        page=page.number,
        parts=tuple(parts),
        label=text.label,
        caption=text.text[:CAPTION_LETTERS],
        category=category_of(text.text),
        caption_box=text.box,
        far=far,
    )


def _uncaptioned(page: PageText, picture: Picture, texts: Sequence[Near]) -> FoundFigure:
    title = title_of(picture.bbox, texts)
    return FoundFigure(page=page.number, parts=(picture,), caption=title, category=category_of(title))


# --- the second look: drawings and pages ------------------------------------------------------------


def drawing_wishes(
    document: ParsedDocument,
    texts: Texts,
    figures: Sequence[FoundFigure],
    overlaid: Iterable[int],
    first: int,
) -> tuple[dict[int, int], tuple[Wish, ...]]:
    """What has to be drawn: figures (position → number of the wish), chart-like pages and scanned ones. `overlaid` are
    the numbers (xref) of pictures over which something is painted, `first` is the first free number."""
    turns = {page.number: frame_of_page(page).turn for page in document.pages}
    painted_over = set(overlaid)
    wishes: list[Wish] = []
    drawn: dict[int, int] = {}
    for at, figure in enumerate(figures):
        if _needs_drawing(figure, painted_over):
            drawn[at] = first + len(wishes)
            wishes.append(_drawing(figure, texts.get(figure.page, ()), drawn[at], turns[figure.page]))
    for page in document.pages:
        kind = _page_kind(page, texts.get(page.number, ()), figures)
        if kind:
            turn = turns[page.number]
            wishes.append(Wish(number=first + len(wishes), kind=kind, page=page.number, turn=turn))
    return drawn, tuple(wishes)


def _needs_drawing(figure: FoundFigure, overlaid: set[int]) -> bool:
    if len(figure.parts) != 1:
        return True
    return figure.far or figure.parts[0].xref in overlaid


def _drawing(figure: FoundFigure, texts: Sequence[Near], number: int, turn: Turn) -> Wish:
    walls = [text.box for text in texts if text.is_running and text.box != figure.caption_box]
    return Wish(
        number=number,
        kind="drawing",
        page=figure.page,
        bbox=None if figure.far and len(figure.parts) == 1 else figure.bbox,
        caption=figure.caption_box,
        texts=tuple(walls),
        turn=turn,
    )


def _page_kind(page: PageText, texts: Sequence[Near], figures: Sequence[FoundFigure]) -> WishKind | None:
    if page.needs_ocr or page.recognised:
        return "page"
    running = sum(len(text.text) for text in texts if len(text.text) >= TEXT_LETTERS and text.kind != "row")
    large = CHART_SHARE * page.width * page.height
    shown = any(f.page == page.number and f.bbox and area(f.bbox) >= large for f in figures)
    return "chart_page" if running < CHART_LETTERS and not shown else None
