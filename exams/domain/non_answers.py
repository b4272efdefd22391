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
    """Whether an answer holds nothing that could be said: no word, and no number, of a sayable length."""
    shown = unicodedata.normalize("NFKC", answer.translate(_BLANK_LETTERS)).translate(_BLANK_LETTERS)
    shown = re.sub(r"(?:https?://|www\.)\S+", " ", shown, flags=re.IGNORECASE)
    said: list[str] = []
    for token in re.findall(r"\d[\d.,'_]*|[^\W\d_]+", shown):
        if token[0].isdigit():
            sayable = sum(map(str.isdigit, token)) <= conf.NUMBER_DIGITS_MOST
        else:
            sayable = len(token) <= conf.WORD_LETTERS_MOST or len(set(token)) >= conf.WORD_LETTERS_LEAST
        if sayable:
            said.append(token.casefold())
    return not said or (len(said) > conf.SAME_WORD_MOST and len(set(said)) == 1)
