"""What a hostile file is: how it is made, and what has to become of it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hostile:
    """A file, and what may become of it: `READ`, or the codes of its refusal. Of one that is read, `holds` are words of
    its text and `lacks` words that must not be in it; `hidden` is how many words were left out as hidden.

    `quick` ones are cheap to make and to read.
    """

    name: str
    make: Callable[[], bytes]
    becomes: tuple[str, ...]
    holds: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    hidden: int = 0
    quick: bool = True

    def write(self, folder: Path) -> Path:
        path = folder / self.name
        path.write_bytes(self.make())
        return path
