"""Which documents are editions of one work."""

import pytest

from knowledge.ingestion.editions.work_identity import bare_title, name_of_work, work_of


def work(doc_type: str, abbreviation: str, title: str, edition: str = "") -> str:
    return work_of(doc_type, abbreviation=abbreviation, title=title, edition=edition)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ac", "AC 90-66B", "Non-Towered Airports"), ("ac", "AC 90-66C", "Non-Towered Airport Operations")),
        (("ac", "AC 61-98D CHG 1", "Currency"), ("ac", "AC 61-98E", "Currency")),
        (("acs", "FAA-S-ACS-6B", "Private"), ("acs", "FAA-S-ACS-6C", "Private Pilot for Airplane")),
        (("cfr", "14 CFR 91", "14 CFR Part 91. General"), ("cfr", "14 CFR 91", "Part 91, General operating")),
        (("handbook", "PHAK", "Old, chapter 15: Airspace"), ("handbook", "PHAK", "PHAK chapter 15")),
        (("handbook", "FAA-H-8083-23", "Chapter 4"), ("handbook", "SEAPLANE", "Seaplane, chapter 4")),
        (("handbook", "", "Weather_FAA-H-8083-28"), ("handbook", "", "Weather_FAA-H-8083-28A")),
        (("aim", "AIM", "AIM chapter 3, section 2: A"), ("aim", "AIM", "AIM chapter 3, section 2: B")),
        (("sop", "", "Club Rules, 1st edition"), ("sop", "", "Club Rules (2nd edition, May 2026)")),
        (("handbook", "CH", "Club Handbook 2024"), ("handbook", "CH", "Club Handbook, revision 3")),
    ],
)
def test_editions_of_one_work(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert work(*one) == work(*other) != ""


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("ac", "AC 90-66C", ""), ("ac", "AC 90-6", "")),
        (("acs", "FAA-S-ACS-6C CHG 1", "Private"), ("acs", "FAA-S-ACS-6C", "Private")),
        (("cfr", "14 CFR 91", "Part 91"), ("cfr", "14 CFR 61", "Part 61")),
        (("cfr", "14 CFR 91", "Part 91, subpart B"), ("cfr", "14 CFR 91", "Part 91, subpart C")),
        (("handbook", "PHAK", "PHAK chapter 15"), ("handbook", "PHAK", "PHAK chapter 1")),
        (("handbook", "PHAK", "PHAK chapter 4"), ("handbook", "AFH", "AFH chapter 4")),
        (("aim", "AIM", "AIM chapter 3, section 2"), ("aim", "AIM", "AIM chapter 2, section 3")),
        (("sop", "", "Club Rules"), ("other", "", "Club Rules")),
        (("sop", "", "Rules for members"), ("sop", "", "Rules for guests")),
    ],
)
def test_other_works(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert work(*one) != work(*other)


@pytest.mark.parametrize("title", ["", "Untitled", "  ", "2024", "Page not found"])
def test_what_has_no_name_is_no_work(title: str) -> None:
    assert work("other", "", title) == ""


def test_numbers_that_are_no_edition_stay() -> None:
    assert bare_title("Procedures for runway 27") == "procedures for runway 27"


@pytest.mark.parametrize(
    ("name", "work"),
    [
        ("AC 90-66C CHG 1", "AC 90-66"),
        ("Club rules, 2nd edition (2026)", "Club rules"),
        ("Student guide—May 2024", "Student guide"),
        ("14 CFR Part 91", "14 CFR Part 91"),
        ("2024", "2024"),
    ],
)
def test_a_name_for_people_has_no_edition(name: str, work: str) -> None:
    assert name_of_work(name) == work
