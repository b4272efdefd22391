"""The plain values of an oral: what is expected of an answer, what was found in it, what that amounts to.

Stored JSON becomes these values and these values become stored JSON, both ways without loss. Nothing here
decides anything: verdicts are decided in `verdicts.py`, results in `grading.py`. This module knows no
database, no network, no clock and no other part of the exam.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, TypeVar, get_args

_T = TypeVar("_T")

Verdict = Literal["satisfactory", "partial", "unsatisfactory", "ungraded"]
ElementKind = Literal["knowledge", "risk", "skill"]
Importance = Literal["must", "should"]
ExpectationKind = Literal["rule", "explain", "hazard", "assess", "mitigate"]
Met = Literal["met", "half", "missing", "contradicted"]
Form = Literal["opening", "probe", "hint", "bridge", "qualification"]

VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
SCORED_VERDICTS: Final[tuple[Verdict, ...]] = ("unsatisfactory", "partial", "satisfactory")
"""The verdicts that count, worst first. `ungraded` is no verdict on the student and never counts."""

_ALLOWED: Final[Mapping[str, tuple[str, ...]]] = {
    "importance": get_args(Importance),
    "kind": get_args(ExpectationKind),
    "met": get_args(Met),
    "verdict": VERDICTS,
}


class StoredValueError(ValueError):
    """A stored value does not have the shape that was written; the message names the field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """One statement that a complete answer conveys. `citation` is the n of the citation it rests on, 0 for none.

    `text` is a verbatim sentence of the evidence or the statement of an approved claim. `p0` marks a fact
    whose error fails the Task once it survives the probe.
    """

    key: str
    text: str
    importance: Importance = "must"
    kind: ExpectationKind = "rule"
    citation: int = 0
    p0: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Expectation:
        _check_words(data, ("importance", "kind"))
        return _build(cls, data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What one answer did with one expectation. `expectation` is its text, `said` the student's words judged."""

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
        return {**asdict(self), "citations": list(self.citations)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Point:
        _check_words(data, ("importance", "kind", "met"))
        return _build(cls, {**data, "citations": tuple(data.get("citations", ()))})


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """What the points of one answer amount to. `missing` holds the keys of expectations not (wholly) conveyed.

    `degraded` says why the judgement rests on less than approved claims; empty when it does not.
    `unsafe_held` is true when the student held to an unsafe action.
    """

    verdict: Verdict
    score: float
    points: tuple[Point, ...] = ()
    missing: tuple[str, ...] = ()
    degraded: str = ""
    unsafe_held: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": self.verdict,
            "score": self.score,
            "points": [point.to_dict() for point in self.points],
            "missing": list(self.missing),
            "degraded": self.degraded,
            "unsafe_held": self.unsafe_held,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Judgement:
        _check_words(data, ("verdict",))
        points = points_from_dicts(data.get("points", ()))
        return _build(cls, {**data, "points": points, "missing": tuple(data.get("missing", ()))})


def points_from_dicts(stored: Iterable[Mapping[str, Any]]) -> tuple[Point, ...]:
    return tuple(Point.from_dict(item) for item in stored)


def expectations_from_dicts(stored: Iterable[Mapping[str, Any]]) -> tuple[Expectation, ...]:
    return tuple(Expectation.from_dict(item) for item in stored)


def _check_words(data: Mapping[str, Any], fields: tuple[str, ...]) -> None:
    for field in fields:
        if field in data and data[field] not in _ALLOWED[field]:
            raise StoredValueError(f"{field}: {data[field]!r} is none of {', '.join(_ALLOWED[field])}")


def _build(cls: type[_T], data: Mapping[str, Any]) -> _T:
    try:
        return cls(**data)
    except TypeError as error:
        raise StoredValueError(f"{cls.__name__}: {error}") from error
