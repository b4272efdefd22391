"""Fifty questions in a row, made without a model, keep the manners of an oral."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest

from exams.offline.asking import OpeningMaterial
from exams.offline.questions import question_for
from tests.doubles.demo_material import materials

CLOSED = re.compile(
    r"(?:is|are|was|do|does|did|can|could|may|might|will|would|should|shall|must|has|have)\b", re.I
)
PRAISE = re.compile(r"\b(?:good job|well done|great|excellent|perfect|correct|nice)\b", re.IGNORECASE)


def asked(seed: str, count: int = 50) -> list[tuple[OpeningMaterial, str]]:
    found: list[tuple[OpeningMaterial, str]] = []
    pool = sorted(materials(seed), key=lambda one: hash_of(seed + one.claims[0].key))
    for material in pool[:count]:
        history = tuple(text for _, text in found)
        found.append((material, question_for(replace(material, history=history)).text))
    return found


def hash_of(text: str) -> int:
    return sum((place + 7) * ord(letter) ** 3 for place, letter in enumerate(text)) % 100_003


def words_of(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+(?:[.,'-][a-z0-9]+)*", text.lower())


@pytest.fixture(scope="module", params=["one", "two", "three"])
def fifty(request: pytest.FixtureRequest) -> list[tuple[OpeningMaterial, str]]:
    return asked(request.param)


def test_fifty_there_are_and_none_twice(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    assert len({text for _, text in fifty}) == 50


def test_no_opener_twice_running(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    openers = [words_of(text)[:2] for _, text in fifty]
    assert [one for one, other in pairwise(openers) if one == other] == []


def test_none_can_be_answered_by_yes_or_no(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    last = [re.split(r"(?<=[.!?”])\s+", text)[-1] for _, text in fifty]
    assert [sentence for sentence in last if CLOSED.match(sentence)] == []


def test_none_points_to_a_text_or_praises(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    assert [text for _, text in fifty if "according to" in text.lower() or PRAISE.search(text)] == []


def test_none_is_the_element_with_a_question_mark(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    assert [text for one, text in fifty if words_of(text) == words_of(one.element_text)] == []


def test_none_shares_five_words_in_a_row_with_its_answer(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    shared = [text for one, text in fifty for answer in one.statements if _runs(text) & _runs(answer)]
    assert shared == []


def test_none_is_longer_than_sixty_words_or_asks_twice(fifty: list[tuple[OpeningMaterial, str]]) -> None:
    assert [text for _, text in fifty if len(text.split()) > 60 or text.count("?") > 1] == []


def _runs(text: str) -> set[tuple[str, ...]]:
    words = words_of(text)
    return {tuple(words[at : at + 5]) for at in range(len(words) - 4)}
