"""A section, a frequency or a figure that is named finds what bears that name, not what looks like it."""

import pytest

from knowledge.retrieval.search import search
from knowledge.retrieval.values import Arm, SearchRequest
from tests.doubles.library import MODEL, make_chunk, make_document

pytestmark = pytest.mark.django_db

ARMS: tuple[Arm, ...] = ("lexical", "hybrid")


def first(query: str, arm: Arm) -> str:
    return search(SearchRequest(query=query, threshold=0.0, arm=arm), MODEL).results[0].text


FIGURES = [
    f"Figure {label} shows an airspace of its class, as charts have it."
    for label in ("15-3", "15-4", "3-15", "15-13")
]
FREQUENCIES = [
    f"The frequency {told} MHz is used by stations for this."
    for told in ("121.5", "121.9", "12.15", "122.5", "121")
]
SECTIONS = ["91.155", "91.15", "91.115", "61.155"]


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("label", ["15-3", "15-4", "3-15", "15-13"])
def test_a_figure_by_its_label(arm: Arm, label: str) -> None:
    manual = make_document("Handbook", doc_type="handbook", abbreviation="PHAK")
    for text in FIGURES:
        make_chunk(text, manual)
    assert first(f"Figure {label}", arm).startswith(f"Figure {label} ")
    assert first(f"What does fig. {label} show of an airspace?", arm).startswith(f"Figure {label} ")


@pytest.mark.parametrize("arm", ARMS)
@pytest.mark.parametrize("told", ["121.5", "121.9", "122.5"])
def test_a_frequency_by_its_number(arm: Arm, told: str) -> None:
    for text in FREQUENCIES:
        make_chunk(text)
    assert f" {told} " in first(f"{told}", arm)
    assert f" {told} " in first(f"Who listens on {told} MHz?", arm)


@pytest.mark.parametrize("arm", ["lexical", "vector", "hybrid", "hybrid+rerank"])
@pytest.mark.parametrize("section", SECTIONS)
def test_a_section_by_its_number(arm: Arm, section: str) -> None:
    for number in SECTIONS:
        make_chunk(f"A rule of the part, said in the words of rule {number}.", section=number)
    assert first(f"§ {section}", arm).endswith(f" {section}.")
    assert first(f"what does {section} say", arm).endswith(f" {section}.")
