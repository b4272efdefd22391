"""Replies to asides: words that a student says to the examiner instead of an answer.

An aside (`exams.offline.asides` recognizes it) is free (EXAM.md): it gets no verdict and costs no attempt. Words that
also answer are an answer. A message without a word or number is asked again; a wrong answer, an answer in another
language, and "I don't know" are judged.
"""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from exams import conf
from knowledge.text.synonyms import idea_set
from knowledge.text.word_tables import read_rows

_BLANK_LETTERS: Final = str.maketrans("", "", "\u115f\u1160\u3164\uffa0")
"""Hangul fillers: Unicode classifies them as letters, but they are invisible."""
_MOST_IDEAS: Final = 0.6
"""Share of the ideas of an expected wording from which words say it."""
REPLIES: Final = {row["aside"]: row["reply"] for row in read_rows(Path(__file__).with_name("replies.csv"))}
"""What is said before the question is shown again, by the meaning of the words; "asked back" to an answer that only
asks."""
REPEATED: Final = REPLIES["again"]


def says_expected(answer: str, expectations: Iterable[Mapping[str, Any]]) -> bool:
    """Whether the words hold most ideas of an expected point or of a wording accepted for it; they are an answer then,
    whatever they sound like ("say again for me" to “What do you tell the controller?”)."""
    said, spoken = idea_set(answer), answer.lower().strip(" .!?")
    wordings = (text for one in expectations for text in (one["text"], *one.get("also", ())))
    return any(
        spoken == text.lower().strip(" .!?")
        or ((ideas := idea_set(text)) and len(ideas & said) >= _MOST_IDEAS * len(ideas))
        for text in wordings
    )


def is_non_answer(answer: str) -> bool:
    """Whether an answer holds nothing that could be said, such as zero-width characters, emojis, or one word repeated
    endlessly: no word, and no number, of a sayable length."""
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
