"""Read a folder in BEIR's layout: corpus.jsonl, queries.jsonl, qrels/test.tsv. Pure."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from .labeled_files import BadFile, read_rows, read_text


class BeirRow(BaseModel):
    """A line of the corpus or of the queries."""

    model_config = ConfigDict(coerce_numbers_to_str=True)

    name: Annotated[str, Field(alias="_id", min_length=1)]
    title: str | None = None
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    name: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """A question with the grade of each right document, from 1 up."""

    name: str
    text: str
    right: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Folder:
    texts: tuple[Text, ...]
    questions: tuple[Question, ...]


def read_folder(folder: Path) -> Folder:
    """Leaves out questions without a right document, which measure nothing. Raises BadFile."""
    corpus = folder / "corpus.jsonl"
    texts = tuple(Text(row.name, row.title or "", row.text or "") for row in read_rows(corpus, BeirRow))
    if len({text.name for text in texts}) < len(texts):
        raise BadFile(f"{corpus}: an _id is there twice")
    questions = judged_questions(folder)
    if not questions:
        raise BadFile(f"{folder}: no question has a right document")
    return Folder(texts, questions)


def judged_questions(folder: Path) -> tuple[Question, ...]:
    """The questions of a folder that may have no corpus of its own. Raises BadFile."""
    path = folder / "qrels" / "test.tsv"
    right: dict[str, dict[str, int]] = {}
    for number, row in enumerate(csv.reader(read_text(path).splitlines(), delimiter="\t"), 1):
        if len(row) < 3:
            continue
        try:
            grade = float(row[2])
        except ValueError as error:
            if number == 1:  # the names of the columns
                continue
            raise BadFile(f"{path}, line {number}: the score is no number") from error
        if grade > 0:
            right.setdefault(row[0], {})[row[1]] = max(1, round(grade))
    asked = {row.name: row.text or "" for row in read_rows(folder / "queries.jsonl", BeirRow)}
    return tuple(Question(name, text, right[name]) for name, text in asked.items() if name in right)
