"""Tell what a document is by its title page, its numbers, and the name of its file. Pure.

The FAA numbers what it prints: AC 90-66C is an advisory circular, FAA-H-8083-25C a handbook, FAA-S-ACS-6C a standard. A
number counts only where a document names itself: club rules that say "see FAA-H-8083-3C" are not a handbook. Unknown
fields stay empty; a document without a type stays a draft.
"""

import re
from calendar import month_abbr, month_name
from collections.abc import Sequence
from datetime import date, datetime

from knowledge.grounding.citations import GLOSSARY
from knowledge.ingestion.document_model import Description, PageText, squeeze_spaces
from knowledge.standards.references import HANDBOOK_NUMBER, HANDBOOKS, without_edition

_MONTHS = "|".join((*month_name[1:], *(rf"{name}\." for name in month_abbr[1:]), r"Sept\.", "Jun", "Jul"))
_NAME_LETTERS = 120  # of a line in which a document names itself
_REFERRING_WORDS = frozenset(  # a line with one of them speaks of another document
    str.split(
        "see refer reference references accordance according consult study read must shall should from in"
        " follow follows followed following"
    )
)

RECOGNIZED = frozenset({GLOSSARY})
"""Publications without a type of their own: they are "other", but not drafts."""

HANDBOOK_TITLES = {
    "W&B": "Weight and Balance Handbook",
    "RMH": "Risk Management Handbook",
    "AFH": "Airplane Flying Handbook",
    "AIH": "Aviation Instructor’s Handbook",
    "IFH": "Instrument Flying Handbook",
    "IPH": "Instrument Procedures Handbook",
    "SEAPLANE": "Seaplane, Skiplane, and Float/Ski Equipped Helicopter Operations Handbook",
    "PHAK": "Pilot’s Handbook of Aeronautical Knowledge",
    "AWH": "Aviation Weather Handbook",
    "AMT Powerplant": "Aviation Maintenance Technician Handbook—Powerplant",
}


def describe_pages(
    pages: Sequence[PageText], file_name: str = "", metadata_title: str = "", metadata_subject: str = ""
) -> Description:
    """What a document with pages is. The file's own subject completes a title that is printed in columns."""
    front = "\n".join(line.text for page in pages[:2] for line in page.lines)
    heads = "\n".join(text for page in pages[:6] for text in page.running)
    told = describe_text(f"{metadata_title}\n{front}\n{heads}", file_name)
    title = metadata_subject if told.title and metadata_subject.startswith(told.title) else told.title
    title = title or metadata_title
    if not title:
        lines = [line for page in pages[:1] for line in page.lines if sum(map(str.isalpha, line.text)) > 3]
        title = max(lines, key=lambda line: line.size).text if lines else file_name.rsplit(".", 1)[0]
    return Description(title=squeeze_spaces(title)[:300]).over(told)


def describe_text(text: str, file_name: str = "") -> Description:
    """What a text says it is; the name of the file decides where the text does not."""
    # The first date in these is that of a rule, not that of the edition.
    for describe in (_describe_regulation, _describe_manual, _describe_glossary):
        if found := describe(text, file_name):
            return found
    dated = Description(edition_date=iso_date_in(text))
    for describe in (_describe_standard, _describe_circular, _describe_handbook):
        if found := describe(text, file_name):
            return found.over(dated)
    poh = r"(?i)pilot[’']?s[’']? operating handbook|(?:airplane|aircraft) flight manual"
    if _find_own_name(poh, text[:600]) or re.match(r"(?:poh|afm)[ _-]", file_name, re.IGNORECASE):
        return Description(doc_type="poh", category="aircraft").over(dated)
    return dated


def _find_own_name(pattern: str | re.Pattern[str], text: str) -> re.Match[str] | None:
    """Where a document names itself: in a short line that is no sentence and speaks of no other document."""
    for line in map(str.strip, text.split("\n")):
        match = re.search(pattern, line) if len(line) <= _NAME_LETTERS and not line.endswith(".") else None
        if match:
            rest = f"{line[: match.start()]} {line[match.end() :]}".lower()
            if not (set(re.findall(r"\w+", rest)) & _REFERRING_WORDS or "," in rest or ";" in rest):
                return match
    return None


def _describe_standard(text: str, file_name: str) -> Description | None:
    printed = r"\bFAA-S-ACS-(?P<number>\d{1,2}[A-Z]?)\b"
    match = _find_own_name(printed, text[:3000]) or re.search(printed, file_name.replace("_", " "))
    if not match:
        return None
    number = f"FAA-S-ACS-{match['number']}"
    return Description(doc_type="acs", abbreviation=number, edition=match["number"], category="standards")


def _describe_circular(text: str, file_name: str) -> Description | None:
    front = text[:600].lower()
    match = re.search(r"(?:^|faa[ _-])ac[ _-]?(?P<number>\d{1,3}-\d{1,4}[a-z]?)", file_name, re.IGNORECASE)
    if "advisory" in front and "circular" in front:
        printed = r"\bAC No\.?:?\s*(?P<number>\d{1,3}-\d{1,4}[A-Z]?)"
        anywhere = r"(?i)\bAC(?:\s+No\.?:?)?[ _:-]*(?P<number>\d{1,3}-\d{1,4}[A-Z]?(?:\s*CHG\s*\d+)?)\b"
        match = re.search(printed, text[:3000]) or match or re.search(anywhere, text[:3000])
    if not match:
        return None
    number = f"AC {match['number'].upper()}"
    subject = re.search(r"Subject:\s*(?P<first>[^\n]+)(?:\n(?P<second>[A-Z][^\n:]{0,60})(?=\n))?", text)
    title = squeeze_spaces(f"{subject['first']} {subject['second'] or ''}") if subject else ""
    return Description(doc_type="ac", abbreviation=number, title=title, edition=number, category="circulars")


def _describe_handbook(text: str, file_name: str) -> Description | None:
    match = _find_own_name(HANDBOOK_NUMBER, text[:6000]) or HANDBOOK_NUMBER.search(
        file_name.replace("_", " ")
    )
    if match:
        number, edition = without_edition(match.group()), match.group()
    else:  # by a short name, as in "phak_ch15.pdf"
        # "seaplane.pdf" may be anybody's; the other short names are the FAA's alone.
        shorts = {short.lower(): number for number, short in HANDBOOKS.items() if short != "SEAPLANE"}
        named = re.match(
            r"(?:faa[ _-]+)?([a-z]+)(?:[ _-]*(?:ch|chap|chapter)[ _-]*\d|[ _-]*\d*\.[a-z]+$)",
            file_name.lower(),
        )
        number, edition = shorts.get(named[1], "") if named else "", ""
    if not number:
        return None
    short = HANDBOOKS.get(number, number)
    title = HANDBOOK_TITLES.get(short, short)
    numbered = r"(?i)(?:chapter|ch|chap)[ _.-]*0*(?P<chapter>\d{1,2})(?!\d)"
    chapter = re.search(numbered, file_name) or re.search(numbered, text[:300])
    if chapter:
        title += f", chapter {int(chapter['chapter'])}"
    subject = re.search(r"Chapter\s+\d+:\s*(?P<name>[A-Z][^\n(]{2,60})", text[:400])
    if subject:
        title += f": {squeeze_spaces(subject['name'])}"
    return Description(
        doc_type="handbook", abbreviation=short, title=title, edition=edition, category="handbooks"
    )


def _describe_regulation(text: str, file_name: str) -> Description | None:
    name = file_name.replace("_", " ")
    match = re.match(r"(?:faa\s)?14\s?cfr\s*part\s*0*(?P<part>\d{1,3})(?!\d)", name, re.IGNORECASE)
    headed = re.match(
        r"(?:14\s?CFR\s+)?Part 0*(?P<part>\d{1,3})(?=[.—-])", text.lstrip("# \n"), re.IGNORECASE
    )
    source = r"(?m)^Source: .*\becfr\.(?:gov|federalregister\.gov)\b"
    if headed and (re.search(source, text) or re.search(rf"§§?\s*{headed['part']}\.\d", text)):
        match = headed
    if not match:
        return None
    title = re.match(r"#?\s*(Part \d+[.—–-][^\n]+)", text.strip(), re.IGNORECASE)
    return describe_part("14", str(int(match["part"])), title[1] if title else "")


def describe_part(title: str, part: str, head: str) -> Description:
    """A part of the regulations by its head: "PART 91—GENERAL OPERATING AND FLIGHT RULES"."""
    named = re.match(r"part\s+\w+\s*[.—–-]+\s*(?P<name>.+)", squeeze_spaces(head), re.IGNORECASE)
    name = named["name"].rstrip(".") if named else ""
    return Description(
        doc_type="cfr",
        abbreviation=f"{title} CFR {part}",
        title=f"{title} CFR Part {part}. {name.capitalize() if name.isupper() else name}".rstrip(" ."),
        category="regulations",
    )


def _describe_manual(text: str, file_name: str) -> Description | None:
    front = text[:400].lower()
    names_itself = re.match(r"\W*aeronautical information manual", front) or "/aim_html/" in front
    if not (names_itself or re.match(r"aim\b", file_name, re.IGNORECASE)):
        return None
    heading = re.match(r"#\s*([^\n]+)", text.strip())
    chapter = re.search(r"chap(\d+)_section_(\d+)", text[:1500])
    place = f"chapter {chapter[1]}, section {chapter[2]}: " if chapter else ""
    name = re.sub(r"^Section \d+\.\s*", "", squeeze_spaces(heading[1])) if heading else ""
    title = f"AIM {place}{name}".strip(" :") if heading else "Aeronautical Information Manual"
    return Description(doc_type="aim", abbreviation="AIM", title=title, category="manuals")


def _describe_glossary(text: str, _file_name: str) -> Description | None:
    """The Pilot/Controller Glossary, whole or one letter of it."""
    front = text[:600]
    source = r"(?mi)^Source: .*\bfaa\.gov\S*/pcg[_./-]"
    title = r"(?i)^\W*pilot\s?/\s?controller glossary\W*$"
    if not (re.search(source, front) or _find_own_name(title, front)):
        return None
    letter = re.match(r"\W*Letter ([A-Z])\b", front)
    dated = re.search(r"dtd_(\d{1,2})-(\d{1,2})-(\d{2})\b", front)
    return Description(
        doc_type="other",
        abbreviation=GLOSSARY,
        title="Pilot/Controller Glossary" + (f", letter {letter[1]}" if letter else ""),
        edition_date=_iso_date(2000 + int(dated[3]), int(dated[1]), int(dated[2])) if dated else "",
        category="glossaries",
    )


def iso_date_in(text: str) -> str:
    """The first possible date of a title page as ISO, or ""."""
    numeric = r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{2}|\d{4})\b"
    for match in re.finditer(numeric, text[:3000]):
        year = int(match["year"])
        if found := _iso_date(year + 2000 if year < 100 else year, int(match["month"]), int(match["day"])):
            return found
    words = rf"\b(?P<month>{_MONTHS})(?:\s+(?P<day>\d{{1,2}}),)?\s+(?P<year>(?:19|20)\d{{2}})\b"
    named = re.search(words, text[:3000])
    if not named:
        return ""
    month = datetime.strptime(named["month"][:3], "%b").month
    return _iso_date(int(named["year"]), month, int(named["day"] or 1))


def _iso_date(year: int, month: int, day: int) -> str:
    try:
        return date(year, month, day).isoformat()
    except ValueError:
        return ""
