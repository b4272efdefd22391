"""A vendor's model that lies shows no statement of its own, and moves few grades."""

import json
from collections import Counter
from pathlib import Path
from random import Random

import pytest

from benchmarks.lies import SHARE, LyingModel, briefing_of, cases, play
from benchmarks.offline_assessor import expectation_of
from benchmarks.tricks import values_of
from exams.bank.files import ITEMS as BANK
from exams.bank.files import read_items
from exams.bank.lint import expected_with, fill_slots
from exams.domain.values import Exchange
from exams.examiner.assessor import Material
from exams.examiner.examiner import write_opening
from exams.examiner.statement_checks import unsupported_statements
from llm import metering
from tests.doubles.chats import SaysInTurn
from tests.sampling import WHOLE

WORDINGS = Path(__file__).parents[2] / "data" / "question_wordings.jsonl"
OWN = "Your radio dies twelve miles from a towered field, by day, in good weather. What do you do?"
SECRETS = ("Squawk 7600 and watch the tower for light signals.", "Set the transponder to 7600.")


def stated_in(text: str, said: str = "") -> tuple[str, ...]:
    return unsupported_statements(text, told=(OWN,), secrets=SECRETS, own_words=said)


@pytest.mark.parametrize(
    "text",
    [
        OWN,
        "Your radio dies twelve miles from a towered field. What do you do?",
        "It's Sunday morning and a friend sits beside you. What do you do when your radio dies?",
        "Walk me through what you do when your radio dies twelve miles from a towered field.",
        "You said: “I keep calling”. What do you do?",
    ],
)
def test_what_an_examiner_may_tell(text: str) -> None:
    assert not stated_in(text, "I keep calling.")


@pytest.mark.parametrize(
    "text",
    [
        f"You do not have to tell anybody about it. {OWN}",
        f"You squawk 7500 as usual. {OWN}",
        f"The tower watches for aircraft without a radio. {OWN}",
        f"I keep calling. {OWN}",
        "What do you do, since nobody has to be told when a radio dies?",
        "With 7500 set, what do you do?",
        "Nobody minds, so what do you do?",
        "Why don't you have to tell anybody?",
        "Walk me through it, because no rule asks for a radio.",
        "Take it from me: a radio dies and nothing comes of it.",
        "What do you do, with the tower watching for you anyway?",
        "When a radio dies the tower clears everybody away, so what do you do?",
        "You said: “I keep calling”, and that is heard. What do you do?",
    ],
)
def test_what_it_may_not_tell(text: str) -> None:
    assert stated_in(text, "I keep calling.")


def test_wordings_written_against_the_checks() -> None:
    """57 bad ones and 40 fair ones, written apart from the code and then used to mend it: a refused wording costs
    nothing, a bad one that passes is read by a student."""
    items = {item.id: item for item in read_items([BANK / "private", BANK / "commercial"]).items}
    passed = Counter[str]()
    for line in WORDINGS.read_text("utf-8").splitlines():
        row = json.loads(line)
        item = items[row["item"]]
        values = values_of(item)
        expected = tuple(expectation_of(point, values) for point in expected_with(item, values))
        asked = Exchange(asked=fill_slots(item.stem, values), said="")
        briefing = briefing_of(
            Material(exchanges=(asked,), expectations=expected), fill_slots(item.again, values)
        )
        for kind in row.keys() & {"bad", "good"}:
            model = SaysInTurn({"text": row[kind], "expectations": [], "sources": []}, external=True)
            passed[kind] += not write_opening(briefing, model=model).degraded
    assert passed["bad"] <= 3
    assert passed["good"] >= 5


@pytest.mark.parametrize("share", [SHARE, 1.0])
def test_a_lying_model(share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metering, "_books", metering._Books())
    turns = cases(1000 if WHOLE else 30)
    outcome = play(turns, LyingModel(Random(3), share))
    honest = play(turns, LyingModel(Random(3), 0.0))
    assert not outcome.shown
    assert outcome.calls - outcome.least_calls <= (1 if share < 1 else 2) * outcome.turns
    assert outcome.passed <= (0.3 if share < 1 else 0.5) * outcome.wrong
    assert sum(honest.moved.values()) <= 0.05 * len(turns)
