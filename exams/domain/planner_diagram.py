"""The planner's table becomes the diagram and the tables of docs/architecture/planner.md.

`python -m exams.domain.planner_diagram` prints the page, `--write` puts it where it belongs. The page is never
edited by hand: theory, diagram and tables are all read from `exams/domain/planner.py`.
"""

import sys
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from exams.domain import planner
from exams.domain.planner import STATES, TABLE, Row

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "architecture" / "planner.md"
_ORDINARY: Final = ("pause", "end")
"""Events that every state takes alike; the diagram leaves them out, the table lists them."""


def page() -> str:
    """The whole page, in Markdown."""
    return "\n".join(
        (
            "# The planner",
            "",
            "Written by `python -m exams.domain.planner_diagram --write` from `planner.py`; a test compares.",
            "",
            "## Diagram",
            "",
            "```mermaid",
            *diagram(),
            "```",
            "",
            "Left out here and listed in the table: `pause` leads to `paused` from every state in which an"
            " answer is awaited, `end` to `finished` from every one that is not over.",
            "",
            "## Table",
            "",
            "For a state and an event the first row whose condition holds is taken; without one the event is"
            " illegal and changes nothing.",
            "",
            *_table(("state", "event", "if", "then", "effect"), map(_cells, TABLE)),
            "",
            _theory(),
            "",
        )
    )


def diagram() -> Iterable[str]:
    """The transitions as a Mermaid state diagram."""
    yield "stateDiagram-v2"
    yield "    [*] --> ready"
    for (state, then), rows in groupby(sorted(_drawn(), key=_ends), key=_ends):
        labels = "<br/>".join(_label(row) for row in rows)
        yield f"    {STATES[state]} --> {STATES[then]}: {labels}"
    yield "    finished --> [*]"


def _drawn() -> Sequence[Row]:
    return [row for row in TABLE if row.event not in _ORDINARY]


def _ends(row: Row) -> tuple[int, int]:
    return STATES.index(row.state), STATES.index(row.then)


def _label(row: Row) -> str:
    return f"{row.event} [{row.condition}]" if row.condition else row.event


def _cells(row: Row) -> tuple[str, ...]:
    return f"`{row.state}`", f"`{row.event}`", row.condition, f"`{row.then}`", row.effect


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _theory() -> str:
    """The prose of the module's docstring, its heading as one of the page."""
    text = (planner.__doc__ or "").split("Theory\n======\n", 1)[-1].strip()
    return f"## Theory\n\n{text}"


def main(arguments: Sequence[str]) -> None:
    if "--write" in arguments:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())


if __name__ == "__main__":
    main(sys.argv[1:])
