"""Which term a definition defines, and which terms a text uses."""

import pytest

from knowledge.graph.sources.terms import TermIndex, term_in

NIGHT = (None, "definition:night")


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("CEILING: The height above the surface of the lowest layer of clouds.", "ceiling"),
        (
            "COMMON TRAFFIC ADVISORY FREQUENCY (CTAF): A frequency for advisories.",
            "common traffic advisory frequency",
        ),
        ("Night means the time between the end of evening civil twilight and its beginning.", "night"),
        ("The term “complex airplane” means an airplane with retractable gear.", "complex airplane"),
        ("For the purposes of § 91.147, operator means any person conducting flights.", None),
        ("The following means may be used in place of the outer marker.", None),
        ("A pilot must land.", None),
    ],
)
def test_term_of_definition(statement: str, words: str | None) -> None:
    term = term_in(statement, NIGHT)
    assert (term.words if term else None) == words


def index() -> TermIndex:
    statements = (
        "ALTITUDE: The height of a level.",
        "DENSITY ALTITUDE: Pressure altitude corrected for temperature.",
        "TRAFFIC PATTERN: The flow of aircraft at an airport.",
        "Night means the dark hours.",
    )
    terms = [term_in(one, (None, f"definition:{n}")) for n, one in enumerate(statements)]
    return TermIndex(term for term in terms if term)


def used(text: str) -> list[str]:
    return [term.words for term in index().terms_in(text, None)]


def test_longest_term_counts_and_plain_words_of_a_glossary_do_not() -> None:
    assert used("At a high density altitude, an altitude is reached late.") == ["density altitude"]


def test_plural_is_the_same_term() -> None:
    assert used("Traffic patterns are flown by day and night.") == ["traffic pattern", "night"]


def test_school_reads_its_own_terms_and_shared_ones_only() -> None:
    own = term_in("Solo means alone in the airplane.", (7, "definition:solo"))
    assert own
    found = TermIndex([own])
    assert found.terms_in("A solo flight.", 7) == [own]
    assert found.terms_in("A solo flight.", None) == []
