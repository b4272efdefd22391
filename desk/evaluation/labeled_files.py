"""Read files of labeled rows, one JSON object a line, and report progress.

Files are untrusted: a wrong line is refused by its number. Pure.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Row = TypeVar("Row", bound=BaseModel)
Tick = Callable[[int, int], None]
"""Called with how many rows are done, of how many."""


class BadFile(ValueError):
    """The file is faulty; the message says where."""


def ignore_progress(done: int, of: int) -> None:
    """A `Tick` that shows nothing."""


def ticked(rows: Sequence[Any], tick: Tick) -> Iterator[Any]:
    """The rows; `tick` knows before each how many are done, and at the end that all are."""
    for done, row in enumerate(rows):
        tick(done, len(rows))
        yield row
    tick(len(rows), len(rows))


def read_text(path: Path) -> str:
    """Raises BadFile."""
    try:
        return path.read_text(encoding="utf-8").replace("\x00", " ")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(f"{path} cannot be read: {error}") from error


def read_rows(path: Path, model: type[Row]) -> tuple[Row, ...]:
    """Raises BadFile, also for a file without rows."""
    rows = []
    for number, line in enumerate(read_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            rows.append(model.model_validate_json(line))
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False, include_context=False)[0]
            field = ".".join(map(str, first["loc"])) or "the line"
            raise BadFile(f"{path}, line {number}: {field}: {first['msg']}") from error
    if not rows:
        fields = ", ".join(model.model_fields)
        raise BadFile(f"{path} is empty: it needs one JSON object a line, with {fields}.")
    return tuple(rows)
