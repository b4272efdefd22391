"""What the sources say becomes what an answer is expected to convey.

An approved claim is one expectation: a must where it is a rule, holds a number or names a safety action.
Where no claim is approved, a sentence of a published passage stands in, word for word, and the briefing
says so. A risk element is always expected to be met in three ways: the hazard named, assessed for this
flight, mitigated. Pure: plain values in, plain values out; what may be shown was decided before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, cast, get_args

from exams import conf
from exams.values import ElementKind, Expectation, ExpectationKind, Importance
from knowledge.grounding.polarity import modality_of
from knowledge.grounding.quantities import quantities_in
from knowledge.grounding.sentences import sentences_in

RISK_KINDS: Final[tuple[ExpectationKind, ...]] = ("hazard", "assess", "mitigate")

_ACTION: Final = re.compile(
    r"\b(?:must|shall|immediately|at once|never|do not|land as soon|turn off|declare|descend|stop)\b", re.I
)
_CUES: Final[Mapping[ExpectationKind, re.Pattern[str]]] = {
    "hazard": re.compile(
        r"\b(?:hazards?|dangers?|dangerous|risks? of|can (?:lead to|cause|result)|may (?:lead to|"
        r"cause|result)|causes?|loss of|"
        r"collision|accidents?|failure|incapacitat\w*|fatal)\b", re.I,
    ),
    "assess": re.compile(
        r"\b(?:more likely|less likely|increases?|greater|especially|depends? on|assess\w*|evaluat\w*|"
        r"consider\w*|determin\w*|"
        r"worse|most (?:often|likely|common)|when|the higher|the lower)\b", re.I,
    ),
    "mitigate": re.compile(
        r"\b(?:should|must|avoid\w*|prevent\w*|reduce\w*|minimi[sz]e\w*|ensure\w*|maintain\w*|plan\w*|"
        r"use of|checklist|"
        r"mitigat\w*|recommended|practice|never)\b", re.I,
    ),
}  # fmt: skip
_FRAGMENT: Final = re.compile(r"^(?:[a-z(\[•–-]|(?i:figure|table|chapter|note:|this chapter|see )\b)|[?:]$")
_POINTS_AWAY: Final = re.compile(
    r"\b(?:this|these|those|it|they|such|the (?:above|following|former|latter)|as shown|figure|chapter)\b",
    re.I,
)

Near = Callable[[str, str], float]
"""How near two texts are in meaning, -1 to 1."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """A statement that may be expected, and the words of the passage that it rests on."""

    key: str
    statement: str
    chunk_id: str
    quote: str
    kind: ExpectationKind
    importance: Importance
    p0: bool = False
    key_facts: Mapping[str, Any] | None = None
    version: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A whole sentence of a passage that could stand in for a claim."""

    chunk_id: str
    text: str
    nearness: float


def kind_of(statement: str, role: str, element: ElementKind) -> ExpectationKind:
    """The kind a reviewer gave, else what the words are: a rule, an explanation, or one of the three of a
    risk.
    """
    if role in get_args(ExpectationKind):
        return cast(ExpectationKind, role)
    if element == "risk":
        return risk_kind_of(statement)
    return "rule" if modality_of(statement) in ("must", "may_not", "may", "not_required") else "explain"


def risk_kind_of(statement: str) -> ExpectationKind:
    """Which of the three a sentence about a risk is; a mitigation is told by what one does, an assessment by
    degree.
    """
    scores = {kind: len(cue.findall(statement)) for kind, cue in _CUES.items()}
    kinds: tuple[ExpectationKind, ...] = ("mitigate", "assess", "hazard")
    return max(kinds, key=lambda kind: scores[kind])


def importance_of(statement: str, given: str, kind: ExpectationKind) -> Importance:
    """Must for rules, numbers, safety actions and the three of a risk; should for the rest."""
    if given in get_args(Importance):
        return cast(Importance, given)
    if kind in ("rule", *RISK_KINDS) or quantities_in(statement) or _ACTION.search(statement):
        return "must"
    return "should"


def expectations_from(bases: Iterable[Basis]) -> tuple[Expectation, ...]:
    """One expectation a basis; `citation` is its place, from 1."""
    return tuple(
        Expectation(
            key=one.key,
            text=one.statement,
            importance=one.importance,
            kind=one.kind,
            citation=n,
            p0=one.p0,
            also=wordings_in(one.key_facts or {}),
        )
        for n, one in enumerate(bases, start=1)
    )


def wordings_in(key_facts: Mapping[str, Any]) -> tuple[str, ...]:
    """Other wordings of a claim that were accepted with it."""
    return tuple(str(one) for one in key_facts.get("also", ()))


def ordered(bases: Iterable[Basis]) -> tuple[Basis, ...]:
    """The three of a risk in their order, P0 before the rest, musts before shoulds; otherwise as they come."""
    return tuple(sorted(bases, key=lambda one: (_risk_place(one.kind), not one.p0, one.importance != "must")))


def _risk_place(kind: ExpectationKind) -> int:
    return RISK_KINDS.index(kind) if kind in RISK_KINDS else 0


def one_of_each_risk(bases: Sequence[Basis]) -> tuple[Basis, ...] | None:
    """Hazard, assessment and mitigation, the first of each; None where one of the three is missing."""
    first = {kind: next((one for one in bases if one.kind == kind), None) for kind in RISK_KINDS}
    found = tuple(one for one in first.values() if one is not None)
    return found if len(found) == len(RISK_KINDS) else None


# --- sentences that stand in for claims ----------------------------------------------------------------------


def candidates_in(passages: Iterable[tuple[str, str]], element: str, near: Near) -> tuple[Candidate, ...]:
    """Whole sentences of (chunk id, text) that speak of the element, the nearest first."""
    found = [
        Candidate(chunk_id, " ".join(sentence.text.split()), near(element, sentence.text))
        for chunk_id, text in passages
        for sentence in sentences_in(text)
        if is_whole(sentence.text)
    ]
    enough = [one for one in found if one.nearness >= conf.SENTENCE_NEARNESS]
    return tuple(sorted(enough, key=lambda one: (-one.nearness, one.text)))


def is_whole(sentence: str) -> bool:
    """A sentence that can be understood alone: it begins and ends as one, and points at nothing outside
    itself.
    """
    words = sentence.split()
    if not conf.SENTENCE_WORDS_LEAST <= len(
        words
    ) <= conf.SENTENCE_WORDS_MOST or not sentence.rstrip().endswith("."):
        return False
    return not _FRAGMENT.search(sentence) and not _POINTS_AWAY.match(sentence) and "|" not in sentence


def knowledge_bases(candidates: Sequence[Candidate], element: ElementKind) -> tuple[Basis, ...]:
    """The nearest sentences as expectations: one of them a must, so that there is something to decide on."""
    chosen = candidates[: conf.SENTENCES_EXPECTED]
    return tuple(
        _basis(one, kind_of(one.text, "", element), "must" if n == 0 else "should")
        for n, one in enumerate(chosen)
    )


def risk_bases(candidates: Sequence[Candidate]) -> tuple[Basis, ...]:
    """For each of the three the nearest sentence that sounds like it; what is not found is left out."""
    taken: set[str] = set()
    found: list[Basis] = []
    for kind in RISK_KINDS:
        one = next((c for c in candidates if c.text not in taken and _CUES[kind].search(c.text)), None)
        if one:
            taken.add(one.text)
            found.append(_basis(one, kind, "must"))
    return tuple(found)


def _basis(one: Candidate, kind: ExpectationKind, importance: Importance) -> Basis:
    return Basis(
        key=f"sentence:{sha256(one.text.encode()).hexdigest()[:16]}",
        statement=one.text,
        chunk_id=one.chunk_id,
        quote=one.text,
        kind=kind,
        importance=importance,
    )
