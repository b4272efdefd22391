"""What holds for every quantity: it is read back as it was written, and order does not matter."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from knowledge.grounding.fact_check import compare_facts
from knowledge.text.numbers import number_from
from knowledge.text.quantities import Comparator, Quantity, format_quantity, quantities_in
from knowledge.text.units import UNITS, are_convertible, convert_amount

LENGTHS = ("ft", "sm", "nm", "mile")
READABLE = [*sorted(UNITS), "takeoff", "landing", "passenger"]
COMPARATORS: tuple[Comparator, ...] = ("=", ">=", "<=", ">", "<")

numbers = st.one_of(st.integers(1, 99_999).map(float), st.decimals("0.1", "999", places=2).map(float)).filter(
    bool
)
quantities = st.builds(
    Quantity, value=numbers, unit=st.sampled_from(READABLE), comparator=st.sampled_from(COMPARATORS)
)
heights = st.builds(
    Quantity,
    value=st.integers(1, 60_000).map(float),
    unit=st.just("ft"),
    comparator=st.sampled_from(COMPARATORS),
    datum=st.sampled_from(["msl", "agl", "airport", "obstacle"]),
)


SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
)
TENS = "twenty thirty forty fifty sixty seventy eighty ninety"


def in_words(value: int) -> str:
    """A whole number below a million, as it is written out."""
    if value < 20:
        return SMALL.split()[value]
    if value < 100:
        tens = TENS.split()[value // 10 - 2]
        return f"{tens}-{in_words(value % 10)}" if value % 10 else tens
    scale, word = (1000, "thousand") if value >= 1000 else (100, "hundred")
    rest = f" {in_words(value % scale)}" if value % scale else ""
    return f"{in_words(value // scale)} {word}{rest}"


def bare(quantity: Quantity) -> Quantity:
    return replace(quantity, span=(0, 0), text="")


@settings(max_examples=200)
@given(st.one_of(quantities, heights))
def test_a_quantity_is_read_back_as_written(quantity: Quantity) -> None:
    (found,) = quantities_in(format_quantity(quantity))
    assert bare(found) == quantity


@settings(max_examples=100)
@given(st.integers(13, 999_999))
def test_a_number_in_words_is_the_number(value: int) -> None:
    assert number_from(in_words(value)) == value
    assert quantities_in(f"{in_words(value)} feet")[0].value == value


@settings(max_examples=100)
@given(numbers, st.sampled_from(sorted(UNITS)), st.sampled_from(sorted(UNITS)))
def test_converting_there_and_back_changes_nothing(value: float, unit: str, other: str) -> None:
    if are_convertible(unit, other):
        assert convert_amount(convert_amount(value, unit, other), other, unit) == pytest.approx(value)


@settings(max_examples=100)
@given(st.lists(heights, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_the_order_of_facts_does_not_matter(facts: list[Quantity], random) -> None:  # type: ignore[no-untyped-def]
    shuffled = random.sample(facts, len(facts))
    text, other = ("; ".join(map(format_quantity, some)) for some in (facts, shuffled))
    assert compare_facts(text, other).agree
    assert compare_facts(text, other).missing == compare_facts(text, other).extra == ()


@settings(max_examples=100)
@given(st.text(max_size=300))
def test_any_text_can_be_read(text: str) -> None:
    for quantity in quantities_in(text):
        assert text[slice(*quantity.span)] == quantity.text
    compare_facts(text, text)
