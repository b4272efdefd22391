"""An ACS is read whole, however its edition is printed: bold or not, drop caps, colons, columns, headings."""

import re
from dataclasses import replace
from datetime import date
from pathlib import Path

import pymupdf
import pytest

from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import AcsStandard, NotAnAcs, read_acs
from tests.doubles.acs_pdfs import LAYOUTS, Layout, acs_pdf
from tests.doubles.standards import printed_standard
from tests.sampling import sample_of

DATA = Path(__file__).parents[4].parent / "shared" / "data" / "faa" / "pdf"
FAAS_OWN = ("FAA-S-ACS-6C_Private_Pilot_ACS.pdf", "FAA-S-ACS-7B_Commercial_Pilot_ACS.pdf")
PRINTED = sample_of([(layout, name) for layout in LAYOUTS for name in FAAS_OWN], 18)
"""One of the two, in one layout; the small one is read in all of them."""
by_layout = pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)


def plain(text: str) -> str:
    """Quotation marks and dashes as the fonts of the test have them; no space behind a hyphen at a line's end."""
    for printed, set_as in (("’", "'"), ("“", '"'), ("”", '"'), ("–", "-"), ("‒", "-")):
        text = text.replace(printed, set_as)
    return re.sub(r"-\s+", "-", text)


def told(standard: AcsStandard) -> list[tuple[object, ...]]:
    """All that a standard says, but for pages."""
    tasks = [
        (
            area.number,
            area.title,
            task.code,
            plain(task.title),
            task.classes,
            plain(task.references_line),
            plain(task.objective),
            tuple(map(plain, task.notes)),
        )
        for area in standard.areas
        for task in area.tasks
    ]
    elements = [(one.code, one.kind, plain(one.text), one.parent, one.archived) for one in standard.elements]
    return [(standard.certificate, standard.number, standard.title, standard.edition_date), *tasks, *elements]


@by_layout
def test_small_standard_is_read_from_every_layout(layout: Layout, tmp_path: Path) -> None:
    standard = printed_standard()
    cover = ("U.S. Department", "of Transportation", "Federal Aviation", "Administration")
    assert told(read_acs(pieces_of_pdf(acs_pdf(tmp_path / "acs.pdf", standard, layout, cover)))) == told(
        standard
    )


@pytest.mark.long
@pytest.mark.shared
@pytest.mark.skipif(not DATA.exists(), reason="../shared/data is not there")
@pytest.mark.parametrize(("layout", "name"), PRINTED, ids=lambda one: getattr(one, "name", one))
def test_faas_standards_are_read_from_every_layout(layout: Layout, name: str, tmp_path: Path) -> None:
    faas = read_acs(pieces_of_pdf(DATA / name))
    older = replace(faas, number="FAA-S-ACS-6B", edition_date=date(2018, 6, 1))
    assert told(read_acs(pieces_of_pdf(acs_pdf(tmp_path / "acs.pdf", older, layout)))) == told(older)


def test_standard_whose_contents_go_on_is_refused(tmp_path: Path) -> None:
    """Its pages end behind the first Task; it lists two."""
    whole = acs_pdf(tmp_path / "acs.pdf", printed_standard(), LAYOUTS[0])
    with pymupdf.open(whole) as source, pymupdf.open() as part:
        part.insert_pdf(source, to_page=2)
        part.save(tmp_path / "cut.pdf")
    with pytest.raises(NotAnAcs, match="cut off behind Area I, Task E: 1 of the 2 Tasks"):
        read_acs(pieces_of_pdf(tmp_path / "cut.pdf"))
