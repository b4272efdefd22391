"""The files about each certificate: what they may hold, and that they speak of what its standard prints."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from knowledge.standards.certificate_data import (
    FOLDER,
    BadCertificateData,
    CertificateData,
    read_certificates,
)

GOLD = Path(__file__).parents[4].parent / "shared" / "data" / "acs"
CERTIFICATES = {"private": "gold_private_6C_from_pdf.json", "commercial": "gold_commercial_7B_from_pdf.json"}
Make = Callable[[str, str], CertificateData]


@pytest.fixture
def read(tmp_path: Path) -> Make:
    def make(name: str, text: str) -> CertificateData:
        (tmp_path / "sport").mkdir()
        (tmp_path / "sport" / name).write_text(text)
        return read_certificates(tmp_path)

    return make


def test_certificate_needs_no_more_than_its_tasks(read: Make) -> None:
    data = read("tasks.csv", "task,asked,only_for\nSP.I.A,core,\nSP.X.C,usual,instrument\n")
    assert data == CertificateData(
        {"SP.I.A": "core", "SP.X.C": "usual"}, {"SP.X.C": "instrument"}, {}, {}, {}
    )


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("tasks.csv", "task,asked\nSP.I.A,core\n", "line 1: its columns have to be task, asked, only_for"),
        ("tasks.csv", "task,asked,only_for\nSP.I.A,often,\n", "line 2: asked 'often' is not allowed"),
        ("tasks.csv", "task,asked,only_for\nSP.1.A,core,\n", "line 2: task 'SP.1.A' is not allowed"),
        ("tasks.csv", "task,asked,only_for\nSP.I.A,core\n", "line 2: only_for None is not allowed"),
        (
            "tasks.csv",
            "task,asked,only_for\nSP.I.A,core,\nSP.I.A,usual,\n",
            "line 3: SP.I.A stands there twice",
        ),
        ("skills.csv", "skill,needs\nSP.I.A.K1,scenario\n", "line 2: skill 'SP.I.A.K1' is not allowed"),
        ("subelements.csv", "element,least\nSP.I.A.K1,1\n", "line 2: least '1' is not allowed"),
        ("sections.csv", "section,elements\n91.155,\n", "line 2: elements '' is not allowed"),
        (
            "sections.csv",
            "section,elements\n§ 91.155,SP.I.A.K1\n",
            "line 2: section '§ 91.155' is not allowed",
        ),
    ],
)
def test_wrong_file_is_refused_by_line(read: Make, name: str, text: str, reason: str) -> None:
    with pytest.raises(BadCertificateData) as refused:
        read(name, text)
    assert str(refused.value) == f"sport/{name}, {reason}"


def test_every_certificate_has_tasks() -> None:
    folders = [one.name for one in FOLDER.iterdir() if one.is_dir()]
    assert sorted(folders) == sorted(CERTIFICATES)
    assert all((FOLDER / name / "tasks.csv").exists() for name in folders)


@pytest.mark.shared
@pytest.mark.skipif(not GOLD.exists(), reason="../shared/data is not there")
@pytest.mark.parametrize("certificate", CERTIFICATES)
def test_files_speak_of_what_the_standard_prints(certificate: str, tmp_path: Path) -> None:
    (tmp_path / certificate).symlink_to(FOLDER / certificate)
    data = read_certificates(tmp_path)
    gold: Any = json.loads((GOLD / CERTIFICATES[certificate]).read_text())
    printed = {one["code"] for one in gold["elements"] if not one["archived"]}
    named = {*data.skills, *data.subelements, *(code for codes in data.sections.values() for code in codes)}
    assert set(data.sets) == {one["task_id"] for one in gold["tasks"]}
    assert set(data.only_for) <= set(data.sets)
    assert named <= printed
    at_the_table = {skill.rpartition(".")[0] for skill in data.skills}
    assert all(data.sets[task] != "airplane" for task in at_the_table)
