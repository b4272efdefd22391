"""A folder in BEIR's layout becomes documents and judged questions: corpus.jsonl, queries.jsonl, qrels/test.tsv. Pure.

Files are untrusted: a line that is not what it should be is refused with its place.
"""

import csv
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


class BadFolder(ValueError):
    """The folder is not in BEIR's layout; the message says where."""


@dataclass(frozen=True, slots=True)
class Text:
    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question and how right each document is for it, from 1 up."""

    name: str
    text: str
    right: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Folder:
    texts: tuple[Text, ...]
    questions: tuple[Question, ...]


def read_folder(folder: Path) -> Folder:
    """Questions without a right document are left out: they measure nothing. Raises BadFolder."""
    texts = tuple(
        Text(_name(row, place), str(row.get("title") or ""), str(row.get("text") or ""))
        for place, row in _rows(folder / "corpus.jsonl")
    )
    questions = judged_questions(folder)
    if not texts or not questions:
        raise BadFolder(f"{folder}: no documents, or no question with a right one")
    if len({text.name for text in texts}) < len(texts):
        raise BadFolder(f"{folder / 'corpus.jsonl'}: an _id stands there twice")
    return Folder(texts, questions)


def judged_questions(folder: Path) -> tuple[Question, ...]:
    """Those of a folder that may have no corpus of its own. Raises BadFolder."""
    right = _judgements(folder / "qrels" / "test.tsv")
    asked = {_name(row, place): str(row.get("text") or "") for place, row in _rows(folder / "queries.jsonl")}
    return tuple(Question(name, asked[name], right[name]) for name in asked if name in right)


def _name(row: Mapping[str, Any], place: str) -> str:
    name = row.get("_id")
    if not isinstance(name, str | int) or name == "":
        raise BadFolder(f"{place}: _id is missing")
    return str(name)


def _rows(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for number, line in enumerate(_text(path).split("\n"), 1):
        place = f"{path}, line {number}"
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise BadFolder(f"{place}: no JSON ({error})") from error
        if not isinstance(row, dict):
            raise BadFolder(f"{place}: no JSON object")
        yield place, row


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").replace("\x00", " ")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFolder(f"{path}: {error}") from error


def _judgements(path: Path) -> dict[str, dict[str, int]]:
    right: dict[str, dict[str, int]] = {}
    for number, row in enumerate(csv.reader(_text(path).splitlines(), delimiter="\t"), 1):
        if len(row) < 3 or (number == 1 and not _is_number(row[2])):
            continue
        if not _is_number(row[2]):
            raise BadFolder(f"{path}, line {number}: the score is no number")
        if float(row[2]) > 0:
            right.setdefault(row[0], {})[row[1]] = max(1, round(float(row[2])))
    return right


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
