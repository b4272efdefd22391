"""What the examiner is given to write from, as plain values, and the shape in which a question comes back.

The same for every writer: a vendor's model reads it as a prompt, the offline writer as it stands. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from exams.values import ElementKind, ExpectationKind, Met


class QuestionDraft(BaseModel):
    """One question, and the numbers of the passages that it rests on."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(
        min_length=1,
        max_length=900,
        description="What the examiner says: one open question, 60 words at most.",
    )
    cites: list[int] = Field(description="Numbers of the passages that the question rests on; at least one.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimMaterial:
    """One thing that a complete answer conveys."""

    key: str
    statement: str
    kind: ExpectationKind = "rule"
    citation: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    heading: str = ""

    @property
    def domain(self) -> str:
        return str(self.facts.get("domain", ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningMaterial:
    """An opening question: about these claims (one rule, or the three of a risk), after these questions."""

    claims: tuple[ClaimMaterial, ...]
    element_kind: ElementKind
    element_text: str = ""
    topic: str = ""
    history: tuple[str, ...] = ()
    difficulty: str = "standard"
    seed: str = ""

    @property
    def statements(self) -> tuple[str, ...]:
        return tuple(claim.statement for claim in self.claims)


@dataclass(frozen=True, slots=True, kw_only=True)
class PointMaterial:
    """What an answer did with one expectation."""

    key: str
    statement: str
    kind: ExpectationKind = "rule"
    met: Met = "missing"
    said: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeMaterial:
    """A follow-up at `weakest`, after the student's `answer` to `question`."""

    question: str
    answer: str
    weakest: PointMaterial
    statements: tuple[str, ...]
    seed: str = ""
    citation: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class HintMaterial:
    """Where to look (`heading`, `label` of the source) for what is missing."""

    question: str
    missing: PointMaterial
    statements: tuple[str, ...]
    heading: str = ""
    label: str = ""
    document: str = ""
    seed: str = ""
    citation: int = 0
