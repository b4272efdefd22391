"""An answer becomes what is worth judging in it, and the reason where nothing is.

Left out before anything is compared: "I don't know", "I would look it up", orders to the examiner, and
words that only repeat the question. Gibberish and other languages are told apart from wrong answers, so
that the reason can be said.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from exams.offline.lexicon import STOP, table_words
from exams.offline.wording import alike, idea_set, ideas_in

Nothing = Literal["", "empty", "unknown", "look up", "echo", "unreadable", "language", "order"]

_UNKNOWN: Final = re.compile(
    r"\b(?:i|we)(?: really| honestly| just)? ?(?:do not|don'?t|dont|didn'?t|can'?t|cannot|couldn'?t) "
    r"(?:really |quite |actually )?(?:know|remember|recall|say|tell)\b[^.;,!?]*|"
    r"\bno (?:idea|clue)\b|\bdunno\b|\bidk\b|"
    r"\bnot (?:really |entirely |quite |too |so )?sure\b(?! of a| of the| i | if i| that i)[^.;,!?]*|"
    r"\bi(?:'m| am) (?:lost|stuck|blank|drawing a blank)\b|\b(?:drawing|draw) a blank\b|\b(?:pass|"
    r"next question|skip)\b[.!]?$|"
    r"\bi (?:have )?forg(?:o|e)t(?:ten)?\b[^.;,!?]*|\b(?:i'?m )?sorry\b|\bhaven'?t (?:learned|studied|"
    r"covered)\b[^.;!?]*|"
    r"\b(?:i )?have(?:n'?t)? (?:got )?no (?:idea|clue)\b|\bbeats me\b|\bcan you repeat\b[^.;!?]*",
    re.IGNORECASE,
)
_LOOK_UP: Final = re.compile(
    r"\b(?:i(?:'d| would|'ll| will)?|we(?:'d| would)?|you|let me|need to|have to|want to|going to)\s+"
    r"(?:have to |need to |want to |just |probably |go |always )*"
    r"(?:look (?:it|that|this|them)? ?up|look (?:it|that)? ?in|check (?:it |that )?(?:in |the )(?:far|"
    r"aim|poh|reg|book|manual|chart|"
    r"handbook|rule|cfr)|google|consult|refer to|ask (?:my |an? |the )?(?:instructor|cfi|fsdo|mechanic))\b[^.;!?]*",
    re.IGNORECASE,
)
_ORDER: Final = re.compile(
    r"\b(?:ignore|disregard|forget)\b[^.;!?]{0,40}\b(?:instructions?|prompts?|rules|above|previous|"
    r"prior|system|expectations?)\b[^.!?]*|"
    r"\b(?:grade|mark|score|rate|count|assess|consider)\b[^.;!?]{0,30}\b(?:satisfactory|correct|full|"
    r"right|met|pass\w*|100|perfect)\b[^.!?]*|"
    r"\byou are (?:now )?(?:an? )?(?:assistant|system|grader|assessor|examiner)\b[^.!?]*|"
    r"(?:^|\n)\s*(?:system|assistant|assessor|examiner)\s*:[^\n]*",
    re.IGNORECASE,
)
_VAGUE: Final = re.compile(
    r"\b(?:it|this|that|there)(?:'s| is| are|s)? (?:all |just |mostly |really )?(?:about|"
    r"something about|related to|a (?:matter|question|case) of|covered (?:by|in)|important|serious)\b|"
    r"\bhas (?:something |a lot )?to do with\b|\b(?:it )?depends on\b|\baffects? (?:it|things|"
    r"performance|the flight|safety)\b|"
    r"\bthere(?:'s| is| are) (?:a |some |an? \w+ )?(?:rules?|requirements?|limits?|regulations?|minimums?)\b|"
    r"\b(?:be|is|are) (?:very |really )?(?:bad|important|dangerous|serious)\b|"
    r"\bright (?:code|amount|number|one)\b",
    re.IGNORECASE,
)
_ENGLISH: Final = STOP | table_words(
    """
    must may not never no yes aircraft airplane pilot feet miles fly flight engine air fuel land turn
    need required
    """
)
_FOREIGN: Final = table_words(
    """
    ich nicht und der die das ist ein eine wir mit auf für weiß muss darf flugzeug el la los las que es
    una por para con avión vuelo no sé le les des est une dans pour avec je ne sais pas avion il lo gli
    che non per sono della volo het een van niet ik weet jest nie się dla jak mam lot
    """
)
_VOWELS: Final = re.compile(r"[aeiouy]", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AnswerText:
    """`text` is what remains to be judged; `nothing` says why, where nothing remains; `looked_up` what was said of it.
    `vague` marks words that name a topic and say nothing of it."""

    text: str
    nothing: Nothing = ""
    looked_up: str = ""
    vague: bool = False


def filter_answer(answer: str, question: str = "") -> AnswerText:
    """What of an answer can be compared with anything."""
    plain = "".join(
        c for c in unicodedata.normalize("NFKC", answer) if c.isprintable() or c in "\n\t"
    ).strip()
    if not re.search(r"\w", plain):
        return AnswerText("", "empty")
    if _is_foreign(plain):
        return AnswerText("", "language")
    without_orders = _ORDER.sub(" ", plain)
    if not _says_something(without_orders):
        return AnswerText("", "order" if without_orders != plain else "unreadable")
    if _is_gibberish(without_orders):
        return AnswerText("", "unreadable")
    return _without_excuses(without_orders, question)


def _without_excuses(text: str, question: str) -> AnswerText:
    looked = _LOOK_UP.search(text)
    known = _LOOK_UP.sub(" ", text)
    rest = _tidy(_UNKNOWN.sub(" ", known))
    if not _says_something(rest):
        return AnswerText("", "look up" if looked else "unknown", looked.group().strip() if looked else "")
    if _echoes(rest, question):
        return AnswerText("", "echo")
    return AnswerText(rest, "", looked.group().strip() if looked else "", bool(_VAGUE.search(rest)))


def _tidy(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"^\s*(?:,|\.|but|and|maybe|well)\s+", "", text.strip())).strip(" ,")


def _says_something(text: str) -> bool:
    return bool(ideas_in(text)) or bool(
        re.search(r"\d|\b(?:yes|no|one|two|three|four|five|six)\b", text.lower())
    )


def _echoes(text: str, question: str) -> bool:
    """True when an answer of several words holds nothing that the question does not hold."""
    said, asked = idea_set(text), idea_set(question)
    if len(said) < 3 or re.search(r"\d", text):
        return False
    return all(any(alike(one, other) for other in asked) for one in said) and _copies(text, question)


def _copies(text: str, question: str) -> bool:
    words = re.findall(r"\w+", text.lower())
    held = set(re.findall(r"\w+", question.lower()))
    return sum(word in held for word in words) >= 0.8 * len(words)


def _is_foreign(text: str) -> bool:
    words = re.findall(r"[^\W\d_]+", text.lower())
    letters = "".join(words)
    if letters and sum(ord(c) > 0x2FF for c in letters) > 0.5 * len(letters):
        return True
    foreign = sum(word in _FOREIGN and word not in _ENGLISH for word in words)
    return len(words) >= 3 and foreign >= 2 and foreign > sum(word in _ENGLISH for word in words)


def _is_gibberish(text: str) -> bool:
    words = re.findall(r"[a-zA-Z]{2,}", text)
    if not words:
        return not re.search(r"\d", text)
    odd = sum(_is_odd(word) for word in words)
    return odd > 0.5 * len(words) and not re.search(r"\d", text)


def _is_odd(word: str) -> bool:
    """No vowel among four letters or more, a long run of consonants, or one letter over and over."""
    if len(set(word.lower())) == 1 and len(word) > 2:
        return True
    if word.isupper():
        return False
    return (len(word) >= 3 and not _VOWELS.search(word)) or bool(
        re.search(r"[^aeiouyAEIOUY]{5,}|asdf|jkl|qwer|zxcv", word)
    )


REASONS: Final[dict[Nothing, str]] = {
    "": "",
    "empty": "Nothing was said.",
    "unknown": "The answer says that it is not known.",
    "look up": "Looking it up is named, but not what would be found.",
    "echo": "The answer repeats the question.",
    "unreadable": "No words that can be read as an answer.",
    "language": "The answer is not in English, the language of the test.",
    "order": "Words to the examiner are no answer.",
}


def why_nothing(nothing: Nothing) -> str:
    """The reason in plain words."""
    return REASONS[nothing]
