"""A text becomes its content words, in a form that meets other forms of the same word.

A light stemmer and a short list of abbreviations that pilots use for whole terms. Pure, and no judge of
meaning.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from knowledge.text.numbers import plain
from knowledge.text.text_cache import kept

_STOP_WORDS = """
    a an the of to in on at for by with from as is are be been being was were am it its this that these
    those there and or but if then than so such which who whom whose what when where while how i you he she
    we they my your his her our their me him them us do does did done has have had having will would shall
    must may might can could should ought not no nor never any each every all both either neither some one
    per into onto over under up down out off about also just only very more most less least other another
    same own too again once here because since until unless except during before after above below between
    through against within without upon via etc get got go need needs required require requires requirement
    allowed permitted otherwise provided case feet foot ft mile miles statute nautical sm nm hour hours
    minute minutes day days month months calendar year years knots knot kt percent degrees degree inches
    mercury s um well okay ok yes yeah think believe know say said mean like basically really actually kind
    sort person aircraft operate operation pilot section part paragraph chapter subpart
"""
_STOP = frozenset(_STOP_WORDS.split())
_ABBREVIATIONS = {
    "pic": "pilot in command",
    "sic": "second in command",
    "atc": "air traffic control",
    "cfi": "flight instructor",
    "agl": "above ground level",
    "msl": "mean sea level",
    "vis": "visibility",
    "wx": "weather",
    "xc": "cross-country",
    "medical": "medical certificate",
    "plane": "airplane",
    "airplanes": "airplane",
    "ceilings": "ceiling",
    "o2": "oxygen",
    "reg": "regulation",
    "regs": "regulations",
    "ad": "airworthiness directive",
    "ads": "airworthiness directives",
    "tfr": "temporary flight restriction",
    "notam": "notice to airmen",
    "cg": "center of gravity",
    "poh": "flight manual",
    "afm": "flight manual",
    "elt": "emergency locator transmitter",
    "annual": "annual inspection",
    "mag": "magneto",
    "takeoff": "take off",
    "takeoffs": "take off",
}
_WORD = re.compile(r"[a-z0-9][a-z0-9'./-]*[a-z0-9]|[a-z0-9]")
_ENDINGS = (
    "ization",
    "isation",
    "ational",
    "fulness",
    "ousness",
    "iveness",
    "ations",
    "ation",
    "ments",
    "ment",
    "ingly",
    "edly",
    "ness",
    "ance",
    "ence",
    "ible",
    "able",
    "ings",
    "ing",
    "ies",
    "ied",
    "ions",
    "ion",
    "ers",
    "est",
    "ally",
    "ly",
    "ed",
    "es",
    "er",
    "al",
    "s",
    "e",
)


def stem(word: str) -> str:
    """A word without its ending; never shorter than four letters."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            word = word[: -len(ending)]
            break
    word = word[:-1] + "y" if word.endswith("i") else word
    return word[:-1] if len(word) > 4 and word[-1] == word[-2] and word[-1] not in "aeiouls" else word


@kept
def content_words(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order, numbers left out (they are compared as
    quantities)."""
    words: list[str] = []
    for token in _WORD.findall(plain(text)):
        for word in _ABBREVIATIONS.get(token, token).replace("-", " ").replace("/", " ").split():
            if word not in _STOP and not re.fullmatch(r"[\d.,]+[a-z]?", word) and len(word) > 1:
                words.append(stem(word.removesuffix("'s")))
    return tuple(words)


def coverage(words: Collection[str], by: Collection[str]) -> float:
    """The share of the distinct words that the other text has too; 1.0 for no words."""
    distinct = set(words)
    return len(distinct & set(by)) / len(distinct) if distinct else 1.0
