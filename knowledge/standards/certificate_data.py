"""What this project says about the standard of each certificate: `certificates/NAME/*.csv` beside this module.

tasks.csv      task, asked (core, usual, airplane), only_for (empty or instrument)
skills.csv     skill, needs (scenario, library): the skills done at the table
subelements.csv  element, least: sub-elements that satisfy their parent where one does not
sections.csv   section, elements: sections of 14 CFR and the AIM read by a person, most fitting element first
bound_kinds.csv  kind: whom and what the rules asked in its single-engine oral bind, of grounding/rule_kinds.csv

A certificate without a folder can be loaded as well; `ask_location` says how it is divided. Pure but for these files.
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
    "bound_kinds.csv": {"kind": r"\S.*"},
    "sections.csv": {"section": r"\d+\.\d+|\d+-\d+-\d+", "elements": rf"{ELEMENT}( {ELEMENT})*"},
}


class BadCertificateData(ValueError):
    """A file of a certificate is not as described above; the message names file and line."""


@dataclass(frozen=True, slots=True)
class CertificateData:
    """All files of all certificates. Codes begin with their standard's own letters, so they do not collide."""

    sets: dict[str, str] = field(default_factory=dict)
    only_for: dict[str, str] = field(default_factory=dict)
    skills: dict[str, str] = field(default_factory=dict)
    subelements: dict[str, int] = field(default_factory=dict)
    sections: dict[str, tuple[str, ...]] = field(default_factory=dict)
    bound_kinds: dict[str, frozenset[str]] = field(default_factory=dict)  # by certificate


def read_certificates(folder: Path = FOLDER) -> CertificateData:
    """Every certificate that has a folder, private first. Raises BadCertificateData."""
    data = CertificateData()
    folders = (one for one in folder.iterdir() if one.is_dir())
    for certificate in sorted(folders, key=lambda one: (one.name != "private", one.name)):
        for row in _read_rows(certificate / "tasks.csv"):
            data.sets[row["task"]] = row["asked"]
            if row["only_for"]:
                data.only_for[row["task"]] = row["only_for"]
        for row in _read_rows(certificate / "skills.csv"):
            data.skills[row["skill"]] = row["needs"]
        for row in _read_rows(certificate / "subelements.csv"):
            data.subelements[row["element"]] = int(row["least"])
        if kinds := frozenset(row["kind"] for row in _read_rows(certificate / "bound_kinds.csv")):
            data.bound_kinds[certificate.name] = kinds
        for row in _read_rows(certificate / "sections.csv"):
            data.sections[row["section"]] = (
                *data.sections.get(row["section"], ()),
                *row["elements"].split(),
            )
    return data


def _read_rows(path: Path) -> Iterator[dict[str, str]]:
    """The rows of a file, each checked; none if there is no such file."""
    if not path.exists():
        return
    columns = COLUMNS[path.name]
    key = next(iter(columns))
    known: set[str] = set()

    def check(holds: bool, line: int, why: str) -> None:
        if not holds:
            raise BadCertificateData(f"{path.parent.name}/{path.name}, line {line}: {why}")

    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file)
        check(reader.fieldnames == list(columns), 1, f"its columns have to be {', '.join(columns)}")
        for row in reader:
            for name, pattern in columns.items():
                fits = row[name] is not None and re.fullmatch(pattern, row[name]) is not None
                check(fits, reader.line_num, f"{name} {row[name]!r} is not allowed")
            check(row[key] not in known, reader.line_num, f"{row[key]} stands there twice")
            known.add(row[key])
            yield row


DATA = read_certificates()


def elements_of_section(section: str) -> tuple[str, ...]:
    """The codes of the elements that a person assigned to a section, those of one certificate together and the most
    fitting first; () if nobody did: then similarity decides.

    Similar words cannot tell that § 91.155 is what "airspace classes and associated requirements" means.
    """
    return DATA.sections.get(section.strip(), ())
