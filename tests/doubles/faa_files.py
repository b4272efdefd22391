"""The FAA's files in `../shared/data/faa` that tests read, by name: a file that is added there changes no test, and one
that is missing is named."""

from pathlib import Path

import pytest

FAA = Path(__file__).resolve().parents[3] / "shared" / "data" / "faa"
FOLDERS = {
    1: "01 Air Navigation",
    2: "02 Aeronautical Lighting and Other Airport Visual Aids",
    3: "03 Airspace",
    4: "04 Air Traffic Control",
    5: "05 Air Traffic Procedures",
    6: "06 Emergency Procedures",
    8: "08 Medical Facts for Pilots",
    9: "09 Aeronautical Charts and Related Publications",
}
SECTIONS = {
    1: (
        "01 Navigation Aids",
        "02 Performance-Based Navigation (PBN) and Area Navigation (RNAV)",
    ),
    2: (
        "01 Airport Lighting Aids",
        "02 Air Navigation and Obstruction Lighting",
        "03 Airport Marking Aids and Signs",
    ),
    3: (
        "01 General",
        "02 Controlled Airspace",
        "03 Class G Airspace",
        "04 Special Use Airspace",
        "05 Other Airspace Areas",
    ),
    4: (
        "01 Services Available to Pilots",
        "02 Radio Communications Phraseology and Techniques",
        "03 Airport Operations",
        "04 ATC Clearances and Aircraft Separation",
        "05 Surveillance Systems",
        "06 Operational Policy Procedures for Reduced Vertical Separation Minimum (RVSM) in the Domestic U.S., Alaska,"
        " Offshore Airspace and the San Juan FIR",
        "07 Operational Policy Procedures for the Gulf of Mexico 50 NM Lateral Separation Initiative",
    ),
    5: (
        "01 Preflight",
        "02 Departure Procedures",
        "03 En Route Procedures",
        "04 Arrival Procedures",
        "05 Pilot Controller Roles and Responsibilities",
        "06 National Security and Interception Procedures",
    ),
    6: (
        "01 General",
        "02 Emergency Services Available to Pilots",
        "03 Distress and Urgency Procedures",
        "04 Two-way Radio Communications Failure",
        "05 Aircraft Rescue and Fire Fighting Communications",
    ),
    8: ("01 Fitness for Flight",),
    9: ("01 Types of Charts Available",),
}
PARTS = (1, 43, 61, 67, 68, 71, 91)
PHAK_CHAPTERS = (2, 4, 5, 7, 8, 9, 10, 11, 12, 14, 15, 16, 17)
PDFS = (
    *(
        FAA / "pdf" / f"{name}.pdf"
        for name in (
            "FAA-H-8083-32_AMT_Powerplant_glossary",
            "FAA-S-ACS-6C_Private_Pilot_ACS",
            "FAA-S-ACS-7B_Commercial_Pilot_ACS",
            "ac_90-66c",
            "uag_sample_questions",
        )
    ),
    *(FAA / "phak" / f"phak_ch{chapter:02}.pdf" for chapter in PHAK_CHAPTERS),
)


def aim(*chapters: int) -> list[Path]:
    """The sections of these chapters of the AIM, or of all."""
    return [
        FAA / "aim" / FOLDERS[chapter] / f"{name}.md"
        for chapter in chapters or FOLDERS
        for name in SECTIONS[chapter]
    ]


def cfr(*parts: int) -> list[Path]:
    """These parts of 14 CFR, or all."""
    return [FAA / "cfr" / f"14cfr_part{part:03}.md" for part in parts or PARTS]


def parameters(paths: list[Path]) -> list[object]:
    """One test for each file; where it is missing, the test is skipped and says which."""
    return [
        pytest.param(
            path,
            id=path.stem[:30],
            marks=pytest.mark.skipif(not path.exists(), reason=f"{path.relative_to(FAA)} is not here"),
        )
        for path in paths
    ]
