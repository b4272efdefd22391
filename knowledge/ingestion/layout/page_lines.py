"""Put raw pages into reading order, without what is printed on every page. Pure.

The printed page number is kept as the page's label. Other running heads and feet are kept with the page but are not
part of its text. Must not know paragraphs or headings.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from knowledge.ingestion.document_model import Line, PageText, RawPage, are_in_same_row
from knowledge.ingestion.layout.reading_order import RUNNING_TEXT, find_usual_gutter, order_lines
from knowledge.ingestion.layout.table_detection import mark_ruled_tables
from knowledge.ingestion.layout.two_up_pages import is_two_up, join_sheet, split_sheet

EDGE = 0.09  # share of the page's height, at top and bottom, that holds heads and feet
REPEATS = 3  # pages on which a line must recur at its height to be a running head
SLOT_SHARE = 0.6  # share of pages that have a separate line at one height: a head whose words change
ASIDE = 99  # the column of lines that are turned unlike most: tabs, labels of axes, watermarks
SAME_HEIGHT = 4.0  # points between two lines that count as one height on different pages

BLANK = re.compile(
    r"\W*(?:this\s+page\s+(?:is\s+|was\s+|has\s+been\s+)?)?(?:intentionally|deliberately)\s+(?:left\s+)?blank\W*\Z",
    re.IGNORECASE,
)
_LABEL = re.compile(
    r"(?:page\s+)?(?P<label>(?:[A-Z]{1,2}|\d{1,3})-\d{1,4}|\d{1,4}|[ivxl]{1,7})(?:\s+of\s+\d+)?\Z",
    re.IGNORECASE,
)
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50}


def read_layout(pages: Sequence[RawPage]) -> tuple[PageText, ...]:
    """All pages of a document: labels found, running heads removed, lines in reading order."""
    if not is_two_up(pages, _numbers_on):
        return _read_pages(pages)
    read = _read_pages([half for page in pages for half in split_sheet(page)])
    return tuple(
        join_sheet(page, left, right) for page, left, right in zip(pages, read[::2], read[1::2], strict=True)
    )


def _read_pages(pages: Sequence[RawPage]) -> tuple[PageText, ...]:
    labels = _find_page_labels(pages)
    running = _find_running_lines(pages)
    kept: list[tuple[RawPage, set[int], list[Line], list[Line]]] = []
    for page in pages:
        removed = {id(line) for line in running[page.number]}
        if page.number in labels:
            removed.add(id(labels[page.number]))
        if BLANK.match(" ".join(line.text for line in page.lines if id(line) not in removed)):
            removed = {id(line) for line in page.lines}
        turn = page.frame.turn
        lines = _join_drop_caps([line for line in page.lines if id(line) not in removed])
        upright = mark_ruled_tables([line for line in lines if line.turn == turn], page.rules)
        kept.append((page, removed, upright, [line for line in lines if line.turn != turn]))
    gutter = find_usual_gutter([(upright, page.frame.width) for page, _, upright, _ in kept])
    read = []
    for page, removed, upright, aside in kept:
        ordered = order_lines(upright, 0.0, page.frame.width, gutter)
        label = labels.get(page.number)
        read.append(
            PageText(
                number=page.number,
                label=_label_in(label) if label else page.label,
                width=page.width,
                height=page.height,
                rotation=page.rotation,
                lines=(*(line for line, _ in ordered), *aside),
                column_of=(*(column for _, column in ordered), *(ASIDE for _ in aside)),
                running=tuple(line.text for line in page.lines if id(line) in removed),
                pictures=page.pictures,
                recognised=page.recognised,
            )
        )
    return tuple(read)


# --- page numbers ------------------------------------------------------------


def _find_page_labels(pages: Sequence[RawPage]) -> dict[int, Line]:
    """The line that is each page's printed number: those that count along with the pages.

    Candidates whose value runs in step with the page (value - page is the same on most pages) are page
    numbers; a single "100" in a table at the edge is not.
    """
    families: dict[tuple[str, int], list[tuple[int, Line]]] = defaultdict(list)
    for page in pages:
        for line, prefix, value in _numbers_on(page):
            families[prefix, value - page.number].append((page.number, line))
    found: dict[int, Line] = {}
    for members in sorted(families.values(), key=len, reverse=True):
        is_certain = len({number for number, _ in members}) >= 2 or len(pages) == 1
        for number, line in members:
            if is_certain or "-" in _label_in(line):
                found.setdefault(number, line)
    return found


def _numbers_on(page: RawPage) -> list[tuple[Line, str, int]]:
    """The lines at the edge of the page, or at the very start or end of its text, that look like a page number: each
    with what comes before the number, and the number."""
    outermost = sorted(page.lines, key=_top_of)
    ends = {id(line) for line in (*page.lines[:1], *page.lines[-2:], *outermost[:1], *outermost[-1:])}
    found = []
    for line in page.lines:
        label = _label_in(line)
        if not label or not (id(line) in ends or _is_at_edge(line, page)):
            continue
        prefix, dash, last = label.rpartition("-")
        if last.isdigit():
            found.append((line, prefix + dash, int(last)))
        else:
            digits = [_ROMAN[letter] for letter in label.lower()]
            pairs = zip(digits, [*digits[1:], 0], strict=True)
            value = sum(-digit if digit < after else digit for digit, after in pairs)
            found.append((line, "roman", value))
    return found


def _label_in(line: Line) -> str:
    match = _LABEL.match(line.text.strip(" -–—•"))
    return match["label"] if match else ""


def _is_at_edge(line: Line, page: RawPage) -> bool:
    height = page.frame_of(line).height
    return _bottom_of(line) <= EDGE * height or _top_of(line) >= (1 - EDGE) * height


# --- running heads and feet ------------------------------------------------------------


def _find_running_lines(pages: Sequence[RawPage]) -> dict[int, list[Line]]:
    """The lines at the edges that recur, by page: the same words at one height, or any words in a separate line that
    most pages have at one height. Also those that stand exactly where other pages have running heads ("Appendix B", on
    two pages only)."""
    edges = {page.number: [line for line in page.lines if _is_at_edge(line, page)] for page in pages}
    separate = {page.number: _separate_lines(page, edges[page.number]) for page in pages}
    texts = Counter(key for edge in edges.values() for key in set(map(_text_key, edge)))
    slots = Counter(key for lines in separate.values() for key in set(map(_slot_key, lines)))
    repeats = min(REPEATS, max(2, len(pages)))
    full_slot = max(REPEATS + 1, int(SLOT_SHARE * len(pages)))
    found: dict[int, list[Line]] = {}
    for number, edge in edges.items():
        apart = set(map(id, separate[number]))
        found[number] = [
            line
            for line in edge
            if (texts[_text_key(line)] >= repeats and re.search(r"[A-Za-z]{3}|\d/\d+/\d", line.text))
            or (id(line) in apart and slots[_slot_key(line)] >= full_slot)
        ]
    places = Counter(_place_key(line) for lines in found.values() for line in lines)
    return {
        number: [
            line
            for line in edge
            if any(line is other for other in found[number])
            or (places[_place_key(line)] >= REPEATS and len(line.text) < RUNNING_TEXT)
        ]
        for number, edge in edges.items()
    }


def _separate_lines(page: RawPage, edge: Sequence[Line]) -> list[Line]:
    """Edge lines with a clear gap between them and the next row towards the middle of the page."""
    if not edge:
        return []
    downwards = sorted(page.lines, key=_top_of)
    upwards = sorted(page.lines, key=_bottom_of, reverse=True)
    found = []
    for line in edge:
        height, top, bottom = page.frame_of(line).height, _top_of(line), _bottom_of(line)
        if top < height / 2:
            inward = (one for one in downwards if _top_of(one) > top and one.turn == line.turn)
            gap = next((_top_of(one) for one in inward if not are_in_same_row(one, line)), height) - bottom
        else:
            inward = (one for one in upwards if _bottom_of(one) < bottom and one.turn == line.turn)
            gap = top - next((_bottom_of(one) for one in inward if not are_in_same_row(one, line)), 0.0)
        if gap >= 1.2 * line.height:
            found.append(line)
    return found


def _top_of(line: Line) -> float:
    return line.bbox[1]


def _bottom_of(line: Line) -> float:
    return line.bbox[3]


def _text_key(line: Line) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text.lower()), round(line.bbox[1] / SAME_HEIGHT)


def _slot_key(line: Line) -> tuple[int, float]:
    return round(line.bbox[1] / SAME_HEIGHT), line.size


def _place_key(line: Line) -> tuple[int, int, float]:
    return round(line.bbox[1]), round(line.bbox[2]), line.size


# --- drop capitals ------------------------------------------------------------


def _join_drop_caps(lines: Sequence[Line]) -> list[Line]:
    """The lines, each capital letter that is printed apart joined to the word it begins: to the uppermost line that
    begins, in lower case, just right of the capital."""
    caps: set[int] = set()
    joined: dict[int, Line] = {}
    for cap in lines:
        if len(cap.text) == 1 and cap.text.isalpha() and cap.text.isupper():
            reach = max(1.5, 0.35 * cap.size)
            beside = [
                line
                for line in lines
                if line.text[:1].islower()
                and abs(line.bbox[0] - cap.bbox[2]) <= reach
                and line.bbox[1] < cap.bbox[3] - 0.3 * line.height
                and line.bbox[3] > cap.bbox[1] + 0.3 * line.height
            ]
            if beside:
                rest = min(beside, key=_top_of)
                caps.add(id(cap))
                lead = cap.text + rest.lead if rest.lead else ""
                joined[id(rest)] = replace(rest, text=cap.text + rest.text, lead=lead, capital=cap.bbox)
    return [joined.get(id(line), line) for line in lines if id(line) not in caps]
