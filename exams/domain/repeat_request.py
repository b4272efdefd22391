"""Detects a student who wants to hear the question again and says nothing else.

Repeating the question is free (EXAM.md): it is not an answer and costs no attempt.
"""

import re
from pathlib import Path
from typing import Final

from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"))
_POLITE, _ASK, _HOW = (_PHRASES[name].pattern for name in ("polite", "ask again", "how to ask"))


def asks_to_reword(answer: str) -> bool:
    """Whether the student wants the question in other words, and not only once more."""
    return asks_again(answer) and bool(_PHRASES["other words"].search(answer.lower()))


def asks_again(answer: str) -> bool:
    """Whether these words ask for the question once more and say nothing else."""
    said = " ".join(answer.lower().replace("’", "'").split())
    return bool(re.fullmatch(rf"(?:{_POLITE})*(?:{_ASK})(?:[\s,]+(?:{_HOW}))*[\s.!?…]*", said))
