"""The text of a document becomes the abbreviations that it spells out, with the place where it does. Pure.

Three ways of writing are read: "Automated Surface Observing System (ASOS)", "VOR (VHF omnidirectional range)" and a
glossary's "TDC. Top dead center. The position …". The letters of the abbreviation must be those of the words, from the
first word's first letter on; a name in capitals before the brackets counts as well where it is one and the letters are
another language's ("Aviation Routine Weather Report (METAR)"). What is no abbreviation of a term is better missed.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SHORT = r"[A-Z][A-Z0-9/&-]{1,7}"
_BEHIND = re.compile(rf"\(({_SHORT})s?\)")
_BEFORE = re.compile(rf"(?<![\w-])({_SHORT})s? \(([A-Za-z][A-Za-z /-]{{6,70}})\)")
_MARK = r"[*_]{0,2}"  # of Markdown
_ENTRY = re.compile(
    rf"(?:^|\n|(?<=[.;] )){_MARK}({_SHORT}){_MARK}(?:\.| ?[—–-]| ?:) ?([A-Z][A-Za-z /-]{{6,70}})(?=[.;,\n]|$)"
)
_BREAK = re.compile(r"[.;:()\n|,\d]")
_WORD = re.compile(r"[A-Za-z][A-Za-z'’]*")
_SMALL_WORD = re.compile(r"(?<![A-Za-z])[a-z]{3,8}(?![A-Za-z])")
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
    """`short` in capitals, `long` in small letters, and where it stands in the text."""

    short: str
    long: str
    start: int
    end: int


def spelled_out_in(text: str) -> Iterator[SpelledOut]:
    """In the order of the text; the same may come more than once. What stands in it as a word, too, is none."""
    found = [*_behind(text), *_in_brackets(text), *_entries(text)]
    words = frozenset(_SMALL_WORD.findall(text)) if found else frozenset()
    yield from sorted(
        (one for one in found if one.short.lower() not in words), key=lambda one: (one.start, one.end)
    )


def _behind(text: str) -> Iterator[SpelledOut]:
    for match in _BEHIND.finditer(text):
        before = _BREAK.split(text[max(0, match.start() - 90) : match.start()])[-1]
        name = _name_behind(match[1], list(_WORD.finditer(before)))
        if name and _is_abbreviation(match[1]):
            start = match.start() - len(before) + name[0].start()
            yield SpelledOut(match[1], _plain(text[start : match.start()]), start, match.end())


def _name_behind(short: str, words: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """The fewest words before the brackets whose letters are those of the abbreviation; else the name in capitals."""
    for begin in range(len(words) - 1, max(-1, len(words) - 1 - NAME_MOST), -1):
        some = words[begin:]
        if some[0][0].lower() not in _SMALL and len(some) > 1 and spells(short, [word[0] for word in some]):
            return some
    return _title(short, words)


def _title(short: str, words: Sequence[re.Match[str]]) -> Sequence[re.Match[str]]:
    """Three to five words in capitals that name a report; of other names the letters have to fit."""
    begin = len(words)
    while begin and words[begin - 1][0][0].isupper() and len(words[begin - 1][0]) > 2:
        begin -= 1
    some = words[begin:]
    told = bool(some) and some[-1][0].lower().removesuffix("s") in _REPORTS
    return some if told and 3 <= len(some) <= 5 and len(short) > 3 and short.isalpha() else ()


def _in_brackets(text: str) -> Iterator[SpelledOut]:
    for match in _BEFORE.finditer(text):
        if _is_abbreviation(match[1]) and spells(match[1], _WORD.findall(match[2])):
            yield SpelledOut(match[1], _plain(match[2]), match.start(1), match.end())


def _entries(text: str) -> Iterator[SpelledOut]:
    for match in _ENTRY.finditer(text):
        if _is_abbreviation(match[1]) and spells(match[1], _WORD.findall(match[2])):
            yield SpelledOut(match[1], _plain(match[2]), match.start(1), match.end(2))


def _is_abbreviation(short: str) -> bool:
    letters = [one for one in short if one.isalpha()]
    return (
        LEAST <= len(letters) <= MOST
        and short.lower() not in _ENGLISH
        and short.lower().rstrip("s") not in _SMALL
    )


def spells(short: str, words: Sequence[str]) -> bool:
    """Whether the letters are first letters of the words in their order, each word but a small one giving one at least;
    a word may give more ("radar" in NEXRAD)."""
    letters = [one.lower() for one in short if one.isalnum()]
    plain = [part for word in words for part in word.lower().split("-")]
    return 1 < len(plain) <= NAME_MOST and _spells(letters, plain)


def _spells(letters: Sequence[str], words: Sequence[str]) -> bool:
    if not words:
        return not letters
    word = words[0]
    if word in _SMALL and _spells(letters, words[1:]):
        return True
    return any(
        list(word[:taken]) == list(letters[:taken]) and _spells(letters[taken:], words[1:])
        for taken in range(min(len(word), len(letters)), 0, -1)
    )


def _plain(name: str) -> str:
    """In small letters and in the singular, as it is looked for."""
    plain = " ".join(name.lower().replace("’", "'").replace("-", " ").replace(",", "").split())
    plain = plain.removesuffix("'s")
    if plain.endswith("ies"):
        return f"{plain[:-3]}y"
    if plain.endswith(("ches", "shes", "sses", "xes")):
        return plain[:-2]
    return plain[:-1] if re.search(r"[a-z]{3}(?<![suic])s$", plain) else plain
