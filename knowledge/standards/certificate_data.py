"""What this project says about the standard of each certificate: `certificates/NAME/*.csv` beside this module.

tasks.csv      task, asked (core, usual, airplane), only_for (empty or instrument)
skills.csv     skill, needs (scenario, library): the skills done at the table
subelements.csv  element, least: sub-elements that satisfy their parent where one does not
sections.csv   section, elements: sections of 14 CFR and the AIM read by a person, most fitting element first

A certificate without a folder is read all the same; `where` says how it is divided. Pure but for reading these files.
"""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).parent / "certificates"

TASK = r"[A-Z]{2}\.[IVXL]+\.[A-Z]"
ELEMENT = rf"{TASK}\.[KRS]\d+[a-z]?"
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "tasks.csv": {"task": TASK, "asked": "core|usual|airplane", "only_for": "|instrument"},
    "skills.csv": {"skill": rf"{TASK}\.S\d+", "needs": "scenario|library"},
    "subelements.csv": {"element": rf"{TASK}\.[KR]\d+", "least": r"[2-9]"},
    "sections.csv": {"section": r"\d+\.\d+|\d+-\d+-\d+", "elements": rf"{ELEMENT}( {ELEMENT})*"},
}


class BadCertificateData(ValueError):
    """A file of a certificate that is not as described above; the message names file and line."""


@dataclass(frozen=True, slots=True)
class CertificateData:
    """All files of all certificates. Codes begin with their standard's own letters, so they do not collide."""

    sets: Mapping[str, str] = field(default_factory=dict)
    only_for: Mapping[str, str] = field(default_factory=dict)
    skills: Mapping[str, str] = field(default_factory=dict)
    subelements: Mapping[str, int] = field(default_factory=dict)
    sections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def read_certificates(folder: Path = FOLDER) -> CertificateData:
    """Every certificate that has a folder. Raises BadCertificateData."""
    sets: dict[str, str] = {}
    only_for: dict[str, str] = {}
    sections: dict[str, tuple[str, ...]] = {}
    skills: dict[str, str] = {}
    subelements: dict[str, int] = {}
    for certificate in sorted((one for one in folder.iterdir() if one.is_dir()), key=_private_first):
        for row in _rows(certificate / "tasks.csv"):
            sets[row["task"]] = row["asked"]
            only_for |= {row["task"]: row["only_for"]} if row["only_for"] else {}
        skills |= {row["skill"]: row["needs"] for row in _rows(certificate / "skills.csv")}
        subelements |= {row["element"]: int(row["least"]) for row in _rows(certificate / "subelements.csv")}
        for row in _rows(certificate / "sections.csv"):
            sections[row["section"]] = (*sections.get(row["section"], ()), *row["elements"].split())
    return CertificateData(sets, only_for, skills, subelements, sections)


def _private_first(folder: Path) -> tuple[bool, str]:
    return folder.name != "private", folder.name


def _rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a file, each checked; a file that is not there has none."""
    if not path.exists():
        return
    columns = COLUMNS[path.name]
    first = next(iter(columns))
    known: set[str] = set()
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        _check(reader.fieldnames == list(columns), path, 1, f"its columns have to be {', '.join(columns)}")
        for row in reader:
            for name, pattern in columns.items():
                _check(
                    _fits(pattern, row[name]), path, reader.line_num, f"{name} {row[name]!r} is not allowed"
                )
            _check(row[first] not in known, path, reader.line_num, f"{row[first]} stands there twice")
            known.add(row[first])
            yield row


def _fits(pattern: str, value: str | None) -> bool:
    return value is not None and bool(re.fullmatch(pattern, value))


def _check(holds: bool, path: Path, line: int, why: str) -> None:
    if not holds:
        raise BadCertificateData(f"{path.parent.name}/{path.name}, line {line}: {why}")


DATA = read_certificates()
