"""Two and three letters that may be a country's code, and those of them that are words before they are that. Pure."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from rules.countries.names import ALPHA_3, EUROPE, KNOWN_COUNTRIES


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


ALPHA_2: Final[dict[str, str]] = {code: code for code in KNOWN_COUNTRIES} | {"UK": "GB"}

# English words and abbreviations of flying that are written with two letters, capital or small. Such a code counts only
# where a country's name could stand: "rules in NO", "FR, IT and CH".
TWO_LETTER_WORDS: Final = _words(
    """
    AL BA LT MC SM TR
    AD AI AM AN AS AT AZ BE BY CA CC CD CO DO EC EG ET FI FM GA GO GS HM HR ID IE IM IN IO IR IS IT KM KN LA MA
    MD ME MG MH MN MO MP MS MV MY NA NC NE NF NO OK OM PA PC PE PM PR PS RE SA SC SE SI SO SR ST SV TA TF TO TV
    UM US VA VC VI WS ZM
    """
)

# Of these, words so usual that a small one is no code even after "in" or "for", nor a capital one among capitals.
USUAL_WORDS: Final = _words(
    """
    AD AM AN AS AT BE BY CO DO EG FM GA GO HR ID IE IF IM IN IR IS IT KM LA ME MS MY NO OK PA PM RE SO TO TV US
    """
)

# Words of three letters, names of people, and abbreviations of flying.
THREE_LETTER_WORDS: Final = _words(
    """
    AGO AND ARE ARM ATA ATF BEN BRA CAN COD COG COM CUB DOM EST FIN GAB GEO GIN GUM GUY IMN IND JAM LIE MAC MAF
    MAR MDA MEX MLI MUS NAM NER NIC NOR PAN PER POL PRI PRY REU SEN SLE SOM SPM STP SUR SYR TCA TGO TKL TLS TON
    TUN TUV VAT VCT VIR
    """
)

# Of these, words that are no code when written small, wherever they stand.
SMALL_WORDS: Final = _words(
    """
    AGO AND ARE ARM BEN BRA CAN COD COM CUB DOM EST FIN GAB GEO GIN GUM GUY JAM LIE MAC MUS PAN PER SUR TON VAT
    """
)

# Codes of other lists that people take for ISO's.
OTHER_ALPHA_3: Final[dict[str, str]] = {
    **{
        "BUL": "BG",
        "CRO": "HR",
        "DEN": "DK",
        "GER": "DE",
        "GRE": "GR",
        "NED": "NL",
        "POR": "PT",
        "SLO": "SI",
    },
    **{"SUI": "CH", "UAE": "AE"},
}
THREE_LETTERS: Final[dict[str, str]] = ALPHA_3 | OTHER_ALPHA_3
AMBIGUOUS_3: Final = THREE_LETTER_WORDS | {"BUL", "CRO", "DEN", "GRE", "POR", "SLO"}

# Ratings and classes of pilots and aircraft; two of them side by side are no two countries: "SE/ME".
RATINGS: Final = frozenset({"SE", "ME", "FI", "IR"})

_SMALL: Final = re.compile(r"(?<![A-Za-z0-9'’.])[a-z]{2,3}(?![A-Za-z0-9'’])")
_CAPITAL: Final = re.compile(r"(?<![A-Za-z0-9'’.-])[A-Z]{2}(?![A-Za-z0-9'’-])")
_BETWEEN: Final = re.compile(r"^(?:\s*[,/&+-]\s*|\s+|,?\s+(?:and|or|vs\.?|versus)\s+)$", re.IGNORECASE)
_SLASH: Final = re.compile(r"^\s?[/+&]\s?$")
_SIGN: Final = re.compile(r"^(?:\s*[,/&+]\s*|,?\s+(?:and|or|vs\.?|versus)\s+)$", re.IGNORECASE)
_ENDS: Final = re.compile(r"\s*[?.!;:)]*\s*$")
_PHRASE_ENDS: Final = re.compile(r"\s*[?.!;:)]|\s+[-–—]\s")
# What the countries of a list are asked about, before it or behind it.
_MATTER: Final = (
    r"(?:ppr|s?vfr|ifr|fpls?|flight ?plans?|rules?|customs|transponders?|circuits?|airspace|a?fis|permission)"
)
_MATTER_AFTER: Final = re.compile(rf"\s+{_MATTER}\b", re.IGNORECASE)
_LIST_BEFORE: Final = re.compile(
    rf"(?:^|\b(?:in|for|from|between|across|compare|about|countries|{_MATTER})[\s:(]+)$", re.IGNORECASE
)

Row = Sequence[re.Match[str]]


def rows_in(text: str) -> Iterator[Row]:
    """Codes of Europe, all in small letters or all in capitals, that stand one after the other, of which one at least
    is no word: "lu be nl". The list vouches for a word between two others, after a slash, as the last of the text, or
    where the list as a whole stands beside what is asked: "be, nl and lu: ppr"."""
    for letters in (_SMALL, _CAPITAL):
        row: list[re.Match[str]] = []
        for found in letters.finditer(text):
            if not _is_european(found[0]):
                continue
            apart = row and (found[0] == "nor" or not _BETWEEN.match(_gap(text, row[-1], found)))
            if apart:
                yield from _rows(text, row)
                row = []
            row.append(found)
        yield from _rows(text, row)


def _rows(text: str, row: Row) -> Iterator[Row]:
    kept = list(row)
    while kept and _is_word(kept[0][0]) and not _is_first(text, kept):
        kept.pop(0)
    while kept and _is_word(kept[-1][0]) and not _is_last(text, kept):
        kept.pop()
    if len(kept) > 1 and not _are_words(kept):
        yield kept


def _are_words(row: Row) -> bool:
    """Whether nothing vouches for them: all are words, or ratings."""
    spelt = {one[0] for one in row}
    told = {one.upper() for one in spelt}
    words = USUAL_WORDS | AMBIGUOUS_3 if min(spelt).isupper() else TWO_LETTER_WORDS | AMBIGUOUS_3
    return told <= RATINGS or told <= words


def _is_first(text: str, row: Row) -> bool:
    """Whether the first of them, a word by itself, is meant as a code: before a slash, "nor swe dnk", or where a list
    begins ("PPR be, nl and lu", "it and fr"). "No, nl" answers something."""
    before = text[: row[0].start()]
    begins = len(row[0][0]) == 3 and not before.strip()
    listed = _SIGN.match(_gap(text, *row[:2])) if len(row) > 1 else None
    answers = row[0][0].upper() == "NO" and listed and "," in listed[0]
    return (
        begins or _is_slashed(text, row[:2]) or bool(listed and not answers and _LIST_BEFORE.search(before))
    )


def _is_last(text: str, row: Row) -> bool:
    """Whether the last of them, a word by itself, is meant as a code: not after another word ("de, is it?"), and after
    two codes in any case if it has three letters."""
    if len(row[-1][0]) == 3 and sum(not _is_word(one[0]) for one in row) > 1:
        return True
    ends = _ENDS.match(text, row[-1].end()) and not (len(row) > 1 and _is_word(row[-2][0]))
    return bool(ends) or _is_slashed(text, row[-2:]) or _ends_a_list(text, row)


def _ends_a_list(text: str, row: Row) -> bool:
    """Behind a sign at the end of a phrase, or behind one or two other codes before what is asked; but "NO PPR" is
    none."""
    if len(row) < 2 or _is_word(row[-2][0]):
        return False
    after = text[row[-1].end() :]
    signed = bool(_SIGN.match(_gap(text, *row[-2:])))
    several = sum(not _is_word(one[0]) for one in row) > 1
    matter = _MATTER_AFTER.match(after)
    told = matter and (row[-1][0].upper() != "NO" or (row[-1][0].isupper() and matter[0].islower()))
    return bool((signed or several) and told) or bool(signed and _PHRASE_ENDS.match(after))


def _gap(text: str, one: re.Match[str], other: re.Match[str]) -> str:
    return text[one.end() : other.start()]


def _is_slashed(text: str, two: Row) -> bool:
    return len(two) == 2 and bool(_SLASH.match(_gap(text, *two)))


def _is_european(spelt: str) -> bool:
    code = spelt.upper()
    return code != "AND" and (ALPHA_2.get(code) in EUROPE or THREE_LETTERS.get(code) in EUROPE)


def _is_word(spelt: str) -> bool:
    return spelt.upper() in USUAL_WORDS | AMBIGUOUS_3
