"""What a person types as a number is one, or none; it is never an error."""

import pytest

from knowledge.ingestion.formats.html_tables import table_rows
from knowledge.whole_numbers import whole_number


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("999999999", 999999999)])
def test_numbers(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " ", "-1", "+1", "1.5", "1e3", "²", "٣", "x", "1\x00", "9" * 10, "9" * 5000]
)
def test_what_is_none(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize("span", ["²", "9" * 5000, "-3", "x", ""])
def test_a_table_with_a_span_that_is_no_number_is_read(span: str) -> None:
    assert table_rows(f'<table><tr><td rowspan="{span}">Class G</td><td>1 mile</td></tr></table>')
