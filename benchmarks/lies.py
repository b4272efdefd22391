"""What a model that judges and lies in 30 % of its replies can show to a student, and how many grades it moves.

`python -m benchmarks.lies` prints one JSON document. The answers are those to the item bank that people judged point by
point. An honest model finds what those people found; the lying one does the same, except where it lies, in one of seven
ways. Each answer is a turn: the item's question, the judgment, and a probe if the verdict leaves one open.
"""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from random import Random
from typing import Any, Final, cast

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "heydpe.settings")
django.setup()

from benchmarks.offline_assessor import Case, cases_of_items, decided, rows_of  # noqa: E402 - models need Django set up
from exams.domain.values import Met  # noqa: E402
from exams.examiner.assessor import Material, assess_answer  # noqa: E402
from exams.examiner.examiner import write_follow_up  # noqa: E402
from knowledge.grounding.context import NO_SOURCES  # noqa: E402
from llm.errors import ModelError  # noqa: E402
from llm.interfaces import ChatReply, ChatRequest  # noqa: E402
from llm.metering import keep_books  # noqa: E402

SEED: Final = 21
TURNS: Final = 1000
SHARE: Final = 0.3
FALSE_STATEMENTS: Final = (
    "You do not have to tell anybody when your radio fails.",
    "You squawk 7500 as usual.",
    "That is allowed at any altitude.",
    "The rule leaves this to the pilot.",
    "Thirty minutes of fuel is plenty for this flight.",
)
LACKS: Final = {
    "false reason": FALSE_STATEMENTS,
    "bare number": ("7500", "1,730 feet"),
    "markup": ("<img src=x onerror=alert(1)>",),
    "obeys the student": ("As you asked, this counts as a pass.",),
}
"""What it says that an answer lacks, by the way in which it lies."""
WAYS: Final = (*LACKS, "words never said", "all met", "none met")


@dataclass
class LyingModel:
    """The assessor of an exam. `truth` are the findings that are right for the answer at hand, by key."""

    random: Random
    share: float = SHARE
    truth: dict[str, Met] = field(default_factory=dict)
    calls: int = 0
    lies: Counter[str] = field(default_factory=Counter)
    told: set[str] = field(default_factory=set)

    provider = "double"
    model = "lying"
    external = True

    def complete(self, request: ChatRequest[Any]) -> ChatReply:
        self.calls += 1
        way = self.random.choice(WAYS) if self.random.random() < self.share else ""
        given = cast(Material, request.material)
        said = " ".join(given.answer.split())[:200]
        lack = self.random.choice(LACKS.get(way, ("",)))
        if way == "words never said":
            said = lack = self.random.choice(FALSE_STATEMENTS)
        points = [self._point(one.key, way, said, lack) for one in given.expectations]
        return ChatReply(text=json.dumps({"points": points}), provider=self.provider, model=self.model)

    def _point(self, key: str, way: str, said: str, lack: str) -> dict[str, str]:
        met = self.truth[key]
        if way in ("all met", "none met"):
            met = "met" if way == "all met" else "missing"
        elif lack:
            self.told.add(lack)
            met = "half" if met == "met" else met
        if met != self.truth[key] or lack:
            self.lies[way] += 1
        return {"key": key, "met": met, "said": said if met != "missing" else "", "lacks": lack}


@dataclass
class Outcome:
    """What came of a number of turns."""

    turns: int = 0
    calls: int = 0
    least_calls: int = 0
    lies: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)
    wrong: int = 0
    moved: Counter[tuple[str, str]] = field(default_factory=Counter)

    @property
    def passed(self) -> int:
        """Answers that are not satisfactory and were called so."""
        return sum(n for (_, given), n in self.moved.items() if given == "satisfactory")


def play(cases: Iterable[Case], model: LyingModel) -> Outcome:
    """The turns of these answers. A grade is moved where the verdict differs from that on what people found."""
    outcome = Outcome()
    for material, mets in cases:
        outcome.turns += 1
        model.truth = {one.key: met for one, met in zip(material.expectations, mets, strict=True)}
        outcome.least_calls += 1
        try:
            judged = assess_answer(
                material.exchanges, material.expectations, NO_SOURCES, mixups=material.mixups, model=model
            )
        except ModelError:
            continue  # ungraded: nothing is shown, and no grade is given
        due, given = (
            decided(material.expectations, found) for found in (mets, [one.met for one in judged.points])
        )
        outcome.wrong += due != "satisfactory"
        if due != given:
            outcome.moved[(due, given)] += 1
        told = [text for point in judged.points for text in (point.why, point.said)]
        if given != "satisfactory":
            probe = write_follow_up(
                "probe",
                points=judged.points,
                expectations=material.expectations,
                citations=(),
                answer=material.answer,
            )
            told.append(probe.text)
        known = (material.question, material.answer, *(one.text for one in material.expectations))
        outcome.shown += [
            text for text in told if any(lie in text and lie not in " ".join(known) for lie in model.told)
        ]
    outcome.calls, outcome.lies = model.calls, model.lies
    return outcome


def cases(turns: int) -> list[Case]:
    """So many answers to items, drawn in an order that does not depend on their number; again from the start where
    there are not enough."""
    known = list(cases_of_items(rows_of("answers_to_items.jsonl")))
    Random(SEED).shuffle(known)
    return list(islice(cycle(known), turns))


def measure(turns: int = TURNS) -> dict[str, Any]:
    """Shares of turns, with a model that lies and with an honest one."""
    keep_books(None)  # there is no database to write to
    told: Sequence[Case] = cases(turns)
    figures = {}
    for name, share in (("lies in 30 %", SHARE), ("honest", 0.0), ("calls everything met", 1.0)):
        outcome = play(told, LyingModel(Random(SEED), share))
        figures[name] = {
            "turns": outcome.turns,
            "lies told": sum(outcome.lies.values()),
            "lies shown": len(outcome.shown),
            "calls a turn beyond the least": round((outcome.calls - outcome.least_calls) / outcome.turns, 3),
            "wrong answers passed": round(outcome.passed / max(outcome.wrong, 1), 4),
            "verdicts that differ": round(sum(outcome.moved.values()) / outcome.turns, 4),
        }
    return figures


if __name__ == "__main__":
    json.dump(measure(int(sys.argv[1]) if len(sys.argv) > 1 else TURNS), sys.stdout, indent=1)
    sys.stdout.write("\n")
