"""Read one page of a PDF: its printed lines, pictures and rules. Runs in the parsing process.

What no reader sees is removed and counted. Boxes are those of the page as it is shown. Must not know how messages are
sent, nor what pages become.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise, takewhile
from typing import Any

from knowledge import conf
from knowledge.grounding.page_rotation import Box, turn_of
from knowledge.ingestion.document_model import clean_text
from knowledge.ingestion.layout.boxes import overlap_of, short_side
from knowledge.ingestion.layout.hidden_text import (
    Backgrounds,
    DrawingOps,
    HiddenText,
    remove_hidden_text,
    shown_box,
    text_bounds,
)
from knowledge.ingestion.layout.table_detection import LEAST_SIDE
from knowledge.mupdf import mupdf

_FLAGS = mupdf.TEXT_PRESERVE_WHITESPACE | mupdf.TEXT_MEDIABOX_CLIP | mupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
_BOLD, _RAISED = 1 << 4, 1
_NO_LETTERS = bytes(range(33)).decode("ascii") + "\x7f"
_BEGINS = {0: 0, 90: 3, 180: 2, 270: 1}  # the side of a word's box where it begins, by the turn of its line
_RAISED_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # 10² is not 102
_THIN = 2.5  # points: what is drawn so narrow is a line
_BOLD_NAMES = ("bold", "black", "heavy", "demi")

Fields = dict[str, Any]  # of a message, or of PyMuPDF's output
Word = tuple[Any, ...]  # as PyMuPDF returns it: its box, its letters, and the numbers of its block and line


def read_page(page: Any, has_labels: bool = True) -> Fields:
    """The page as a message. `has_labels`: the file numbers its pages."""
    bounds = text_bounds(page)
    text = page.get_textpage(clip=mupdf.INFINITE_RECT(), flags=_FLAGS)
    blocks = text.extractDICT()["blocks"]
    has_strays = any(
        block["bbox"][0] < bounds[0]
        or block["bbox"][1] < bounds[1]
        or block["bbox"][2] > bounds[2]
        or block["bbox"][3] > bounds[3]
        for block in blocks
    )
    is_crowded = _is_crowded(blocks, bounds)
    if is_crowded:
        blocks = []
    elif has_strays:
        text = page.get_textpage(flags=_FLAGS)
        blocks = text.extractDICT()["blocks"]
    ops = page.get_bboxlog()
    images = page.get_images(full=True) if any("im" in kind for kind, _ in ops) else []
    has_masks = any(mask for _, mask, *_ in images)
    hidden = remove_hidden_text(page, blocks, Backgrounds(page, ops, has_masks), has_strays)
    words = _words_by_line(text, hidden) if blocks else {}
    turned = page.rotation_matrix if page.rotation else None
    lines = [
        _read_line(line, block["number"], words.get((block["number"], at), []), turned)
        for block in blocks
        for at, line in enumerate(block.get("lines", ()))
    ]
    width, height = page.rect.br
    return {
        "type": "page",
        "number": page.number + 1,
        "width": round(width, 2),
        "height": round(height, 2),
        "rotation": page.rotation,
        "label": page.get_label() if has_labels else "",
        "hidden": hidden.words,
        "crowded": is_crowded,
        "lines": [line for line in lines if line],
        "pictures": _find_pictures(page, images, turned),
        "rules": [_tenths_shown(rule, turned) for rule in _find_rules(page, blocks, ops)],
    }


def _tenths_shown(box: Sequence[float], turned: Any) -> list[float]:
    """On the page as it is shown, in tenths of a point where it is rotated."""
    return [round(value, 1) for value in shown_box(box, turned)] if turned else list(box)


# --- text ------------------------------------------------------------


def _is_crowded(blocks: list[Fields], bounds: Box) -> bool:
    """More is written on it than on any page of print: the labels of a chart, or text to choke on."""
    lines = [line for block in blocks for line in block.get("lines", ())]
    inside = [line for line in lines if min(overlap_of(line["bbox"], bounds)) > 0]
    letters = sum([len(span["text"]) for line in inside for span in line["spans"]])
    return len(inside) > conf.MAX_LINES or letters > conf.MAX_LETTERS


def _words_by_line(text: Any, hidden: HiddenText) -> dict[tuple[int, int], list[Word]]:
    """The words of each line (block, line) that a reader sees."""
    words: dict[tuple[int, int], list[Word]] = {}
    for word in text.extractWORDS():
        letters = word[4]
        is_plain = letters.isascii() and letters.isprintable()
        if not is_plain and not (clean_text(letters).strip() and letters.strip(_NO_LETTERS)):
            continue
        if hidden.boxes and hidden.holds((word[0] + word[2]) / 2, (word[1] + word[3]) / 2):
            continue
        words.setdefault(word[5:7], []).append(word)
    return words


def _read_line(line: Fields, block: int, words: list[Word], turned: Any) -> Fields | None:
    """A line as the page is shown, the bold text it opens with, and of each word the one number that says where it
    begins along the line, in tenths of points; None for one that says nothing."""
    spans = [span for span in line["spans"] if span["text"]]
    for before, span in pairwise(spans):
        if span["flags"] & _RAISED and before["text"][-1:].strip():
            span["text"] = span["text"].translate(_RAISED_DIGITS)
    text = "".join([span["text"] for span in spans])
    if not text.strip():
        return None
    visible = [span for span in spans if span["text"].strip()]
    lead = takewhile(lambda span: _is_bold(span) or not span["text"].strip(), spans)
    dx, dy = line["dir"]
    own_turn = 0 if line["dir"] == (1.0, 0.0) else turn_of((dx, dy))  # on the page before it is rotated
    turn, box, starts = own_turn, line["bbox"], list[int]()
    if turned:
        turn = turn_of((dx * turned.a + dy * turned.c, dx * turned.b + dy * turned.d))
        box = _tenths_shown([round(value, 1) for value in box], turned)
    if len(words) == len(clean_text(text).split()):
        side = _BEGINS[turn]
        starts = [round(10 * (shown_box(word[:4], turned) if turned else word)[side]) for word in words]
    return {
        "text": text,
        "bbox": [round(10 * value) for value in box],
        "size": round(max([span["size"] for span in visible]), 1),
        "bold": all(map(_is_bold, visible)),
        "lead": "".join([span["text"] for span in lead]).strip(),
        "block": 0 if own_turn else block,  # of lying text MuPDF makes one block a line
        "turn": turn,
        "xs": starts,
    }


def _is_bold(span: Fields) -> bool:
    return bool(span["flags"] & _BOLD) or any(word in span["font"].lower() for word in _BOLD_NAMES)


# --- rules and pictures ------------------------------------------------------------


def _find_rules(page: Any, blocks: list[Fields], ops: DrawingOps) -> list[list[float]]:
    """The straight lines that are drawn on a page, wherever something may be a table: rows of more than one line, and
    strokes that are long enough both ways."""
    paths = [box for kind, box in ops if kind in ("fill-path", "stroke-path")]
    is_wide = any(box[2] - box[0] >= LEAST_SIDE for box in paths)
    if not is_wide or not any(box[3] - box[1] >= LEAST_SIDE for box in paths):
        return []
    lines = [line for block in blocks for line in block.get("lines", ())]
    lying = [line for line in lines if line["dir"] != (1.0, 0.0)]
    if not _have_rows(lines, 1) and not _have_rows(lying, 0):
        return []
    found: list[Box] = []
    for drawing in page.get_cdrawings():
        for kind, *points in drawing["items"]:
            if kind == "l":
                (x0, y0), (x1, y1) = points
                box = (min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1))
                found += [box] if short_side(box) < _THIN else []
            elif kind == "re":
                x0, y0, x1, y1 = points[0]
                if min(x1 - x0, y1 - y0) < _THIN:
                    found.append((x0, y0, x1, y1))
                elif "s" in drawing["type"]:
                    found += [(x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1)]
    return [[round(value, 1) for value in rule] for rule in found[: conf.MAX_RULES]]


def _have_rows(lines: list[Fields], side: int) -> bool:
    """Two places at least, of that side of their boxes, have more than one line."""
    places = Counter((round(round(line["bbox"][side], 1) / 2), line["dir"]) for line in lines)
    return sum(count > 1 for count in places.values()) >= 2


def _find_pictures(page: Any, images: list[Any], turned: Any) -> list[Fields]:
    """The pictures of a page with their numbers. Asking MuPDF for those decodes every picture and takes ten times as
    long as all the rest, so they are told by width and height wherever that is enough."""
    known: dict[tuple[int, int], set[int]] = {}
    for xref, _mask, width, height, *_ in images:
        known.setdefault((width, height), set()).add(xref)
    found = page.get_image_info() if known else []
    candidates = [known.get((info["width"], info["height"]), set()) for info in found]
    if any(len(xrefs) > 1 for xrefs in candidates):
        found = page.get_image_info(xrefs=True)
        candidates = [{info["xref"]} for info in found]
    return [
        {
            "xref": min(xrefs, default=0),
            "bbox": _tenths_shown([round(value, 1) for value in info["bbox"]], turned),
            "width": info["width"],
            "height": info["height"],
            "size": info["size"],
        }
        for xrefs, info in zip(candidates, found, strict=True)
    ]
