"""False things that students say, in whatever question they come up, each with what is true: the files here.

A belief is false by itself, whoever says it of whichever airplane. This module knows no database.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, TypeAdapter

from exams.bank.schema import Keyword, SourceText, one_line
from knowledge.text.word_tables import read_yaml

_FOLDER: Final = Path(__file__).parent

Said = Annotated[str, BeforeValidator(one_line), StringConstraints(min_length=8, max_length=300)]


class Belief(BaseModel):
    """`text` says it as a student does, and `answer` is what the examiner says instead.

    A sentence states it that has one of each group of `words` and none of `unless` (the syntax is that of key words).
    `ways` are other wordings of it, and `truths` are true statements in nearly its words: by these the words are
    tested.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: Said
    ways: Annotated[tuple[Said, ...], Field(min_length=2, max_length=5)]
    answer: Said
    truths: Annotated[tuple[Said, ...], Field(min_length=2, max_length=3)]
    source: SourceText
    words: Annotated[tuple[tuple[Keyword, ...], ...], Field(min_length=2, max_length=4)]
    unless: tuple[Keyword, ...] = ()


@cache
def read_beliefs() -> tuple[Belief, ...]:
    """All of them, in the order of the files. Raises ValidationError for a file that has none."""
    read = TypeAdapter(list[Belief])
    return tuple(
        belief for path in sorted(_FOLDER.glob("*.yaml")) for belief in read.validate_python(read_yaml(path))
    )
