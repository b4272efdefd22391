"""On answers that people judged, and that nothing was fitted to, the offline judge is right four times in five.

Every sixteenth question's, or every 48th answer, in `make soak` all; `python -m benchmarks offline_assessor` tells
the figures.
"""

import pytest

from benchmarks.offline_assessor import cases_of_items, verdicts_of
from exams.examiner.assessor import OfflineJudge
from exams.offline.classifier import Classifier
from tests.doubles.judged import Row, label_of, rows_of, verdict_on
from tests.sampling import WHOLE, sample_of

NO_ANSWER = ("other_topic", "topic_words", "dont_know")
DEMO = "answers_demo.jsonl"
EVERY = 1 if WHOLE else 16
SAMPLED = 1 / EVERY


@pytest.fixture(scope="module")
def judged(classifier: Classifier) -> list[tuple[Row, str]]:
    rows = rows_of(DEMO)
    asked = set(list(dict.fromkeys(row["question"] for row in rows))[::EVERY])
    return [(row, verdict_on(row, classifier)) for row in rows if row["question"] in asked]


def test_it_is_right(judged: list[tuple[Row, str]]) -> None:
    right = sum(verdict == label_of(row) for row, verdict in judged)
    assert right / len(judged) >= 0.8


def test_other_words_are_no_failure(judged: list[tuple[Row, str]]) -> None:
    paraphrases = [verdict for row, verdict in judged if row["category"] == "paraphrase"]
    assert len(paraphrases) > 60 * SAMPLED
    assert sum(verdict != "satisfactory" for verdict in paraphrases) / len(paraphrases) <= 0.3


def test_what_is_wrong_hardly_passes(judged: list[tuple[Row, str]]) -> None:
    wrong = [verdict for row, verdict in judged if row["category"] in ("wrong_number", "negated")]
    assert len(wrong) > 70 * SAMPLED
    assert wrong.count("satisfactory") <= 2


def test_no_answer_hardly_passes(judged: list[tuple[Row, str]]) -> None:
    empty = [verdict for row, verdict in judged if row["category"] in NO_ANSWER]
    assert len(empty) > 30 * SAMPLED
    assert empty.count("satisfactory") <= 1


@pytest.mark.parametrize("unseen", [False, True])
def test_answers_to_the_item_bank_are_judged_as_people_judge_them(
    classifier: Classifier, unseen: bool
) -> None:
    """Of Tasks that the classifier was fitted to, and of Tasks that it never saw."""
    cases = sample_of(list(cases_of_items(rows_of("answers_to_items.jsonl"), unseen=unseen)), 48)
    judge = OfflineJudge(lambda: classifier)
    pairs = [verdicts_of(judge, case) for case in cases]
    passed = [mine for people, mine in pairs if people == "unsatisfactory"].count("satisfactory")
    assert sum(people == mine for people, mine in pairs) / len(pairs) >= 0.7
    assert passed <= 0.1 * len(pairs)
