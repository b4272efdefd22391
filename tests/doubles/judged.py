"""Labelled answers, and what the offline judge makes of them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from benchmarks.offline_assessor import wordings_for
from exams.domain.values import Exchange, Expectation, Point, Verdict
from exams.domain.verdicts import decide_verdict
from exams.examiner.assessor import Material, OfflineJudge
from exams.offline.classifier import Classifier

DATA = Path(__file__).parents[1] / "data"
Row = Mapping[str, Any]


def rows_of(name: str, split: str = "") -> list[Row]:
    """The rows of a file of tests/data, all of them or those of one split."""
    rows = [json.loads(line) for line in (DATA / name).read_text().splitlines() if line.strip()]
    return [row for row in rows if not split or row["split"] == split]


def label_of(row: Row) -> str:
    label = str(row.get("label") or row["verdict"])
    return "unsatisfactory" if label == "contradicted" else label


def verdict_on(row: Row, classifier: Classifier) -> Verdict:
    """The verdict of the offline judge on a row."""
    expectations = tuple(
        Expectation(
            key=one["key"],
            text=one["text"],
            importance=one["importance"],
            kind=one["kind"],
            also=wordings_for(one["text"]),
        )
        for one in row["expectations"]
    )
    return decide_verdict(points_of(row["question"], row["answer"], expectations, classifier)).verdict


def points_of(
    question: str, answer: str, expectations: Iterable[Expectation], classifier: Classifier
) -> tuple[Point, ...]:
    expected = tuple(expectations)
    reply = OfflineJudge(lambda: classifier)(
        Material(exchanges=(Exchange(asked=question, said=answer),), expectations=expected)
    )
    return tuple(
        Point(
            expectation=one.text,
            key=one.key,
            importance=one.importance,
            met=said.met,
            why=said.why,
            said=said.said,
            kind=one.kind,
            p0=one.p0,
        )
        for one, said in zip(expected, reply.points, strict=True)
    )
