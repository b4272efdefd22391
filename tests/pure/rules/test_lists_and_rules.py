"""Airports that are chosen by a rule: a list that this desk cannot make, and the rule, which it has."""

import pytest

from rules.countries import shape_of
from rules.query.intent_patterns import requests_in
from rules.query.question_splitting import rules_half


def wanted(text: str) -> set[str]:
    return {request.wants for request in requests_in(shape_of(text))}


def test_database_knows_how_far_it_is() -> None:
    assert wanted("how far from EGKB is the coast") == {"database"}


@pytest.mark.parametrize(
    "text",
    [
        "list all airports in Germany where PPR is required",
        "which airfields in France need PPR",
        "which airports can I use arriving non-Schengen in the UK",
        "which military airfields in Sweden are open to civilians",
        "show airports in Italy without PPR",
    ],
)
def test_both_are_wanted(text: str) -> None:
    assert wanted(text) == {"rules", "database"}
    assert rules_half(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "weather services in Luxembourg",
        "local weather services Germany",
        "military airfields open to civilians in Sweden",
    ],
)
def test_the_rules_alone_answer(text: str) -> None:
    assert wanted(text) == {"rules"}


@pytest.mark.parametrize(
    "text",
    [
        "Are there airfields in Malta where PPR is not needed?",
        "Which airfields in Germany require PPR as a rule?",
    ],
)
def test_who_asks_for_no_names_wants_no_list_beside_the_rule(text: str) -> None:
    assert len(wanted(text)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "Which airports around Lyon require no landing fee",
        "list airfields in Sweden with avgas",
        "weather at EHLE",
        "which Turkish airports are open at night",
    ],
)
def test_no_rule_answers(text: str) -> None:
    assert wanted(text) == {"database"}


@pytest.mark.parametrize(
    "text",
    [
        "do they still offer oxygen today?",
        "does the airfield on the island have oxygen?",
        "until when is LFMD/EGKB open?",
        "when (roughly) is sunset?",
        "LFMD open only in summer",
        "LFMD opens afternoons",
        "where can we stopover?",
        "midpoints",
    ],
)
def test_database_is_asked_in_small_words_and_endings(text: str) -> None:
    assert wanted(text) == {"database"}


@pytest.mark.parametrize(
    "text", ["can you please just now file my plan", "ok please can you just also tell me why"]
)
def test_any_number_of_polite_words_comes_first(text: str) -> None:
    assert wanted(text) == {"rules"}
