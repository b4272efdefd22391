"""Numbers as people write and say them become floats: digits, fractions, words, digits spelled one by one.

Pure text work: nothing here knows what is counted or measured. Spans are kept, since prepared text keeps its
length.
"""

from __future__ import annotations

import re

_SAME_LENGTH = str.maketrans("–—−‑⁄\u00a0’\n\tº", "----/ '  °")
_FRACTION_DIGITS = re.compile(r"(?<![\d⁰¹²³⁴⁵⁶⁷⁸⁹])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?=[/⁄])|(?<=[/⁄])[₀₁₂₃₄₅₆₇₈₉]+")
_RAISED_OR_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")
_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}

_ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
_TEENS = [
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_SPOKEN = {word: str(n) for n, word in enumerate(_ONES)} | {"niner": "9", "fife": "5", "tree": "3", "oh": "0"}
_VALUES: dict[str, int] = (
    {word: n for n, word in enumerate(_ONES)}
    | {word: n + 10 for n, word in enumerate(_TEENS)}
    | {word: (n + 2) * 10 for n, word in enumerate(_TENS)}
)
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

# Nothing that a pilot says has more digits or words than these; a longer run is no number, and never infinity.
_D = r"\d{1,12}"
_DIGITS = (
    rf"(?:{_D}[ -]{_D}/{_D}|{_D}/{_D}|\d{{1,3}}(?:,\d{{3}}){{1,3}}(?:\.{_D})?|{_D}\.{_D}|\.{_D}|{_D} ?[½¼¾⅓⅔⅛]"
    rf"|{_D}|[½¼¾⅓⅔⅛])"
)
_SCALED = rf"(?:{_D}(?:\.{_D})? (?:hundred|thousand|million)(?![a-z]))"
_WORD = "(?:" + "|".join(sorted([*_VALUES, *_SCALES], key=len, reverse=True)) + ")"
_HALF = r"(?:(?:one|a)[ -](?:half|quarter|fourth)|half|three[ -](?:quarters|fourths))"
_WORDS = (
    rf"(?:{_HALF}(?![a-z])"
    rf"|(?:a )?{_WORD}(?:(?:[ -]| and (?!{_HALF})){_WORD}){{0,11}}(?: and {_HALF})?(?![a-z]))"
)
_SPELLED_DIGIT = "(?:" + "|".join(_SPOKEN) + ")"
_SPELLED_POINT = rf"(?: (?:point|decimal)(?: {_SPELLED_DIGIT}){{1,11}})"
_SPELLED = (
    rf"(?:{_SPELLED_DIGIT}(?: {_SPELLED_DIGIT}){{1,11}}{_SPELLED_POINT}?|{_SPELLED_DIGIT}{_SPELLED_POINT}"
    rf"|(?:point|decimal)(?: {_SPELLED_DIGIT}){{2,11}})(?![a-z])"
)

NUMBER_PATTERN = rf"(?:{_SCALED}|{_DIGITS}|{_SPELLED}|{_WORDS})"
"""Matches one number in text that `plain` prepared."""

_FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "fourth": 0.25, "fourths": 0.25}


def plain(text: str) -> str:
    """Lower case with one kind of dash, space and slash, and fractions in digits of one height; every character stays
    at its place."""
    folded = text.translate(_SAME_LENGTH)
    if folded.isascii():
        return folded.lower()
    folded = _FRACTION_DIGITS.sub(lambda digits: digits.group().translate(_RAISED_OR_LOWERED), folded)
    return "".join(low if len(low := char.lower()) == 1 else char for char in folded)


def number_from(text: str) -> float:
    """The value of one number that NUMBER_PATTERN matched. Raises ValueError for anything else."""
    text = plain(text).strip()
    if re.fullmatch(_SCALED, text):
        digits, scale = text.split()
        return float(digits) * _SCALES[scale]
    if re.fullmatch(_DIGITS, text):
        return _from_digits(text)
    if re.fullmatch(_SPELLED, text):
        return _from_spelled(text)
    return _from_words(text)


def is_word(text: str) -> bool:
    """Whether the number was written in words."""
    return not any(char.isdigit() or char in _VULGAR for char in text)


def _from_digits(text: str) -> float:
    if text[-1] in _VULGAR:
        return float(text[:-1].strip() or 0) + _VULGAR[text[-1]]
    if "/" in text:
        *whole, fraction = re.split(r"[ -]", text)
        over, under = fraction.split("/")
        return (float(whole[0]) if whole else 0.0) + float(over) / (float(under) or 1.0)
    return float(text.replace(",", ""))


def _from_spelled(text: str) -> float:
    return float("".join(_SPOKEN.get(word, ".") for word in text.split()))


def _from_words(text: str) -> float:
    if text in ("", "a"):
        raise ValueError("no number in these words")
    total, current, fraction = 0.0, 0.0, 0.0
    words = re.split(r"[ -]", text)
    for place, word in enumerate(words):
        if word in _FRACTIONS:
            times = _VALUES.get(words[place - 1], 1) if place else 1
            current -= times if place and words[place - 1] in _VALUES else 0
            fraction = times * _FRACTIONS[word]
        elif word in _VALUES:
            current += _VALUES[word]
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total, current = total + (current or 1) * _SCALES[word], 0.0
        elif word not in ("a", "and"):
            raise ValueError(f"{word!r} is no number word")
    return total + current + fraction


def spoken(value: float) -> str:
    """A whole number below a million in words, as `number_from` reads it."""
    whole = int(value)
    if whole != value or not 0 <= whole < 1_000_000:
        raise ValueError("only whole numbers below a million are said in words")
    if whole >= 1000:
        rest = whole % 1000
        return f"{spoken(whole // 1000)} thousand" + (f" {spoken(rest)}" if rest else "")
    if whole >= 100:
        rest = whole % 100
        return f"{_ONES[whole // 100]} hundred" + (f" {spoken(rest)}" if rest else "")
    if whole >= 20:
        return _TENS[whole // 10 - 2] + (f"-{_ONES[whole % 10]}" if whole % 10 else "")
    return (_ONES + _TEENS)[whole]
