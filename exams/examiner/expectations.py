"""Derives what an answer is expected to convey from what the sources say.

A key point of an item says itself what it is. An approved claim is a must where it is a rule, holds a number, or names
a safety action. A risk element is always expected in three ways: the hazard named, assessed for this flight, and
mitigated. This module knows plain values only; what may be shown was decided before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Final, cast, get_args

from exams.domain.values import ElementKind, Expectation, ExpectationKind, Importance
from knowledge.grounding.citations import Citation, QuoteNotFound, cite_quote
from knowledge.grounding.context import GroundedContext
from knowledge.text.modality import modality_of
from knowledge.text.quantities import quantities_in
from knowledge.text.word_tables import read_phrases

RISK_KINDS: Final[tuple[ExpectationKind, ...]] = ("hazard", "assess", "mitigate")

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What may be expected, and the words of the passage that it rests on: the rule, then its lead-in.

    A statement that rests on an artifact of the question has no passage.
    """

    expectation: Expectation
    chunk_id: str
    quotes: tuple[str, ...]
    version: str = ""


def kind_of(statement: str, role: str, element: ElementKind) -> ExpectationKind:
    """The kind a reviewer gave a claim, else what its words are: a rule or an explanation.

    A risk element's claim without a reviewer's word is a hazard.
    """
    if role in get_args(ExpectationKind):
        return cast(ExpectationKind, role)
    if element == "risk":
        return "hazard"
    return "rule" if modality_of(statement) in ("must", "may_not", "may", "not_required") else "explain"


def importance_of(statement: str, given: str, kind: ExpectationKind) -> Importance:
    """Must for rules, numbers, safety actions, and the three of a risk; should for the rest."""
    if given in get_args(Importance):
        return cast(Importance, given)
    if kind in ("rule", *RISK_KINDS) or quantities_in(statement) or _PHRASES["action"].search(statement):
        return "must"
    return "should"


def expectations_from(
    bases: Iterable[Basis], context: GroundedContext
) -> tuple[tuple[Expectation, ...], tuple[Citation, ...]]:
    """An expectation for each basis whose words stand in their passage, with their citations, numbered from 1."""
    passages = {passage.chunk_id: passage for passage in context.passages}
    expectations: list[Expectation] = []
    citations: list[Citation] = []
    for one in bases:
        found: list[Citation] = []
        for quote in one.quotes:
            if passage := passages.get(one.chunk_id):
                with suppress(QuoteNotFound):
                    found.append(cite_quote(passage, quote, n=len(citations) + len(found) + 1))
        if one.quotes and (not found or found[0].quote != " ".join(one.quotes[0].split())):
            continue
        citations += found
        numbers = tuple(citation.n for citation in found)
        expectations.append(replace(one.expectation, citations=numbers))
    return tuple(expectations), tuple(citations)


def in_asking_order(bases: Iterable[Basis]) -> tuple[Basis, ...]:
    """The three of a risk in their order, P0 before the rest, musts before shoulds; otherwise as they come."""

    def place(basis: Basis) -> tuple[int, bool, bool]:
        one = basis.expectation
        risk = RISK_KINDS.index(one.kind) if one.kind in RISK_KINDS else 0
        return risk, not one.p0, one.importance != "must"

    return tuple(sorted(bases, key=place))


def one_of_each_risk(bases: Sequence[Basis]) -> tuple[Basis, ...] | None:
    """Hazard, assessment, and mitigation, the first of each; None where one of the three is missing."""
    first = {kind: next((one for one in bases if one.expectation.kind == kind), None) for kind in RISK_KINDS}
    found = tuple(one for one in first.values() if one is not None)
    return found if len(found) == len(RISK_KINDS) else None


def choose_focus(bases: Sequence[Basis], seed: str) -> tuple[str, ...]:
    """The keys of the claims that one question asks about; what it does not ask for is not expected.

    On a knowledge element that is one claim, drawn by lot from the exam's seed, required ones first; on a risk element
    hazard, assessment, and mitigation together.
    """
    expected = [basis.expectation for basis in bases]
    if not expected or any(one.kind in RISK_KINDS for one in expected):
        return tuple(one.key for one in expected)
    drawn = sorted(expected, key=lambda one: sha256(f"{seed}/{one.key}".encode()).hexdigest())
    return (next((one for one in drawn if one.importance == "must"), drawn[0]).key,)


def listed_expectations(expectations: Iterable[Expectation]) -> str:
    """Expectations as a prompt lists them."""
    return "\n".join(
        f"* key {one.key} ({one.importance}, {one.kind}, sources {', '.join(map(str, one.citations)) or 'none'}): "
        f"{one.text}"
        for one in expectations
    )
