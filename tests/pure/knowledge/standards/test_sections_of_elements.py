"""Sections that a person has read for their elements."""

from knowledge.standards.certificate_data import elements_of_section


def test_weather_minimums_belong_to_airspace() -> None:
    assert elements_of_section("91.155")[0] == "PA.I.E.K1"


def test_a_section_that_nobody_has_read_says_nothing() -> None:
    assert elements_of_section("91.999") == ()
    assert elements_of_section("") == ()


def test_private_elements_come_before_commercial_ones() -> None:
    assert elements_of_section("91.155") == ("PA.I.E.K1", "PA.I.E.S1", "CA.I.E.K1", "CA.I.E.S1")
    assert elements_of_section("61.133") == ("CA.I.A.K2",)
