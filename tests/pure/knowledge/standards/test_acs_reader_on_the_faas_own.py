"""The private and the commercial ACS, read from the FAA's PDFs, against a right reading of each."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import AcsStandard, NotAnAcs, read_acs

DATA = Path(__file__).parents[4].parent / "shared" / "data"
PDFS = DATA / "faa" / "pdf"
KINDS = {"K": "knowledge", "R": "risk", "S": "skill"}

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not (DATA / "acs").exists(), reason="../shared/data is not there"),
]


@dataclass(frozen=True)
class Case:
    pdf: Path
    gold: Any
    subs: int
    notes: int


CASES = {
    "private": ("FAA-S-ACS-6C_Private_Pilot_ACS.pdf", "gold_private_6C_from_pdf.json", 231, 29),
    "commercial": ("FAA-S-ACS-7B_Commercial_Pilot_ACS.pdf", "gold_commercial_7B_from_pdf.json", 226, 34),
}


@pytest.fixture(scope="module", params=CASES)
def case(request: pytest.FixtureRequest) -> Case:
    pdf, gold, subs, notes = CASES[request.param]
    return Case(PDFS / pdf, json.loads((DATA / "acs" / gold).read_text()), subs, notes)


@pytest.fixture(scope="module")
def standard(case: Case) -> AcsStandard:
    return read_acs(pieces_of_pdf(case.pdf))


def plain(text: str) -> str:
    """White space is of no account, nor is a space after the hyphen at a line's end."""
    return re.sub(r"-\s+", "-", re.sub(r"\s+", " ", text)).replace(")(", ") (").strip()


def test_standard_names_itself(standard: AcsStandard, case: Case) -> None:
    assert standard.number == case.gold["edition"]
    assert standard.edition_date is not None
    assert standard.edition_date.isoformat() == "2023-11-01"
    assert standard.misprints == ()


def test_every_element_is_read_and_none_is_invented(standard: AcsStandard, case: Case) -> None:
    read = {one.code: (one.kind, plain(one.text), one.archived, one.page) for one in standard.elements}
    assert len(standard.elements) == len(read)
    assert read == {
        one["code"]: (KINDS[one["code"].split(".")[3][0]], plain(one["text"]), one["archived"], one["page"])
        for one in case.gold["elements"]
    }


def test_elements_stand_in_their_tasks(standard: AcsStandard, case: Case) -> None:
    read = {element.code: task.code for task in standard.tasks for element in task.elements}
    assert read == {one["code"]: one["task_id"] for one in case.gold["elements"]}


def test_tasks_have_their_titles_classes_references_and_pages(standard: AcsStandard, case: Case) -> None:
    read = {
        task.code: (
            f"{task.title} ({', '.join(task.classes)})" if task.classes else task.title,
            task.references_line,
            plain(task.objective),
            task.page,
        )
        for task in standard.tasks
    }
    assert read == {
        one["task_id"]: (plain(one["task"]), plain(one["refs"]), plain(one["objective"]), one["page"])
        for one in case.gold["tasks"]
    }
    assert all(task.references for task in standard.tasks)


def test_areas_have_their_titles(standard: AcsStandard, case: Case) -> None:
    read = {task.code: area.title for area in standard.areas for task in area.tasks}
    assert read == {one["task_id"]: one["area"] for one in case.gold["tasks"]}


def test_sub_elements_have_parents_and_tasks_their_notes(standard: AcsStandard, case: Case) -> None:
    codes = {element.code for element in standard.elements}
    parents = [element.parent for element in standard.elements if element.parent]
    assert len(parents) == case.subs
    assert set(parents) <= codes
    assert sum(len(task.notes) for task in standard.tasks) == case.notes


@pytest.mark.parametrize(("pages", "reason"), [(12, "is cut off behind Area I, Task"), (73, "appendices")])
def test_standard_without_its_last_pages_is_refused(
    case: Case, tmp_path: Path, pages: int, reason: str
) -> None:
    """The commercial one ends a page before the private one does."""
    if pages == 73:
        pages -= "7B" in case.pdf.name
    cut = tmp_path / "cut.pdf"
    with pymupdf.open(case.pdf) as whole, pymupdf.open() as part:
        part.insert_pdf(whole, to_page=pages - 1)
        part.save(cut)
    with pytest.raises(NotAnAcs, match=reason):
        read_acs(pieces_of_pdf(cut))


def test_file_without_its_last_bytes_is_refused(case: Case, tmp_path: Path) -> None:
    cut = tmp_path / "cut.pdf"
    content = case.pdf.read_bytes()
    cut.write_bytes(content[: int(len(content) * 0.9)])
    with pytest.raises(NotAnAcs, match="its end is missing"):
        pieces_of_pdf(cut)


def test_another_document_of_the_faa_is_refused() -> None:
    with pytest.raises(NotAnAcs, match="first page"):
        read_acs(pieces_of_pdf(PDFS / "ac_90-66c.pdf"))
