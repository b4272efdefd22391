"""The first page of an ACS names it: number, title, certificate, date. Pure."""

import re
from calendar import month_name
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime

# Words of the title that name the certificate, first match wins.
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
# Categories with standards of their own: "private-heli" never takes the place of "private".
CATEGORIES: Mapping[str, str] = {
    "helicopter": "heli",
    "gyroplane": "gyro",
    "rotorcraft": "rotor",
    "powered-lift": "lift",
    "glider": "glider",
    "balloon": "balloon",
    "airship": "airship",
}

LONGEST_NAME, LONGEST_TITLE = 20, 300  # letters that are kept

_NUMBER = re.compile(r"FAA-S-ACS-\d+[A-Z]?\b")
_PTS = re.compile(r"FAA-S-8081-\d+[A-Z]?\b|Practical Test Standards", re.IGNORECASE)
_OWN_LINE = re.compile(
    r"^(?:FAA-S-ACS-\d+[A-Z]?|FAA-S-8081-\d+[A-Z]?)(?:\s*\(.{1,40}\)|,?\s+Change \d)?$"
    r"|^(?:[A-Z][\w-]+ ){0,6}Practical Test Standards$",
    re.IGNORECASE,
)
_DATE = re.compile(rf"\b({'|'.join(month_name[1:])})\s+(?:(\d{{1,2}}),\s*)?(\d{{4}})\b")
_PUBLISHER = re.compile(
    r"^(?:U\.?S\.? Department|of Transportation|Federal Aviation|Administration$|Flight Standards|Washington)"
)


def number_on(cover: Iterable[str]) -> str:
    """The standard's number; "" where the page has none."""
    return _first(_NUMBER, cover)


def names_standard(cover: Iterable[str]) -> bool:
    """Whether a first page is that of a standard, with codes or without: its number stands in a line of its own."""
    return any(_OWN_LINE.match(" ".join(line.split())) for line in cover)


def why_no_standard(cover: Sequence[str]) -> str:
    """Why a first page without a number is none of a standard that can be loaded."""
    pts = _first(_PTS, cover)
    if pts:
        return (
            f"this is a Practical Test Standard ({pts}): its elements have no codes, so nothing can be asked by"
            " them. Give the Airman Certification Standard (ACS) of the certificate"
        )
    return "no number such as FAA-S-ACS-6C on the first page: this is not an Airman Certification Standard"


def certificate_of(title: str) -> str:
    """The certificate that a title names ("private"); a title that names none gives its first word. A category with
    standards of its own is told apart ("private-heli")."""
    lowered = title.lower()
    named = next((word for words, word in CERTIFICATES.items() if words in lowered), "")
    if not named:
        return lowered.split(" ")[0][:LONGEST_NAME] if lowered else "unknown"
    category = next((short for word, short in CATEGORIES.items() if word in lowered), "")
    return f"{named}-{category}" if category and "airplane" not in lowered else named


def _first(pattern: re.Pattern[str], texts: Iterable[str]) -> str:
    matches = (match for text in texts if (match := pattern.search(text)))
    found = next(matches, None)
    return found.group() if found else ""


def date_on(cover: Iterable[str]) -> date | None:
    """The first day of "November 2023"; None when the cover bears no date."""
    printed = _first(_DATE, cover)
    match = _DATE.search(printed)
    if not match:
        return None
    return datetime.strptime(f"{match[1]} {match[2] or 1} {match[3]}", "%B %d %Y").date()


def title_on(cover: Sequence[str]) -> str:
    """What the cover prints before its date, without the standard's number and who publishes it."""
    lines = [line for line in cover if not _NUMBER.search(line) and not _PUBLISHER.match(line)]
    dated = next((at for at, line in enumerate(lines) if _DATE.search(line)), len(lines))
    return " ".join(lines[:dated])[:LONGEST_TITLE]
