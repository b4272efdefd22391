"""Raw pages become pages in reading order, with what is printed on every page taken off. Pure.

A printed page number becomes the page's label; other running heads and feet are remembered with the page
but are no text of it. Two columns are read one after the other, all else row by row. Knows nothing of
paragraphs or headings.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from knowledge.grounding.page_rotation import Turn
from knowledge.ingestion.document_model import Line, PageText, RawPage, same_row
from knowledge.ingestion.layout.reading_order import RUNNING_TEXT, reading_order, usual_gutter
from knowledge.ingestion.layout.table_detection import with_ruled_tables
from knowledge.ingestion.layout.two_up_pages import halves, is_two_up, rejoined

EDGE = 0.09  # share of the page's height, above and below, in which heads and feet stand
REPEATS = 3  # pages on which a line must recur at its height to be a running head
SLOT_SHARE = 0.6  # share of pages that have a line apart at one height: a head whose words change
ASIDE = 99  # the column of lines that lie where the others stand: tabs, labels of axes, watermarks
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
    """All pages of a document: labels found, running heads taken off, lines in reading order."""
    if not is_two_up(pages, _numbers):
        return _read_pages(pages)
    read = _read_pages([half for page in pages for half in halves(page)])
    return tuple(
        rejoined(page, left, right) for page, left, right in zip(pages, read[::2], read[1::2], strict=True)
    )


def _numbers(page: RawPage) -> list[tuple[Line, str, int]]:
    return [(line, *_label_parts(_label_text(line))) for line in _label_candidates(page)]


def _read_pages(pages: Sequence[RawPage]) -> tuple[PageText, ...]:
    labels = _page_labels(pages)
    running = _running_lines(pages)
    off = {
        page.number: _off_the_text(page, [*running.get(page.number, ()), *_present(labels.get(page.number))])
        for page in pages
    }
    kept = [(page, *_parted(page, off[page.number])) for page in pages]
    usual = usual_gutter([(lines, page.frame.width) for page, lines, _ in kept])
    return tuple(
        replace(
            _page_text(page, reading_order(lines, 0.0, page.frame.width, usual), aside, off[page.number]),
            label=_label_text(labels[page.number]) if page.number in labels else page.label,
        )
        for page, lines, aside in kept
    )


def _off_the_text(page: RawPage, off: list[Line]) -> list[Line]:
    """All of a page that says of itself that it is blank, else its running heads."""
    taken = {id(line) for line in off}
    rest = " ".join(line.text for line in page.lines if id(line) not in taken)
    return list(page.lines) if BLANK.match(rest) else off


def _present(line: Line | None) -> list[Line]:
    return [] if line is None else [line]


def _parted(page: RawPage, off: Sequence[Line]) -> tuple[list[Line], list[Line]]:
    """The lines of a page without its running heads: those that stand as most do, and those that lie across."""
    taken = {id(line) for line in off}
    lines = _with_drop_caps([line for line in page.lines if id(line) not in taken])
    frame = page.frame
    upright = [line for line in lines if line.turn == frame.turn]
    aside = [line for line in lines if line.turn != frame.turn]
    return with_ruled_tables(upright, page.rules), aside


def _page_text(
    page: RawPage, ordered: Sequence[tuple[Line, int]], aside: Sequence[Line], off: Sequence[Line]
) -> PageText:
    taken = {id(line) for line in off}
    return PageText(
        number=page.number,
        label=page.label,
        width=page.width,
        height=page.height,
        rotation=page.rotation,
        lines=(*(line for line, _ in ordered), *aside),
        column_of=(*(column for _, column in ordered), *(ASIDE for _ in aside)),
        running=tuple(line.text for line in page.lines if id(line) in taken),
        pictures=page.pictures,
        recognised=page.recognised,
    )


# --- page numbers ------------------------------------------------------------


def _page_labels(pages: Sequence[RawPage]) -> dict[int, Line]:
    """The line that is each page's printed number: those that count along with the pages.

    Candidates whose value runs in step with the page (value - page is the same on most pages) are page
    numbers; a lone "100" in a table at the edge is not.
    """
    families: dict[tuple[str, int], list[tuple[int, Line]]] = defaultdict(list)
    for page in pages:
        for line in _label_candidates(page):
            prefix, value = _label_parts(_label_text(line))
            families[prefix, value - page.number].append((page.number, line))
    found: dict[int, Line] = {}
    for _family, members in sorted(families.items(), key=lambda item: -len(item[1])):
        certain = len({number for number, _ in members}) >= 2 or len(pages) == 1
        for number, line in members:
            if certain or "-" in _label_text(line):
                found.setdefault(number, line)
    return found


def _label_candidates(page: RawPage) -> list[Line]:
    """Lines at the edge of the page, or at the very start or end of its text, that look like a number."""
    outermost = sorted(page.lines, key=lambda line: line.bbox[1])
    ends = {id(line) for line in (*page.lines[:1], *page.lines[-2:], *outermost[:1], *outermost[-1:])}
    return [
        line
        for line in page.lines
        if _LABEL.match(line.text.strip(" -–—•")) and (id(line) in ends or _at_edge(line, page))
    ]


def _label_text(line: Line) -> str:
    match = _LABEL.match(line.text.strip(" -–—•"))
    return match["label"] if match else line.text


def _label_parts(label: str) -> tuple[str, int]:
    prefix, dash, last = label.rpartition("-")
    return (prefix + dash, int(last)) if last.isdigit() else ("roman", _roman_value(label.lower()))


def _roman_value(numeral: str) -> int:
    digits = [_ROMAN[letter] for letter in numeral]
    following = [*digits[1:], 0]
    return sum(-digit if digit < after else digit for digit, after in zip(digits, following, strict=True))


def _at_edge(line: Line, page: RawPage) -> bool:
    height = page.frame_of(line).height
    return line.bbox[3] <= EDGE * height or line.bbox[1] >= (1 - EDGE) * height


# --- running heads and feet ------------------------------------------------------------


def _running_lines(pages: Sequence[RawPage]) -> dict[int, list[Line]]:
    """The lines at the edges that recur, by page."""
    edges = [_edge_lines(page) for page in pages]
    aparts = [_apart(page, edge) for page, edge in zip(pages, edges, strict=True)]
    texts = Counter(key for edge in edges for key in {_text_key(line) for line in edge})
    slots = Counter(key for lines in aparts for key in {_slot_key(line) for line in lines})
    repeats = min(REPEATS, max(2, len(pages)))
    least = max(REPEATS + 1, int(SLOT_SHARE * len(pages)))
    found: dict[int, list[Line]] = {}
    for page, edge, lines in zip(pages, edges, aparts, strict=True):
        apart = {id(line) for line in lines}
        found[page.number] = [
            line
            for line in edge
            if (texts[_text_key(line)] >= repeats and _says_something(line))
            or (id(line) in apart and slots[_slot_key(line)] >= least)
        ]
    return _with_their_like({page.number: edge for page, edge in zip(pages, edges, strict=True)}, found)


def _with_their_like(
    edges: Mapping[int, Sequence[Line]], found: Mapping[int, Sequence[Line]]
) -> dict[int, list[Line]]:
    """And those that stand exactly where running heads stand on other pages ("Appendix B", on two pages
    only).
    """
    counted = Counter(_place(line) for lines in found.values() for line in lines)
    places = {place for place, pages_with in counted.items() if pages_with >= REPEATS}
    return {
        number: [
            line
            for line in edge
            if any(line is other for other in found[number])
            or (_place(line) in places and len(line.text) < RUNNING_TEXT)
        ]
        for number, edge in edges.items()
    }


def _place(line: Line) -> tuple[int, int, float]:
    return round(line.bbox[1]), round(line.bbox[2]), line.size


def _edge_lines(page: RawPage) -> list[Line]:
    return [line for line in page.lines if _at_edge(line, page)]


def _apart(page: RawPage, edge: Sequence[Line]) -> list[Line]:
    """Edge lines with a clear gap between them and the next row towards the middle of the page."""
    by_top: dict[Turn, list[Line]] = defaultdict(list)
    by_foot: dict[Turn, list[Line]] = defaultdict(list)
    if edge:
        for line in sorted(page.lines, key=_top):
            by_top[line.turn].append(line)
        for line in sorted(page.lines, key=_foot):
            by_foot[line.turn].append(line)
    return [
        line
        for line in edge
        if _gap_inwards(line, page, by_top[line.turn], by_foot[line.turn]) >= 1.2 * line.height
    ]


def _gap_inwards(line: Line, page: RawPage, by_top: Sequence[Line], by_foot: Sequence[Line]) -> float:
    """To the next row: the nearest line that does not stand beside this one."""
    height = page.frame_of(line).height
    if _top(line) < height / 2:
        below = by_top[bisect_right(by_top, _top(line), key=_top) :]
        return next((_top(other) for other in below if not same_row(other, line)), height) - _foot(line)
    above = by_foot[: bisect_left(by_foot, _foot(line), key=_foot)]
    return _top(line) - next((_foot(other) for other in reversed(above) if not same_row(other, line)), 0.0)


def _top(line: Line) -> float:
    return line.bbox[1]


def _foot(line: Line) -> float:
    return line.bbox[3]


def _says_something(line: Line) -> bool:
    """Not a bullet or a bare number, which recur at a height by chance; words or a date."""
    return bool(re.search(r"[A-Za-z]{3}|\d/\d+/\d", line.text))


def _text_key(line: Line) -> tuple[str, int]:
    return re.sub(r"\d+", "#", line.text.lower()), round(line.bbox[1] / SAME_HEIGHT)


def _slot_key(line: Line) -> tuple[int, float]:
    return round(line.bbox[1] / SAME_HEIGHT), line.size


# --- drop capitals ------------------------------------------------------------


def _with_drop_caps(lines: Sequence[Line]) -> list[Line]:
    """Lines with a letter that is printed apart joined to the word it begins."""
    taken: set[int] = set()
    joined: dict[int, Line] = {}
    for cap in lines:
        if len(cap.text) == 1 and cap.text.isalpha() and cap.text.isupper():
            rest = _rest_of_word(cap, lines)
            if rest is not None:
                taken.add(id(cap))
                joined[id(rest)] = _joined_cap(cap, rest)
    return [joined.get(id(line), line) for line in lines if id(line) not in taken]


def _rest_of_word(cap: Line, lines: Iterable[Line]) -> Line | None:
    """The uppermost line that begins, in lower case, right of the capital at its height."""
    reach = max(1.5, 0.35 * cap.size)
    beside = [
        line
        for line in lines
        if line is not cap
        and line.text[:1].islower()
        and -reach <= line.bbox[0] - cap.bbox[2] <= reach
        and line.bbox[1] < cap.bbox[3] - 0.3 * line.height
        and line.bbox[3] > cap.bbox[1] + 0.3 * line.height
    ]
    return min(beside, key=lambda line: line.bbox[1], default=None)


def _joined_cap(cap: Line, rest: Line) -> Line:
    lead = cap.text + rest.lead if rest.lead else ""
    return replace(rest, text=cap.text + rest.text, lead=lead, capital=cap.bbox)
