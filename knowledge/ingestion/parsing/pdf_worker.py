"""The process that opens untrusted PDFs: a command on its command line becomes JSON lines on its stdout.

    python -m knowledge.ingestion.parsing.pdf_worker read PATH
    python -m knowledge.ingestion.parsing.pdf_worker render PATH OUT DPI FORMAT PAGE…

It limits itself before it opens anything, says only what it found, and knows no Django and no other part
of the project than its numbers. A broken file can at worst end this process; `pdf.py` tells the operator
why.
"""

import gc
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from knowledge import conf
from knowledge.grounding.page_rotation import Box, Turn, turn_of
from knowledge.ingestion.document_model import clean_text
from knowledge.ingestion.errors import RefusedFile
from knowledge.ingestion.layout.drawing_ops import Painted, painted_on
from knowledge.ingestion.layout.hidden_text import Grounds, LeftOut, bounds_of, leave_out_hidden
from knowledge.ingestion.layout.table_detection import LEAST_SIDE
from knowledge.ingestion.parsing.sandbox import Allowance, Message, encoded, limit_self, say
from knowledge.mupdf import mupdf

_FLAGS = mupdf.TEXT_PRESERVE_WHITESPACE | mupdf.TEXT_MEDIABOX_CLIP | mupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
_BOLD, _RAISED = 1 << 4, 1
_NO_LETTERS = bytes(range(33)).decode("ascii") + "\x7f"
_BEGINS = {0: 0, 90: 3, 180: 2, 270: 1}  # the side of a word's box where it begins, by the turn of its line
_RAISED_DIGITS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")  # 10² is not 102
_COLLECT = 50  # pages after which what refers to itself is looked for, and not while a page is read: that costs a fifth
_THIN = 2.5  # points: what is drawn so narrow is a line
_NO_MEMORY = re.compile(r"\b(?:malloc|calloc|realloc|memory)\b", re.IGNORECASE)
_TITLE = 1000  # characters of a title, of a document or in its outline
_ANEW = "Save it anew from its program, or download it again."
_BOLD_NAMES = ("bold", "black", "heavy", "demi")


Command = Callable[[Any, list[str]], Iterator[Message]]
Word = tuple[Any, ...]  # as PyMuPDF tells it: its box, its letters, and the numbers of its block and line


def main(arguments: list[str], commands: Mapping[str, Command] | None = None) -> int:
    """Run one of the commands, this program's own unless others are given; the last message is `done` or `error`."""
    limit_self(conf.CHILD_MEMORY_BYTES, conf.CHILD_CPU_SECONDS)
    gc.freeze()
    gc.disable()
    command, path, *rest = arguments
    work = (commands or {"read": _read, "render": _render})[command]
    try:
        with _opened(path) as document:
            for message in work(document, rest):
                say(message)
        say({"type": "done"})
    except RefusedFile as refused:
        say({"type": "error", "code": refused.code, "message": str(refused)})
    except Exception as error:  # whatever a broken file makes MuPDF raise is the file's fault
        code, why = _fault(error)
        say({"type": "error", "code": code, "message": why})
    return 0


class _BadPage(Exception):
    """A page cannot be read; its cause says why."""

    def __str__(self) -> str:
        return f"Page {self.args[0]} of the PDF"


def _fault(error: Exception) -> tuple[str, str]:
    """What a failure says to the operator. MuPDF's own words name places in memory and on the disk: not those."""
    cause = error.__cause__ if isinstance(error, _BadPage) else error
    print(f"{type(cause).__name__}: {cause}"[:500], file=sys.stderr)
    what = str(error) if isinstance(error, _BadPage) else "The PDF"
    if isinstance(cause, MemoryError) or _NO_MEMORY.search(str(cause)):
        return "over_limits", f"{what} needs more memory than one file may take. Split it, or save it anew."
    return "broken", f"{what} is damaged and cannot be read. {_ANEW}"


def _opened(path: str) -> Any:
    try:
        document = mupdf.open(path, filetype="pdf")
    except mupdf.FileDataError as error:
        print(str(error)[:500], file=sys.stderr)
        raise RefusedFile(f"The PDF is damaged and cannot be opened. {_ANEW}", "broken") from error
    if document.needs_pass:
        raise RefusedFile(
            "The PDF is locked with a password. Save it without one and feed it in again.", "encrypted"
        )
    if document.page_count == 0:
        raise RefusedFile(f"The PDF has no pages. {_ANEW}", "no_pages")
    if document.page_count > conf.MAX_PAGES:
        raise RefusedFile(
            f"The PDF has {document.page_count} pages; at most {conf.MAX_PAGES} are read. Split it.",
            "over_limits",
        )
    return document


# --- read ------------------------------------------------------------


def _read(document: Any, _: list[str]) -> Iterator[Message]:
    yield {
        "type": "document",
        "pages": document.page_count,
        "metadata": {key: str(value)[:_TITLE] for key, value in (document.metadata or {}).items() if value},
        "outline": _outline(document),
    }
    time = Allowance(conf.READ_SECONDS, conf.PAGE_SECONDS, conf.LONGEST_PAGE_SECONDS)
    lines = crowded = 0
    labelled = _has_labels(document)
    for number in range(document.page_count):
        time.next_piece()
        if number % _COLLECT == _COLLECT - 1:
            gc.collect()
        try:
            page = _page(document[number], labelled)
        except Exception as error:
            raise _BadPage(number + 1) from error
        lines += len(page["lines"])
        crowded += page["crowded"]
        if crowded > conf.MAX_CROWDED:
            raise RefusedFile(
                f"{crowded} pages hold more text than print has, as drawings do. Upload a PDF that is set as text.",
                "over_limits",
            )
        if lines > conf.MAX_LINES_FIRST + conf.MAX_LINES_EACH * (number + 1):
            raise RefusedFile(
                f"The first {number + 1} pages of the PDF hold {lines} lines, more than print does. Split it.",
                "over_limits",
            )
        yield page


def _outline(document: Any) -> list[list[Any]]:
    """The headings that the file lists; none where that list is broken, which makes the pages no worse."""
    try:
        return [[level, str(title)[:_TITLE], page] for level, title, page, *_ in document.get_toc()]
    except Exception as error:
        print(f"outline: {error}"[:500], file=sys.stderr)
        return []


def _has_labels(document: Any) -> bool:
    """Whether the file numbers its pages; asking each page for its number reads the list of all of them."""
    try:
        return bool(document.get_page_labels())
    except Exception as error:
        print(f"labels: {error}"[:500], file=sys.stderr)
        return True


def _page(page: Any, labelled: bool = True) -> Message:
    bounds = bounds_of(page)
    text, blocks, strays = _printed(page, bounds)
    crowded = _is_crowded(blocks, bounds)
    if crowded:
        blocks = []
    elif strays:
        text = page.get_textpage(flags=_FLAGS)
        blocks = text.extractDICT()["blocks"]
    painted = painted_on(page)
    images = page.get_images(full=True) if any("im" in kind for kind, _ in painted) else []
    sees_through = any(mask for _, mask, *_ in images)
    hidden = leave_out_hidden(page, blocks, Grounds.of(page, bounds, painted, sees_through), strays)
    starts = _word_starts(text, hidden) if blocks else {}
    rotation = page.rotation
    turned = page.rotation_matrix if rotation else None
    lines = [
        _line(line, block["number"], starts.get((block["number"], at), []), turned)
        for block in blocks
        for at, line in enumerate(block.get("lines", ()))
    ]
    width, height = page.rect.br
    return {
        "type": "page",
        "number": page.number + 1,
        "width": round(width, 2),
        "height": round(height, 2),
        "rotation": rotation,
        "label": page.get_label() if labelled else "",
        "hidden": hidden.words,
        "crowded": crowded,
        "lines": [line for line in lines if line],
        "pictures": [
            picture | {"bbox": _shown(picture["bbox"], turned)} for picture in _page_pictures(page, images)
        ],
        "rules": [_shown(rule, turned) for rule in _rules(page, blocks, painted)],
    }


def _printed(page: Any, bounds: Box) -> tuple[Any, list[Message], bool]:
    """All text of a page and its blocks, and whether some of it stands outside the page: on most pages none does."""
    text = page.get_textpage(clip=mupdf.INFINITE_RECT(), flags=_FLAGS)
    blocks = text.extractDICT()["blocks"]
    x0, y0, x1, y1 = bounds
    boxes = (block["bbox"] for block in blocks)
    inside = (x0 <= left and y0 <= top and right <= x1 and bottom <= y1 for left, top, right, bottom in boxes)
    return text, blocks, not all(inside)


def _is_crowded(blocks: list[Message], bounds: Box) -> bool:
    """More is written on it than on any page of print: the labels of a chart, or text to choke on."""
    lines = [line for block in blocks for line in block.get("lines", ()) if _touch(line["bbox"], bounds)]
    if len(lines) > conf.MAX_LINES:
        return True
    return sum([len(span["text"]) for line in lines for span in line["spans"]]) > conf.MAX_LETTERS


def _touch(one: Box, other: Box) -> bool:
    return one[0] < other[2] and one[2] > other[0] and one[1] < other[3] and one[3] > other[1]


def _word_starts(text: Any, hidden: LeftOut) -> dict[tuple[int, int], list[Word]]:
    """The words of each line (block, line), but those that nobody sees."""
    starts: dict[tuple[int, int], list[Word]] = {}
    place, row = (-1, -1), list[Word]()
    boxes = hidden.boxes
    for word in text.extractWORDS():
        letters = word[4]
        if not (letters.isascii() and letters.isprintable()) and not _says_something(letters):
            continue
        if boxes and hidden.holds((word[0] + word[2]) / 2, (word[1] + word[3]) / 2):
            continue
        if word[5:7] != place:
            place = word[5:7]
            row = starts.setdefault(place, [])
        row.append(word)
    return starts


def _says_something(word: str) -> bool:
    return bool(clean_text(word).strip() and word.strip(_NO_LETTERS))


def _line(line: Message, block: int, starts: list[Word], turned: Any) -> Message | None:
    """A line as the page is shown, and of each word the one number that says where it begins along the line, in tenths
    of points; None for one that says nothing."""
    spans = [span for span in line["spans"] if span["text"]]
    text = _text_of(spans)
    if not text.strip():
        return None
    size, bold, lead = _type_of(spans)
    turn, stands = _turns(line["dir"], turned)
    return {
        "text": text,
        "bbox": _tenths(line["bbox"], turned),
        "size": round(size, 1),
        "bold": bold,
        "lead": lead,
        "block": block if stands else 0,  # of lying text MuPDF makes one block a line
        "turn": turn,
        "xs": _starts_along(starts, turn, turned) if len(starts) == len(clean_text(text).split()) else [],
    }


def _type_of(spans: list[Message]) -> tuple[float, bool, str]:
    """The largest size of a line, whether all of it is bold, and the bold text it opens with."""
    if len(spans) == 1:
        (only,) = spans
        bold = _is_bold(only)
        return only["size"], bold, only["text"].strip() if bold else ""
    said = [span for span in spans if span["text"].strip()]
    return max([span["size"] for span in said]), all(map(_is_bold, said)), _lead(spans)


def _turns(direction: tuple[float, float], turned: Any) -> tuple[Turn, bool]:
    """The turn of a line as the page is shown, and whether it stands upright where the page is not turned."""
    if turned is None:
        turn = 0 if direction == (1.0, 0.0) else turn_of(direction)
        return turn, turn == 0
    dx, dy = direction
    return turn_of((dx * turned.a + dy * turned.c, dx * turned.b + dy * turned.d)), turn_of(direction) == 0


def _tenths(box: Box, turned: Any) -> list[int]:
    if turned is None:
        return [round(10 * value) for value in box]
    return [round(10 * value) for value in _shown([round(value, 1) for value in box], turned)]


def _text_of(spans: list[Message]) -> str:
    if len(spans) == 1:
        text: str = spans[0]["text"]
        return text
    for before, span in pairwise(spans):
        if span["flags"] & _RAISED and before["text"][-1:].strip():
            span["text"] = span["text"].translate(_RAISED_DIGITS)
    return "".join([span["text"] for span in spans])


def _starts_along(words: list[Word], turn: int, turned: Any) -> list[int]:
    side = _BEGINS[turn]
    if turned:
        return [round(10 * (mupdf.Rect(word[:4]) * turned)[side]) for word in words]
    return [round(10 * word[side]) for word in words]


def _shown(box: Sequence[float], turned: Any) -> list[float]:
    """MuPDF's places are those of the page before it is turned; ours those of the page as it is shown."""
    return [round(value, 1) for value in mupdf.Rect(box) * turned] if turned else list(box)


def _is_bold(span: Message) -> bool:
    return bool(span["flags"] & _BOLD) or _is_bold_font(span["font"])


@lru_cache(maxsize=1000)
def _is_bold_font(name: str) -> bool:
    return any(word in name.lower() for word in _BOLD_NAMES)


def _lead(spans: list[Message]) -> str:
    """The bold text a line opens with."""
    lead = ""
    for span in spans:
        if span["text"].strip() and not _is_bold(span):
            break
        lead += span["text"]
    return lead.strip()


def _rules(page: Any, blocks: list[Message], painted: Painted) -> list[list[float]]:
    """The straight lines that are drawn on a page, wherever something may be a table: rows of more than one line, and
    strokes that are long enough both ways."""
    if not _may_rule(painted):
        return []
    lines = [line for block in blocks for line in block.get("lines", ())]
    rows = Counter((round(round(line["bbox"][1], 1) / 2), line["dir"]) for line in lines)
    if sum(count > 1 for count in rows.values()) < 2:
        rows = Counter(
            (round(round(line["bbox"][0], 1) / 2), line["dir"]) for line in lines if line["dir"] != (1.0, 0.0)
        )
        if sum(count > 1 for count in rows.values()) < 2:
            return []
    found = [rule for drawing in page.get_cdrawings() for rule in _drawn_rules(drawing)]
    return [[round(value, 1) for value in rule] for rule in found[: conf.MAX_RULES]]


def _may_rule(painted: Painted) -> bool:
    """Something drawn is as wide as a table's side, and something as high."""
    paths = [box for kind, box in painted if kind in ("fill-path", "stroke-path")]
    wide = any(box[2] - box[0] >= LEAST_SIDE for box in paths)
    return wide and any(box[3] - box[1] >= LEAST_SIDE for box in paths)


def _drawn_rules(drawing: Message) -> Iterator[Box]:
    stroked = "s" in drawing["type"]
    for kind, *points in drawing["items"]:
        if kind == "l":
            (x0, y0), (x1, y1) = points
            yield from _straight((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)))
        elif kind == "re":
            x0, y0, x1, y1 = points[0]
            if min(x1 - x0, y1 - y0) < _THIN:
                yield from _straight((x0, y0, x1, y1))
            elif stroked:
                yield from ((x0, y0, x1, y0), (x0, y1, x1, y1), (x0, y0, x0, y1), (x1, y0, x1, y1))


def _straight(box: Box) -> Iterator[Box]:
    if min(box[2] - box[0], box[3] - box[1]) < _THIN:
        yield box


def _page_pictures(page: Any, images: list[Any]) -> list[Message]:
    return [
        {
            "xref": xref,
            "bbox": [round(value, 1) for value in info["bbox"]],
            "width": info["width"],
            "height": info["height"],
            "size": info["size"],
        }
        for xref, info in _placed_pictures(page, images)
    ]


def _placed_pictures(page: Any, images: list[Any]) -> list[tuple[int, Message]]:
    """The pictures of a page with their numbers. Asking MuPDF for those decodes every picture and takes ten times as
    long as all the rest, so they are told by width and height wherever that is enough."""
    known: dict[tuple[int, int], set[int]] = {}
    for xref, _mask, width, height, *_ in images:
        known.setdefault((width, height), set()).add(xref)
    found = page.get_image_info() if known else []
    candidates = [known.get((info["width"], info["height"]), set()) for info in found]
    if any(len(xrefs) > 1 for xrefs in candidates):
        return [(info["xref"], info) for info in page.get_image_info(xrefs=True)]
    return [(min(xrefs, default=0), info) for xrefs, info in zip(candidates, found, strict=True)]


# --- render ------------------------------------------------------------


def _render(document: Any, rest: list[str]) -> Iterator[Message]:
    out, dpi, form, *numbers = rest
    for number in map(int, numbers):
        if not 1 <= number <= document.page_count:
            raise RefusedFile(
                f"The PDF has {document.page_count} pages; there is no page {number}.", "no_such_page"
            )
        page = document[number - 1]
        name = f"{number}.{form}"
        _save(_page_pixels(page, int(dpi)), Path(out) / name, form)
        yield {"type": "rendered", "page": number, "file": name}


def _save(pixels: Any, path: Path, form: str) -> None:
    """PNG by MuPDF itself, which is quicker than by way of Pillow; WebP it cannot."""
    if form == "png":
        pixels.save(str(path))
    else:
        pixels.pil_save(str(path), format=form.upper(), quality=85, method=2)


def _page_pixels(page: Any, dpi: int) -> Any:
    pixels = page.rect.width * page.rect.height * (dpi / 72) ** 2
    if pixels > conf.MAX_PAGE_PIXELS:
        raise RefusedFile(
            f"Page {page.number + 1} at {dpi} DPI has {pixels:.0f} pixels; ask for fewer.", "over_limits"
        )
    return page.get_pixmap(dpi=dpi, alpha=False)


def warm_up() -> None:
    """Read a page of its own making: what the first page of every file has to wait for."""
    with mupdf.open(stream=_sample(), filetype="pdf") as document:
        encoded(_page(document[0]))


@cache
def _sample() -> bytes:
    with mupdf.open() as document:
        page = document.new_page()
        for number in range(50):
            page.insert_text(
                (72, 72 + 13 * number), "No person may operate an aircraft below 1,000 feet. " * 2
            )
        page.draw_rect((72, 72, 540, 540))
        data: bytes = document.tobytes()
    return data


def run(arguments: list[str]) -> int:
    """The program as a fork of a process that has loaded it (`fork_server`)."""
    return main(arguments)


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:]))
