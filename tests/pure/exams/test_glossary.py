"""The Pilot/Controller Glossary: each term is a section that can be cited, and the anchors of a tool are no text."""

from pathlib import Path

import pytest

from exams.bank.anchoring import headings_of_term
from knowledge.ingestion.formats.markdown import markdown_document
from knowledge.standards.references import Cited, Reference, names_document

FOLDER = Path(__file__).parents[3].parent / "shared" / "data" / "faa" / "pcg"
SOURCE = (
    "Source: [https://www.faa.gov/air_traffic/publications/media/pcg_basic_w_chg_1_2_3_dtd_12-31-20.pdf]"
    "(https://www.faa.gov/air_traffic/publications/media/pcg_basic_w_chg_1_2_3_dtd_12-31-20.pdf)"
)
LETTER = rf"""# Letter A
{SOURCE}

<div>

<div>

AAI-

[[A#^JEFSUklWQUwgQUlS|(See ARRIVAL AIRCRAFT INTERVAL.)]]

</div>

<div>

***ABORT-* ^JEFCT1JU**To terminate a preplanned aircraft maneuver; e.g., an aborted takeoff.

</div>

<div>

ACCELERATE-STOP DISTANCE AVAILABLE \[ICAO\]- The length of the take-off run available plus the length of the stopway.

Note: It is declared.

^JEFDQ0VMRVJBVEUt

</div>

<div>

COMMON ROUTE- One.

^JENPTU1PTiBST1VU^JENPTU1PTiBST1VU

</div>

<div>

OR

</div>

<div>

COMMON ROUTE- Another.

</div>

<div>

OUTER AREA (associated with Class C airspace)- Airspace beyond it.

</div>

<div>

RUNWAY ENTRANCE LIGHTS (REL)-An array of red lights.

</div>

<div>

UNSERVICEABLE (U/S.)

[[O#^JE9VVCBPRiBTRVJW|(See OUT OF SERVICE/UNSERVICEABLE.)]]

</div>

</div>
"""


def test_glossary_is_recognized_with_its_letter_and_date() -> None:
    told = markdown_document(LETTER, file_name="A.md").description
    assert (told.abbreviation, told.doc_type, told.category) == ("P/CG", "other", "glossaries")
    assert (told.title, told.edition_date) == ("Pilot/Controller Glossary, letter A", "2020-12-31")


def test_each_term_is_a_section_and_no_anchor_is_text() -> None:
    sections = markdown_document(LETTER, file_name="A.md").sections
    found = [
        (one.heading, [line.text for line in one.paragraphs if line.kind != "heading"]) for one in sections
    ]
    assert found == [
        ("AAI", ["(See ARRIVAL AIRCRAFT INTERVAL.)"]),
        ("ABORT", ["To terminate a preplanned aircraft maneuver; e.g., an aborted takeoff."]),
        (
            "ACCELERATE-STOP DISTANCE AVAILABLE [ICAO]",
            [
                "The length of the take-off run available plus the length of the stopway.",
                "Note: It is declared.",
            ],
        ),
        ("COMMON ROUTE", ["One."]),
        ("COMMON ROUTE", ["Another."]),
        ("OUTER AREA (associated with Class C airspace)", ["Airspace beyond it."]),
        ("RUNWAY ENTRANCE LIGHTS (REL)", ["An array of red lights."]),
        ("UNSERVICEABLE (U/S.)", ["(See OUT OF SERVICE/UNSERVICEABLE.)"]),
    ]


@pytest.mark.parametrize(
    "source",
    [
        "# Club rules\n\nRead the Pilot/Controller Glossary before you fly.\n\nWILCO- I will comply. ^JENBTEwg\n",
        "# Section 1. General\nSource: [https://www.faa.gov/aim_html/chap3_section_1.html](x)\n\n"
        "WILCO- I will. ^JENBTEwg\n",
    ],
)
def test_other_documents_stay_as_they_are(source: str) -> None:
    document = markdown_document(source, file_name="rules.md")
    assert document.description.abbreviation != "P/CG"
    assert "WILCO" not in [section.heading for section in document.sections]
    assert any("^JENBTEwg" in line.text for line in document.paragraphs())


@pytest.mark.parametrize(
    ("term", "headings"),
    [
        ("WILCO", {"WILCO"}),
        ("SIGMET", {"SIGMET"}),
        ("AIRMET", {"AIRMEN'S METEOROLOGICAL INFORMATION (AIRMET)"}),
        ("AIRMEN’S METEOROLOGICAL INFORMATION (AIRMET)", {"AIRMEN'S METEOROLOGICAL INFORMATION (AIRMET)"}),
        ("LINE UP AND WAIT", {"LINE UP AND WAIT (LUAW)"}),
        ("MOUNTAIN WAVE", set()),
    ],
)
def test_term_finds_its_heading(term: str, headings: set[str]) -> None:
    known = [
        "AIRMEN'S METEOROLOGICAL INFORMATION (AIRMET)",
        "CONVECTIVE SIGMET",
        "LINE UP AND WAIT (LUAW)",
        "SIGMET",
        "SIGMET INFORMATION [ICAO]",
        "WILCO",
    ]
    assert headings_of_term(term, known) == headings


def test_reference_to_the_aim_speaks_of_its_glossary() -> None:
    assert names_document(Reference("AIM"), Cited(doc_type="other", abbreviation="P/CG"))
    assert not names_document(Reference("AIM"), Cited(doc_type="other", abbreviation="SOP"))


@pytest.mark.shared
@pytest.mark.skipif(not FOLDER.exists(), reason="../shared/data is not there")
def test_every_term_of_the_faas_glossary_is_a_section() -> None:
    documents = [markdown_document(path.read_text(), file_name=path.name) for path in FOLDER.glob("*.md")]
    assert {one.description.abbreviation for one in documents} == {"P/CG"}
    headings = [section.heading for one in documents for section in one.sections]
    assert len(headings) == 1441 + 1  # and the introduction
    assert {"WILCO", "VFR NOT RECOMMENDED", "EMERGENCY AUTOLAND SYSTEM", "LINE UP AND WAIT (LUAW)"} <= set(
        headings
    )
    assert not [line.text for one in documents for line in one.paragraphs() if "^" in line.text]
