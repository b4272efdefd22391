"""There were two weights for "partial"."""

import re
from pathlib import Path

from exams import conf
from exams.domain.mastery import Attempt, estimates_from
from exams.domain.values import Point
from exams.domain.verdicts import decide_verdict

EXAMS = Path(conf.__file__).parent


def test_lesson_19_scores_and_mastery_weigh_half_an_answer_alike() -> None:
    half = decide_verdict([Point(expectation="a", key="a", met="half")])
    hinted = decide_verdict([Point(expectation="a", key="a", met="met")], hint_used=True)
    mastery = estimates_from([Attempt(element="A", verdict="partial")])["A"].value
    assert half.score == hinted.score == mastery == conf.PARTIAL_WEIGHT


def test_lesson_19_the_weight_is_written_down_once() -> None:
    numbers = re.compile(r"""["'](?:partial|half)["']\s*:\s*\d|PARTIAL\w*\s*(?::\s*\w+\s*)?=\s*\d""")
    found = [path.name for path in sorted(EXAMS.rglob("*.py")) if numbers.search(path.read_text("utf-8"))]
    assert found == ["conf.py"]
