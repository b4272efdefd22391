"""Evaluate the assessor on answers that people judged, each as `manage.py grade` assesses it.

A satisfactory answer counts as correct, one with a contradicted point as contradictory, any other as incorrect. An
answer that was not graded counts as wrong, and is counted by itself too. Numeric labels are scaled to [0, 1] by the
least and the greatest of them; the assessor's score lies there already, and is 0 where the answer was not graded.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import sqrt
from pathlib import Path
from statistics import StatisticsError, correlation, fmean
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, field_validator

from exams.domain.values import SCORED_VERDICTS
from exams.exchange.single_answer import AnswerTooLong, SingleAssessment, assess_alone

from .labeled_files import BadFile, Tick, ignore_progress, read_rows, ticked
from .measures import macro_f1

Kind = Literal["correct", "contradictory", "incorrect"]
KINDS: tuple[Kind, ...] = ("correct", "contradictory", "incorrect")
UNGRADED = "ungraded"


class JudgedAnswer(BaseModel):
    """A row of the file. `reference` are alternatives, each a complete right answer."""

    question: str
    reference: Annotated[list[Annotated[str, Field(min_length=1)]], Field(min_length=1)]
    answer: str
    label: Kind | Annotated[float, Field(allow_inf_nan=False)]

    @field_validator("reference", mode="before")
    @classmethod
    def _list_one(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class Graded:
    """A row's label beside the assessor's decision: one of KINDS, or UNGRADED."""

    label: str | float
    decision: str
    score: float


def evaluate_grading(path: Path, tick: Tick = ignore_progress) -> dict[str, Any]:
    """CONTRACT's shape of `manage.py evaluate grading --json`. Raises BadFile."""
    rows = read_rows(path, JudgedAnswer)
    numeric = sum(isinstance(row.label, float) for row in rows)
    if numeric not in (0, len(rows)):
        raise BadFile(f"{path} mixes numbers and words as labels: use one kind")
    graded = []
    for row in ticked(rows, tick):
        decision, score = _grade(row)
        graded.append(Graded(row.label, decision, score))
    return {
        "file": path.name,
        "sha256": sha256(path.read_bytes()).hexdigest(),
        "answers": len(rows),
        UNGRADED: sum(one.decision == UNGRADED for one in graded),
        **(figures_of_numbers(graded) if numeric else figures_of_words(graded)),
    }


def _grade(row: JudgedAnswer) -> tuple[str, float]:
    try:
        found = assess_alone(row.question, row.answer, references=row.reference)
    except AnswerTooLong:
        return UNGRADED, 0.0
    return decision_of(found), found.decision.score


def decision_of(found: SingleAssessment) -> str:
    if found.decision.verdict not in SCORED_VERDICTS:
        return UNGRADED
    if found.decision.verdict == "satisfactory":
        return "correct"
    contradicted = any(point.met == "contradicted" for point in found.decision.points)
    return "contradictory" if contradicted else "incorrect"


def figures_of_words(graded: Sequence[Graded]) -> dict[str, Any]:
    """Shares from 0 to 1. The 3-way ones are None unless the file has answers labeled contradictory."""
    pairs = [(str(one.label), one.decision) for one in graded]
    merged = [(_merge_wrong(label), _merge_wrong(decision)) for label, decision in pairs]
    ways = {"3-way": pairs if any(label == "contradictory" for label, _ in pairs) else [], "2-way": merged}
    counted = Counter(pairs)
    return {
        "accuracy": {
            name: round(fmean(label == decision for label, decision in some), 4) if some else None
            for name, some in ways.items()
        },
        "macro_f1": {name: macro_f1(some) for name, some in ways.items()},
        "confusion": {kind: {said: counted[kind, said] for said in (*KINDS, UNGRADED)} for kind in KINDS},
    }


def _merge_wrong(kind: str) -> str:
    return "incorrect" if kind == "contradictory" else kind


def figures_of_numbers(graded: Sequence[Graded]) -> dict[str, Any]:
    """`pearson_r` is None where labels or scores are all the same."""
    labels = [float(one.label) for one in graded]
    low, high = min(labels), max(labels)
    scaled = [(label - low) / ((high - low) or 1.0) for label in labels]
    scores = [one.score for one in graded]
    try:
        pearson = round(correlation(scaled, scores), 4)
    except StatisticsError:
        pearson = None
    error = sqrt(fmean((score - label) ** 2 for score, label in zip(scores, scaled, strict=True)))
    return {"labels": [low, high], "pearson_r": pearson, "rmse": round(error, 4)}


def grading_table(answer: Mapping[str, Any]) -> str:
    """The figures for a person."""
    lines = [f"{answer['answers']} answers of {answer['file']}, {answer[UNGRADED]} of them ungraded"]
    if "rmse" in answer:
        return "\n".join([*lines, f"Pearson r {answer['pearson_r']}, RMSE {answer['rmse']}"])
    for way, accuracy in answer["accuracy"].items():
        lines += [f"{way}: accuracy {accuracy}, macro-F1 {answer['macro_f1'][way]}"]
    lines += ["label \\ decision  " + "  ".join(f"{kind:>13}" for kind in (*KINDS, UNGRADED))]
    for label, row in answer["confusion"].items():
        lines += [f"{label:17} " + "  ".join(f"{count:>13}" for count in row.values())]
    return "\n".join(lines)
