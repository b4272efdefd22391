"""Find the stretches of words in which answers side by side differ. Pure.

A word is marked unless more than half of the answers have it, so that the odd one out is visible. If nearly all of an
answer would be marked, only its figures and deciding words are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from knowledge.text.tokens import content_words
from rules import conf

Span = tuple[int, int]


def _words(lines: str) -> frozenset[str]:
    return frozenset(lines.split())


# Words that say nothing by themselves: marked only between two others that are.
_GRAMMAR = _words(
    """
    a also an and any are as at be been being but by do does for from has have if in into is it its of on or so such
    that the their them then there these they this those to was we were what when where which while who will with would
    you your
    """
)
# Words that decide what an answer says.
_DECIDING = _words(
    """
    yes no not never none always must may cannot can't forbidden prohibited permitted allowed required mandatory
    compulsory obligatory necessary recommended optional usually generally sometimes rarely depends only unless except
    without applicable n/a
    """
)

# Words that are the answer where they stand first, whatever other sentences say further on.
_ANSWERS = _words("yes no not none never")


def differing_words(texts: Mapping[str, str]) -> dict[str, tuple[Span, ...]]:
    """For each text, the stretches of words that at most half of the texts have; none for a single text."""
    if len(texts) < 2:
        return dict.fromkeys(texts, ())
    a_word = r"https?://\S+|\b[nN]/[aA]\b|[^\W_]+(?:['’.,:-][^\W_]+)*"
    words = {country: list(re.finditer(a_word, text)) for country, text in texts.items()}
    held = Counter(
        form for some in words.values() for form in {_form_of_word(one[0].lower()) for one in some}
    )
    first = Counter(some[0][0].lower() for some in words.values() if some)
    differs = {
        country: [held[_form_of_word(one[0].lower())] <= len(texts) / 2 for one in some]
        for country, some in words.items()
    }
    for country, some in words.items():
        if some and some[0][0].lower() in _ANSWERS:
            differs[country][0] = first[some[0][0].lower()] <= len(texts) / 2
    return {country: _mark_words(some, differs[country], texts[country]) for country, some in words.items()}


def _mark_words(words: Sequence[re.Match[str]], differs: Sequence[bool], text: str) -> tuple[Span, ...]:
    # without the words of grammar that do not stand between two differing ones
    plain = [word[0].lower() in _GRAMMAR for word in words]
    kept = [own and not empty for own, empty in zip(differs, plain, strict=True)]
    for at in range(1, len(words) - 1):
        if plain[at] and differs[at] and kept[at - 1]:
            after = next((n for n in range(at + 1, len(words)) if not plain[n]), None)
            kept[at] = after is not None and all(differs[at : after + 1])
    spans = [word.span() for word, own in zip(words, kept, strict=True) if own]
    if len(words) > conf.MARKED_WHOLE and len(spans) > conf.MARKED_MOST * len(words):
        own_words = [word for word, own in zip(words, differs, strict=True) if own]
        spans = [
            word.span()
            for word in own_words
            if word[0].lower() in _DECIDING or any(map(str.isdigit, word[0]))
        ] or spans
    joined: list[Span] = []
    for start, end in spans:
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def _form_of_word(word: str) -> str:
    """Words of one stem are one word; short ones ("no", "not") stand for themselves."""
    stems = content_words(word)
    return stems[0] if len(stems) == 1 else word
