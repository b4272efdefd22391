"""What each arm of the search finds for short legal questions, compared with every plain method, on two halves.

`python -m benchmarks.legal` prints one JSON document. The questions of tests/data/legal_questions and of
tests/data/knowledge_test_questions are asked over the sections of `../shared/data/retrieval/cfr_aim`, in a scratch
database. Plain are the methods of `benchmarks.plain_ways` and the product's own legs, each alone. The search is changed
by looking at the fitted half and at the questions that were looked at alone. On each half, and on the plain questions
and the stems of the first set, the product's arms are compared with the plain method that is best there, by a bootstrap
that draws whole sections.
"""

import json
import os
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import django
from django.test.utils import override_settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.retrieval import DATA, plain_document_rankings  # noqa: E402 - models need Django set up
from benchmarks.scratch import no_cache, scratch_database  # noqa: E402
from benchmarks.stems import ARMS, Stem, figures_of  # noqa: E402
from desk.evaluation.beir import Question, judged_questions, read_folder  # noqa: E402
from desk.evaluation.retrieval import rankings_of  # noqa: E402
from desk.evaluation.scratch import scratch_library  # noqa: E402
from knowledge.retrieval.values import Arm  # noqa: E402
from llm.registry import embedding_model  # noqa: E402

TEST_DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
SETS = ("legal_questions", "knowledge_test_questions")
HALVES = {
    "fitted": "fitted half",
    "unseen": "unseen half",
    "looked": "knowledge test, looked at",
    "aside": "knowledge test, kept aside",
}
"""By what their names begin with; the first two are divided by kind."""
FIRST_STEM = 201  # of a half; the numbers below are those of plain questions
LEGS: Mapping[Arm, str] = {"lexical": "words alone", "vector": "vectors alone"}


def measure() -> dict[str, Any]:
    questions = [one for name in SETS for one in judged_questions(TEST_DATA / name)]
    model = embedding_model()
    texts = read_folder(DATA / "cfr_aim").texts
    with (
        scratch_database(),
        override_settings(CACHES=no_cache()),
        scratch_library(texts, model) as (tenant, names),
    ):
        plain = plain_document_rankings(questions, tenant, names, model)
        rankings = rankings_of(questions, tenant, names, model)
    found = {arm: [ranking.names for ranking in ranked] for arm, ranked in rankings.items()}
    plain |= {way: [list(one) for one in found[arm]] for arm, way in LEGS.items()}
    asked = [Stem(one.text, min(one.right), one.right) for one in questions]
    return {
        "what": "nDCG@10 and recall@5 of short legal questions, for the product's search arms and for plain methods",
        "documents": len(texts),
        **{
            group: figures_of(asked, places, plain, {arm: found[arm] for arm in ARMS})
            for group, places in groups_of(questions).items()
        },
    }


def groups_of(questions: Sequence[Question]) -> dict[str, list[int]]:
    """The places of each half, and of its plain questions and its stems."""
    groups: defaultdict[str, list[int]] = defaultdict(list)
    for at, question in enumerate(questions):
        half, number = question.name.split("-")
        groups[HALVES[half]].append(at)
        if half in ("fitted", "unseen"):
            kind = "stems" if int(number) >= FIRST_STEM else "plain questions"
            groups[f"{HALVES[half]}: {kind}"].append(at)
    return dict(sorted(groups.items()))


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
