"""The figures of an evaluation as facts and tables, whatever it measures. Pure."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

UNTOLD = ("file", "sha256", "corpus")  # the job names its file, and nobody reads digests


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Figures by row and column; a cell is "–" where there is none."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]


def facts_of(figures: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The single figures, with those one level below: ("accuracy path", "0.93")."""
    facts = []
    for name, value in figures.items():
        if isinstance(value, Mapping):
            if _is_row(value):
                facts += [(f"{name} {inner}", _cell(one)) for inner, one in value.items()]
        elif name not in UNTOLD:
            facts.append((name, _cell(value)))
    return facts


def tables_of(figures: Mapping[str, Any]) -> list[FigureTable]:
    """The figures that have rows of their own: by arm, by kind of question, labels beside decisions."""
    tables = []
    for title, value in figures.items():
        if isinstance(value, Mapping) and not _is_row(value):
            rows = list(_rows_below(value, ""))
            columns = tuple(dict.fromkeys(name for _, row in rows for name in row))
            cells = tuple((label, tuple(_cell(row.get(name)) for name in columns)) for label, row in rows)
            tables.append(FigureTable(title, columns, cells))
    return tables


def _rows_below(figures: Mapping[str, Any], label: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for name, value in figures.items():
        told = f"{label} {name}".strip()
        if isinstance(value, Mapping):
            if _is_row(value):
                yield told, value
            else:
                yield from _rows_below(value, told)


def _is_row(value: Mapping[str, Any]) -> bool:
    return not any(isinstance(one, Mapping) for one in value.values())


def _cell(value: Any) -> str:
    if isinstance(value, list):
        return " to ".join(map(str, value))
    return "–" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
