"""Keeps the part of an answer that can be judged, or says why nothing can.

It removes orders to the examiner, tags, and what the student does not stand behind (`assertions.py`). It distinguishes
"I don't know", "I would look it up", words that only repeat the question, gibberish, code, and other languages from
wrong answers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from exams.offline.assertions import Standing, asserted_part
from knowledge.text.sentences import sentences_in
from knowledge.text.synonyms import are_alike, idea_set
from knowledge.text.word_tables import read_phrases, word_lists

Nothing = Literal["empty", "unknown", "look up", "echo", "unreadable", "language", "order"] | Standing

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)
_ENGLISH: Final = word_lists()["no idea"] | word_lists()["english of answers"]
_FOREIGN: Final = word_lists()["other languages"] - _ENGLISH
_CODE_SIGN: Final = re.compile(r"[{}\\|`]|[a-z]_[a-z]|=(?![\s\d.]|$)|--", re.IGNORECASE)
_CODE_SHARE: Final = 0.25


@dataclass(frozen=True, slots=True)
class AnswerText:
    """`text` is what remains to be judged; `nothing` says why nothing remains, and `rejection` has the words that take
    everything back. `asserted` is what the student stands behind, as it was said."""

    text: str
    nothing: Nothing = ""
    rejection: str = ""
    asserted: str = ""


def filter_answer(answer: str, question: str = "") -> AnswerText:
    """The part of an answer that can be compared with the points."""
    text = "".join(c for c in unicodedata.normalize("NFKC", answer) if c.isprintable() or c in "\n\t").strip()
    if not re.search(r"\w", text):
        return AnswerText("", "empty")
    if _is_foreign(text):
        return AnswerText("", "language")
    text = re.sub(r"<[/!]?[a-z][^<>]*>", " ", text, flags=re.IGNORECASE)
    without_orders = _PHRASES["order"].sub(" ", text)
    if not _says_something(without_orders):
        return AnswerText("", "order" if without_orders != text else "unreadable")
    words = re.findall(r"[a-zA-Z]{2,}", without_orders)
    mostly_odd = not words or sum(map(_is_odd, words)) > 0.5 * len(words)
    # Markup, queries, and programs have signs that speech has not. The classifier learned from speech alone and takes
    # some of them for an answer.
    spoken = without_orders.split()
    is_code = sum(bool(_CODE_SIGN.search(word)) for word in spoken) >= _CODE_SHARE * len(spoken)
    if is_code or (mostly_odd and not re.search(r"\d", without_orders)):
        return AnswerText("", "unreadable")
    asserted = asserted_part(without_orders)
    if asserted.standing:
        return AnswerText("", asserted.standing, asserted.rejection)
    looks_up = _PHRASES["look up"].search(asserted.text)
    rest = asserted.text
    for meaning in ("look up", "unknown", "at a loss"):
        rest = _PHRASES[meaning].sub(" ", rest).strip()
    rest = " ".join(re.sub(r"^(?:,|\.|but|and|maybe|well)\s+", "", rest).split()).strip(" ,")
    if not _says_something(rest):
        return AnswerText("", "look up" if looks_up else "unknown")
    if _echoes_question(rest, question):
        return AnswerText("", "echo")
    as_said = asserted if without_orders == text else asserted_part(text)
    # Within an answer they mean something else: "tell them I'm lost" is a plan, "I don't know that panel" a reason.
    said = (
        one.text
        for one in sentences_in(asserted.text)
        if _says_something(_PHRASES["unknown"].sub(" ", one.text))
    )
    return AnswerText(" ".join(" ".join(said).split()), asserted=as_said.text)


def gaps_admitted(answer: str) -> tuple[str, ...]:
    """The sentences of the answer that begin with saying that the student does not know or guesses: "with no idea
    whether the gear is locked" is a hazard, and "when I'm not sure" is a plan."""
    said = (one.text.strip() for one in sentences_in(answer))
    begins, ends = _PHRASES["admits"], _PHRASES["ends not knowing"]
    return tuple(one for one in said if not one.endswith("?") and (begins.match(one) or ends.match(one)))


def matters_not_known(answer: str) -> tuple[str, ...]:
    """Those of them that name a matter and end there: "and the mouth and nose, I don't know". What begins so may go
    on to say it: "I'm not sure, but I think 30 minutes"."""
    return tuple(one for one in gaps_admitted(answer) if _PHRASES["ends not knowing"].match(one))


def _says_something(text: str) -> bool:
    short_answers = r"\d|\b(?:yes|no|one|two|three|four|five|six)\b"
    return bool(idea_set(text)) or bool(re.search(short_answers, text.lower()))


def _echoes_question(text: str, question: str) -> bool:
    """Whether an answer of several words holds nothing that the question does not hold."""
    said, asked = idea_set(text), idea_set(question)
    if len(said) < 3 or re.search(r"\d", text):
        return False
    if not all(any(are_alike(one, other) for other in asked) for one in said):
        return False
    words, held = (re.findall(r"\w+", one.lower()) for one in (text, question))
    return sum(word in set(held) for word in words) >= 0.8 * len(words)


def _is_foreign(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.lower())
    letters = "".join(words)
    if letters and sum(ord(letter) > 0x2FF for letter in letters) > 0.5 * len(letters):
        return True
    foreign = sum(word in _FOREIGN for word in words)
    return len(words) >= 3 and foreign >= 2 and foreign > sum(word in _ENGLISH for word in words)


def _is_odd(word: str) -> bool:
    """Whether a word has no vowel, a long run of consonants, a run of keys, or one letter over and over."""
    if len(set(word.lower())) == 1 and len(word) > 2:
        return True
    if word.isupper():
        return False
    no_vowel = len(word) >= 3 and not re.search(r"[aeiouy]", word.lower())
    return no_vowel or bool(re.search(r"[^aeiouyAEIOUY]{5,}|asdf|jkl|qwer|zxcv", word))


WHY_NOTHING: Final[Mapping[Nothing, str]] = {
    "": "",
    "empty": "Nothing was said.",
    "unknown": "You said you didn't know.",
    "look up": "You said you would look it up, but not what you would find.",
    "echo": "That repeats the question.",
    "unreadable": "There were no words to read as an answer.",
    "language": "That isn't English, the language of the test.",
    "order": "That spoke to the examiner and didn't answer.",
    "asked": "You asked it. Are you telling me that it is so?",
    "not asserted": "You named it but didn't say that it is so.",
    "taken back": "You said it and took it back.",
}
"""Why nothing remains, in plain words to the student."""
