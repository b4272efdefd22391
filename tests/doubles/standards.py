"""A small standard of our own making, shaped as the FAA's are."""

from dataclasses import replace
from datetime import date

from knowledge.standards.acs_reader import AcsAreaText, AcsElementText, AcsStandard, AcsTaskText, Kind
from knowledge.standards.references import parse_references

ELEMENTS: tuple[tuple[str, Kind, str], ...] = (
    ("PA.I.E.K1", "knowledge", "Airspace classes and associated requirements and limitations."),
    ("PA.I.E.K2", "knowledge", "Chart symbols, including:"),
    ("PA.I.E.K2a", "knowledge", "Airports"),
    ("PA.I.E.K2b", "knowledge", "[Archived]"),
    ("PA.I.E.R1", "risk", "Various classes and types of airspace."),
    ("PA.I.E.S1", "skill", "Comply with the requirements for basic VFR weather minimums."),
    ("PA.III.A.K1", "knowledge", "How to obtain appropriate radio frequencies."),
    ("PA.III.A.K5", "knowledge", "Air Traffic Control (ATC) light signals."),
)
TITLES = {"I": "Preflight Preparation", "III": "Airport Operations"}
TASKS = {"PA.I.E": "National Airspace System", "PA.III.A": "Communications and Light Signals"}
REFERENCES = {
    "PA.I.E": "14 CFR parts 71, 91; AIM; FAA-H-8083-25",
    "PA.III.A": "14 CFR part 91; AIM; FAA-H-8083-25",
}


def small_standard(
    number: str = "FAA-S-ACS-6C", edition: date | None = date(2023, 11, 1), without: tuple[str, ...] = ()
) -> AcsStandard:
    """Two Areas, two Tasks, eight elements; `without` leaves codes out."""
    return AcsStandard(
        certificate="private",
        number=number,
        title="Private Pilot for Airplane Category Airman Certification Standards",
        edition_date=edition,
        areas=tuple(_area(code, without) for code in TASKS),
    )


def _area(task: str, without: tuple[str, ...]) -> AcsAreaText:
    numeral = task.split(".")[1]
    return AcsAreaText(number=numeral, title=TITLES[numeral], page=10, tasks=(_task(task, without),))


def _task(code: str, without: tuple[str, ...]) -> AcsTaskText:
    line = REFERENCES[code]
    return AcsTaskText(
        code=code,
        title=TASKS[code],
        classes=(),
        references_line=line,
        references=parse_references(line),
        objective="To determine the applicant exhibits satisfactory knowledge.",
        notes=(),
        page=13,
        elements=tuple(
            _element(*one) for one in ELEMENTS if one[0].startswith(f"{code}.") and one[0] not in without
        ),
    )


def _element(code: str, kind: Kind, text: str) -> AcsElementText:
    parent = code[:-1] if code[-1].isalpha() else ""
    return AcsElementText(
        code=code, parent=parent, kind=kind, text=text, page=13, archived=text == "[Archived]"
    )


def printed_standard(number: str = "FAA-S-ACS-6B", edition: date | None = date(2018, 6, 1)) -> AcsStandard:
    """The small standard with all that an ACS prints: classes, notes, texts of several lines."""
    small = small_standard(number, edition)
    first, second = small.areas
    task = replace(
        first.tasks[0],
        classes=("ASEL", "AMEL"),
        notes=("If K2 is selected, the evaluator must assess knowledge of at least three sub-elements.",),
        objective="To determine the applicant exhibits satisfactory knowledge of airspace as a pilot-in-command, "
        "with the risk management that operations in it and beside it ask of every pilot.",
    )
    return replace(
        small,
        title="Private Pilot - Airplane Airman Certification Standards",
        areas=(replace(first, tasks=(task,)), second),
    )
