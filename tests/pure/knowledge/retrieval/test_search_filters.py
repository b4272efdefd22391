"""Which document and which section a question names; and which numbers name nothing."""

import pytest

from knowledge.retrieval.query.builder import filters_from, mentions_in


@pytest.mark.parametrize(
    ("text", "doc_types", "sections"),
    [
        ("14 CFR 91.205", ("cfr",), ("91.205",)),
        ("14 CFR § 91.155(a)", ("cfr",), ("91.155",)),
        ("§ 91.155", ("cfr",), ("91.155",)),
        ("§§61.56 and 61.57", ("cfr",), ("61.56", "61.57")),
        ("What does 91.113 say?", ("cfr",), ("91.113",)),
        ("FAR 61.57", ("cfr",), ("61.57",)),
        ("14 CFR part 68", ("cfr",), ("68.*",)),
        ("§ 121.5", ("cfr",), ("121.5",)),
        ("AIM 3-2-6", ("aim",), ("3-2-6",)),
        ("paragraph 4-3-13 on light signals", ("aim",), ("4-3-13",)),
        ("the AIM on wake turbulence", ("aim",), ()),
        ("AIM chapter 4-3-2", ("aim",), ("4-3-2",)),
    ],
)
def test_sections_that_are_named(text: str, doc_types: tuple[str, ...], sections: tuple[str, ...]) -> None:
    found = filters_from(text)
    assert (found.doc_types, found.sections) == (doc_types, sections)


@pytest.mark.parametrize(
    "text",
    [
        "Who listens on 121.5?",
        "The altimeter says 29.92",
        "1.5 SM of visibility",
        "61.5 knots",
        "91.5 gallons",
        "tune 118.300",
        "version 1.91.155.2",
        "runway 18-36",
        "light signals",
        "aim for the numbers",
        "",
    ],
)
def test_numbers_and_words_that_name_nothing(text: str) -> None:
    assert not filters_from(text)


def test_a_chapter_of_a_handbook() -> None:
    found = filters_from("PHAK chapter 15")
    assert (found.doc_types, found.abbreviation, found.chapter) == (("handbook",), "PHAK", "15")


def test_a_handbook_by_its_number() -> None:
    assert filters_from("FAA-H-8083-25C, weather").abbreviation == "PHAK"
    assert mentions_in("FAA-H-8083-23-1").handbooks == ("SEAPLANE",)


def test_a_circular_of_any_edition() -> None:
    assert filters_from("AC 90-66B").abbreviation == "AC 90-66"


def test_two_kinds_of_documents_filter_nothing_but_their_numbers_stand() -> None:
    text = "§ 91.155 and AIM 3-2-6"
    assert not filters_from(text)
    assert mentions_in(text).numbers == ("91.155", "3-2-6")
