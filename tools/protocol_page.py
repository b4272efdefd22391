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
        "An unknown field, a wrong type, or a missing field is answered by `error`.",
    ),
    (
        "server",
        "From the server",
        "Stored frames have a `seq` that rises by one in each exam; `resume` sends them again.",
    ),
    ("part", "Parts of frames", "Objects inside the frames above."),
)
_HEAD: Final = """# The live exam's protocol

`python -m tools.protocol_page --write` writes this page from `exams/protocol/frames.py`; a test compares.

The websocket is at `/ws/exams/<uuid>/`; each message is one JSON object. The session cookie or `Authorization: Token …`
signs in. The origin is checked, and the exam must be the student's own. An exam has one connection: a newer one takes
over, and messages of the older one are refused. `GET /api/v1/frames/` returns this list as JSON.

| close code | meaning |
|---|---|
| 4401 | not signed in |
| 4403 | the origin is another site |
| 4404 | the student has no such exam |
| 4409 | the oral continues in another window |
| 1012 | the server restarts, or a service of it is unavailable: reconnect and resend the last answer with its id |
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
