"""Checks what a vendor's model found in an answer, by the local judge's findings on the same answer.

Where both agree on a point, the model's finding stands. Where one says that the answer conveys a point and the other
that it does not, the model is asked a second time, and what two of the three say counts. A point of which the local
judge finds next to nothing in the answer is never met, whatever a model says: the terms of a rule, an order to the
examiner, or a page of another subject earn nothing. The student reads no reason of a model's, only those made here.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from exams import conf
from exams.domain.values import Expectation, Met
from exams.domain.verdicts import NOT_SAID
from exams.offline.findings import explain_finding
from knowledge.grounding.citations import find_quote

_CONVEYS: Final[Mapping[Met, Literal["yes", "partly", "no"]]] = {
    "met": "yes",
    "half": "partly",
    "missing": "no",
    "contradicted": "no",
}


class PointReply(BaseModel):
    """A model's finding on one expectation. `lacks` are words of the expectation that the answer does not convey."""

    model_config = ConfigDict(extra="forbid")

    key: str = Field(max_length=400)
    met: Met
    said: str = Field(default="", max_length=12_000)
    lacks: str = Field(default="", max_length=600)
    sources: list[int] = Field(default_factory=list, max_length=20)


class LocalPoint(PointReply):
    """The offline judge's finding, with its reason and how probable it is that the answer conveys the point."""

    why: str = Field(default="", max_length=600)
    conveyed: float = Field(default=1.0, ge=0, le=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Which finding on a point counts: of the model's first reply, its second, or the local judge."""

    source: Literal["first", "second", "local"]
    met: Met


def disputed(first: Sequence[PointReply], local: Sequence[LocalPoint]) -> list[int]:
    """The places of the points on which model and local judge contradict each other."""
    return [
        at
        for at, (one, other) in enumerate(zip(first, local, strict=True))
        if {_CONVEYS[one.met], _CONVEYS[other.met]} == {"yes", "no"} or _is_baseless(one, other)
    ]


def settle(first: PointReply, second: PointReply | None, local: LocalPoint) -> Settled:
    """What counts of a point: what two say, else the model's last word; never a finding without a base."""
    last = second or first
    votes = [_CONVEYS[one.met] for one in (first, second, local) if one is not None]
    chosen: tuple[Literal["first", "second", "local"], PointReply] = ("second" if second else "first", last)
    if second is not None and votes.count(_CONVEYS[second.met]) < 2 <= votes.count(_CONVEYS[first.met]):
        chosen = ("first", first)
    if _is_baseless(chosen[1], local):
        chosen = ("local", local)
    return Settled(source=chosen[0], met=chosen[1].met)


def explain(expectation: Expectation, met: Met, local: LocalPoint, lacks: str) -> str:
    """The reason for a finding, to the student: the local judge's where it found the same, else what was left out, in
    the words of the expectation."""
    if met == local.met and local.why:
        return local.why
    span = find_quote(expectation.text, lacks) if met == "half" and lacks.strip() else None
    if span:
        return f"{NOT_SAID}“{' '.join(expectation.text[slice(*span)].split())}”."
    return explain_finding(met, ())


def _is_baseless(one: PointReply, local: LocalPoint) -> bool:
    """Whether a point is called met, or half met, of which the answer says next to nothing."""
    bar = {"met": conf.CONVEYED_LEAST, "half": conf.CONVEYED_IN_PART_LEAST}.get(one.met, 0.0)
    return local.conveyed < bar and _CONVEYS[local.met] == "no"
