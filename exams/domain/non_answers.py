"""Detects answers without a single word or number: zero-width characters, emojis, one word repeated endlessly.

The examiner says so and asks again. A wrong answer, an answer in another language, and "I don't know" have words and
are judged.
"""

import re
import unicodedata
from typing import Final

from exams import conf

_BLANK_LETTERS: Final = str.maketrans("", "", "\u115f\u1160\u3164\uffa0")
"""Hangul fillers: Unicode classifies them as letters, but they are invisible."""


def is_non_answer(answer: str) -> bool:
    """Whether an answer has no word or number."""
    shown = unicodedata.normalize("NFKC", answer.translate(_BLANK_LETTERS)).translate(_BLANK_LETTERS)
    shown = re.sub(r"(?:https?://|www\.)\S+", " ", shown, flags=re.IGNORECASE)
    tokens = re.findall(r"\d[\d.,'_]*|[^\W\d_]+", shown)
    said = [token.casefold() for token in tokens if _is_said(token)]
    return not said or (len(said) > conf.SAME_WORD_MOST and len(set(said)) == 1)


def _is_said(token: str) -> bool:
    if token[0].isdigit():
        return sum(map(str.isdigit, token)) <= conf.NUMBER_DIGITS_MOST
    return len(token) <= conf.WORD_LETTERS_MOST or len(set(token)) >= conf.WORD_LETTERS_LEAST
