"""A Task's references line becomes references, and a reference finds its document."""

import pytest

from knowledge.standards.references import Cited, Reference, names_document, parse_references


def test_parts_of_a_regulation_are_references_of_their_own() -> None:
    found = parse_references("14 CFR parts 61, 68, 91; AC 68-1; FAA-H-8083-2,  FAA-H-8083-3; POH/AFM")
    assert found == (
        Reference("14 CFR", "part 61"),
        Reference("14 CFR", "part 68"),
        Reference("14 CFR", "part 91"),
        Reference("AC 68-1"),
        Reference("FAA-H-8083-2"),
        Reference("FAA-H-8083-3"),
        Reference("POH/AFM"),
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("", ()),
        (" ; ,; ", ()),
        ("AIM; AIM", (Reference("AIM"),)),
        ("14 CFR part 91", (Reference("14 CFR", "part 91"),)),
        ("14 CFR 91.155", (Reference("14 CFR", "§ 91.155"),)),
        ("14 CFR parts 91 and 93", (Reference("14 CFR", "part 91"), Reference("14 CFR", "part 93"))),
        ("VFR Navigation Charts", (Reference("VFR Navigation Charts"),)),
    ],
)
def test_lines_that_are_odd(line: str, expected: tuple[Reference, ...]) -> None:
    assert parse_references(line) == expected


PHAK = Cited(doc_type="handbook", abbreviation="PHAK ch. 15", title="Airspace")
PART_91 = Cited(doc_type="cfr", abbreviation="14 CFR Part 91")


@pytest.mark.parametrize(
    ("reference", "cited", "section", "named"),
    [
        (Reference("FAA-H-8083-25"), PHAK, "", True),
        (Reference("FAA-H-8083-25"), Cited(doc_type="handbook", abbreviation="FAA-H-8083-25C"), "", True),
        (Reference("FAA-H-8083-2"), PHAK, "", False),
        (Reference("FAA-H-8083-2"), Cited(doc_type="handbook", title="FAA-H-8083-25C"), "", False),
        (Reference("14 CFR", "part 91"), PART_91, "91.155", True),
        (Reference("14 CFR", "part 91"), PART_91, "", True),
        (Reference("14 CFR", "part 61"), PART_91, "91.155", False),
        (Reference("14 CFR"), PART_91, "", True),
        (Reference("14 CFR", "§ 91.155"), PART_91, "91.155", True),
        (Reference("14 CFR", "§ 91.155"), PART_91, "91.157", False),
        (Reference("14 CFR", "part 91"), PART_91, "SFAR 50-2", True),
        (Reference("14 CFR", "part 91"), PART_91, "Appendix D, section 1", True),
        (Reference("14 CFR", "part 49"), Cited(doc_type="cfr", abbreviation="49 CFR 830"), "830.5", False),
        (Reference("14 CFR"), Cited(doc_type="cfr", abbreviation="49 CFR 830"), "", False),
        (Reference("49 CFR", "part 830"), Cited(doc_type="cfr", abbreviation="49 CFR 830"), "830.5", True),
        (Reference("14 CFR", "part 61"), Cited(doc_type="cfr", abbreviation="14 CFR"), "61.3", True),
        (Reference("14 CFR", "part 61"), Cited(doc_type="cfr", abbreviation="14 CFR"), "91.3", False),
        (Reference("14 CFR", "part 61"), Cited(doc_type="cfr", abbreviation="14 CFR"), "", True),
        (Reference("AC 90-66"), Cited(doc_type="ac", abbreviation="AC 90-66C"), "", True),
        (Reference("AC 90-66"), Cited(doc_type="ac", abbreviation="AC 90-6"), "", False),
        (Reference("AIM"), Cited(doc_type="aim", abbreviation="AIM"), "3-2-6", True),
        (Reference("POH/AFM"), Cited(doc_type="poh", abbreviation="C172S"), "", True),
    ],
)
def test_what_a_reference_speaks_of(reference: Reference, cited: Cited, section: str, named: bool) -> None:
    assert names_document(reference, cited, section) is named


def test_a_reference_to_an_instructors_handbook_names_a_chapter_of_it() -> None:
    chapter = Cited(doc_type="handbook", abbreviation="AIH ch. 3")
    assert names_document(Reference("FAA-H-8083-9"), chapter)
    assert not names_document(Reference("FAA-H-8083-16"), chapter)
