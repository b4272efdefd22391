"""Reads numbers as people write and say them: digits, fractions, words, digits spelled one by one.

It does not know what is counted or measured.
"""

from __future__ import annotations

import re

from knowledge.text.tokens import normalize_text

_VULGAR = {"½": 0.5, "¼": 0.25, "¾": 0.75, "⅓": 1 / 3, "⅔": 2 / 3, "⅛": 0.125}
_FRACTIONS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "fourth": 0.25, "fourths": 0.25}
WORDS_BELOW_TWENTY = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
)  # fmt: skip
"""The words of the numbers from 0 to 19, in order."""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_VALUES = {word: value for value, word in enumerate(WORDS_BELOW_TWENTY)} | {
    word: 10 * tens for tens, word in enumerate(_TENS.split(), start=2)
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

SPOKEN_DIGITS = {word: str(value) for word, value in _VALUES.items() if value < 10} | {
    "niner": "9",
    "fife": "5",
    "tree": "3",
    "oh": "0",
}
"""Digits as they are said on the radio."""

# A pilot says no number with more digits or words than these, so a longer run is not a number and never infinity.
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
_SPELLED_DIGIT = "(?:" + "|".join(SPOKEN_DIGITS) + ")"
_SPELLED_POINT = rf"(?: (?:point|decimal)(?: {_SPELLED_DIGIT}){{1,11}})"
_SPELLED = (
    rf"(?:{_SPELLED_DIGIT}(?: {_SPELLED_DIGIT}){{1,11}}{_SPELLED_POINT}?|{_SPELLED_DIGIT}{_SPELLED_POINT}"
    rf"|(?:point|decimal)(?: {_SPELLED_DIGIT}){{2,11}})(?![a-z])"
)

NUMBER_PATTERN = rf"(?:{_SCALED}|{_DIGITS}|{_SPELLED}|{_WORDS})"
"""Matches one number in normalized text."""


def number_from(text: str) -> float:
    """The value of one number that NUMBER_PATTERN matches. Raises ValueError for anything else."""
    text = normalize_text(text).strip()
    if re.fullmatch(_SCALED, text):
        digits, scale = text.split()
        return float(digits) * _SCALES[scale]
    if re.fullmatch(_DIGITS, text):
        if text[-1] in _VULGAR:
            return float(text[:-1].strip() or 0) + _VULGAR[text[-1]]
        if "/" in text:
            *whole, fraction = re.split(r"[ -]", text)
            over, under = fraction.split("/")
            return (float(whole[0]) if whole else 0.0) + float(over) / (float(under) or 1.0)
        return float(text.replace(",", ""))
    if re.fullmatch(_SPELLED, text):
        return float("".join(SPOKEN_DIGITS.get(word, ".") for word in text.split()))
    return _value_of_words(text)


def has_figure(text: str) -> bool:
    """Whether a number stands in a text, in digits or as a word."""
    words = re.findall(r"[a-z]+", text.lower())
    return any(map(str.isdigit, text)) or any(word in _VALUES for word in words)


def is_in_words(text: str) -> bool:
    """Whether a number is written in words."""
    return not any(char.isdigit() or char in _VULGAR for char in text)


def _value_of_words(text: str) -> float:
    if text in ("", "a"):
        raise ValueError("These words hold no number.")
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
            raise ValueError(f"{word!r} is no number word.")
    return total + current + fraction
