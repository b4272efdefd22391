"""The handbook's figures are true: each stands in the section of the FAA's text that it names."""

import json
import re
from typing import Any

import pytest

from desk.demo.content import CLAIMS_FILE, FACTS_FILE

from .faa_text import section_text

FACTS: list[dict[str, Any]] = json.loads(FACTS_FILE.read_text(encoding="utf-8"))
QUOTES = {row["key"]: row["quote"] for row in json.loads(CLAIMS_FILE.read_text(encoding="utf-8"))}
WINDOW = 900  # characters around a number in which its conditions must stand: a long paragraph


@pytest.mark.shared
@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact['claim']}-{fact['number']}")
def test_a_figure_stands_in_the_section_it_names(fact: dict[str, Any]) -> None:
    text = section_text(fact["source"])

    windows = [
        text[max(0, at.start() - WINDOW) : at.end() + WINDOW].casefold()
        for at in re.finditer(re.escape(fact["number"]), text, re.I)
    ]

    assert windows, f"{fact['source']} does not say {fact['number']!r}"
    assert any(all(word.casefold() in window for word in fact["near"]) for window in windows)


@pytest.mark.parametrize("fact", FACTS, ids=lambda fact: f"{fact['claim']}-{fact['number']}")
def test_the_handbook_says_what_the_fact_says(fact: dict[str, Any]) -> None:
    assert fact.get("ours", fact["number"]).casefold() in QUOTES[fact["claim"]].casefold()


def test_every_rule_with_a_section_that_can_be_read_has_a_fact() -> None:
    readable = re.compile(r"\(14 CFR (?:61|91)\.")
    ruled = {key for key, quote in QUOTES.items() if readable.search(quote)}

    assert ruled - {fact["claim"] for fact in FACTS} == set()
