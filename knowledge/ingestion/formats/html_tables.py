"""An HTML table becomes rows of text, each of which can be read alone. Pure.

"Class E: Less than 10,000 feet MSL | 3 statute miles | 1,000 feet above." A cell that is empty because
the one above holds for it gets that one's words; a row that only names a group is set before the rows of
the group.
"""

import html
import re
from collections.abc import Sequence
from html.parser import HTMLParser

from knowledge.ingestion.document_model import clean_text, squeezed
from knowledge.whole_numbers import whole_number

Row = tuple[str, ...]
_COMMON_WORDS = 2  # words of four letters that two groups share: they stand on one level
SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def table_rows(markup: str) -> tuple[str, ...]:
    """The rows of a table, cells parted by " | "."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    rows = [row for cells in reader.grid() for row in _unfolded(cells)]
    return tuple(_complete(rows))


def inline_text(markup: str) -> str:
    """Markup without its tags; raised digits stay raised, so that 10² does not become 102."""
    raised = re.sub(r"<sup>\s*([\d+-]+)\s*</sup>", lambda found: found[1].translate(SUPERSCRIPTS), markup)
    broken = re.sub(r"<br\s*/?>", "\n", raised)
    return clean_lines(html.unescape(re.sub(r"</?[a-zA-Z][^>]*>", "", broken)))


def clean_lines(text: str) -> str:
    return "\n".join(squeezed(clean_text(line)) for line in text.split("\n"))


class _Reader(HTMLParser):
    """Cells with the rows and columns they span."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[list[tuple[str, int, int]]] = []
        self._text = ""
        self._spans = (1, 1)
        self._raised = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            values = dict(attrs)
            self._text, self._spans = "", (_span(values.get("rowspan")), _span(values.get("colspan")))
        elif tag == "br":
            self._text += "\n"
        self._raised = tag == "sup"

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th") and self._rows:
            self._rows[-1].append((self._text, *self._spans))
        elif tag == "p":
            self._text += "\n"
        self._raised = False

    def handle_data(self, data: str) -> None:
        self._text += data.translate(SUPERSCRIPTS) if self._raised else data

    def grid(self) -> list[Row]:
        """Every row with a cell in every column."""
        held: dict[tuple[int, int], str] = {}
        for at, cells in enumerate(self._rows):
            column = 0
            for text, down, across in cells:
                while (at, column) in held:
                    column += 1
                for row in range(at, at + down):
                    for place in range(column, column + across):
                        held[row, place] = text if place == column else ""
                column += across
        width = 1 + max((column for _, column in held), default=-1)
        return [
            tuple(held.get((row, column), "") for column in range(width)) for row in range(len(self._rows))
        ]


def _span(value: str | None) -> int:
    return min(200, max(1, whole_number(value or "") or 1))


def _unfolded(cells: Row) -> list[Row]:
    """A row whose first cell names a group in its first line, above blank lines in the others, as two
    rows.
    """
    lines = [clean_lines(cell).split("\n") for cell in cells]
    first = [line for line in lines[0] if line] if lines else []
    others = lines[1:]
    empty = all(not any(other) for other in others)
    headed = all(not other[0] for other in others) and any(any(other) for other in others)
    if len(first) == 2 and others and (empty or headed):
        return [(first[0], *("" for _ in others)), (first[1], *(_flat(other) for other in others))]
    return [tuple(_flat(line) for line in lines)]


def _flat(lines: Sequence[str]) -> str:
    said = [line for line in lines if line]
    return said[0] if len(said) == 1 else "; ".join(line.rstrip(";") for line in said)


def _complete(rows: Sequence[Row]) -> list[str]:
    groups: list[str] = []
    said: set[str] = set()  # groups that a row with data stands in
    before: Row = ()
    after_data = True
    found: list[str] = []
    for row in rows:
        if not any(row):
            continue
        is_group = len(row) > 1 and bool(row[0]) and not any(row[1:])
        if is_group:
            now = _regrouped(groups, row[0], nest=not after_data)
        else:
            now = _level_of(groups, row[0]) if row[0] else groups
        found += _unsaid(groups, now, said)
        groups, after_data = now, not is_group
        if is_group:
            continue
        full = (
            tuple(cell or above for cell, above in zip(row, before, strict=True))
            if before and not row[0]
            else row
        )
        before = full
        said |= set(groups)
        found.append(" | ".join((_named(groups, full[0]), *full[1:])))
    return found + _unsaid(groups, [], said)


def _unsaid(groups: list[str], now: list[str], said: set[str]) -> list[str]:
    """The last group as a row of its own, where it ends without a row with data: it was a row with one cell."""
    if not groups or groups[-1] in now or groups[-1] in said:
        return []
    return [_named(groups[:-1], groups[-1])]


def _regrouped(groups: list[str], name: str, *, nest: bool) -> list[str]:
    for level, group in enumerate(groups):
        if _alike(group, name):
            return [*groups[:level], name]
    return [*groups, name] if nest else [name]


def _level_of(groups: list[str], name: str) -> list[str]:
    """The groups that a row with data stands in: not those that are on its own level."""
    for level, group in enumerate(groups):
        if _alike(group, name):
            return groups[:level]
    return groups


def _alike(one: str, other: str) -> bool:
    if one.split()[0].lower() == other.split()[0].lower():
        return True
    return len(_words(one) & _words(other)) >= _COMMON_WORDS


def _words(text: str) -> set[str]:
    return set(re.findall(r"[a-z]{4,}", text.lower()))


def _named(groups: Sequence[str], cell: str) -> str:
    return ": ".join([*(group.rstrip(".: ") for group in groups), cell])
