"""Read the first page of an ACS: its number, title, certificate, and date. Pure."""

import re
from calendar import month_name
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

# Words of the title that name the certificate; the first match wins.
CERTIFICATES: Mapping[str, str] = {
    "airline transport": "atp",
    "flight instructor": "instructor",
    "instrument rating": "instrument",
    "commercial": "commercial",
    "private": "private",
    "sport": "sport",
    "recreational": "recreational",
    "remote pilot": "remote",
}
# Categories with standards of their own: "private-heli" never replaces "private".
CATEGORIES: Mapping[str, str] = {
    "helicopter": "heli",
    "gyroplane": "gyro",
    "rotorcraft": "rotor",
    "powered-lift": "lift",
    "glider": "glider",
    "balloon": "balloon",
    "airship": "airship",
}
PUBLISHERS = (
    *("U.S. Department", "US Department", "of Transportation", "Federal Aviation"),
    *("Flight Standards", "Washington"),
)

LONGEST_NAME, LONGEST_TITLE = 20, 300  # letters that are stored

_ACS_NUMBER = r"FAA-S-ACS-\d+[A-Z]?\b"
_PTS_NUMBER = r"FAA-S-8081-\d+[A-Z]?\b"
_DATE = re.compile(rf"\b({'|'.join(month_name[1:])})\s+(?:(\d{{1,2}}),\s*)?(\d{{4}})\b")


def number_on(cover: Iterable[str]) -> str:
    """The standard's number, or "" if the page has none."""
    return _first_match(_ACS_NUMBER, cover)


def names_standard(cover: Iterable[str]) -> bool:
    """Whether a first page is that of an ACS or a PTS: its number or its name is on a separate line."""
    named = (
        rf"(?:{_ACS_NUMBER}|{_PTS_NUMBER})(?:\s*\(.{{1,40}}\)|,?\s+Change \d)?"
        r"|(?:[A-Z][\w-]+ ){0,6}Practical Test Standards"
    )
    return any(re.fullmatch(named, " ".join(line.split()), re.IGNORECASE) for line in cover)


def why_no_standard(cover: Sequence[str]) -> str:
    """Why a first page without an ACS number is not that of a standard that can be loaded."""
    pts = _first_match(rf"(?i){_PTS_NUMBER}|Practical Test Standards", cover)
    if pts:
        return (
            f"this is a Practical Test Standard ({pts}): its elements have no codes, so nothing can be asked by"
            " them. Give the Airman Certification Standard (ACS) of the certificate"
        )
    return "no number such as FAA-S-ACS-6C on the first page: this is not an Airman Certification Standard"


def certificate_of(title: str) -> str:
    """The certificate that a title names ("private"), with its category if that has its own standards ("private-heli").
    A title that names no certificate gives its first word."""
    lowered = title.lower()
    named = next((word for words, word in CERTIFICATES.items() if words in lowered), "")
    if not named:
        return lowered.split(" ")[0][:LONGEST_NAME] if lowered else "unknown"
    category = next((short for word, short in CATEGORIES.items() if word in lowered), "")
    return f"{named}-{category}" if category and "airplane" not in lowered else named


def date_on(cover: Iterable[str]) -> date | None:
    """The day printed on the cover, the first of the month if only "November 2023"; None without a date."""
    match = next((found for line in cover if (found := _DATE.search(line))), None)
    if match is None:
        return None
    return datetime.strptime(f"{match[1]} {match[2] or 1} {match[3]}", "%B %d %Y").date()


def title_on(cover: Sequence[str]) -> str:
    """What the cover prints above its date, without the standard's number and its publisher."""
    lines = [
        line
        for line in cover
        if not (re.search(_ACS_NUMBER, line) or line.startswith(PUBLISHERS) or line == "Administration")
    ]
    dated = next((at for at, line in enumerate(lines) if _DATE.search(line)), len(lines))
    return " ".join(lines[:dated])[:LONGEST_TITLE]


def _first_match(pattern: str, texts: Iterable[str]) -> str:
    return next((match.group() for text in texts if (match := re.search(pattern, text))), "")
