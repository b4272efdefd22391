"""A probe quotes the student and asks at what is missing without naming it; any answer at all can be probed."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exams.offline.asking import PointMaterial, ProbeMaterial
from exams.offline.questions import question_for
from exams.question_rules import faults_of, figures_in

FUEL = (
    "At night under VFR you may not begin a flight unless there is enough fuel to fly to the first point "
    "of intended "
    "landing and after that for at least 45 minutes at normal cruising speed."
)
QUESTION = "It will be dark all the way home. How much fuel do the rules want on board?"
FEAR = "To prevent fuel exhaustion, measure the fuel in the tanks before departure and land for fuel early."


def probe(
    answer: str, *, met: str = "missing", kind: str = "rule", statement: str = FUEL, seed: str = "s"
) -> str:
    weakest = PointMaterial(key="k", statement=statement, kind=kind, met=met)  # type: ignore[arg-type]
    material = ProbeMaterial(
        question=QUESTION, answer=answer, weakest=weakest, statements=(statement,), seed=seed
    )
    return question_for(material).text


@pytest.mark.parametrize("seed", ["a", "b", "c", "d"])
@pytest.mark.parametrize(
    ("answer", "met"),
    [
        ("Enough fuel to get to the destination and some extra", "half"),
        ("Well, I would take fuel for thirty minutes more than I need.", "contradicted"),
        ("You need enough to reach the airport, and then a reserve on top of that.", "missing"),
    ],
)
def test_two_to_eight_of_the_students_words_are_quoted(answer: str, met: str, seed: str) -> None:
    text = probe(answer, met=met, seed=seed)
    quoted = re.search("“([^”]+)”", text)
    assert quoted
    assert quoted[1] in answer
    assert 2 <= len(quoted[1].split()) <= 8
    assert faults_of(text, expectations=(FUEL,), own_words=answer, previous=QUESTION) == ()


def test_a_missing_figure_is_asked_for_and_not_given() -> None:
    text = probe("Enough to get there and a reserve on top")
    assert re.search(r"figure|numbers?|How much", text)
    assert figures_in(text) == ()


@pytest.mark.parametrize(
    ("kind", "wanted"),
    [
        ("hazard", "danger|threat|hurt"),
        ("assess", "likely|serious|weight"),
        ("mitigate", "do|steps|happening"),
    ],
)
def test_a_risk_is_probed_at_the_part_that_is_missing(kind: str, wanted: str) -> None:
    assert re.search(wanted, probe("I would be a bit worried about that", kind=kind, statement=FEAR))


@pytest.mark.parametrize("answer", ["", "   ", "I don't know", "no idea, sorry", "???", "Dunno."])
def test_where_nothing_was_said_the_question_becomes_smaller(answer: str) -> None:
    text = probe(answer)
    assert "“" not in text
    assert text.endswith("?")


def test_an_answer_after_i_do_not_know_is_an_answer() -> None:
    assert "“" in probe("I don't know exactly, maybe thirty minutes")


@pytest.mark.parametrize(
    "answer",
    [
        "The wings are painted white and blue",
        "I had spaghetti with a friend on Sunday, and a glass of wine",
        "Whales can sing songs that are heard across oceans",
        "My instructor always told me to fill the tanks up to the brim before departure",
    ],
)
@pytest.mark.parametrize("seed", ["a", "b", "c"])
def test_an_answer_beside_the_point_is_led_back_to_the_question(answer: str, seed: str) -> None:
    text = probe(answer, seed=seed)
    assert re.search("what I asked|my question", text)
    assert "else" not in text
    assert not re.search("wrong|another matter|aside", text)


@pytest.mark.parametrize(
    "answer",
    [
        "Yes",
        "Forty-five",
        "30",
        "A reserve of fuel",
        "Darkness makes it harder",
        "Landing somewhere first",
        "My instructor always told me to fill the tanks up to the brim with fuel",
    ],
)
def test_an_answer_that_touches_the_question_is_followed(answer: str) -> None:
    assert not re.search("what I asked|my question", probe(answer))


def test_probes_vary() -> None:
    assert len({probe("Enough to get there and a reserve", seed=str(n)) for n in range(20)}) > 5


@given(st.text(max_size=400))
def test_any_answer_can_be_probed(answer: str) -> None:
    text = probe(answer)
    assert faults_of(text, expectations=(FUEL,), own_words=answer, previous=QUESTION) == ()
    assert text.isprintable()


@given(st.text(alphabet="ab “”?<>&\n\t\x00\u202e.,'3", max_size=200))
def test_marks_and_hidden_characters_never_come_back(answer: str) -> None:
    quoted = re.search("“([^”]+)”", probe(answer))
    assert quoted is None or re.fullmatch(r"[\w .,'’$%°/+-]+", quoted[1])
