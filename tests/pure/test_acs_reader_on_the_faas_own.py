"""The private pilot ACS, read from the FAA's PDF, against a right reading of it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from knowledge.standards.acs_pdf import pieces_of_pdf
from knowledge.standards.acs_reader import AcsStandard, NotAnAcs, read_acs

DATA = Path(__file__).parents[2].parent / "shared" / "data"
PDF = DATA / "faa" / "pdf" / "FAA-S-ACS-6C_Private_Pilot_ACS.pdf"
GOLD = DATA / "acs" / "gold_private_6C_from_pdf.json"

pytestmark = [
    pytest.mark.shared,
    pytest.mark.skipif(not GOLD.exists(), reason="../shared/data is not there"),
]


@pytest.fixture(scope="module")
def standard() -> AcsStandard:
    return read_acs(pieces_of_pdf(PDF))


@pytest.fixture(scope="module")
def gold() -> Any:
    return json.loads(GOLD.read_text())


def plain(text: str) -> str:
    """White space is of no account, nor is a space after the hyphen at a line's end."""
    return re.sub(r"-\s+", "-", re.sub(r"\s+", " ", text)).replace(")(", ") (")


def test_every_element_is_read_and_none_is_invented(standard: AcsStandard, gold: Any) -> None:
    read = {element.code: (plain(element.text), element.archived) for element in standard.elements}
    assert read == {one["code"]: (plain(one["text"]), one["archived"]) for one in gold["elements"]}


def test_pages_are_right(standard: AcsStandard, gold: Any) -> None:
    """Two codes stand first on page 4, in the list of what is new; they are read where the Task is."""
    listed_on_page_4 = {"PA.XII.B.R2": 73, "PA.XI.A.R7": 71}
    expected = {one["code"]: one["page"] for one in gold["elements"]} | listed_on_page_4
    assert {element.code: element.page for element in standard.elements} == expected


def test_tasks_have_their_titles_classes_references_and_pages(standard: AcsStandard, gold: Any) -> None:
    read = {
        task.code: (
            f"{task.title} ({', '.join(task.classes)})" if task.classes else task.title,
            task.references_line,
            task.page,
        )
        for task in standard.tasks
    }
    assert read == {
        one["task_id"]: (plain(one["task"]), plain(one["refs"]), one["page"]) for one in gold["tasks"]
    }


def test_sub_elements_have_parents_and_every_task_an_objective(standard: AcsStandard) -> None:
    codes = {element.code for element in standard.elements}
    parents = [element.parent for element in standard.elements if element.parent]
    assert len(parents) == 231
    assert set(parents) <= codes
    assert all(task.objective.startswith("To determine") for task in standard.tasks)
    assert sum(len(task.notes) for task in standard.tasks) == 29


def test_another_document_of_the_faa_is_refused() -> None:
    with pytest.raises(NotAnAcs, match="first page"):
        read_acs(pieces_of_pdf(DATA / "faa" / "pdf" / "ac_90-66c.pdf"))
