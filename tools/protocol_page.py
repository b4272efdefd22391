"""Writes docs/architecture/protocol.md: every frame and field, read from `exams.protocol.frames`.

`python -m tools.protocol_page` prints the page, `--write` saves it. Do not edit the page by hand.
"""

from pathlib import Path
from typing import Final

from exams.protocol.frames import describe_frames
from tools.pages import print_or_save

PAGE: Final = Path(__file__).resolve().parents[1] / "docs" / "architecture" / "protocol.md"
_SIDES: Final = (
    (
        "client",
        "From the client",
        "A field too many, a wrong type, or a missing field is answered by `error`.",
    ),
    (
        "server",
        "From the server",
        "Frames that are stored have a `seq` that rises by one an exam; they are sent again on resume.",
    ),
    ("part", "Parts of frames", "Objects inside the frames above."),
)
_HEAD: Final = """# The live exam's protocol

Written by `python -m tools.protocol_page --write` from `exams/protocol/frames.py`; a test compares.

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
    lines = [_HEAD]
    frames = describe_frames()
    for source, title, about in _SIDES:
        lines += [f"## {title}\n", f"{about}\n"]
        for frame in (one for one in frames if one["from"] == source):
            lines += [f"### `{frame['frame']}`", "", frame["about"] + (" Stored." if frame["stored"] else "")]
            lines += ["", "| field | type | required |", "|---|---|---|"]
            for field in frame["fields"]:
                kind, required = field["type"].replace("|", "\\|"), "yes" if field["required"] else "no"
                lines.append(f"| `{field['name']}` | {kind} | {required} |")
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    print_or_save(page(), PAGE)
