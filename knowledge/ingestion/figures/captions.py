"""Find captions, titles and running text on a page, and what a caption says of its figure. Pure.

Must know only the boxes of pictures.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from knowledge import conf
from knowledge.ingestion.document_model import Box, Kind, Paragraph, ParsedDocument
from knowledge.ingestion.layout.boxes import overlap_of, union_of
from knowledge.ingestion.layout.figure_labels import CAPTION, label_of
from knowledge.text.tokens import plain_words

CAPTION_LETTERS = 400  # a text longer than this is no caption
TEXT_LETTERS = 50  # letters from which a text is running text and no word in a drawing

# Words after which a sentence goes on.
_LEADING_ON = frozenset(str.split("in see of by and or to at from with on as is are also the both"))

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
class PlacedText:
    """A paragraph where it stands on the page, in the frame in which the page is read."""

    text: str
    kind: Kind
    box: Box

    @property
    def label(self) -> str:
        return label_of(self.text) if self.kind == "caption" else ""

    @property
    def is_running(self) -> bool:
        """It is not part of a drawing, and must not be included in one."""
        if self.kind in ("heading", "caption", "toc", "index", "note"):
            return True
        return self.kind in ("body", "item") and len(self.text) >= TEXT_LETTERS


TextsByPage = Mapping[int, Sequence[PlacedText]]


def texts_by_page(document: ParsedDocument) -> TextsByPage:
    """The paragraphs of each page, captions apart."""
    frames = {page.number: page.frame for page in document.pages}
    found: dict[int, list[PlacedText]] = defaultdict(list)
    for paragraph in document.paragraphs():
        for part in _split_captions(paragraph):
            for page in sorted({piece.page for piece in part.pieces}):
                pieces = [piece for piece in part.pieces if piece.page == page]
                is_whole = len(pieces) == len(part.pieces)
                text = part.text if is_whole else part.text[pieces[0].start : pieces[-1].end]
                box = union_of([frames[page].read_box(piece.bbox) for piece in pieces])
                found[page].append(PlacedText(text, part.kind, box))
    return found


def _split_captions(paragraph: Paragraph) -> Iterator[Paragraph]:
    """A caption that print left no room before is a paragraph of its own: "…magnification / Figure 4-1. Surface of a
    wing." A line that begins so in mid-sentence ("as in / Figure 4-1. The…") is none."""
    text, pieces = paragraph.text, paragraph.pieces
    starts: list[int] = []
    if paragraph.kind not in ("caption", "row", "toc"):
        for piece in pieces[1:]:
            match = CAPTION.match(text, piece.start)
            if match and text[match.end() :].lstrip()[:1].isupper():
                before = text[: piece.start].rstrip()
                words = plain_words(before[-20:]).split()
                leads_on = bool(words) and before[-1].isalnum() and words[-1] in _LEADING_ON
                if not leads_on and not before.endswith(("(", ",", "[")):
                    starts.append(piece.start)
    if not starts:
        yield paragraph
        return
    for start, end in pairwise([0, *starts, len(text)]):
        yield replace(
            paragraph,
            text=text[start:end].strip(),
            pieces=tuple(piece.moved(-start) for piece in pieces if start <= piece.start < end),
            kind=paragraph.kind if start == 0 else "caption",
        )


def title_of(picture: Box, texts: Iterable[PlacedText]) -> str:
    """The heading just above a picture, else a short text just below."""
    beside = [
        one for one in texts if overlap_of(one.box, picture)[0] > 0 and len(one.text) <= CAPTION_LETTERS
    ]
    above = [
        one
        for one in beside
        if one.kind == "heading" and -5 <= picture[1] - one.box[3] <= conf.FIGURE_LABEL_DISTANCE
    ]
    below = [
        one
        for one in beside
        if one.kind == "body" and -5 <= one.box[1] - picture[3] <= conf.FIGURE_CAPTION_DISTANCE
    ]
    if above:
        return max(above, key=lambda one: one.box[3]).text
    return min(below, key=lambda one: one.box[1]).text if below else ""


def category_of(caption: str) -> str:
    """The category that a caption gives a figure."""
    if label_of(caption).startswith("Table"):
        return "table"
    return next((name for name, words in _PATTERNS if words.search(caption)), "diagram")
