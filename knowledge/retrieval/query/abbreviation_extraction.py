"""Find the abbreviations that a document's text spells out, with the place where it does. Pure.

Three forms are read: "Automated Surface Observing System (ASOS)", "VOR (VHF omnidirectional range)" and a glossary's
"TDC. Top dead center. The position …". The abbreviation must consist of first letters of the words; a capitalized name
of a report counts as well ("Aviation Routine Weather Report (METAR)"). A doubtful abbreviation is left out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

_SHORT = r"[A-Z][A-Z0-9/&-]{1,7}"
_BEFORE = re.compile(rf"(?<![\w-])({_SHORT})s? \(([A-Za-z][A-Za-z /-]{{6,70}})\)")
_MARK = r"[*_]{0,2}"  # of Markdown
_ENTRY = re.compile(
    rf"(?:^|\n|(?<=[.;] )){_MARK}({_SHORT}){_MARK}(?:\.| ?[—–-]| ?:) ?([A-Z][A-Za-z /-]{{6,70}})(?=[.;,\n]|$)"
)
_BREAKS = ".;:()\n|,0123456789"  # no name reaches over these
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_SMALL = frozenset({"of", "and", "the", "in", "for", "to", "a", "an", "on", "or", "with", "at", "by", "from"})
# Short forms that are English words in small letters, where questions have them.
_ENGLISH = frozenset(
    """
    air all am an and any are arena as at be bite by camp can cap car cat dare day do enter fans fir for go had hat he
    hold if in is it its led list map may me met navy no not obstacle of off on one or out own pack pad par past pilot
    pin port rat safe sap sea set she sid sky slop so soap star stop tab take tip to toc top up us use was we who you
    """.split()  # noqa: SIM905 - a table of words
)
_REPORTS = frozenset({"report", "forecast", "advisory", "observation"})
LEAST, MOST = 3, 8  # letters of an abbreviation; two are read as too many things
NAME_MOST = 7  # words of what it stands for


@dataclass(frozen=True, slots=True)
class SpelledOut:
    """`short` in capitals, `long` in small letters, and where both stand in the text."""

    short: str
    long: str
    start: int
    end: int


def abbreviations_in(text: str) -> list[SpelledOut]:
    """In the order of the text, with repetitions. A short form that the text also has as a word is left out."""
    found: list[SpelledOut] = []
    for match in re.finditer(rf"\(({_SHORT})s?\)", text):  # "Automated Surface Observing System (ASOS)"
        before = text[max(0, match.start() - 90) : match.start()]
        before = before[1 + max(before.rfind(mark) for mark in _BREAKS) :]
        name = _name_spelling(match[1], list(_WORD.finditer(before)))
        if name and _is_abbreviation(match[1]):
            start = match.start() - len(before) + name[0].start()
            long = _plain_name(text[start : match.start()])
            found.append(SpelledOut(match[1], long, start, match.end()))
    # "VOR (VHF omnidirectional range)", and entries of a glossary
    for pattern, ends_with in ((_BEFORE, 0), (_ENTRY, 2)):
        for match in pattern.finditer(text):
            if _is_abbreviation(match[1]) and spells(match[1], _WORD.findall(match[2])):
                long = _plain_name(match[2])
                found.append(SpelledOut(match[1], long, match.start(1), match.end(ends_with)))
    words = frozenset(filter(str.islower, re.findall(r"[A-Za-z]+", text))) if found else frozenset()
    wanted = (one for one in found if one.short.lower() not in words)
    return sorted(wanted, key=lambda one: (one.start, one.end))


def _name_spelling(short: str, words: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """The fewest words before the brackets whose letters are those of the abbreviation; else three to five capitalized
    words that name a report."""
    for begin in range(len(words) - 1, max(-1, len(words) - 1 - NAME_MOST), -1):
        some = words[begin:]
        if some[0][0].lower() not in _SMALL and len(some) > 1 and spells(short, [word[0] for word in some]):
            return some
    begin = len(words)
    while begin and words[begin - 1][0][0].isupper() and len(words[begin - 1][0]) > 2:
        begin -= 1
    some = words[begin:]
    is_report = bool(some) and some[-1][0].lower().removesuffix("s") in _REPORTS
    return some if is_report and 3 <= len(some) <= 5 and len(short) > 3 and short.isalpha() else ()


def _is_abbreviation(short: str) -> bool:
    letters = sum(map(str.isalpha, short))
    return (
        LEAST <= letters <= MOST and short.lower() not in _ENGLISH and short.lower().rstrip("s") not in _SMALL
    )


def spells(short: str, words: Sequence[str]) -> bool:
    """Whether the letters are first letters of the words in order. Each word but a small one gives at least one; a word
    may give more ("radar" in NEXRAD)."""
    letters = "".join(filter(str.isalnum, short.lower()))
    plain = [part for word in words for part in word.lower().split("-")]
    return 1 < len(plain) <= NAME_MOST and _spell_letters(letters, plain)


def _spell_letters(letters: str, words: Sequence[str]) -> bool:
    if not words:
        return not letters
    word = words[0]
    if word in _SMALL and _spell_letters(letters, words[1:]):
        return True
    return any(
        word[:taken] == letters[:taken] and _spell_letters(letters[taken:], words[1:])
        for taken in range(min(len(word), len(letters)), 0, -1)
    )


def _plain_name(name: str) -> str:
    """In small letters and in the singular, as it is searched for."""
    plain = " ".join(name.lower().replace("’", "'").replace("-", " ").replace(",", "").split())
    plain = plain.removesuffix("'s")
    if plain.endswith("ies"):
        return f"{plain[:-3]}y"
    if plain.endswith(("ches", "shes", "sses", "xes")):
        return plain[:-2]
    stem = plain[:-1]
    is_plural = plain.endswith("s") and stem[-3:].isalpha() and len(stem) >= 3 and stem[-1] not in "suic"
    return stem if is_plural else plain
