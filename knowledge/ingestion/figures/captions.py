"""The texts of a page become captions, titles and words to keep out of a picture. Pure: knows no pictures but their
rectangles."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from knowledge import conf
from knowledge.grounding.page_rotation import Frame, Turn
from knowledge.ingestion.document_model import Box, Kind, PageText, Paragraph, ParsedDocument
from knowledge.ingestion.figures.regions import union_of
from knowledge.ingestion.layout.figure_labels import CAPTION, label_of

CAPTION_LETTERS = 400  # a text longer than this is no caption
TEXT_LETTERS = 50  # letters from which a text is running text and no word in a drawing

_LEADS_ON = re.compile(
    r"(?:[(,\[]|\b(?:in|see|of|by|and|or|to|at|from|with|on|as|is|are|also|the|both|refer to))\Z",
    re.IGNORECASE,
)

#: The words of a caption that tell what a figure shows; the first that matches wins.
_CATEGORIES = (
    ("sectional", r"sectionals?|terminal area charts?|aeronautical charts?|chart excerpt|chart symbols"),
    (
        "performance",
        r"performance|takeoff distance|landing distance|ground roll|(?:density|pressure) altitude (?:chart|computation)"
        r"|center of gravity|cg|loading graph|moment(?: envelope| limits)?|weight and balance|drag curve|lift.to.drag",
    ),
    (
        "instrument",
        r"\w*indicator|altimeter|instruments?|gau?ges?|compass|gyro\w*|pitot\w*|pitot-static|displays?|pfd|mfd|hsi"
        r"|tachometer|transponder|radio panel|dial",
    ),
    (
        "weather",
        r"weather|clouds?|fronts|frontal|(?:cold|warm|occluded|stationary) front"
        r"|metars?|tafs?|fog|icing|thunderstorms?|microburst|winds?|isobar\w*|pressure systems?|air mass\w*"
        r"|turbulence|atmospher\w*|temperature|circulation|breeze|coriolis|precipitation",
    ),
    (
        "airport",
        r"airports?|runways?|taxiways?|traffic patterns?|airfield|downwind|beacons?|aprons?|windsock|approach light\w*"
        r"|vasi|papi|hold(?:ing)? (?:position|short)\w*",
    ),
    ("table", r"tables?|requirements for|requirements|minimums|list of|matrix"),
    ("chart", r"charts?|graphs?|curves?|plots?|diagram of airspace|profile"),
)
_PATTERNS = tuple((name, re.compile(rf"\b(?:{words})\b", re.IGNORECASE)) for name, words in _CATEGORIES)


@dataclass(frozen=True, slots=True)
class Near:
    """A paragraph where it stands on the page, in the frame in which the page is read."""

    text: str
    kind: Kind
    box: Box

    @property
    def label(self) -> str:
        return label_of(self.text) if self.kind == "caption" else ""

    @property
    def is_running(self) -> bool:
        """No word of a drawing: it must not be taken into one."""
        if self.kind in ("heading", "caption", "toc", "index", "note"):
            return True
        return self.kind in ("body", "item") and len(self.text) >= TEXT_LETTERS


def frame_of_page(page: PageText) -> Frame:
    """The frame in which most of a page is read."""
    turns = {line.turn for line in page.lines}
    if len(turns) == 1:
        return Frame(turns.pop(), page.width, page.height)
    letters: Counter[Turn] = Counter()
    for line in page.lines:
        letters[line.turn] += len(line.text)
    return Frame(letters.most_common(1)[0][0] if letters else 0, page.width, page.height)


#: By page.
Texts = Mapping[int, Sequence[Near]]


def texts_by_page(document: ParsedDocument) -> Texts:
    """The paragraphs of each page, captions apart."""
    frames = {page.number: frame_of_page(page) for page in document.pages}
    found: dict[int, list[Near]] = defaultdict(list)
    for paragraph in document.paragraphs():
        for part in _with_captions_apart(paragraph):
            for page in sorted({piece.page for piece in part.pieces}):
                found[page].append(_on_page(part, page, frames[page]))
    return found


def _with_captions_apart(paragraph: Paragraph) -> list[Paragraph]:
    """A caption that print left no room before is a paragraph of its own: "…magnification / Figure 4-1. Surface of a
    wing." A line that begins so in mid-sentence ("as in / Figure 4-1. The…") is none."""
    if paragraph.kind in ("caption", "row", "toc"):
        return [paragraph]
    starts = [piece.start for piece in paragraph.pieces[1:] if _is_caption_at(paragraph.text, piece.start)]
    if not starts:
        return [paragraph]
    edges = [0, *starts, len(paragraph.text)]
    return [
        replace(
            paragraph,
            text=paragraph.text[start:end].strip(),
            pieces=tuple(piece.moved(-start) for piece in paragraph.pieces if start <= piece.start < end),
            kind=paragraph.kind if start == 0 else "caption",
        )
        for start, end in pairwise(edges)
    ]


def _is_caption_at(text: str, start: int) -> bool:
    match = CAPTION.match(text, start)
    if not match or _LEADS_ON.search(text[:start].rstrip()):
        return False
    return text[match.end() :].lstrip()[:1].isupper()


def _on_page(paragraph: Paragraph, page: int, frame: Frame) -> Near:
    pieces = [piece for piece in paragraph.pieces if piece.page == page]
    whole = len(pieces) == len(paragraph.pieces)
    text = paragraph.text if whole else paragraph.text[pieces[0].start : pieces[-1].end]
    return Near(text, paragraph.kind, union_of([frame.read(piece.bbox) for piece in pieces]))


def title_of(picture: Box, texts: Iterable[Near]) -> str:
    """The heading just above a picture, else a short text just below."""
    x0, y0, x1, y1 = picture
    beside = [
        text for text in texts if text.box[0] < x1 and text.box[2] > x0 and len(text.text) <= CAPTION_LETTERS
    ]
    above = [t for t in beside if t.kind == "heading" and -5 <= y0 - t.box[3] <= conf.FIGURE_LABEL_DISTANCE]
    below = [t for t in beside if -5 <= t.box[1] - y1 <= conf.FIGURE_CAPTION_DISTANCE and t.kind == "body"]
    if above:
        return max(above, key=lambda text: text.box[3]).text
    return min(below, key=lambda text: text.box[1]).text if below else ""


def category_of(caption: str) -> str:
    """What a caption says that the figure is."""
    if label_of(caption).startswith("Table"):
        return "table"
    return next((name for name, words in _PATTERNS if words.search(caption)), "diagram")
