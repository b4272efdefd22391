"""Writes docs/architecture/planner.md: diagram, table, and theory, all read from `exams/domain/planner.py`.

`python -m tools.planner_page` prints the page, `--write` saves it. Do not edit the page by hand.
"""

from itertools import groupby
from pathlib import Path
from typing import Final

from exams.domain import planner
from exams.domain.planner import STATES, TABLE, Row
from tools.pages import print_or_save

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "architecture" / "planner.md"
_IN_EVERY_STATE: Final = ("pause", "end")
"""The diagram leaves these events out; the table lists them."""


def page() -> str:
    """The whole page, in Markdown."""
    rows = "\n".join(
        f"| `{row.state}` | `{row.event}` | {row.condition} | `{row.then}` | {row.effect} |" for row in TABLE
    )
    theory = (planner.__doc__ or "").split("Theory\n======\n", 1)[-1].strip()
    return f"""# The planner

`python -m tools.planner_page --write` writes this page from `planner.py`; a test compares.

## Diagram

```mermaid
{_diagram()}
```

The diagram leaves out two events that the table lists: `pause` leads to `paused` from every state that awaits an \
answer, and `end` leads to `finished` from every state that is not over.

## Table

For a state and an event, the first row whose condition holds applies. If no row applies, the event is illegal and \
changes nothing.

| state | event | if | then | effect |
|---|---|---|---|---|
{rows}

## Theory

{theory}
"""


def _diagram() -> str:
    """The transitions as a Mermaid state diagram."""

    def ends_of(row: Row) -> tuple[int, int]:
        return STATES.index(row.state), STATES.index(row.then)

    lines = ["stateDiagram-v2", "    [*] --> ready"]
    drawn = sorted((row for row in TABLE if row.event not in _IN_EVERY_STATE), key=ends_of)
    for (state, then), rows in groupby(drawn, key=ends_of):
        labels = "<br/>".join(
            f"{row.event} [{row.condition}]" if row.condition else row.event for row in rows
        )
        lines.append(f"    {STATES[state]} --> {STATES[then]}: {labels}")
    return "\n".join([*lines, "    finished --> [*]"])


if __name__ == "__main__":
    print_or_save(page(), PAGE)
