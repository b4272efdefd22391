"""Where the project's own items send the talk: to elements that can be asked, and often enough to be noticed."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from exams.bank.schema import ItemText, builds_on
from exams.domain.exam_request import ExamOrder
from exams.domain.grading import Outcome
from exams.domain.planner import EventName, advance_oral, start_oral
from exams.domain.sampling import ElementFact
from exams.domain.scope import scope_for
from tests.doubles.bank import bank_items
from tests.doubles.orals import gold_facts

ORALS = 200
KNOWN, KNOWN_WITH_PROBE = 0.6, 0.8
"""Chances that the simulated student knows an answer at once, and after the follow-up."""


def facts(about: Sequence[ItemText]) -> tuple[ElementFact, ...]:
    """The FAA's private pilot elements as the bank supports them when all of its points are approved."""

    def supported(fact: ElementFact) -> ElementFact:
        own = [item for item in about if fact.code in item.elements]
        requires = (one for item in own for one in builds_on(fact.code, item.elements, item.requires))
        leads_to = (code for item in own for code in item.leads_to)
        return replace(
            fact,
            askable=bool(own),
            requires=tuple(dict.fromkeys(requires)),
            leads_to=tuple(dict.fromkeys(leads_to)),
        )

    return tuple(map(supported, gold_facts()))


def mock_oral(standard: tuple[ElementFact, ...], seed: int) -> tuple[Outcome, ...]:
    chance = Random(seed)
    step = advance_oral(start_oral(scope_for(standard, ExamOrder(mode="mock"), seed=str(seed))), "begin")
    while step.action.kind != "finish":
        known = KNOWN if step.state.form == "opening" else KNOWN_WITH_PROBE
        missed: list[EventName] = ["partial", "unsatisfactory"]
        step = advance_oral(step.state, "satisfactory" if chance.random() < known else chance.choice(missed))
    return step.state.outcomes


@pytest.mark.parametrize("way", ["requires", "leads_to"])
def test_every_element_that_is_named_has_an_item(way: str) -> None:
    about = {code for item in bank_items() for code in item.elements}
    assert {
        item.id: set(getattr(item, way)) - about for item in bank_items() if set(getattr(item, way)) - about
    } == {}


def test_the_talk_goes_back_in_some_orals_and_on_in_all() -> None:
    standard = facts(bank_items())
    orals = [{outcome.because for outcome in mock_oral(standard, seed)} for seed in range(ORALS)]
    assert sum("drill_down" in why for why in orals) >= ORALS / 10
    assert all("bridging" in why for why in orals)
