"""Which headings are topics, and under which name."""

from uuid import uuid4

import pytest

from knowledge.graph.sources.outline import Outline, Paper, Spot, is_topic, outline_of, plain_title
from knowledge.standards.references import Cited


def paper(title: str = "Handbook", cite: str = "PHAK") -> Paper:
    return Paper(
        id=uuid4(), tenant=None, name=title, title=title, cite=cite, cited=Cited(doc_type="handbook")
    )


def spot(of: Paper, *path: str, section: str = "") -> Spot:
    return Spot(chunk=uuid4(), paper=of, section=section, path=path)


def named(found: Outline, one: Spot) -> list[str]:
    return [heading.identity for heading in found.chain[one.chunk]]


@pytest.mark.parametrize(
    ("printed", "title"),
    [
        ("§ 91.155 Basic VFR weather minimums.", "Basic VFR weather minimums"),
        ("Subpart B—Flight Rules", "Flight Rules"),
        ("Class E Airspace 3-2-6", "Class E Airspace"),
        ("10.1 Traffic pattern entry", "Traffic pattern entry"),
        ("The 5 Ps Check", "The 5 Ps Check"),
    ],
)
def test_number_of_heading_is_left_out(printed: str, title: str) -> None:
    assert plain_title(printed) == title


@pytest.mark.parametrize(
    ("title", "is_one"),
    [
        ("Hazardous Attitudes and Antidotes", True),
        ("General", False),
        ("[Reserved]", False),
        ("Figure 15-2. Class B airspace", False),
        ("WARNING", False),
        ("", False),
        ("A pilot who is asked to fly an airplane that is not airworthy must say no to it at once", False),
    ],
)
def test_sentences_figures_and_empty_forms_are_no_topics(title: str, is_one: bool) -> None:
    assert is_topic(title) is is_one


def test_title_under_two_headings_is_named_with_the_heading_above_it() -> None:
    part = paper("14 CFR Part 61", "14 CFR")
    title = "Eligibility requirements"
    student = spot(part, part.title, "Subpart C—Student Pilots", f"§ 61.83 {title}", section="61.83")
    private = spot(part, part.title, "Subpart E—Private Pilots", f"§ 61.103 {title}", section="61.103")
    found = outline_of([student, private])
    assert named(found, student) == ["Student Pilots", "Eligibility requirements (Student Pilots)"]
    assert named(found, private) == ["Private Pilots", "Eligibility requirements (Private Pilots)"]
    assert found.label[student.chunk] == "14 CFR 61.83"


def test_single_word_is_named_with_its_document() -> None:
    one = spot(paper("Aeronautical Decision-Making"), "Terrain")
    assert named(outline_of([one]), one) == ["Terrain (Aeronautical Decision-Making)"]


def test_same_title_in_two_documents_is_one_topic() -> None:
    one, other = spot(paper("AIM"), "Special Use Airspace"), spot(paper("PHAK"), "Special Use Airspace")
    found = outline_of([one, other])
    assert named(found, one) == named(found, other) == ["Special Use Airspace"]


def test_heading_of_procedures_is_a_procedure() -> None:
    one = spot(paper(), "Lost Communications Procedures")
    assert outline_of([one]).chain[one.chunk][0].category == "procedure"
