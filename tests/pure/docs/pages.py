"""The project's own pages, read as text."""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def text_of(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def pages() -> list[Path]:
    """Every Markdown page that is meant for readers."""
    return sorted([*ROOT.glob("*.md"), *DOCS.rglob("*.md")])


def sections(text: str, level: int = 3) -> dict[str, str]:
    """Heading without its backticks → the text below it."""
    parts = re.split(rf"^{'#' * level} (.+)$", text, flags=re.M)
    return {title.strip("` "): body for title, body in zip(parts[1::2], parts[2::2], strict=True)}


def tracked_files() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            yield ROOT / name
