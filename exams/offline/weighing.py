"""An answer becomes one finding for each expectation: everything that speaks for it or against it is weighed.

The rules of `judging.py`, the nearness of accepted wordings and answers that were graded before are signs; trees fitted
to graded answers weigh them. What holds whatever the signs say is decided first: an answer with nothing in it is
missing, going on in spite of a risk mitigates nothing, and the statement or an accepted wording itself is right.
Deterministic, and pure but for loading.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from exams import conf
from exams.offline.alignment import says_only, signs_beside
from exams.offline.examples import Examples, plain
from exams.offline.exchanges import exchanged
from exams.offline.judging import (
    Finding,
    Looked,
    Statement,
    look,
    presses,
    texts_compared,
    texts_of_statement,
    why_of,
)
from exams.offline.matching import Embed, Vector
from exams.offline.signs import Asked, signs_of
from exams.offline.trees import METS, Trees
from exams.offline.triage import why_nothing, worth_judging
from exams.offline.vectors import read_vectors
from exams.values import ExpectationKind, Met

FOLDER: Final = Path(__file__).parent / "graded"


@dataclass(frozen=True, slots=True)
class Expected:
    """A statement that an answer is held against, with other wordings that say the same."""

    text: str
    kind: ExpectationKind = "rule"
    wordings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Experience:
    """What grading has taught: graded answers, and the trees that weigh signs."""

    examples: Examples
    trees: Trees


@cache
def experience() -> Experience:
    """What comes with the application, read once."""
    return Experience(Examples.load(FOLDER), Trees.load(FOLDER / "trees.npz"))


@cache
def vectors_of_experience() -> Mapping[str, Vector]:
    """Of all texts that are compared whatever a student says, by the local model (`training/vectors.py`); read once."""
    return read_vectors(FOLDER / "vectors.npz")


def texts_of_experience(known: Examples, statements: Iterable[str]) -> tuple[str, ...]:
    """What is compared of these statements, and their graded answers."""
    compared = [
        text
        for statement in statements
        for text in (*texts_of_statement(statement), *(one.answer for one in known.of(statement)))
    ]
    return tuple(sorted({text for text in compared if text.strip()}))


def findings_for(
    expected: Sequence[Expected], question: str, answer: str, embed: Embed, known: Experience
) -> tuple[Finding, ...]:
    """One finding an expectation, in their order."""
    return tuple(_finding(one, embed, known) for one in asked_of(expected, question, answer))


def asked_of(expected: Sequence[Expected], question: str, answer: str) -> tuple[Asked, ...]:
    """Each expectation beside the answer and the others that it is expected with."""
    worth = worth_judging(answer, question)
    texts = [one.text for one in expected]
    return tuple(
        Asked(
            Statement(text=one.text, kind=one.kind, others=" ".join(texts[:place] + texts[place + 1 :])),
            question,
            answer,
            worth,
            one.wordings,
        )
        for place, one in enumerate(expected)
    )


def texts_weighed(
    expected: Sequence[Expected], question: str, answer: str, known: Experience
) -> tuple[str, ...]:
    """Every text whose vector the findings may want, so that they can be made in one go."""
    statements = [one.text for one in expected]
    graded = [example.answer for text in statements for example in known.examples.of(text)]
    wordings = [wording for one in expected for wording in one.wordings]
    whole = (answer, question, f"{question} {answer}")
    return (*texts_compared(statements, question, answer), *statements, *whole, *wordings, *graded)


def seen_in(
    asked: Asked, looked: Looked | None, embed: Embed, examples: Examples, leave_out: str = ""
) -> dict[str, float]:
    """All signs of one expectation. `leave_out` as in `Examples.signs`."""
    statement = asked.statement.text
    graded = examples.signs(statement, asked.question, asked.answer, embed, leave_out=leave_out)
    beside: dict[str, list[str]] = {"met": [statement, *asked.wordings]}
    for one in examples.of(statement, leave_out):
        beside.setdefault(METS[one.grade], []).append(one.answer)
    return signs_of(asked, looked, embed) | graded | signs_beside(asked.answer, beside)


def _finding(asked: Asked, embed: Embed, known: Experience) -> Finding:
    if asked.worth.nothing:
        return Finding(met="missing", why=why_nothing(asked.worth.nothing))
    if pressing := presses(asked.statement, asked.worth):
        return pressing
    if plain(asked.answer) in {plain(one) for one in (asked.statement.text, *asked.wordings)}:
        return Finding(met="met", why="Said as it was accepted.", said=" ".join(asked.answer.split()))
    if exchanged(asked.statement.text, asked.worth.text):
        said = " ".join(asked.answer.split())
        return Finding(met="contradicted", why="Right things, each in the other's place.", said=said)
    looked = look(asked.statement, asked.question, asked.worth, embed)
    signs = seen_in(asked, looked, embed, known.examples)
    chances = known.trees.probabilities(signs)
    met = _likeliest({one: chances[one] for one in _possible(signs)}, looked.finding.met)
    if met == looked.finding.met:
        return looked.finding
    said = looked.meaning.stretch if met != "missing" else ""
    return replace(looked.finding, met=met, why=why_of(met, looked.amounts), said=said)


def _likeliest(chances: Mapping[Met, float], by_rules: Met) -> Met:
    """The likeliest; between two that are as good as equal the one that the rules find, if it is either."""
    first, second = sorted(chances, key=lambda one: -chances[one])[:2]
    return second if second == by_rules and chances[first] - chances[second] < conf.UNDECIDED else first


def _possible(signs: Mapping[str, float]) -> tuple[Met, ...]:
    """What an answer can have done, whatever the trees make of it. Words that share no idea with the statement meet it
    only where they are near to something that was right; a wrong figure alone never does, a bare one is half of it. Its
    own words as they stand contradict nothing.
    """
    if says_only(signs):
        return ("met", "half", "missing")
    near = max(signs.get(name, 0.0) for name in ("cosine_answer", "wording_nearest", "near_met"))
    if signs["coverage"] >= conf.CONTENT_COVERAGE or (
        near >= conf.CONTENT_NEAR and not signs["amounts_wrong"]
    ):
        return METS
    bare = signs["amounts_given"] and not signs["foreign_figures"]
    return ("half", "missing", "contradicted") if bare else ("missing", "contradicted")
