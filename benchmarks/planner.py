"""How long the planner takes to choose the next element, of 2,200 elements with random prerequisites and continuations.

`python -m benchmarks.planner` prints one JSON document. What is not
planned is held in reserve. Every answer is random; 20 orals of each length. Violations are counted by
`tests/pure/exams/test_planner_properties.py`.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from dataclasses import replace
from random import Random
from typing import Any, Final

from exams.domain.exam_request import ExamOrder
from exams.domain.planner import EventName, advance_oral, start_oral
from exams.domain.sampling import ElementFact
from exams.domain.scope import scope_for
from exams.domain.values import ElementKind

SEED: Final = 22
TASKS: Final = 110
KINDS: Final[tuple[ElementKind, ...]] = ("knowledge", "risk")
ELEMENTS: Final = 20
"""Of each Task, half knowledge, half risk."""
SIZES: Final = (12, 66)
"""Questions of an oral: a short one, and the most there may be."""
ORALS: Final = 20
ANSWERS: Final[tuple[EventName, ...]] = ("satisfactory", "satisfactory", "partial", "unsatisfactory")


def large_standard(random: Random) -> tuple[ElementFact, ...]:
    codes = [
        f"PA.{area}.{task}"
        for area in ("I", "II", "III", "VI", "VII", "IX", "XI")
        for task in "ABCDEFGHIJKLMNOP"
    ]
    facts = [
        ElementFact(
            code=f"{task}.{KINDS[n % 2][0].upper()}{n // 2 + 1}",
            task=task,
            area=task.split(".")[1],
            kind=KINDS[n % 2],
            where="table",
        )
        for task in codes[:TASKS]
        for n in range(ELEMENTS)
    ]
    known = [fact.code for fact in facts]
    return tuple(
        replace(fact, requires=tuple(random.sample(known, 2)), leads_to=tuple(random.sample(known, 3)))
        for fact in facts
    )


def whole_oral(facts: tuple[ElementFact, ...], questions: int, random: Random) -> tuple[float, list[float]]:
    """Milliseconds for the scope, and for each step."""
    began = time.perf_counter()
    scope = scope_for(facts, ExamOrder(questions=questions), seed=str(SEED))
    planned, steps = (time.perf_counter() - began) * 1000, []
    step = advance_oral(start_oral(scope, "coach"), "begin")
    while step.action.kind != "finish":
        began = time.perf_counter()
        step = advance_oral(step.state, random.choice(ANSWERS))
        steps.append((time.perf_counter() - began) * 1000)
    return planned, steps


def measure() -> dict[str, Any]:
    random = Random(SEED)
    facts = large_standard(random)
    found: dict[str, Any] = {"elements": len(facts)}
    for size in SIZES:
        orals = [whole_oral(facts, size, random) for _ in range(ORALS)]
        steps = [ms for _, taken in orals for ms in taken]
        found[f"{size} questions"] = {
            "scope, ms": round(statistics.median(planned for planned, _ in orals), 2),
            "steps": len(steps),
            "p50 ms": round(statistics.median(steps), 3),
            "p95 ms": round(statistics.quantiles(steps, n=20)[-1], 3),
        }
    return found


def main() -> None:
    json.dump(measure(), sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
