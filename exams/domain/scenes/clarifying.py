"""Answers a student who asks about the flight instead of answering. Asking is free (EXAM.md).

The reply uses only the flight's facts, and never reveals what the question asks for. This module knows no exam.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from exams.domain.question_checks import figures_in, leaks_number, shares_words
from exams.domain.scenes.scene import Fact
from knowledge.text.sentences import sentences_in
from knowledge.text.word_tables import read_phrases

NOT_GIVEN: Final = "You decide; say what you assume."
AS_ASKED: Final = "Take it as the question says, and where it says nothing, say what you assume."
YOURS_TO_SAY: Final = "That is for you to tell me."
STANDS: Final = "The question stands:"
WORDS_MOST: Final = 25
"""Words of a request; a longer one is an answer that is put as a question."""
FACTS_MOST: Final = 3
"""Facts in one reply: as many as a trip has passengers."""

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"))


def reply_to_request(said: str, facts: Sequence[Fact], expected: Iterable[str]) -> str:
    """What to say to a student who asks about the situation; empty where the words are no such request.

    `facts` are the flight's, the latest first, none outside a mock oral; `expected` is what the question wants to hear,
    which the reply never says.
    """
    asked = [sentence.text.strip().lower().replace("’", "'") for sentence in sentences_in(said)]
    asked = [one for one in asked if not _PHRASES["courtesy"].fullmatch(one.rstrip(" .,!?"))]
    if not asked or not all(map(_is_request, asked)):
        return ""
    told = " ".join(_facts_about(" ".join(asked), facts))
    leaks = any(shares_words(told, one) or leaks_number(told, one) for one in expected)
    if leaks or any(map(_PHRASES["asks for the answer"].search, asked)):
        return f"{YOURS_TO_SAY} {STANDS}"
    if not told and not all(map(_PHRASES["asks for a given"].match, asked)):
        return ""
    return f"{told or (NOT_GIVEN if facts else AS_ASKED)} {STANDS}"


def facts_asked_beside(said: str, facts: Sequence[Fact], expected: Iterable[str]) -> str:
    """What the flight's facts hold of what is asked at the end of an answer: who asks and goes on has asked nobody. ""
    where nothing of it is asked, or the question wants to hear it."""
    *_, last = ["", *(one.text.strip().lower().replace("’", "'") for one in sentences_in(said))]
    told = " ".join(_facts_about(last, facts)) if _is_request(last) else ""
    leaks = any(shares_words(told, one) or leaks_number(told, one) for one in expected)
    return "" if leaks else told


def _is_request(sentence: str) -> bool:
    """Whether it asks and tells nothing. A question with an amount in it ("Is it 90 days?") is an answer; a bare figure
    ("the 172") is a name."""
    return (
        sentence.endswith("?")
        and len(sentence.split()) <= WORDS_MOST
        and _PHRASES["asks"].match(sentence) is not None
        and not _PHRASES["is an answer"].search(sentence)
        and not any(figure.unit for figure in figures_in(sentence))
    )


def _facts_about(asked: str, facts: Sequence[Fact]) -> tuple[str, ...]:
    """The sentences of the facts that the question, or a part of it, names most closely."""
    parts = [asked, *re.split(r"[,;?]|\band\b", asked)]
    return tuple(dict.fromkeys(say for part in parts for say in _closest_facts(part, facts)))[:FACTS_MOST]


def _closest_facts(asked: str, facts: Sequence[Fact]) -> list[str]:
    """The same for one part; of facts about the same only the latest."""
    best: dict[tuple[tuple[str, ...], ...], str] = {}
    for fact in facts:
        if all(any(re.search(rf"\b{re.escape(word)}", asked) for word in group) for group in fact.about):
            best.setdefault(fact.about, fact.say)
    closest = max((len(about) for about in best), default=0)
    return [say for about, say in best.items() if len(about) == closest]
