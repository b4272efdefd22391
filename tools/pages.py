"""Prints or saves a page of the documentation that is read from the code."""

import sys
from pathlib import Path


def print_or_save(page: str, path: Path) -> None:
    """Saves the page at `path` where the command line says `--write`, else prints it."""
    if "--write" in sys.argv[1:]:
        path.write_text(page, encoding="utf-8")
    else:
        sys.stdout.write(page)
