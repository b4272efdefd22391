"""A slug written one way and read another switched the graph off: node identity is built in one function."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.graph.identity import node_key

KNOWLEDGE = Path(__file__).parents[2]
CATEGORIES = "acs_element topic regulatory_claim definition procedure artifact misconception"


@pytest.mark.parametrize("written", ["PA.I.E.K1", "pa.i.e.k1", "  PA.I.E.K1 ", "PA.I.E.K1."])
def test_spellings_of_a_code_give_one_key(written: str) -> None:
    assert node_key("acs_element", written) == "acs_element:pa.i.e.k1"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("visibility ≥ 3 SM", "visibility < 3 SM"),
        ("1.5 SM", "15 SM"),
        ("1.5 SM", "1 5 SM"),
        ("a, b c", "a b, c"),
        ("x" * 500 + " day", "x" * 500 + " night"),
    ],
)
def test_different_statements_have_different_keys(one: str, other: str) -> None:
    assert node_key("regulatory_claim", one) != node_key("regulatory_claim", other)


@given(st.text(min_size=1, max_size=400).filter(lambda text: text.strip(" .\n\t")))
def test_key_fits_its_column_and_is_stable(text: str) -> None:
    try:
        key = node_key("regulatory_claim", text)
    except ValueError:
        return
    assert len(key) <= 200
    assert key == node_key("regulatory_claim", f"  {text.strip()} ")


@pytest.mark.parametrize("nothing", ["", "  ", " . "])
def test_empty_statement_has_no_key(nothing: str) -> None:
    with pytest.raises(ValueError, match="without an identity"):
        node_key("topic", nothing)


def test_only_node_identity_builds_keys() -> None:
    """A key starts with its category and a colon: no other module writes that down."""
    built = re.compile(rf"f?[\"']({'|'.join(CATEGORIES.split())}):")
    layers = ("knowledge", "curation", "exams", "desk", "rules", "heydpe")
    sources = (path for layer in layers for path in (KNOWLEDGE / layer).rglob("*.py"))
    offenders = [str(path) for path in sources if built.search(path.read_text())]
    assert offenders == []
