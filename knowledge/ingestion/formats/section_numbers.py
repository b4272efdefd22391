"""A heading becomes the number by which pilots cite what stands below it. Pure.

Regulations ("§ 91.155 Basic VFR weather minimums."), the AIM ("General 3-2-1", "3-2-1. General"),
appendices, special rules (SFAR) and the numbered sections within those; any other heading has no number.
"""

import re
from dataclasses import dataclass

PARAGRAPH_MARK = re.compile(r"\((?:[a-z]{1,5}|\d{1,3}|[A-Z])\)")

_RULE = re.compile(r"§§?\s*(?P<number>\d+\.\d+[a-z]?)(?:\s*[-–—]\s*§?\s*\d+\.\d+[a-z]?)?\.?\s+(?P<title>.*)")
_MANUAL_LAST = re.compile(r"(?P<title>.{1,200}?)\s*\^?(?P<number>\d{1,2}-\d{1,2}-\d{1,3})\.?$")
_MANUAL_FIRST = re.compile(r"(?P<number>\d{1,2}-\d{1,2}-\d{1,3})\.?\s+(?P<title>\S.*)")
_APPENDIX = re.compile(r"Appendix(?:es)?\s+(?P<letter>[A-Z]{1,2}|\d{1,2})\b", re.IGNORECASE)
_SPECIAL = re.compile(
    r"(?:Special Federal Aviation Regulation|SFAR)\s+No\.?\s*(?P<number>\d[\d-]*?)(?=[—–:.]|\s|$)",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"Section (?P<number>\d+)\.")
_DECIMAL = re.compile(r"(?P<number>\d{1,2}(?:\.\d{1,3}){1,4})\.?\s+(?P<title>[A-Z(“\"].*)")


@dataclass(frozen=True, slots=True)
class Numbered:
    """A heading without its number, the number ("" without one), and both as they are cited."""

    heading: str
    number: str = ""
    shown: str = ""


def number_of(title: str, above: str = "") -> Numbered:
    """What a heading's words say; `above` is the number of the section that it stands in."""
    if match := _RULE.match(title):
        shown = f"§ {match['number']} {match['title']}"
        return Numbered(match["title"].rstrip("."), match["number"], shown)
    if match := _APPENDIX.match(title):
        return Numbered(title, f"Appendix {match['letter'].upper()}", title)
    if match := _SPECIAL.match(title):
        return Numbered(title, f"SFAR {match['number']}", title)
    if (match := _WITHIN.match(title)) and above:
        return Numbered(title, f"{above}, section {match['number']}", title)
    if match := (_MANUAL_FIRST.match(title) or _MANUAL_LAST.match(title)):
        return Numbered(match["title"], match["number"], f"{match['title']} {match['number']}")
    if match := _DECIMAL.match(title):
        return Numbered(match["title"].rstrip("."), match["number"], title)
    return Numbered(title)
