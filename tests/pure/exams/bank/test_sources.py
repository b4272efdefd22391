"""A source names a document and a place in it, and nothing else passes for one."""

import pytest

from exams.bank.anchoring import missing_document_of
from exams.bank.sources import SourceError, parse_source

GOOD = {
    "14 CFR 61.57(a)(1)(ii)": ("14 CFR", "61.57", "(a)(1)(ii)", ""),
    "14 CFR part 43": ("14 CFR", "part 43", "", ""),
    "AIM 4-3-3: Traffic Patterns": ("AIM", "4-3-3", "", "Traffic Patterns"),
    "PHAK ch. 12: Thunderstorms": ("PHAK", "12", "", "Thunderstorms"),
    "AC 90-66C 9.5": ("AC 90-66C", "9.5", "", ""),
    "P/CG: WILCO": ("P/CG", "", "", "WILCO"),
    "POH/AFM": ("POH/AFM", "", "", ""),
    "table logbook-short": ("table", "logbook-short", "", ""),
}


@pytest.mark.parametrize("text", GOOD)
def test_source_is_read_and_written_the_same(text: str) -> None:
    found = parse_source(text)
    assert (found.document, found.place, found.paragraph, found.heading) == GOOD[text]
    assert str(found) == text


@pytest.mark.parametrize(
    ("text", "heading", "words"),
    [
        ("14 CFR 91.125 “Steady green”", "", "Steady green"),
        (
            "PHAK ch. 7: Mixture Control “a richer mixture … power”",
            "Mixture Control",
            "a richer mixture … power",
        ),
        ("PHAK ch. 14: Instructions—“Hold Short”", "Instructions—“Hold Short”", ""),
    ],
)
def test_words_of_the_quote_stand_in_quotation_marks_behind_the_place(
    text: str, heading: str, words: str
) -> None:
    found = parse_source(text)
    assert (found.heading, found.words) == (heading, words)
    assert str(found) == text


def test_words_in_straight_quotation_marks_are_the_same() -> None:
    assert parse_source('AIM 5-6-15 "Follow me: now"') == parse_source("AIM 5-6-15 “Follow me: now”")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the regulations",
        "61.57",
        "PHAK chapter twelve",
        "AIM chapter 4",
        "14 CFR",
        "14 CFR “must”",
        "AIM 4-3-3 “…”",
    ],
)
def test_what_names_no_place_is_refused_with_the_forms_there_are(text: str) -> None:
    with pytest.raises(SourceError, match="Write one of"):
        parse_source(text)


@pytest.mark.parametrize(
    ("text", "document"),
    [
        ("14 CFR 39.3", "14 CFR part 39"),
        ("AIM 7-1-2", "AIM chapter 7"),
        ("PHAK ch. 13: METAR", "PHAK ch. 13"),
        ("AC 91-92", "AC 91-92"),
    ],
)
def test_missing_source_is_named_as_a_reader_would_look_for_it(text: str, document: str) -> None:
    assert missing_document_of(parse_source(text)) == document
