"""Rows of an ACS become Areas, Tasks and elements: the traps of its print, on a page made for the purpose."""

from collections.abc import Iterator
from datetime import date

import pytest

from knowledge.standards.acs_reader import AcsStandard, NotAnAcs, Piece, read_acs, split_classes


def piece(page: int, x0: float, y0: float, text: str, *, bold: bool = False, width: float = 200) -> Piece:
    return Piece(page=page, x0=x0, y0=y0, x1=x0 + width, text=text, bold=bold, page_height=792)


def drop_cap(y: float, initial: str, rest: str) -> tuple[Piece, Piece]:
    """As the FAA prints it: the rest of the word first, its first letter after it."""
    return piece(3, 48, y, rest, bold=True, width=53), piece(3, 41, y, initial, bold=True, width=7)


def cover() -> Iterator[Piece]:
    yield piece(1, 428, 29, "FAA-S-ACS-9Z", bold=True)
    yield piece(1, 135, 224, "Commercial Pilot for Airplane Category\n", bold=True)
    yield piece(1, 151, 255, "Airman Certification Standards", bold=True)
    yield piece(1, 229, 414, "March 2025", bold=True)


def contents() -> Iterator[Piece]:
    yield piece(2, 36, 146, "Area of Operation I.  Preflight")
    yield piece(2, 54, 165, "Task A.  Taxiing.......2")
    yield piece(2, 54, 185, "CA.I.A.K9")


def body() -> Iterator[Piece]:
    yield piece(3, 36, 13, "Area of Operation I.  Preflight")  # the running head
    yield piece(3, 36, 762, "Commercial Pilot ACS")  # the foot
    yield piece(3, 36, 54, "Area of Operation I.  Preflight", bold=True)
    yield piece(3, 36, 85, "Task A.  Taxiing, Parking, and ", bold=True)
    yield piece(3, 85, 97, "Securing (ASEL, AMEL)", bold=True)
    yield from drop_cap(110, "R", "eferences:\t")
    yield piece(3, 104, 110.2, "14 CFR part 91; AIM")
    yield from drop_cap(126, "O", "bjective:\t")
    yield piece(3, 104, 126.2, "To determine skill of a pilot-in-")
    yield piece(3, 104, 138, "command.")
    yield from drop_cap(150, "N", "ote:\t")
    yield piece(3, 104, 150.2, "One is enough.")
    yield piece(3, 40, 166, "Knowledge:\t", bold=True)
    yield piece(3, 112, 166.2, "The applicant demonstrates understanding of:")
    yield piece(3, 50, 186.4, "CA.I.A.K1", width=44)
    yield piece(3, 122, 186, "Signals, ")
    yield piece(3, 122, 197, "including:")
    yield piece(4, 50, 54.9, "CA.I.A.K1a", width=48)
    yield piece(4, 135, 54.5, "a.\t Light signals")
    yield piece(4, 40, 100, "Risk\n", bold=True)
    yield piece(4, 40, 112, "Management:\t The applicant identifies:", bold=True)
    yield piece(4, 50, 130, "CA.I.A.R1", width=44)
    yield piece(4, 122, 130, "[Archived]")
    yield piece(4, 40, 150, "Skills:\t", bold=True)
    yield piece(4, 50, 170, "CA.I.A.S10", width=44)
    yield piece(4, 122, 170, "Taxi, ±10°.")
    yield piece(5, 36, 54, "Appendix 1: Roles", bold=True)
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


@pytest.mark.parametrize("title", ["Spins", "Approach (Simulated)"])
def test_brackets_that_name_no_class_belong_to_the_title(title: str) -> None:
    assert split_classes(title) == (title, ())


def test_a_text_without_a_number_is_no_standard() -> None:
    with pytest.raises(NotAnAcs, match="first page"):
        read_acs([piece(1, 10, 100, "Advisory Circular")])


def test_a_standard_without_elements_is_refused() -> None:
    with pytest.raises(NotAnAcs, match="FAA-S-ACS-9Z has no Task"):
        read_acs((*cover(), *contents()))
