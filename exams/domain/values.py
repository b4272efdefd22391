"""Plain values of an oral: what an answer is expected to convey, and the findings on it.

A `StoredValue` is written to a JSON column and read back without loss. Verdicts are decided in `verdicts`,
results in `grading`. This module knows no database, network, clock, or other part of the exam.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, Self, cast, get_args

from pydantic import TypeAdapter, ValidationError

Verdict = Literal["satisfactory", "partial", "unsatisfactory", "ungraded"]
ElementKind = Literal["knowledge", "risk", "skill"]
Importance = Literal["must", "should"]
ExpectationKind = Literal["rule", "explain", "read", "hazard", "assess", "mitigate", "decide"]
Met = Literal["met", "half", "missing", "contradicted"]
Form = Literal["opening", "probe", "hint", "bridge", "qualification"]
Manner = Literal["coach", "checkride"]
Persona = Literal["steady", "brisk", "conversational"]
"""How the examiner leads from one question to the next; questions and verdicts are the same."""

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
SCORED_VERDICTS: Final[tuple[Verdict, ...]] = ("unsatisfactory", "partial", "satisfactory")
"""The verdicts that count, worst first. `ungraded` says nothing about the student and never counts."""


class StoredValueError(ValueError):
    """Stored data does not have the shape that was written; the message names the value and the field."""


_adapter_for: Final[Callable[[Any], TypeAdapter[Any]]] = cache(TypeAdapter)


class StoredValue:
    """Base of the frozen dataclasses that are kept as JSON in a row."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """The value as JSON data: dicts, lists, strings, numbers, booleans."""
        return cast(dict[str, Any], _adapter_for(type(self)).dump_python(self, mode="json"))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads what `to_dict` wrote and ignores fields that this version does not know.

        Raises StoredValueError.
        """
        try:
            return cast(Self, _adapter_for(cls).validate_python(data))
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(str(part) for part in first["loc"]) or "value"
            raise StoredValueError(f"{cls.__name__}, {place}: {first['msg']}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation(StoredValue):
    """One statement that a complete answer conveys.

    `citations` are the numbers of its sources; a point that is read from an artifact of the question has none. A wrong
    `p0` fact that survives the probe fails the Task. `also` are other wordings of the same statement, `reject` are
    phrases of those who have it wrong, `keywords` are groups of words of which whoever says it uses one each, `ask` is
    the neutral probe at it, and `hint` says where to look for it. One to be asked about `then` is not in the opening
    question: once that is answered, the examiner goes on with its `ask`.
    """

    key: str
    text: str
    importance: Importance = "must"
    kind: ExpectationKind = "rule"
    citations: tuple[int, ...] = ()
    p0: bool = False
    also: tuple[str, ...] = ()
    reject: tuple[str, ...] = ()
    keywords: tuple[tuple[str, ...], ...] = ()
    ask: str = ""
    then: bool = False
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One question or follow-up, and what the student said to it."""

    asked: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Point(StoredValue):
    """The finding on one expectation (its text); `said` holds the student's words that were judged, and `conveyed` is
    the probability, 0 to 1, that they say it at least in part."""

    expectation: str
    key: str
    importance: Importance = "must"
    met: Met
    why: str = ""
    said: str = ""
    citations: tuple[int, ...] = ()
    kind: ExpectationKind = "rule"
    p0: bool = False
    conveyed: float = 0.0
