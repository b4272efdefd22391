"""Turn rows of graded answers into the tokens that the assessor is fitted to, with the features from rules.

`python -m tools.training.assessor_tokens ROWS TOKENS` reads what `graded_answers` wrote; two minutes on two cores.
"""

from __future__ import annotations

import json
import pickle
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Final

from exams.examiner.assessor import ROLES
from exams.offline.answer_filter import filter_answer
from exams.offline.classifier import ANSWER_TOKENS, FINDINGS, POINT_TOKENS, QUESTION_TOKENS
from exams.offline.features import PointText, signs_for_point, text_beside_point
from llm.local.minilm import load_tokenizer

UNKNOWN: Final = -100
"""The class of a finding that is not known: PyTorch leaves it out of the loss."""

Pieces = tuple[str, str, list[tuple[str, str, str, int]], str]
"""Question, answer, points (features, text, wordings, class), and the row's source."""


def pieces_of(line: str) -> Pieces | None:
    """A row in pieces of text, None where the answer has nothing in it."""
    row = json.loads(line)
    kept = filter_answer(row["answer"], row["question"])
    if kept.nothing:
        return None
    points = []
    for place, one in enumerate(row["points"]):
        point = PointText(one["text"], ROLES.get(one["role"], one["role"]))
        others = " ".join(other["text"] for at, other in enumerate(row["points"]) if at != place)
        signs = " ".join(signs_for_point(point, others, row["question"], kept.text))
        points.append(
            (
                f"{signs} :",
                point.text,
                text_beside_point(one["wordings"], one["against"], kept.text),
                FINDINGS.index(one["met"]) if one["met"] else UNKNOWN,
            )
        )
    return row["question"], kept.text, points, row["source"]


def tokens(source: Path, target: Path) -> None:
    with ProcessPoolExecutor() as pool:
        found = [
            one for one in pool.map(pieces_of, source.read_text("utf-8").splitlines(), chunksize=64) if one
        ]
    texts = sorted(
        {text for one in found for text in (one[0], one[1], *(part for p in one[2] for part in p[:3]))}
    )
    ids = {
        text: encoded.ids
        for text, encoded in zip(
            texts, load_tokenizer().encode_batch(texts, add_special_tokens=False), strict=True
        )
    }
    rows = [
        (
            ids[question][:QUESTION_TOKENS],
            ids[answer][:ANSWER_TOKENS],
            [(ids[signs], ids[text][:POINT_TOKENS], ids[shown], met) for signs, text, shown, met in points],
            kind,
        )
        for question, answer, points, kind in found
    ]
    target.write_bytes(pickle.dumps(rows))
    print(f"{len(rows)} rows")


if __name__ == "__main__":
    tokens(Path(sys.argv[1]), Path(sys.argv[2]))
