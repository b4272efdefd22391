"""Choose the offline assessor's thresholds (`exams/conf.py`) on answers that are used neither for fitting nor for
reported figures.

`python -m tools.training.choose_bars` prints one line per choice: the share of right answers accepted, of wrong ones
passed, and of the same verdict, for items, for answers to items that are right but for one detail, and for rules that
no item covers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from typing import Any

from numpy.typing import NDArray

from benchmarks.offline_assessor import Case, cases_of_claims, cases_of_items, shares_of, verdicts_of
from exams import conf
from exams.examiner.assessor import OfflineJudge
from exams.offline.classifier import Classifier
from llm.local.minilm import load_tokenizer
from tools.training.graded_answers import VALIDATION, lines_of

MET, HALF = (0.35, 0.4, 0.45, 0.5, 0.55), (0.5,)
BY_WORDINGS = 0.1
"""How much higher the bar is where a point has accepted wordings."""


class _Remembering(Classifier):
    """Reads each sequence once for all thresholds."""

    def __init__(self) -> None:
        super().__init__(load_tokenizer())
        self._known: dict[tuple[str, str, tuple[str, ...]], NDArray[Any]] = {}

    def probabilities(self, question: str, answer: str, points: Sequence[str]) -> NDArray[Any]:
        key = question, answer, tuple(points)
        if key not in self._known:
            self._known[key] = super().probabilities(question, answer, points)
        return self._known[key].copy()  # the caller averages in place


def main() -> None:
    classifier = _Remembering()
    judge = OfflineJudge(lambda: classifier)
    sets: dict[str, list[Case]] = {
        "items": list(cases_of_items(lines_of(VALIDATION / "items.jsonl"))),
        "items, stems alone": list(cases_of_items(lines_of(VALIDATION / "items_blind.jsonl"))),
        "items, short": list(cases_of_items(lines_of(VALIDATION / "items_short.jsonl"))),
        "items, spoken": list(cases_of_items(lines_of(VALIDATION / "items_spoken.jsonl"))),
        "items, one detail wrong": list(cases_of_items(lines_of(VALIDATION / "items_pairs.jsonl"))),
        "claims": list(cases_of_claims(lines_of(VALIDATION / "claims.jsonl"))),
    }
    for met, half in product(MET, HALF):
        vars(conf).update(MET_SURE=met, MET_SURE_BY_WORDINGS=met + BY_WORDINGS, HALF_SURE=half)
        told = []
        for name, cases in sets.items():
            shares = shares_of(Counter(verdicts_of(judge, case) for case in cases))
            told.append(f"{name} {' '.join(f'{share:.3f}' for share in shares.values())}")
        print(f"met {met} half {half}: {', '.join(told)}", flush=True)


if __name__ == "__main__":
    main()
