"""A hint says where to look and what kind of thing is missing, never the fact."""

from __future__ import annotations

import pytest

from exams.offline.asking import HintMaterial, PointMaterial
from exams.offline.questions import question_for
from exams.question_rules import faults_of

FUEL = "At night you may not begin a flight without fuel for at least 45 minutes after the first landing."


def hint(
    seed: str = "s",
    heading: str = "Fuel requirements for flight in VFR conditions",
    label: str = "14 CFR 91.151",
) -> str:
    material = HintMaterial(
        question="How much fuel do you need tonight?",
        missing=PointMaterial(key="k", statement=FUEL),
        statements=(FUEL,),
        heading=heading,
        label=label,
        document="14 CFR Part 91",
        seed=seed,
    )
    return question_for(material).text


@pytest.mark.parametrize("seed", ["a", "b", "c", "d", "e"])
def test_it_names_the_place_and_the_kind_of_thing(seed: str) -> None:
    text = hint(seed)
    assert "Fuel requirements" in text
    assert "figure" in text
    assert faults_of(text, expectations=(FUEL,)) == ()


def test_a_heading_that_holds_the_answer_is_left_out() -> None:
    text = hint(heading="Night: 45 minutes of fuel", label="")
    assert "45" not in text


def test_without_a_place_it_still_helps() -> None:
    assert "figure" in hint(heading="", label="")
