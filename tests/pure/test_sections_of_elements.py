"""Sections that a person has read for their elements: codes that exist, sections that are written as the index is."""

import json
import re
from pathlib import Path

import pytest

from knowledge.standards.sections import READ_BY_HAND, elements_of_section

GOLD = Path(__file__).parents[2].parent / "shared" / "data" / "acs" / "gold_private_6C_from_pdf.json"


def test_weather_minimums_belong_to_airspace() -> None:
    assert elements_of_section("91.155")[0] == "PA.I.E.K1"


def test_a_section_that_nobody_has_read_says_nothing() -> None:
    assert elements_of_section("91.999") == ()
    assert elements_of_section("") == ()


def test_sections_are_written_as_passages_name_them() -> None:
    assert all(re.fullmatch(r"\d+\.\d+|\d+-\d+-\d+", section) for section in READ_BY_HAND)


@pytest.mark.shared
@pytest.mark.skipif(not GOLD.exists(), reason="../shared/data is not there")
def test_every_element_named_exists_and_is_not_archived() -> None:
    known = {one["code"] for one in json.loads(GOLD.read_text())["elements"] if not one["archived"]}
    named = {code for section in READ_BY_HAND for code in elements_of_section(section)}
    assert named <= known
