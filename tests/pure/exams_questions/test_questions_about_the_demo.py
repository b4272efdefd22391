"""Every approved claim of the demo is asked about in a form of its own topic, and with its own conditions."""

from __future__ import annotations

import pytest

from exams.offline.asking import ClaimMaterial, OpeningMaterial
from exams.offline.catalog import KNOWLEDGE, topic_for
from exams.offline.questions import known_forms, question_for
from exams.question_rules import faults_of
from tests.doubles.demo_material import RISK, claims, materials

KNOWLEDGE_CLAIMS = [claim for claim in claims() if claim["role"] not in RISK]


@pytest.mark.parametrize("claim", KNOWLEDGE_CLAIMS, ids=lambda claim: claim["key"])
def test_every_form_of_every_topic_keeps_the_rules(claim: dict[str, object]) -> None:
    statement = str(claim["statement"])
    forms = known_forms(ClaimMaterial(key="k", statement=statement, facts=claim["key_facts"]), 0)  # type: ignore[arg-type]
    assert forms
    assert {form: faults_of(form, expectations=(statement,)) for form in forms} == dict.fromkeys(forms, ())


def test_there_are_sixty_forms_and_more() -> None:
    assert len({form for topic in KNOWLEDGE for form in topic.forms}) >= 60


def test_the_same_material_gives_the_same_question() -> None:
    assert [question_for(one) for one in materials("x")] == [question_for(one) for one in materials("x")]


def test_another_seed_gives_other_forms() -> None:
    one, other = ([question_for(m).text for m in materials(seed)] for seed in ("x", "y"))
    assert sum(a != b for a, b in zip(one, other, strict=True)) > len(one) // 4


def test_a_situation_has_the_claims_conditions_and_not_its_limits() -> None:
    night = next(m for m in materials() if m.claims[0].key == "wx_g_night")
    text = question_for(night).text
    assert "Class G" in text
    assert "at night" in text
    assert "1,200" not in text


def test_a_risk_is_asked_as_a_situation_for_all_three() -> None:
    risky = [question_for(one).text for one in materials() if one.element_kind == "risk"]
    assert len(risky) >= 10
    assert all(len(text.split()) > 20 for text in risky)


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        (
            "No person may act as a crewmember of a civil aircraft within 8 hours after the consumption of "
            "any "
            "alcoholic beverage.",
            "drink|beer",
        ),
        (
            "No person may begin a flight in an airplane under VFR conditions unless there is enough fuel "
            "to fly to "
            "the first point of intended landing and, assuming normal cruising speed, during the day, to "
            "fly after "
            "that for at least 30 minutes.",
            "fuel",
        ),
        (
            "Each person operating an aircraft in Class D airspace must establish two-way radio "
            "communications with "
            "the ATC facility providing air traffic services prior to entering that airspace.",
            "Class D",
        ),
    ],
)
def test_the_same_topics_are_known_in_the_words_of_the_law(statement: str, wanted: str) -> None:
    material = OpeningMaterial(
        claims=(ClaimMaterial(key="k", statement=statement),), element_kind="knowledge"
    )
    assert topic_for(statement) is not None
    assert any(word in question_for(material).text for word in wanted.split("|"))
