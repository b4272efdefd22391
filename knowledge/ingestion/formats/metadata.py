"""What a document is, told by its title page, its numbers and its file's name. Pure.

The FAA numbers what it prints: AC 90-66C is an advisory circular, FAA-H-8083-25C a handbook, FAA-S-ACS-6C
a standard. A number tells only where a document names itself: club rules that say "see FAA-H-8083-3C" are no
handbook. What cannot be told stays empty; a document without a type stays a draft.
"""

import re
from collections.abc import Sequence
from datetime import date, datetime

from knowledge.ingestion.document_model import Description, PageText, squeezed
from knowledge.ingestion.formats.glossary import PCG

_AC = re.compile(
    r"\bAC(?:\s+No\.?:?)?[ _:-]*(?P<number>\d{1,3}-\d{1,4}[A-Z]?(?:\s*CHG\s*\d+)?)\b", re.IGNORECASE
)
_AC_FILE = re.compile(r"(?:^|faa[ _-])ac[ _-]?(?P<number>\d{1,3}-\d{1,4}[a-z]?)", re.IGNORECASE)
_HANDBOOK = re.compile(r"\bFAA-H-8083-(?P<number>\d{1,2}(?:-\d)?)(?P<letter>[A-Z]?)\b")
_ACS = re.compile(r"\bFAA-S-ACS-(?P<number>\d{1,2}[A-Z]?)\b")
_CFR_PART = re.compile(r"(?:14\s?CFR\s+)?Part 0*(?P<part>\d{1,3})(?=[.—-])", re.IGNORECASE)
_ECFR = re.compile(r"^Source: .*\becfr\.(?:gov|federalregister\.gov)\b", re.MULTILINE)
_AIM = re.compile(r"\A\W*aeronautical information manual|/aim_html/", re.IGNORECASE)
_GLOSSARY = re.compile(r"^Source: .*\bfaa\.gov\S*/pcg[_./-]", re.MULTILINE | re.IGNORECASE)
_GLOSSARY_TITLE = re.compile(r"^\W*pilot\s?/\s?controller glossary\W*$", re.IGNORECASE)
_GLOSSARY_DATE = re.compile(r"dtd_(?P<month>\d{1,2})-(?P<day>\d{1,2})-(?P<year>\d{2})\b")
_POH = re.compile(r"pilot[’']?s[’']? operating handbook|(?:airplane|aircraft) flight manual", re.IGNORECASE)
_OF_OTHERS = re.compile(  # words of a line that speaks of another document
    r"\b(?:see|refer|references?|accordance|according|consult|study|read|follow\w*|must|shall|should|from|in)\b|[,;]",
    re.IGNORECASE,
)
_NAME_LETTERS = 120  # of a line in which a document names itself
_CHAPTER = re.compile(r"(?:chapter|ch|chap)[ _.-]*0*(?P<chapter>\d{1,2})(?!\d)", re.IGNORECASE)
_DATE = re.compile(r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{2}|\d{4})\b")
_MONTH = re.compile(
    r"\b(?P<month>Jan(?:uary|\.)|Feb(?:ruary|\.)|Mar(?:ch|\.)|Apr(?:il|\.)|May|June?|July?|Aug(?:ust|\.)"
    r"|Sept?(?:ember|\.)|Oct(?:ober|\.)|Nov(?:ember|\.)|Dec(?:ember|\.))"
    r"(?:\s+(?P<day>\d{1,2}),)?\s+(?P<year>(?:19|20)\d{2})\b"
)

RECOGNIZED = frozenset({PCG})
"""Publications without a type of their own: they are "other", and no drafts."""

#: Handbooks pilots call by a short name, by their FAA-H-8083 number.
HANDBOOKS = {
    "1": ("W&B", "Weight and Balance Handbook"),
    "2": ("RMH", "Risk Management Handbook"),
    "3": ("AFH", "Airplane Flying Handbook"),
    "9": ("AIH", "Aviation Instructor’s Handbook"),
    "15": ("IFH", "Instrument Flying Handbook"),
    "16": ("IPH", "Instrument Procedures Handbook"),
    "25": ("PHAK", "Pilot’s Handbook of Aeronautical Knowledge"),
    "28": ("AWH", "Aviation Weather Handbook"),
    "32": ("AMT Powerplant", "Aviation Maintenance Technician Handbook—Powerplant"),
}
_HANDBOOK_FILES = {short.lower(): number for number, (short, _) in HANDBOOKS.items() if short.isalpha()}


def describe_pages(
    pages: Sequence[PageText], file_name: str = "", metadata_title: str = "", metadata_subject: str = ""
) -> Description:
    """What a paged document is. The file's own subject completes a title that print breaks over columns."""
    front = "\n".join(line.text for page in pages[:2] for line in page.lines)
    heads = "\n".join(text for page in pages[:6] for text in page.running)
    told = describe_text(f"{metadata_title}\n{front}\n{heads}", file_name)
    begun = metadata_subject.startswith(told.title) and told.title
    title = (
        (metadata_subject if begun else told.title)
        or metadata_title
        or _first_line(pages)
        or file_name.rsplit(".", 1)[0]
    )
    return Description(title=squeezed(title)[:300]).over(told)


def describe_text(text: str, file_name: str = "") -> Description:
    """What a text says it is; the file's name decides where the text does not."""
    for tell in (
        _as_regulation,
        _as_manual,
        _as_glossary,
    ):  # their first date is one of a rule, not of the edition
        if found := tell(text, file_name):
            return found
    for tell in (_as_standard, _as_circular, _as_handbook):
        if found := tell(text, file_name):
            return found.over(Description(edition_date=iso_date_in(text)))
    if _named(_POH, text[:600]) or re.match(r"(?:poh|afm)[ _-]", file_name, re.IGNORECASE):
        return Description(doc_type="poh", category="aircraft", edition_date=iso_date_in(text))
    return Description(edition_date=iso_date_in(text))


def _named(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Where a document names itself: in a short line that is no sentence and speaks of no other document."""
    for line in map(str.strip, text.split("\n")):
        match = pattern.search(line) if len(line) <= _NAME_LETTERS and not line.endswith(".") else None
        if match and not _OF_OTHERS.search(line[: match.start()] + " " + line[match.end() :]):
            return match
    return None


def _as_standard(text: str, file_name: str) -> Description | None:
    match = _named(_ACS, text[:3000]) or _ACS.search(file_name.replace("_", " "))
    if not match:
        return None
    number = f"FAA-S-ACS-{match['number']}"
    return Description(doc_type="acs", abbreviation=number, edition=match["number"], category="standards")


def _as_circular(text: str, file_name: str) -> Description | None:
    front = text[:600].lower()
    match = _AC_FILE.search(file_name)
    if "advisory" in front and "circular" in front:
        match = re.search(r"\bAC No\.?:?\s*(?P<number>\d{1,3}-\d{1,4}[A-Z]?)", text[:3000]) or match
        match = match or _AC.search(text[:3000])
    if not match:
        return None
    number = f"AC {match['number'].upper()}"
    subject = re.search(r"Subject:\s*(?P<first>[^\n]+)(?:\n(?P<second>[A-Z][^\n:]{0,60})(?=\n))?", text)
    title = squeezed(f"{subject['first']} {subject['second'] or ''}") if subject else ""
    return Description(doc_type="ac", abbreviation=number, title=title, edition=number, category="circulars")


def _as_handbook(text: str, file_name: str) -> Description | None:
    match = _named(_HANDBOOK, text[:6000]) or _HANDBOOK.search(file_name.replace("_", " "))
    number, letter = (match["number"], match["letter"]) if match else (_handbook_by_name(file_name), "")
    if not number:
        return None
    short, name = HANDBOOKS.get(number, (f"FAA-H-8083-{number}", f"FAA-H-8083-{number}"))
    chapter = _CHAPTER.search(file_name) or _CHAPTER.search(text[:300])
    title = f"{name}, chapter {int(chapter['chapter'])}" if chapter else name
    subject = re.search(r"Chapter\s+\d+:\s*(?P<name>[A-Z][^\n(]{2,60})", text[:400])
    if subject:
        title += f": {squeezed(subject['name'])}"
    edition = f"FAA-H-8083-{number}{letter}" if match else ""
    return Description(
        doc_type="handbook", abbreviation=short, title=title, edition=edition, category="handbooks"
    )


def _handbook_by_name(file_name: str) -> str:
    found = re.match(
        r"(?:faa[ _-]+)?([a-z]+)(?:[ _-]*(?:ch|chap|chapter)[ _-]*\d|[ _-]*\d*\.[a-z]+$)", file_name.lower()
    )
    return _HANDBOOK_FILES.get(found[1], "") if found else ""


def _as_regulation(text: str, file_name: str) -> Description | None:
    name = file_name.replace("_", " ")
    match = re.match(r"(?:faa\s)?14\s?cfr\s*part\s*0*(?P<part>\d{1,3})(?!\d)", name, re.IGNORECASE)
    headed = _CFR_PART.match(text.lstrip("# \n"))
    if headed and (_ECFR.search(text) or re.search(rf"§§?\s*{headed['part']}\.\d", text)):
        match = headed
    if not match:
        return None
    title = re.match(r"#?\s*(Part \d+[.—–-][^\n]+)", text.strip(), re.IGNORECASE)
    return describe_part("14", str(int(match["part"])), title[1] if title else "")


def describe_part(title: str, part: str, head: str) -> Description:
    """A part of the regulations by its head: "PART 91—GENERAL OPERATING AND FLIGHT RULES"."""
    named = re.match(r"part\s+\w+\s*[.—–-]+\s*(?P<name>.+)", squeezed(head), re.IGNORECASE)
    name = named["name"].rstrip(".") if named else ""
    return Description(
        doc_type="cfr",
        abbreviation=f"{title} CFR {part}",
        title=f"{title} CFR Part {part}. {name.capitalize() if name.isupper() else name}".rstrip(" ."),
        category="regulations",
    )


def _as_manual(text: str, file_name: str) -> Description | None:
    if not (_AIM.search(text[:400]) or re.match(r"aim\b", file_name, re.IGNORECASE)):
        return None
    heading = re.match(r"#\s*([^\n]+)", text.strip())
    chapter = re.search(r"chap(\d+)_section_(\d+)", text[:1500])
    place = f"chapter {chapter[1]}, section {chapter[2]}: " if chapter else ""
    name = re.sub(r"^Section \d+\.\s*", "", squeezed(heading[1])) if heading else ""
    title = f"AIM {place}{name}".strip(" :") if heading else "Aeronautical Information Manual"
    return Description(doc_type="aim", abbreviation="AIM", title=title, category="manuals")


def _as_glossary(text: str, file_name: str) -> Description | None:
    """The Pilot/Controller Glossary, whole or a letter of it."""
    front = text[:600]
    if not (_GLOSSARY.search(front) or _named(_GLOSSARY_TITLE, front)):
        return None
    letter = re.match(r"\W*Letter (?P<letter>[A-Z])\b", front)
    dated = _GLOSSARY_DATE.search(front)
    return Description(
        doc_type="other",
        abbreviation=PCG,
        title=f"Pilot/Controller Glossary, letter {letter['letter']}"
        if letter
        else "Pilot/Controller Glossary",
        edition_date=_iso(2000 + int(dated["year"]), int(dated["month"]), int(dated["day"])) if dated else "",
        category="glossaries",
    )


def iso_date_in(text: str) -> str:
    """The first date of a title page, as ISO; empty where there is none that can be."""
    for match in _DATE.finditer(text[:3000]):
        year = int(match["year"])
        if found := _iso(year + 2000 if year < 100 else year, int(match["month"]), int(match["day"])):
            return found
    named = _MONTH.search(text[:3000])
    if not named:
        return ""
    return _iso(int(named["year"]), datetime.strptime(named["month"][:3], "%b").month, int(named["day"] or 1))


def _iso(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""


def _first_line(pages: Sequence[PageText]) -> str:
    """The largest line of the first page."""
    lines = [line for page in pages[:1] for line in page.lines if sum(c.isalpha() for c in line.text) > 3]
    return max(lines, key=lambda line: line.size).text if lines else ""
