"""Codes of two and three letters that may mean a country, and those of them that are usually words. Pure."""

import re
from collections.abc import Iterator
from typing import Final

from rules.countries.gazetteer import ALPHA_3, EUROPE, KNOWN_COUNTRIES, WORDS

TWO_LETTER_WORDS: Final = WORDS["two letter words"].words
USUAL_WORDS: Final = WORDS["usual words"].words
AMBIGUOUS_3: Final = WORDS["three letter words"].words
_RATINGS: Final = WORDS["ratings"].words
# Codes of other lists that people take for ISO's.
_OTHER_ALPHA_3: Final = {
    **{"BUL": "BG", "CRO": "HR", "DEN": "DK", "GER": "DE", "GRE": "GR"},
    **{"NED": "NL", "POR": "PT", "SLO": "SI", "SUI": "CH", "UAE": "AE"},
}
CODES: Final[dict[str, str]] = (
    {code: code for code in KNOWN_COUNTRIES} | {"UK": "GB"} | ALPHA_3 | _OTHER_ALPHA_3
)
"""The country of each code of two or three letters."""

GAP_LONGEST: Final = 40  # characters; no two places of a list stand farther apart
_CONJUNCTIONS: Final = ("and", "or", "vs", "vs.", "versus")
SIGNS: Final = frozenset({",", "/", "&", "+", *_CONJUNCTIONS, *(f", {word}" for word in _CONJUNCTIONS)})
"""What stands between two countries of a list."""
SLASHES: Final = frozenset("/+&")

Row = list[re.Match[str]]


def separator_of(gap: str) -> str:
    """The text between two places, in lower case with single blanks: ", and"; " - " for a hyphen with blanks."""
    if gap != "-" and gap.strip() == "-":
        return " - "
    return " ".join(gap.lower().replace(",", " , ").split())


def is_word(code: str) -> bool:
    """Whether a code is usually a word or an abbreviation."""
    return code in USUAL_WORDS or code in AMBIGUOUS_3


def are_ratings(*codes: str) -> bool:
    return set(codes) <= _RATINGS


def find_rows(text: str) -> Iterator[Row]:
    """Codes of Europe, all small or all in capitals, that stand one after the other: "lu be nl".

    One of them at least is no word. The list vouches for a word between two others, after a slash, as the
    last of the text, or where the list stands beside what is asked: "be, nl and lu: ppr".
    """
    code = r"(?<![A-Za-z0-9'’.])(?:[a-z]{2,3}|(?<!-)[A-Z]{2}(?!-))(?![A-Za-z0-9'’])"
    found = [
        one for one in re.finditer(code, text) if one[0] != "and" and CODES.get(one[0].upper()) in EUROPE
    ]
    for small in (True, False):
        row: Row = []
        for one in (one for one in found if one[0].islower() == small):
            if row and (one[0] == "nor" or _gap_between(text, row[-1], one) not in SIGNS | {"", "-", " - "}):
                yield from _vouched_for(text, row)
                row = []
            row.append(one)
        yield from _vouched_for(text, row)


def _vouched_for(text: str, row: Row) -> Iterator[Row]:
    while row and is_word(row[0][0].upper()) and not _is_meant_first(text, row):
        row = row[1:]
    while row and is_word(row[-1][0].upper()) and not _is_meant_last(text, row):
        row = row[:-1]
    if len(row) < 2:
        return
    codes = {one[0].upper() for one in row}
    words = AMBIGUOUS_3 | (USUAL_WORDS if row[0][0].isupper() else TWO_LETTER_WORDS | USUAL_WORDS)
    if not are_ratings(*codes) and not codes <= words:
        yield row


def _is_meant_first(text: str, row: Row) -> bool:
    """A word begins a list before a slash, as three letters at the start of the text, or where a list can begin.

    "No, nl" answers something.
    """
    before = text[: row[0].start()]
    gap = _gap_between(text, *row[:2]) if len(row) > 1 else "none"
    if gap in SLASHES or (len(row[0][0]) == 3 and not before.strip()):
        return True
    answers = row[0][0].upper() == "NO" and "," in gap
    lead = before.rstrip(" \t\n:(")
    begins = not before or WORDS["matters"].ends(lead) or WORDS["before a list"].ends(lead)
    return gap in SIGNS and not answers and begins


def _is_meant_last(text: str, row: Row) -> bool:
    """A word ends a list behind a slash, at the end of the text, behind a sign at the end of a phrase, or
    before what is asked; not after another word ("de, is it?"). One of three letters ends a list after two
    codes in any case."""
    sure = sum(not is_word(one[0].upper()) for one in row)
    last, after = row[-1][0], text[row[-1].end() :]
    gap = _gap_between(text, *row[-2:]) if len(row) > 1 else "none"
    if gap in SLASHES or (len(last) == 3 and sure > 1):
        return True
    if len(row) > 1 and is_word(row[-2][0].upper()):
        return False
    if not after.strip(" \t\r\n?.!;:)"):
        return True
    if len(row) < 2:
        return False
    following = after.lstrip()
    asked = after[:1].isspace() and WORDS["matters"].begins(following)
    asked = asked and (last.upper() != "NO" or (last.isupper() and following[0].islower()))
    dashed = after[:1].isspace() and following[:1] in "-–—" and following[1:2].isspace()
    return (asked and (gap in SIGNS or sure > 1)) or (gap in SIGNS and (following[:1] in "?.!;:)" or dashed))


def _gap_between(text: str, one: re.Match[str], other: re.Match[str]) -> str:
    return separator_of(text[one.end() : other.start()])
