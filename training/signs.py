"""The graded answers become a table of signs, from which `training/fit.py` makes trees.

`python -m training.signs FILE` writes FILE (npz): `rows` (float64, one row an answer and expectation, NaN where a
sign is not known), `names` of the columns, `grades` (place in METS), `groups` (which question), `weights`. Every
row stands in it twice: with what graded answers to other questions say of the same statement, and without, so that
the trees also learn to do without examples. An answer never sees the examples of its own question.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import chain
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import numpy as np

from desk.demo.content import demo_claims
from exams.offline.examples import Examples, rows_in
from exams.offline.judging import look
from exams.offline.signs import signs_of
from exams.offline.trees import METS
from exams.offline.vectors import KeptVectors
from exams.offline.weighing import FOLDER, Expected, Experience, asked_of, seen_in, texts_weighed
from llm.local import LocalEmbeddingModel

WITHOUT_EXAMPLES = 0.5
"""Weight of a row without examples beside 1: the demo's statements have them, most others do not."""

Line = tuple[dict[str, float], int, str, float]


def local_model() -> LocalEmbeddingModel:
    return LocalEmbeddingModel(Path(os.environ.get("MODEL_CACHE", Path(gettempdir()) / "heydpe-models")))


@cache
def _vectors() -> KeptVectors:
    return KeptVectors(local_model().embed_passages, 60_000)


@cache
def _examples() -> Examples:
    return Examples.load(FOLDER)


@cache
def _wordings() -> Mapping[str, tuple[str, ...]]:
    return {claim.key: tuple(claim.key_facts.get("also", ())) for claim in demo_claims()}


def lines_of(row: Mapping[str, Any], statements: Mapping[str, Any]) -> list[Line]:
    """The lines of one graded answer: for each expectation one with examples and one without."""
    expected = [
        Expected(statements[key]["text"], statements[key]["kind"], _wordings().get(key, ()))
        for key in row["keys"]
    ]
    question, answer, embed = row["question"], row["answer"], _vectors()
    embed.learn(texts_weighed(expected, question, answer, Experience(_examples(), None)))  # type: ignore[arg-type]
    lines: list[Line] = []
    for asked, met in zip(asked_of(expected, question, answer), row["met"], strict=True):
        looked = None if asked.worth.nothing else look(asked.statement, question, asked.worth, embed)
        alone = signs_of(asked, looked, embed)
        whole = seen_in(asked, looked, embed, _examples(), leave_out=question)
        widely = {name: value for name, value in whole.items() if name.startswith("widely_")}
        grade = METS.index(met)
        lines += [(whole, grade, question, 1.0), (alone | widely, grade, question, WITHOUT_EXAMPLES)]
    return lines


def _many(task: tuple[Sequence[Mapping[str, Any]], Mapping[str, Any]]) -> list[Line]:
    rows, statements = task
    return list(chain.from_iterable(lines_of(row, statements) for row in rows))


def all_lines() -> Iterator[Line]:
    statements = json.loads((FOLDER / "statements.json").read_text("utf-8"))
    rows = list(rows_in(FOLDER))
    tasks = [(rows[start : start + 100], statements) for start in range(0, len(rows), 100)]
    with ProcessPoolExecutor() as pool:
        for number, lines in enumerate(pool.map(_many, tasks), start=1):
            print(f"{number} of {len(tasks)} hundred answers", file=sys.stderr)
            yield from lines


def main(file: Path) -> None:
    lines = list(all_lines())
    names = sorted({name for signs, *_ in lines for name in signs})
    questions = {question: place for place, question in enumerate(dict.fromkeys(line[2] for line in lines))}
    np.savez_compressed(
        file,
        names=np.array(names),
        rows=np.array([[signs.get(name, np.nan) for name in names] for signs, *_ in lines], dtype=float),
        grades=np.array([grade for _, grade, _, _ in lines]),
        groups=np.array([questions[question] for _, _, question, _ in lines]),
        weights=np.array([weight for *_, weight in lines]),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
