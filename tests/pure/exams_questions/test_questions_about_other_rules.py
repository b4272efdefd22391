"""A rule that no topic knows is asked about by its own parts, or by its heading; never broken, never given away."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.offline.asking import ClaimMaterial, OpeningMaterial
from exams.offline.questions import question_for
from exams.question_rules import faults_of


def ask(statement: str, heading: str = "", topic: str = "") -> str:
    claim = ClaimMaterial(key="k", statement=statement, heading=heading)
    return question_for(
        OpeningMaterial(claims=(claim,), element_kind="knowledge", topic=topic, seed="s")
    ).text


@pytest.mark.parametrize(
    ("statement", "wanted"),
    [
        ("No person may tow a banner behind an airplane unless a waiver has been issued.", "tow a banner"),
        ("Under a full moon every skydiver must wear a lamp that can be seen for 3 miles.", "skydiver"),
        (
            "When towing gliders the pilot must brief the crew on signals and release speeds.",
            "towing gliders",
        ),
    ],
)
def test_the_question_names_what_the_rule_is_about(statement: str, wanted: str) -> None:
    assert wanted in ask(statement)


def test_the_heading_does_where_the_sentence_cannot_be_taken_apart() -> None:
    text = ask("Except where otherwise, § 91.999(a)(1) applies: *General.*.", heading="Towing; gliders")
    assert "towing" in text


@pytest.mark.parametrize(
    "statement",
    [
        "No pilot may use the winch for more than 20 minutes within 3 hours after rain.",
        "The spar cap needs an inspection every 50 hours, and a new bolt after 300 landings.",
        "If the tow rope breaks below 200 feet, land straight ahead.",
    ],
)
def test_nothing_of_the_answer_shows(statement: str) -> None:
    assert faults_of(ask(statement, heading="Winch launches"), expectations=(statement,)) == ()


@given(st.text(min_size=1, max_size=300))
def test_any_text_at_all_gives_a_question(statement: str) -> None:
    text = ask(statement, heading="Winch launches")
    assert text.endswith(("?", "."))
    assert len(text.split()) <= 60
