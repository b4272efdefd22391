"""Labelled answers, and what the offline judge makes of them."""

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from desk.demo.content import ITEMS
from exams.assessor import Material, OfflineJudge
from exams.bank.files import read_items
from exams.offline.vectors import KeptVectors
from exams.values import Exchange, Expectation, Point, Verdict
from exams.verdicts import decide
from knowledge.grounding.words import content_words

DATA = Path(__file__).parents[1] / "data"
Row = Mapping[str, Any]


@cache
def _points() -> tuple[tuple[frozenset[str], tuple[str, ...]], ...]:
    """The words of the statement of each point of the demo's items, and the wordings it accepts."""
    points = [point for item in read_items([ITEMS]).items for point in item.points]
    return tuple((frozenset(content_words(point.text)), tuple(point.accept)) for point in points)


@cache
def _wordings(statement: str) -> tuple[str, ...]:
    """What the demo's items accept for a statement, where a point says all of it."""
    words = frozenset(content_words(statement))
    return tuple(one for said, accept in _points() if said == words for one in accept)


def rows_of(name: str, split: str = "") -> list[Row]:
    """The rows of a file of tests/data, all of them or those of one split."""
    rows = [json.loads(line) for line in (DATA / name).read_text().splitlines() if line.strip()]
    return [row for row in rows if not split or row["split"] == split]


def label_of(row: Row) -> str:
    label = str(row.get("label") or row["verdict"])
    return "unsatisfactory" if label == "contradicted" else label


def verdict_on(row: Row, vectors: KeptVectors) -> Verdict:
    """The verdict of the offline judge on a row."""
    expectations = tuple(
        Expectation(
            key=one["key"],
            text=one["text"],
            importance=one["importance"],
            kind=one["kind"],
            also=_wordings(one["text"]),
        )
        for one in row["expectations"]
    )
    return decide(points_of(row["question"], row["answer"], expectations, vectors)).verdict


def points_of(
    question: str, answer: str, expectations: Iterable[Expectation], vectors: KeptVectors
) -> tuple[Point, ...]:
    expected = tuple(expectations)
    reply = OfflineJudge(vectors)(
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
