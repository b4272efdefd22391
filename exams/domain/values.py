"""The plain values of an oral: what is expected of an answer, what was found in it, what that amounts to.

Stored JSON becomes these values and these values become stored JSON, both ways without loss. Nothing here
decides anything: verdicts are decided in `verdicts.py`, results in `grading.py`. This module knows no
database, no network, no clock and no other part of the exam.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from exams.domain.serialization import StoredValueError, from_stored, to_stored

__all__ = [
    "SCORED_VERDICTS",
    "VERDICTS",
    "ElementKind",
    "Exchange",
    "Expectation",
    "ExpectationKind",
    "Form",
    "Importance",
    "Manner",
    "Met",
    "Point",
    "StoredValueError",
    "Verdict",
    "expectations_from_dicts",
    "points_from_dicts",
]

Verdict = Literal["satisfactory", "partial", "unsatisfactory", "ungraded"]
ElementKind = Literal["knowledge", "risk", "skill"]
Importance = Literal["must", "should"]
ExpectationKind = Literal["rule", "explain", "read", "hazard", "assess", "mitigate", "decide"]
Met = Literal["met", "half", "missing", "contradicted"]
Form = Literal["opening", "probe", "hint", "bridge", "qualification"]
Manner = Literal["coach", "checkride"]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
SCORED_VERDICTS: Final[tuple[Verdict, ...]] = ("unsatisfactory", "partial", "satisfactory")
"""The verdicts that count, worst first. `ungraded` is no verdict on the student and never counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One statement that a complete answer conveys; `citations` are the n it rests on, none for what is read off an
    artifact of the question.

    `p0` marks a fact whose error fails the Task once it survives the probe. `also` are other wordings that say the
    same, `ask` is the neutral probe at it, `hint` where to look for it.
    """

    key: str
    text: str
    importance: Importance = "must"
    kind: ExpectationKind = "rule"
    citations: tuple[int, ...] = ()
    p0: bool = False
    also: tuple[str, ...] = ()
    ask: str = ""
    hint: str = ""

    def to_dict(self) -> dict[str, Any]:
        return to_stored(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Expectation":
        return from_stored(cls, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One question or follow-up, and what the student said to it."""

    asked: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What an answer did with one expectation (its text); `said` holds the student's words so judged."""

    expectation: str
    key: str
    importance: Importance = "must"
    met: Met
    why: str = ""
    said: str = ""
    citations: tuple[int, ...] = ()
    kind: ExpectationKind = "rule"
    p0: bool = False

    def to_dict(self) -> dict[str, Any]:
        return to_stored(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Point":
        return from_stored(cls, data)


def points_from_dicts(stored: Iterable[Mapping[str, Any]]) -> tuple[Point, ...]:
    return tuple(Point.from_dict(item) for item in stored)


def expectations_from_dicts(stored: Iterable[Mapping[str, Any]]) -> tuple[Expectation, ...]:
    return tuple(Expectation.from_dict(item) for item in stored)
