"""The protocol's frames become the page docs/architecture/protocol.md.

`python -m exams.protocol.docs_page` prints the page, `--write` puts it where it belongs. The page is never edited by
hand: every frame and field is read from `exams.protocol.catalog`.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from exams.protocol.catalog import describe

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "architecture" / "protocol.md"
_SIDES: Final = (
    (
        "client",
        "From the client",
        "A field too many, a wrong type or a missing field is answered by `error`.",
    ),
    (
        "server",
        "From the server",
        "Frames that are stored have a `seq` that rises by one an exam; they are sent again on resume.",
    ),
    ("part", "Parts of frames", "Objects that stand inside the frames above."),
)
_HEAD: Final = """# The live exam's protocol

Written by `python -m exams.protocol.docs_page --write` from `exams/protocol/catalog.py`; a test compares.

A websocket at `/ws/exams/<uuid>/`, one JSON object a message. The session cookie signs in, or `Authorization: Token …`;
the origin is checked; the exam must be the student's own. One connection an exam: a newer one takes over, and what the
older one still sends is refused. `GET /api/v1/frames/` gives this list as JSON.

| close code | meaning |
|---|---|
| 4401 | not signed in |
| 4403 | not from this site |
| 4404 | there is no such exam of yours |
| 4409 | the oral goes on in another window |
| 1012 | the server restarts, or a service of it is away: connect again and send the last answer with its id |
"""


def page() -> str:
    """The whole page, in Markdown."""
    frames = describe()
    parts = [_HEAD]
    for source, title, about in _SIDES:
        parts += [f"## {title}\n", f"{about}\n"]
        parts += [_section(frame) for frame in frames if frame["from"] == source]
    return "\n".join(parts)


def _section(frame: Mapping[str, Any]) -> str:
    about = frame["about"] + (" Stored." if frame["stored"] else "")
    return "\n".join((f"### `{frame['frame']}`", "", about, "", *_table(frame["fields"]), ""))


def _table(fields: Iterable[Mapping[str, Any]]) -> Iterable[str]:
    yield "| field | type | required |"
    yield "|---|---|---|"
    for field in fields:
        kind = str(field["type"]).replace("|", "\\|")
        yield f"| `{field['name']}` | {kind} | {'yes' if field['required'] else 'no'} |"


def main(arguments: Sequence[str]) -> None:
    if "--write" in arguments:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())


if __name__ == "__main__":
    main(sys.argv[1:])
