"""Text as words: one spelling of its characters, plain words, stems and content words.

It knows words and their endings, and judges no meaning. Numbers are left to `quantities`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from pathlib import Path

from knowledge.text.text_cache import cached_by_text
from knowledge.text.word_tables import read_rows, word_lists

_SAME_LENGTH = str.maketrans("–—−‑⁄\u00a0’\n\tº", "----/ '  °")
_FRACTION_DIGITS = re.compile(r"(?<![\d⁰¹²³⁴⁵⁶⁷⁸⁹])[⁰¹²³⁴⁵⁶⁷⁸⁹]+(?=[/⁄])|(?<=[/⁄])[₀₁₂₃₄₅₆₇₈₉]+")
_RAISED_OR_LOWERED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", "01234567890123456789")

_ABBREVIATIONS = {
    row["short"]: row["words"] for row in read_rows(Path(__file__).with_name("abbreviations.csv"))
}
_NO_CONTENT = word_lists()["no content"]
_SHORTEST_STEM = 4
_ENDINGS = (
    "ization", "isation", "ational", "fulness", "ousness", "iveness", "ations", "ation", "ments", "ment", "ingly",
    "edly", "ness", "ance", "ence", "ible", "able", "ings", "ing", "ies", "ied", "ions", "ion", "ers", "est", "ally",
    "ly", "ed", "es", "er", "al", "s", "e",
)  # fmt: skip


def normalize_text(text: str) -> str:
    """Lower case with one kind of dash, space, slash and apostrophe, and fractions in ordinary digits. Every character
    stays at its place, so that a span of the result is a span of the text.
    """
    folded = text.translate(_SAME_LENGTH)
    if folded.isascii():
        return folded.lower()
    folded = _FRACTION_DIGITS.sub(lambda digits: digits.group().translate(_RAISED_OR_LOWERED), folded)
    return "".join(low if len(low := char.lower()) == 1 else char for char in folded)


def plain_words(text: str) -> str:
    """The words and numbers of a text in lower case with one space between them, without punctuation."""
    return " ".join(re.findall(r"\w+", text.lower()))


def strip_ending(word: str, endings: Sequence[str], shortest: int) -> str:
    """The word without the first of the endings that leaves at least `shortest` letters."""
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= shortest:
            return word[: -len(ending)]
    return word


def strip_doubled_consonant(word: str, shortest: int) -> str:
    """ "stopp" gives "stop"; l, s and vowels stay doubled, and so does a word of at most `shortest` letters."""
    doubled = len(word) > shortest and word[-1] == word[-2] and word[-1] not in "aeiouls"
    return word[:-1] if doubled else word


def stem_word(word: str) -> str:
    """The word without its ending, of four letters at least."""
    word = strip_ending(word, _ENDINGS, _SHORTEST_STEM)
    word = word[:-1] + "y" if word.endswith("i") else word
    return strip_doubled_consonant(word, _SHORTEST_STEM)


@cached_by_text
def content_words(text: str) -> tuple[str, ...]:
    """The stems of the words that carry meaning, in order. Numbers are left out; they are compared as quantities."""
    return tuple(
        stem_word(word.removesuffix("'s"))
        for token in re.findall(r"[a-z0-9][a-z0-9'./-]*[a-z0-9]|[a-z0-9]", normalize_text(text))
        for word in _ABBREVIATIONS.get(token, token).replace("-", " ").replace("/", " ").split()
        if word not in _NO_CONTENT and len(word) > 1 and not re.fullmatch(r"[\d.,]+[a-z]?", word)
    )


def share_covered(words: Collection[str], by: Collection[str]) -> float:
    """The share of the distinct words that `by` holds as well, from 0 to 1; 1.0 for no words."""
    distinct = set(words)
    return len(distinct & set(by)) / len(distinct) if distinct else 1.0
