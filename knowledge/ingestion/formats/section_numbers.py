"""Find the number in a heading by which pilots cite the text below it. Pure.

Regulations ("§ 91.155 Basic VFR weather minimums."), the AIM ("General 3-2-1", "3-2-1. General"), appendices, special
rules (SFAR), and the numbered sections within those have a number; other headings have none.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Numbered:
    """A heading without its number, the number ("" without one), and both as they are cited."""

    heading: str
    number: str = ""
    shown: str = ""


def number_of(title: str, above: str = "") -> Numbered:
    """The number in a heading; `above` is the number of the section around it."""
    if rule := re.match(
        r"§§?\s*(\d+\.\d+[a-z]?)(?:\s*[-–—]\s*§?\s*\d+\.\d+[a-z]?)?\.?\s+(?P<title>.*)", title
    ):
        return Numbered(rule["title"].rstrip("."), rule[1], f"§ {rule[1]} {rule['title']}")
    if appendix := re.match(r"Appendix(?:es)?\s+([A-Z]{1,2}|\d{1,2})\b", title, re.IGNORECASE):
        return Numbered(title, f"Appendix {appendix[1].upper()}", title)
    if special := re.match(
        r"(?:Special Federal Aviation Regulation|SFAR)\s+No\.?\s*(\d[\d-]*?)(?=[—–:.]|\s|$)",
        title,
        re.IGNORECASE,
    ):
        return Numbered(title, f"SFAR {special[1]}", title)
    if above and (within := re.match(r"Section (\d+)\.", title)):
        return Numbered(title, f"{above}, section {within[1]}", title)
    manual = r"(?P<number>\d{1,2}-\d{1,2}-\d{1,3})\.?"
    if match := (
        re.match(rf"{manual}\s+(?P<title>\S.*)", title)
        or re.match(rf"(?P<title>.{{1,200}}?)\s*\^?{manual}$", title)
    ):
        return Numbered(match["title"], match["number"], f"{match['title']} {match['number']}")
    if decimal := re.match(r"(\d{1,2}(?:\.\d{1,3}){1,4})\.?\s+([A-Z(“\"].*)", title):
        return Numbered(decimal[2].rstrip("."), decimal[1], title)
    return Numbered(title)
