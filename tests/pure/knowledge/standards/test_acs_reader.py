"""Rows of an ACS become Areas, Tasks and elements: the traps of its print, on a page made for the purpose."""

from collections.abc import Iterator
from datetime import date

import pytest

from knowledge.standards.acs_cover import certificate_of
from knowledge.standards.acs_reader import (
    AcsStandard,
    NotAnAcs,
    read_acs,
    split_classes,
)
from knowledge.standards.acs_rows import Piece


def piece(page: int, x0: float, y0: float, text: str, *, width: float = 200) -> Piece:
    return Piece(page=page, x0=x0, x1=x0 + width, top=y0, base=y0 + 10, text=text, page_height=792)


def drop_cap(y: float, initial: str, rest: str) -> tuple[Piece, Piece]:
    """As the FAA prints it: the rest of the word first, its first letter after it."""
    return piece(3, 48, y, rest, width=53), piece(3, 41, y, initial, width=7)


def cover() -> Iterator[Piece]:
    yield piece(1, 428, 29, "FAA-S-ACS-9Z")
    yield piece(1, 135, 224, "Commercial Pilot for Airplane Category\n")
    yield piece(1, 151, 255, "Airman Certification Standards")
    yield piece(1, 229, 414, "March 2025")


def contents() -> Iterator[Piece]:
    yield piece(2, 36, 146, "Area of Operation I.  Preflight")
    yield piece(2, 54, 165, "Task A.  Taxiing.......2")
    yield piece(2, 54, 185, "CA.I.A.K9")


def body() -> Iterator[Piece]:
    yield piece(3, 36, 13, "Area of Operation I.  Preflight")  # the running head
    yield piece(3, 36, 762, "Commercial Pilot ACS")  # the foot
    yield piece(3, 36, 54, "Area of Operation I.  Preflight")
    yield piece(3, 36, 85, "Task A.  Taxiing, Parking, and ")
    yield piece(3, 85, 97, "Securing (ASEL, AMEL)")
    yield from drop_cap(110, "R", "eferences:\t")
    yield piece(3, 104, 110.2, "14 CFR part 91; AIM")
    yield from drop_cap(126, "O", "bjective:\t")
    yield piece(3, 104, 126.2, "To determine skill of a pilot-in-")
    yield piece(3, 104, 138, "command.")
    yield from drop_cap(150, "N", "ote:\t")
    yield piece(3, 104, 150.2, "One is enough.")
    yield piece(3, 40, 166, "Knowledge:\t")
    yield piece(3, 112, 166.2, "The applicant demonstrates understanding of:")
    yield piece(3, 50, 186.4, "CA.I.A.K1", width=44)
    yield piece(3, 122, 186, "Signals, ")
    yield piece(3, 122, 197, "including:")
    yield piece(4, 50, 54.9, "CA.I.A.K1a", width=48)
    yield piece(4, 135, 54.5, "a.\t Light signals")
    yield piece(4, 40, 100, "Risk\n")
    yield piece(4, 40, 112, "Management:\t The applicant identifies:")
    yield piece(4, 50, 130, "CA.I.A.R1", width=44)
    yield piece(4, 122, 130, "[Archived]")
    yield piece(4, 40, 150, "Skills:\t")
    yield piece(4, 50, 170, "CA.I.A.S10", width=44)
    yield piece(4, 122, 170, "Taxi, ±10°.")
    yield piece(5, 36, 54, "Appendix 1: Roles")
    yield piece(5, 50, 90, "CA.I.A.K7", width=44)
    yield piece(5, 122, 90, "An example in the appendix.")


@pytest.fixture
def standard() -> AcsStandard:
    return read_acs((*cover(), *contents(), *body()))


def test_the_cover_names_the_standard(standard: AcsStandard) -> None:
    assert (standard.certificate, standard.number) == ("commercial", "FAA-S-ACS-9Z")
    assert standard.title == "Commercial Pilot for Airplane Category Airman Certification Standards"
    assert standard.edition_date == date(2025, 3, 1)


def test_contents_and_appendix_are_no_part_of_it(standard: AcsStandard) -> None:
    assert [element.code for element in standard.elements] == [
        "CA.I.A.K1",
        "CA.I.A.K1a",
        "CA.I.A.R1",
        "CA.I.A.S10",
    ]


def test_drop_caps_find_their_words(standard: AcsStandard) -> None:
    (task,) = standard.tasks
    assert task.references_line == "14 CFR part 91; AIM"
    assert task.objective == "To determine skill of a pilot-in-command."
    assert task.notes == ("One is enough.",)


def test_a_title_over_two_rows_keeps_its_classes_apart(standard: AcsStandard) -> None:
    (task,) = standard.tasks
    assert (task.title, task.classes) == ("Taxiing, Parking, and Securing", ("ASEL", "AMEL"))


def test_elements_have_kind_parent_page_and_text(standard: AcsStandard) -> None:
    whole, sub, risk, skill = standard.elements
    assert (whole.kind, whole.text, whole.page) == ("knowledge", "Signals, including:", 3)
    assert (sub.parent, sub.text, sub.page) == ("CA.I.A.K1", "Light signals", 4)
    assert (risk.kind, risk.archived, risk.parent) == ("risk", True, "")
    assert (skill.kind, skill.text) == ("skill", "Taxi, ±10°.")


@pytest.mark.parametrize(
    ("printed", "misprint"),
    [
        ("CA.1.I.K1", "CA.1.I.K1 on page 3 is read as CA.I.I.K1"),
        ("CA.I.B.K1", "CA.I.B.K1 on page 3 is read as CA.I.I.K1"),
    ],
)
def test_misprinted_code_is_put_right_and_told(printed: str, misprint: str) -> None:
    body = [
        piece(3, 36, 85, "Task I.  Taxiing"),
        piece(3, 40, 110, "Objective:"),
        piece(3, 104, 110, "To determine skill.", width=80),
        *(
            piece(3, 50, y, code, width=44)
            for y, code in ((180, printed), (200, "CA.I.I.K2"), (220, "CA.I.I.K3"))
        ),
        *(piece(3, 122, y, text) for y, text in ((180, "One."), (200, "Two."), (220, "Three."))),
    ]
    found = read_acs((*cover(), piece(3, 36, 54, "Area of Operation I.  Preflight"), *body))
    assert [element.code for element in found.elements] == ["CA.I.I.K1", "CA.I.I.K2", "CA.I.I.K3"]
    assert found.misprints == (misprint,)


@pytest.mark.parametrize(
    ("printed", "classes"),
    [
        ("(ASEL, ASES)", ("ASEL", "ASES")),
        ("(AMEL and AMES)", ("AMEL", "AMES")),
        ("(ASEL/AMEL)", ("ASEL", "AMEL")),
    ],
)
def test_classes_are_read_however_they_are_listed(printed: str, classes: tuple[str, ...]) -> None:
    assert split_classes(f"Taxiing {printed}") == ("Taxiing", classes)


@pytest.mark.parametrize(
    ("title", "certificate"),
    [
        ("Private Pilot \u2012 Airplane Airman Certification Standards", "private"),
        ("Private Pilot for Rotorcraft Category Helicopter Rating", "private-heli"),
        ("Airline Transport Pilot and Type Rating for Airplane Category", "atp"),
    ],
)
def test_title_names_the_certificate(title: str, certificate: str) -> None:
    assert certificate_of(title) == certificate


@pytest.mark.parametrize("title", ["Spins", "Approach (Simulated)"])
def test_brackets_that_name_no_class_belong_to_the_title(title: str) -> None:
    assert split_classes(title) == (title, ())


def test_a_text_without_a_number_is_no_standard() -> None:
    with pytest.raises(NotAnAcs, match="first page"):
        read_acs([piece(1, 10, 100, "Advisory Circular")])


def test_practical_test_standard_is_refused_because_it_has_no_codes() -> None:
    cover_of_pts = [piece(1, 10, 100, "FAA-S-8081-12C"), piece(1, 10, 140, "Practical Test Standards")]
    with pytest.raises(NotAnAcs, match=r"Practical Test Standard \(FAA-S-8081-12C\).*no codes"):
        read_acs(cover_of_pts)


def test_a_standard_without_elements_is_refused() -> None:
    with pytest.raises(NotAnAcs, match="FAA-S-ACS-9Z has no Task"):
        read_acs((*cover(), *contents()))
