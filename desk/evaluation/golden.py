"""Golden questions with the places that answer them, and the passages that contain a place. Pure.

A place is some lines of a file below a folder of documents, for a PDF on one of its pages.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from pathlib import Path, PurePosixPath
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from .labeled_files import BadFile, read_rows

Kind = Literal["short", "scenario", "section", "abbreviation", "wrong_answer"]

RUN = 4  # words in a row that two texts share: fewer are in many places by chance
SHARED = 0.5  # of a place's runs: a passage that has so many holds the place
ENOUGH = 40  # runs that suffice at any share: a long place is cut into several passages
NEAR_BEST = 0.6  # of the best passage's runs: two sections may begin alike

_LINK = re.compile(r"!?\[\[(?:[^\]|]*\|)?([^\]]*)\]\]")
_URL = re.compile(r"\]\([^)]*\)")
_TAG = re.compile(r"<[^>]*>")
_WORD = re.compile(r"[a-z0-9]+")


class _Plain(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Place(_Plain):
    """Lines `first` to `last` of a file, from 1; for a PDF those of one page that are not blank."""

    file: str
    page: Annotated[int, Field(ge=1)] | None = None
    lines: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]]

    @model_validator(mode="after")
    def _check_lines_and_folder(self) -> "Place":
        path = PurePosixPath(self.file)
        if path.is_absolute() or ".." in path.parts:
            raise ValueError("the file is not below the folder of documents")
        if self.lines[0] > self.lines[1]:
            raise ValueError("the first line comes after the last")
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
    """Raises BadFile."""
    questions = read_rows(path, Question)
    if len({question.id for question in questions}) < len(questions):
        raise BadFile(f"{path}: an id is there twice")
    return questions


# --- which passages hold a place ---


def words_of(text: str) -> list[str]:
    """Words as a reader sees them, without the markup of Markdown and HTML."""
    visible = _TAG.sub(" ", _URL.sub("] ", _LINK.sub(r"\1", text)))
    return _WORD.findall(unescape(visible).lower())


@lru_cache(maxsize=4096)
def _runs_of(words: tuple[str, ...], size: int) -> frozenset[tuple[str, ...]]:
    return frozenset(words[at : at + size] for at in range(len(words) - size + 1))


@dataclass(frozen=True, slots=True)
class Piece:
    """A passage that may contain a place: its name, its words in order, and its pages, if any."""

    name: str
    words: tuple[str, ...]
    first_page: int | None = None
    last_page: int | None = None

    def is_on(self, page: int | None) -> bool:
        if page is None or self.first_page is None:
            return True
        return self.first_page <= page <= (self.last_page or self.first_page)


def passages_holding(text: str, page: int | None, pieces: Sequence[Piece]) -> frozenset[str]:
    """The passages that hold this text: those that share half of its runs of four words, or 40 runs. One with fewer
    than 60 % of the best passage's runs, and fewer than 40, does not count."""
    words = tuple(words_of(text))
    if not words:
        return frozenset()
    size = min(RUN, len(words))
    wanted = _runs_of(words, size)
    shared = {piece.name: len(wanted & _runs_of(piece.words, size)) for piece in pieces if piece.is_on(page)}
    best = max(shared.values(), default=0)
    least = max(1.0, min(ENOUGH, SHARED * len(wanted)))
    return frozenset(
        name
        for name, count in shared.items()
        if count >= least and (count >= NEAR_BEST * best or count >= ENOUGH)
    )


# --- one ranking ---


@dataclass(frozen=True, slots=True)
class Judged:
    """A question with the grades (2 or 1) of its right passages, and the distractors. One that is both is right."""

    question: Question
    right: Mapping[str, int]
    tempting: frozenset[str]
    unplaced: int  # places that no passage in the library holds


def is_fooled(ranked: Sequence[str], judged: Judged, k: int = 10) -> bool:
    """Whether a distractor ranks above every right passage."""
    for name in ranked[:k]:
        if name in judged.right:
            return False
        if name in judged.tempting:
            return True
    return False
