"""Statements made for the entailment model keep their source's meaning, or lose it in the way their class says."""

from random import Random

import pytest

from knowledge.grounding.fact_check import compare_facts
from tools.training.altered_statements import altered_statements, reworded, true_statements, with_section

FUEL = (
    "Pilots must carry fuel for at least 30 minutes by day and 45 minutes at night, "
    "except as provided in § 91.151."
)
UNLESS = "No person may operate the aircraft unless it is equipped with a transponder."


def altered(text: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for seed in range(40):
        for kind, said in altered_statements(text, Random(seed)):
            found.setdefault(kind, set()).add(said)
    return found


def test_each_class_alters_its_own_words() -> None:
    found = altered(FUEL)
    assert any("at most 30 minutes" in one for one in found["comparator"])
    assert any("may carry" in one for one in found["modality"])
    assert any("by night" in one or "night and" in one for one in found["day or night"])
    assert any("§" in one and "91.151" not in one for one in found["section"])
    assert any("45 minutes by day" in one for one in found["swapped pair"])
    assert all("except" not in one for one in found["exception left out"])
    assert all(one != FUEL for some in found.values() for one in some)


def test_altered_number_disagrees_with_its_source() -> None:
    for said in altered(FUEL)["number"]:
        facts = compare_facts(said, FUEL)
        assert facts.contradictions or facts.extra, said


def test_unless_becomes_only_if_when_true_and_even_if_when_altered() -> None:
    true = {
        said for seed in range(30) for kind, said in true_statements(UNLESS, Random(seed)) if kind == "unless"
    }
    assert "You may operate the aircraft only if it is equipped with a transponder." in true
    false = altered(UNLESS)["unless turned"]
    assert "No person may operate the aircraft if it is equipped with a transponder." in false
    assert not true & false


def test_converted_amounts_agree_with_their_source() -> None:
    text = "The runway must be at least 3,000 feet long, and the flight takes 2 hours."
    made = {
        said
        for seed in range(20)
        for kind, said in true_statements(text, Random(seed))
        if kind == "unit conversion"
    }
    assert made
    for said in made:
        assert compare_facts(said, text).agree, said


@pytest.mark.parametrize("seed", range(5))
def test_same_generator_gives_same_statements(seed: int) -> None:
    assert altered_statements(FUEL, Random(seed)) == altered_statements(FUEL, Random(seed))
    assert reworded(FUEL, Random(seed)) == reworded(FUEL, Random(seed))


def test_section_is_named_before_the_statement() -> None:
    assert "91.151" in with_section("Pilots must carry fuel.", "91.151", Random(1))
    assert with_section("Pilots must carry fuel.", "91.151", Random(1)).endswith("pilots must carry fuel.")
