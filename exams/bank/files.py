"""Read item files. Faults are listed by file, line, and item; everything else is read. Knows no database.

A file is YAML: `task`, `artifacts`, `items`. Aliases are refused (a few lines could mean gigabytes), and so is a file
larger than any author writes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml
from pydantic import BaseModel, ValidationError

from exams.bank.lint import faults_between, faults_in_item
from exams.bank.schema import ArtifactText, ItemText
from knowledge.text.word_tables import Loader

ITEMS: Final = Path(__file__).parent / "items"
"""The project's own item files: a folder a certificate, a file a Task."""
FILE_BYTES_MOST: Final = 1_000_000
"""Bytes of one item file: four times the largest Task; a longer one is no item file."""
DEPTH_MOST: Final = 12
"""Levels of nesting: an item has seven."""


@dataclass(frozen=True, slots=True)
class FileFault:
    """A refused part: where it is, and what to do."""

    file: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.message}"


@dataclass(slots=True)
class ItemsRead:
    """The contents of item files. `places` has the file and line of each item and artifact, `files` all files read."""

    items: list[ItemText] = field(default_factory=list)
    artifacts: list[ArtifactText] = field(default_factory=list)
    faults: list[FileFault] = field(default_factory=list)
    places: dict[str, tuple[str, int]] = field(default_factory=dict)
    files: list[str] = field(default_factory=list)


def parse_items(paths: Iterable[Path]) -> ItemsRead:
    """All items of files and folders as they are written, by name: what has its form, whether or not it is sound."""
    read = ItemsRead()
    for path in paths:
        found = sorted(path.rglob("*.yaml")) if path.is_dir() else [path]
        if not found:
            read.faults.append(FileFault(str(path), 0, "holds no item files (*.yaml)"))
        for one in found:
            _read_file(one, read)
    return read


def read_items(paths: Iterable[Path]) -> ItemsRead:
    """All items of files and folders, by name. A bad file raises nothing: it is listed as a fault.

    Items with a fault of their own, or in comparison with others, are listed as faults and left out.
    """
    read = parse_items(paths)
    between = faults_between(read.items)
    artifacts = {artifact.id for artifact in read.artifacts}
    seen: set[str] = set()
    sound: list[ItemText] = []
    for item in read.items:
        faults = [*faults_in_item(item)]
        faults += [f"needs {key}, which is no artifact" for key in item.needs if key not in artifacts]
        again = item.id in seen
        seen.add(item.id)
        faults += [
            fault for fault in between.get(item.id, ()) if again or fault != "another item has this id"
        ]
        if not faults:
            sound.append(item)
        file, line = read.places[item.id]
        read.faults += [FileFault(file, line, f"{item.id}: {fault}") for fault in faults]
    read.items = sound
    return read


def _read_file(path: Path, read: ItemsRead) -> None:
    name = f"{path.parent.name}/{path.name}"
    read.files.append(name)

    def add_fault(line: int, message: str) -> None:
        read.faults.append(FileFault(name, line, message))

    try:
        if path.stat().st_size > FILE_BYTES_MOST:
            add_fault(0, f"is larger than {FILE_BYTES_MOST:,} bytes; split it by Task")
            return
        text = path.read_text(encoding="utf-8")
        root = _compose(text)
    except (OSError, UnicodeDecodeError) as error:
        add_fault(0, f"cannot be read: {error}")
        return
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error)
        add_fault(mark.line + 1 if mark else 0, f"is no YAML: {problem}")
        return
    if not isinstance(root, yaml.MappingNode):
        add_fault(1, "holds no item list; write “task:” and “items:”")
        return
    loader = Loader("")
    for key, value in root.value:
        if key.value == "items":
            _read_list(value, ItemText, loader, read.items, read, name)
        elif key.value == "artifacts":
            _read_list(value, ArtifactText, loader, read.artifacts, read, name)
        elif key.value != "task":
            add_fault(
                key.start_mark.line + 1, f"“{key.value}” is unknown here; there are task, artifacts and items"
            )


def _read_list(
    node: yaml.Node, shape: type[BaseModel], loader: Any, into: list[Any], read: ItemsRead, name: str
) -> None:
    if not isinstance(node, yaml.SequenceNode):
        read.faults.append(
            FileFault(name, node.start_mark.line + 1, "is no list; begin each entry with “- ”")
        )
        return
    for entry in node.value:
        line = entry.start_mark.line + 1
        try:
            data = loader.construct_document(entry)
            value = shape.model_validate(data)
        except yaml.YAMLError as error:
            read.faults.append(FileFault(name, line, f"cannot be read: {error}"))
            continue
        except ValidationError as error:
            label = data.get("id", "an entry without id") if isinstance(data, dict) else "an entry"
            read.faults += [
                FileFault(name, _line_of(entry, one["loc"]) or line, f"{label}: {fault_text(one)}")
                for one in error.errors()
            ]
            continue
        into.append(value)
        read.places.setdefault(value.id, (name, line))  # type: ignore[attr-defined]


def fault_text(error: Any) -> str:
    """One of pydantic's errors as "place: what to change"."""
    place = ".".join(str(part) for part in error["loc"] if not str(part).startswith("function"))
    message = str(error["msg"]).removeprefix("Value error, ")
    return f"{place}: {message}" if place else message


def _line_of(node: yaml.Node, place: Sequence[str | int]) -> int:
    """The line of the innermost part of the entry on the way to this place."""
    for part in place:
        if isinstance(node, yaml.MappingNode):
            found = next((value for key, value in node.value if key.value == part), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
        else:
            found = None
        if found is None:
            break
        node = found
    return node.start_mark.line + 1 if node.start_mark else 0


def _compose(text: str) -> Any:
    """The nodes of a file of plain values: no aliases, no objects, no nesting deeper than items need."""
    depth = 0
    for event in yaml.parse(text, Loader=Loader):  # type: ignore[no-untyped-call]
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        refused = "is nested too deeply" if depth >= DEPTH_MOST else ""
        if isinstance(event, yaml.AliasEvent):
            refused = "aliases (*name) are not read; write the value out"
        if refused:
            raise yaml.MarkedYAMLError(problem=refused, problem_mark=event.start_mark)  # type: ignore[arg-type]
    return yaml.compose(text, Loader=Loader)
