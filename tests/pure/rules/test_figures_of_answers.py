"""Figures of answers: amounts with units, codes, modes, times, and what is no amount at all."""

import pytest

from rules.statements.figures import CODE, figures_in

Amount = tuple[float, float | None, str]


def amounts(text: str) -> list[Amount]:
    return [(one.value, one.high, one.unit) for one in figures_in(text).amounts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10NM/5 minutes out", [(10, None, "nm"), (5, None, "min")]),
        ("5 to 10 NM or 5 min", [(5, 10, "nm"), (5, None, "min")]),
        ("with 1h notice", [(1, None, "hour")]),
        ("24 hours before", [(24, None, "hour")]),
        ("1000’ AGL", [(1000, None, "ft")]),
        ("2.500 ft and a sharp lookout", [(2500, None, "ft")]),
        ("Squawk 2000", [(2000, None, CODE)]),
        ("7000", [(7000, None, CODE)]),
        ("First TMA 7020, second TMA 7010", [(7020, None, CODE), (7010, None, CODE)]),
        ("5101: listening on 126,90", [(5101, None, CODE), (126.9, None, "MHz")]),
        ("Max 3 aircraft in the circuit", [(3, None, "")]),
    ],
)
def test_amounts(text: str, expected: list[Amount]) -> None:
    assert amounts(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "call +32 2 206.25.40",
        "phone on 0800 437 837",
        "https://example.org/2024/12/rules?page=7000",
        "AIP ENR 1.4 and SERA.5005",
        "staffed 24/7",
        "since 17th August 2017",
        "the area LHP1",
        "1. Night flights\n2. Gliders",
        "QNH 1013",
    ],
)
def test_no_amounts(text: str) -> None:
    assert amounts(text) == []


def test_modes_and_times_are_labels() -> None:
    keys = {label.key for label in figures_in("Mode A+C, banned 23:00LT-06:00LT").labels}
    assert keys == {("mode", "A"), ("mode", "C"), ("time", "23:00"), ("time", "06:00")}


def test_spans_are_places_in_the_text_as_given() -> None:
    text = "See https://example.org/55 ft: within 30 minutes, mode S"
    found = figures_in(text)
    assert [text[slice(*one.span)].strip() for one in found.amounts] == ["within 30 minutes"]
    assert [text[slice(*one.span)] for one in found.labels] == ["mode S"]
