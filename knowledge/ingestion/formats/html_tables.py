"""Turn an HTML table into rows of text, each of which can be read alone. Pure.

"Class E: Less than 10,000 feet MSL | 3 statute miles | 1,000 feet above." An empty first cell gets the words of the one
above; a row that only names a group is put before the rows of that group.
"""

import re
from collections.abc import Iterator, Sequence

from selectolax.lexbor import LexborHTMLParser, LexborNode

from knowledge.ingestion.document_model import clean_text, squeeze_spaces
from knowledge.whole_numbers import whole_number

Row = tuple[str, ...]
_COMMON_WORDS = 2  # words of four letters that two groups of the same level share
SUPERSCRIPTS = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")


def table_rows(markup: str) -> tuple[str, ...]:
    """The rows of a table, cells separated by " | ", each after the names of its groups. A group without a row of data
    is a row of its own."""
    groups: list[str] = []
    used: set[str] = set()  # groups with a row of data
    before: Row = ()
    after_data = True
    found: list[str] = []

    def add_unused(now: list[str]) -> None:
        if groups and groups[-1] not in now and groups[-1] not in used:
            found.append(_join_groups(groups[:-1], groups[-1]))

    for row in filter(any, _read_grid(markup)):
        level = next((at for at, group in enumerate(groups) if row[0] and _are_alike(group, row[0])), None)
        is_group = len(row) > 1 and bool(row[0]) and not any(row[1:])
        if not is_group:  # a row of data stands below the groups before the first one of its own level
            now = groups[:level]
        elif level is not None:
            now = [*groups[:level], row[0]]
        else:
            now = [row[0]] if after_data else [*groups, row[0]]
        add_unused(now)
        groups, after_data = now, not is_group
        if is_group:
            continue
        if before and not row[0]:
            row = tuple(cell or above for cell, above in zip(row, before, strict=True))
        before = row
        used |= set(groups)
        found.append(" | ".join((_join_groups(groups, row[0]), *row[1:])))
    add_unused([])
    return tuple(found)


def clean_lines(text: str) -> str:
    return "\n".join(squeeze_spaces(clean_text(line)) for line in text.split("\n"))


def _read_grid(markup: str) -> Iterator[Row]:
    """Every row with a cell in every column; only the first column of a spanning cell has its text. A row is two, if
    its first cell has the name of a group in its first line, above blank lines in the others."""
    held: dict[tuple[int, int], str] = {}
    rows = LexborHTMLParser(markup).css("tr")
    for at, row in enumerate(rows):
        column = 0
        for cell in row.iter():
            if cell.tag not in ("td", "th"):
                continue
            while (at, column) in held:
                column += 1
            across = _span_of_cell(cell, "colspan")
            for down in range(at, at + _span_of_cell(cell, "rowspan")):
                for place in range(column, column + across):
                    held[down, place] = _cell_text(cell) if place == column else ""
            column += across
    width = 1 + max((column for _, column in held), default=-1)
    for at in range(len(rows)):
        lines = [clean_lines(held.get((at, column), "")).split("\n") for column in range(width)]
        first, others = [line for line in lines[0] if line] if lines else [], lines[1:]
        if len(first) == 2 and others and not any(other[0] for other in others):
            yield first[0], *("" for _ in others)
            yield first[1], *(_join_lines(other) for other in others)
        else:
            yield tuple(_join_lines(cell) for cell in lines)


def _span_of_cell(cell: LexborNode, name: str) -> int:
    return min(200, max(1, whole_number(cell.attributes.get(name) or "") or 1))


def _cell_text(cell: LexborNode) -> str:
    """The cell's text, with a line break for each <br> and each end of a paragraph."""
    text, to_do = "", [(cell, False)]
    while to_do:
        node, is_end = to_do.pop()
        if is_end or node.tag == "br":
            text += "\n"
        elif node.tag == "-text":
            is_raised = node.parent is not None and node.parent.tag == "sup"
            said = node.text_content or ""
            text += said.translate(SUPERSCRIPTS) if is_raised else said
        else:
            to_do += [(node, True)] if node.tag == "p" else []
            to_do += [(child, False) for child in reversed(list(node.iter(include_text=True)))]
    return text


def _join_lines(lines: Sequence[str]) -> str:
    said = [line for line in lines if line]
    return said[0] if len(said) == 1 else "; ".join(line.rstrip(";") for line in said)


def _are_alike(one: str, other: str) -> bool:
    if one.split()[0].lower() == other.split()[0].lower():
        return True
    words, others = (set(re.findall(r"[a-z]{4,}", text.lower())) for text in (one, other))
    return len(words & others) >= _COMMON_WORDS


def _join_groups(groups: Sequence[str], cell: str) -> str:
    return ": ".join([*(group.rstrip(".: ") for group in groups), cell])
