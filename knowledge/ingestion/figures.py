"""Embedded pictures become figures: which are worth keeping, what they are called, and in which format they
are kept.

Junk (rules, logos, slivers, what every page repeats) is refused and counted with the reason. A figure's
label and caption are read from the page around it: a caption that names it, else the title above it.
Deciding is pure; only `converted` opens a picture.
"""

import hashlib
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PIL import Image as Pictures
from PIL import UnidentifiedImageError

from knowledge import conf

from .pages import Box, Kind, PageText, Paragraph, ParsedDocument, Picture

REPEATED_ON = 3  # pages that show one picture: a logo or an ornament
CAPTION_LETTERS = 400  # a text longer than this is no caption
LABEL = re.compile(
    r"\b(?P<kind>Figure|FIG\.?|Table|TBL)\s+(?P<number>[A-Z]?\d{1,3}(?:[-–]\d{1,3}){0,2})", re.IGNORECASE
)

#: The words of a caption that tell what a figure shows; the first that matches wins.
_CATEGORIES = (
    ("sectional", r"sectional|terminal area chart|aeronautical chart"),
    (
        "weather",
        r"weather|cloud|front|metar|taf\b|fog|icing|thunderstorm|wind|isobar|pressure system|air mass",
    ),
    (
        "performance",
        r"performance|takeoff distance|landing distance|density altitude|moment|loading graph|cg ",
    ),
    ("airport", r"airport|runway|taxiway|traffic pattern|airfield|leg\b|beacon"),
    ("instrument", r"indicator|altimeter|instrument|gauge|compass|gyro|pitot|display"),
    ("table", r"\btable\b|requirements for|minimums"),
    ("chart", r"chart|graph|curve|plot"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFigure:
    """A picture worth keeping, with what the page says of it."""

    picture: Picture
    label: str = ""
    caption: str = ""
    category: str = "diagram"


@dataclass(frozen=True, slots=True)
class KeptPicture:
    """The bytes to store and what they are. `sha256` is that of the picture as the source holds it."""

    data: bytes
    suffix: str
    width: int
    height: int
    sha256: str


class BadPicture(Exception):
    """The picture cannot be opened, or is larger than one may be."""


def found_figures(document: ParsedDocument) -> tuple[tuple[FoundFigure, ...], Counter[str]]:
    """The figures of a document, and how many pictures were refused for which reason."""
    refused: Counter[str] = Counter()
    shown = Counter(
        picture.xref for page in document.pages for picture in {p.xref: p for p in page.pictures}.values()
    )
    texts = _texts_by_page(document)
    figures: list[FoundFigure] = []
    seen: set[int] = set()
    for page in document.pages:
        kept: list[Picture] = []
        for picture in page.pictures:
            reason = "shown twice" if picture.xref in seen else junk_reason(picture, shown[picture.xref])
            seen.add(picture.xref)
            refused.update([reason] if reason else [])
            kept += [] if reason else [picture]
        figures += _named(page, kept, texts[page.number])
    return tuple(figures[: conf.MAX_IMAGES]), refused


def junk_reason(picture: Picture, pages: int = 1) -> str:
    """Why a picture is not worth keeping; empty if it is."""
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
    return f"on {pages} pages" if pages >= REPEATED_ON else ""


# --- label and caption ------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Near:
    """A paragraph where it stands on the page."""

    text: str
    kind: Kind
    box: Box

    @property
    def label(self) -> str:
        match = LABEL.match(self.text)
        return f"{_full(match['kind'])} {match['number']}" if match and self.kind == "caption" else ""


def _full(kind: str) -> str:
    return "Table" if kind.lower().startswith("t") else "Figure"


def _texts_by_page(document: ParsedDocument) -> dict[int, list[_Near]]:
    found: dict[int, list[_Near]] = defaultdict(list)
    for paragraph in document.paragraphs():
        for page in {piece.page for piece in paragraph.pieces}:
            found[page].append(_Near(paragraph.text, paragraph.kind, _box_on(paragraph, page)))
    return found


def _box_on(paragraph: Paragraph, page: int) -> Box:
    boxes = [piece.bbox for piece in paragraph.pieces if piece.page == page]
    return (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )


def _named(page: PageText, pictures: Sequence[Picture], texts: Sequence[_Near]) -> list[FoundFigure]:
    """The pictures of one page with their captions; each caption names one picture."""
    captions = [text for text in texts if text.label]
    given: dict[int, _Near] = {}
    pairs = [
        (_distance(picture.bbox, text.box), at, text)
        for at, picture in enumerate(pictures)
        for text in captions
    ]
    for distance, at, text in sorted(pairs, key=lambda pair: pair[0]):
        if distance <= _reach(pictures[at].bbox, text.box) and at not in given and text not in given.values():
            given[at] = text
    left = [text for text in captions if text not in given.values()]
    unnamed = [at for at in range(len(pictures)) if at not in given]
    if len(left) == len(unnamed) and (len(left) == 1 or not given):
        # As many captions as pictures, set apart from them: both stand in the order of the page.
        given |= dict(zip(unnamed, left, strict=True))
    return [_figure(picture, given.get(at), texts) for at, picture in enumerate(pictures)]


def _figure(picture: Picture, named_by: _Near | None, texts: Sequence[_Near]) -> FoundFigure:
    text = named_by.text if named_by else _title_of(picture, texts)
    return FoundFigure(
        picture=picture,
        label=named_by.label if named_by else "",
        caption=text[:CAPTION_LETTERS],
        category=category_of(text),
    )


def _title_of(picture: Picture, texts: Iterable[_Near]) -> str:
    """The heading just above a picture, else a short text just below."""
    x0, y0, x1, y1 = picture.bbox
    beside = [
        text for text in texts if text.box[0] < x1 and text.box[2] > x0 and len(text.text) <= CAPTION_LETTERS
    ]
    above = [t for t in beside if t.kind == "heading" and -5 <= y0 - t.box[3] <= conf.FIGURE_LABEL_DISTANCE]
    below = [t for t in beside if -5 <= t.box[1] - y1 <= conf.FIGURE_CAPTION_DISTANCE and t.kind == "body"]
    if above:
        return max(above, key=lambda text: text.box[3]).text
    return min(below, key=lambda text: text.box[1]).text if below else ""


def _reach(picture: Box, text: Box) -> float:
    is_below = text[1] >= picture[3] - 5
    return conf.FIGURE_CAPTION_DISTANCE if is_below else conf.FIGURE_LABEL_DISTANCE


def _distance(one: Box, other: Box) -> float:
    across = max(one[0] - other[2], other[0] - one[2], 0.0)
    down = max(one[1] - other[3], other[1] - one[3], 0.0)
    return float((across**2 + down**2) ** 0.5)


def category_of(caption: str) -> str:
    """What a caption says that the figure is."""
    lowered = caption.lower()
    return next((name for name, words in _CATEGORIES if re.search(words, lowered)), "diagram")


# --- format ------------------------------------------------------------


def converted(data: bytes) -> KeptPicture:
    """A picture as it is kept: large ones as WebP, transparent ones as PNG, the rest as JPEG. Raises
    BadPicture.
    """
    try:
        with Pictures.open(io.BytesIO(data)) as picture:
            if picture.width * picture.height > conf.MAX_IMAGE_PIXELS:
                raise BadPicture("too many pixels")
            picture.load()
            suffix, kept = _encoded(picture, data)
            size = picture.size
    except (UnidentifiedImageError, OSError, ValueError, Pictures.DecompressionBombError) as error:
        raise BadPicture("cannot be opened") from error
    return KeptPicture(kept, suffix, *size, hashlib.sha256(data).hexdigest())


def _encoded(picture: Pictures.Image, data: bytes) -> tuple[str, bytes]:
    if len(data) > conf.FIGURE_WEBP_BYTES:
        return "webp", _saved(
            picture if _is_transparent(picture) else picture.convert("RGB"), "WEBP", quality=85
        )
    if _is_transparent(picture):
        return "png", data if picture.format == "PNG" else _saved(picture, "PNG")
    if picture.format == "JPEG" and picture.mode in ("RGB", "L"):
        return "jpg", data
    return "jpg", _saved(picture.convert("RGB"), "JPEG", quality=88)


def _is_transparent(picture: Pictures.Image) -> bool:
    if picture.mode in ("RGBA", "LA"):
        low, _ = picture.getchannel("A").getextrema()
        return isinstance(low, int | float) and low < 255
    return "transparency" in picture.info


def _saved(picture: Pictures.Image, form: str, **options: int) -> bytes:
    out = io.BytesIO()
    picture.save(out, form, **options)
    return out.getvalue()
