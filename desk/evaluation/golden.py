"""Lines of a questions.jsonl become questions with the places that answer them, and words say what holds a place. Pure.

A place is lines of a file under a folder of documents, for a PDF on one of its pages. Files are untrusted: a line that
is not what it should be is refused with its number.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

Kind = Literal["short", "scenario", "section", "abbreviation", "wrong_answer"]

RUN = 4  # words in a row that two texts share: fewer stand in many places by chance
SHARED = 0.5  # of a place's runs that a passage has, from which it holds the place
ENOUGH = 40  # runs after which it holds it whatever the share: a long place is cut into several passages
BESIDE_BEST = 0.6  # of the runs that the best passage has: two sections may begin alike

_LINK = re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")
_URL = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[a-z0-9]+")


class BadQuestions(ValueError):
    """The file is not what golden questions are; the message says where."""


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Plain):
    """Lines `first` to `last` of a file, from 1; for a PDF those of one page that are not blank."""

    file: str
    page: Annotated[int, Field(ge=1)] | None = None
    lines: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]

    @model_validator(mode="after")
    def _is_below_the_folder(self) -> "Place":
        path = PurePosixPath(self.file)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError("a file lies below the folder of documents")
        if self.lines[0] > self.lines[1]:
            raise ValueError("the first line stands behind the last")
        return self


class Answering(Place):
    grade: Literal[1, 2]


class Tempting(Place):
    why: str


class Question(_Plain):
    id: str
    kind: Kind
    question: str
    answer: str = ""
    passages: Annotated[tuple[Answering, ...], Field(min_length=1)]
    distractors: tuple[Tempting, ...] = ()


def read_questions(path: Path) -> tuple[Question, ...]:
    """Raises BadQuestions."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadQuestions(f"{path}: {error}") from error
    questions = tuple(_questions(path, text))
    if not questions:
        raise BadQuestions(f"{path}: no question in it")
    if len({question.id for question in questions}) < len(questions):
        raise BadQuestions(f"{path}: an id stands there twice")
    return questions


def _questions(path: Path, text: str) -> Iterator[Question]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield Question.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            field = ".".join(map(str, first["loc"]))
            raise BadQuestions(f"{path}, line {number}: {field or 'row'}: {first['msg']}") from error


# --- what holds a place ---------------------------------------------------------


def words_of(text: str) -> list[str]:
    """Letters and digits as a reader sees them, without the marks of Markdown and HTML."""
    shown = _TAG.sub(" ", _URL.sub("] ", _LINK.sub(r"\1", text)))
    return _WORD.findall(unescape(shown).lower())


Runs = frozenset[tuple[str, ...]]


@lru_cache(maxsize=4096)
def _runs(words: tuple[str, ...], size: int) -> Runs:
    return frozenset(words[at : at + size] for at in range(len(words) - size + 1))


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage that may hold a place: its name, its words in a row, and its pages where it has some."""

    name: str
    words: tuple[str, ...]
    first_page: int | None = None
    last_page: int | None = None

    def is_on(self, page: int | None) -> bool:
        if page is None or self.first_page is None:
            return True
        return self.first_page <= page <= (self.last_page or self.first_page)


def holding(text: str, page: int | None, pieces: Sequence[Piece]) -> frozenset[str]:
    """The names of the passages that hold this text: half of it or a good part, and not much less than the best."""
    words = tuple(words_of(text))
    if not words:
        return frozenset()
    size = min(RUN, len(words))
    wanted = _runs(words, size)
    shared = {piece.name: len(wanted & _runs(piece.words, size)) for piece in pieces if piece.is_on(page)}
    best = max(shared.values(), default=0)
    least = max(1.0, min(ENOUGH, SHARED * len(wanted)))
    return frozenset(
        name
        for name, count in shared.items()
        if count >= least and (count >= BESIDE_BEST * best or count >= ENOUGH)
    )


# --- figures of one ranking -----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the names of the passages that are right, how right (2 or 1), and those that tempt. One that
    is both is right."""

    question: Question
    right: Mapping[str, int]
    tempting: frozenset[str]
    unplaced: int  # places that no passage of the library holds


def is_fooled(ranked: Sequence[str], judged: Judged, k: int = 10) -> bool:
    """Whether a passage that tempts comes before each right one."""
    for name in ranked[:k]:
        if name in judged.right:
            return False
        if name in judged.tempting:
            return True
    return False
