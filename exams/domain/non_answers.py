"""Detects answers without a single word or number: zero-width characters, emojis, one word repeated endlessly. Pure.

A non-answer is no failure of ours and no answer either: the examiner says so and asks again. A wrong answer, one in
another language or one that only says "I don't know" holds words, and is judged.
"""

import re
import unicodedata
from typing import Final

from exams import conf

_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+", re.IGNORECASE)
_TOKEN: Final = re.compile(r"\d[\d.,'_]*|[^\W\d_]+")
_BLANK_LETTERS: Final = str.maketrans("", "", "\u115f\u1160\u3164\uffa0")
"""Hangul fillers: Unicode calls them letters, and they show nothing."""


def is_non_answer(answer: str) -> bool:
    """Whether an answer holds nothing that could be said."""
    shown = _ADDRESS.sub(" ", unicodedata.normalize("NFKC", answer.translate(_BLANK_LETTERS)))
    said = [token.casefold() for token in _TOKEN.findall(shown.translate(_BLANK_LETTERS)) if _is_said(token)]
    return not said or (len(said) > conf.SAME_WORD_MOST and len(set(said)) == 1)


def _is_said(token: str) -> bool:
    if token[0].isdigit():
        return sum(map(str.isdigit, token)) <= conf.NUMBER_DIGITS_MOST
    return len(token) <= conf.WORD_LETTERS_MOST or len(set(token)) >= conf.WORD_LETTERS_LEAST
