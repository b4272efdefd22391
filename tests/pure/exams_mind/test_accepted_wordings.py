"""A wording that was accepted with a claim carries it; one that is contradicted does not."""

import pytest

from desk.demo.content import demo_claims
from exams.offline.vectors import KeptVectors
from exams.values import Expectation
from tests.doubles.judged import points_of

CLAIM = next(claim for claim in demo_claims() if claim.key == "fuel_night")
QUESTION = "You will fly VFR at night. How much fuel do you need at the start?"


def _met(answer: str, also: tuple[str, ...], vectors: KeptVectors) -> str:
    expected = Expectation(key=CLAIM.key, text=CLAIM.statement, importance="must", kind="rule", also=also)
    return points_of(QUESTION, answer, [expected], vectors)[0].met


def test_every_demo_claim_has_wordings() -> None:
    assert [claim.key for claim in demo_claims() if len(claim.key_facts.get("also", ())) < 6] == []


def test_an_accepted_wording_is_an_answer(vectors: KeptVectors) -> None:
    wordings = tuple(CLAIM.key_facts["also"])
    assert {_met(wording, wordings, vectors) for wording in wordings} == {"met"}


@pytest.mark.parametrize(
    "answer", ["to the first landing point and 30 minutes more", "no reserve is needed at night"]
)
def test_wordings_excuse_nothing_wrong(answer: str, vectors: KeptVectors) -> None:
    assert _met(answer, tuple(CLAIM.key_facts["also"]), vectors) != "met"
