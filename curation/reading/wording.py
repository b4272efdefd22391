"""Compares a claim's statement with its quote, word by word, and marks words that need a close look.

The page can then show common words once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher
from typing import Any, Final, Literal

from curation.offline.claim_filters import dangling_words
from curation.offline.references import split_context
from knowledge.text.modality import clauses_of, modality_of
from knowledge.text.quantities import quantities_in

Kind = Literal["same", "added", "dropped"]

_BEFORE_A_FIGURE: Final = "([“\u2018\"'"
_AFTER_A_FIGURE: Final = ".,;:!?)]”\u2019\"'"
_ONE_DASH: Final = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2212", "-") | {",": None})


@dataclass(frozen=True, slots=True)
class Wording:
    """The statement's words in order, in runs: the quote's own, `added` to it, or `dropped` from the middle of it."""

    parts: tuple[tuple[Kind, str], ...]

    @property
    def is_verbatim(self) -> bool:
        return all(kind == "same" for kind, _ in self.parts)


def compare_wording(statement: str, quotes: Iterable[str]) -> Wording | None:
    """The statement beside the quote that shares most words with it, without regard to case and punctuation, except
    within figures; None if none shares any. What the quote says before and after the words of the statement counts for
    nothing."""
    found = [_compare(statement.split(), quote.split()) for quote in quotes]
    best = max(found, key=_words_alike, default=None)
    return best if best and _words_alike(best) else None


def stands_in(words: str, statement: str) -> bool:
    """Whether the statement has these words in a row, without regard to case and punctuation."""
    wanted, said = (" ".join(filter(None, _plain(text.split()))) for text in (words, statement))
    return bool(wanted) and f" {wanted} " in f" {said} "


_IN_STATEMENT: Final = ("conditions", "exceptions", "numbers", "applies_to")
_IN_FACT: Final = {
    "certificate": ("applies_to",),
    "aircraft_class": ("applies_to",),
    "aircraft": ("applies_to",),
    "conditions": ("day_night", "altitude_band", "airspace_class"),
}


def is_repeated(name: str, words: str, statement: str, facts: Mapping[str, Any]) -> bool:
    """Whether a reviewer reads this value of a fact already: in the statement, or as the value of another fact."""
    told = [one for other in _IN_FACT.get(name, ()) for one in _texts_of(facts.get(other, ""))]
    if words in told or words.removeprefix("class ") in told:
        return True
    amounts = [
        amount.value for number in _texts_of(facts.get("numbers", "")) for amount in quantities_in(number)
    ]
    if isinstance(facts.get(name), int | float) and facts[name] in amounts:
        return True
    if name == "modality":
        return {modality_of(clause) for clause in clauses_of(statement)} - {None} == {words}
    if name == "airspace_class":
        return stands_in(f"Class {words}", statement)
    if name == "effective_date":
        with suppress(ValueError):
            day = date.fromisoformat(words)
            return stands_in(f"{day:%B} {day.day}, {day.year}", statement)
    if is_code(words):
        said = iter(_plain(statement.split()))
        return all(word in said for word in words.split("_"))
    return name in _IN_STATEMENT and stands_in(words, statement)


def is_code(words: str) -> bool:
    """Whether it is a value of a key fact that is written for programs, such as below_10000_msl."""
    return words.islower() and "_" in words and " " not in words


def look_closely(statement: str, facts: Mapping[str, Any]) -> list[str]:
    """What a reviewer should look at: words that may point at something outside the statement, and amounts in it that
    no key fact has."""
    told = [one for name, value in facts.items() if name != "quotes" for one in _texts_of(value)]
    known = {amount.value for text in told for amount in quantities_in(text)}
    known |= {value for value in facts.values() if isinstance(value, int | float)}
    amounts = [
        one for one in quantities_in(split_context(statement)[0]) if one.unit and one.value not in known
    ]
    return [
        *(
            f"“{words}” may point at something outside it"
            for words in dict.fromkeys(dangling_words(statement))
        ),
        *(f"{words} is in no key fact" for words in dict.fromkeys(one.text.strip() for one in amounts)),
    ]


def _texts_of(value: Any) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else [str(value)]


def _compare(statement: list[str], quote: list[str]) -> Wording:
    matcher = SequenceMatcher(None, _plain(quote), _plain(statement), autojunk=False)
    parts: list[tuple[Kind, str]] = []
    for _, start, end, begun, ended in matcher.get_opcodes():
        same = _plain(quote[start:end]) == _plain(statement[begun:ended])
        inside = any(kind == "same" for kind, _ in parts) and end < len(quote)
        if not same and inside and start < end:
            parts.append(("dropped", " ".join(quote[start:end])))
        if begun < ended:
            parts.append(("same" if same else "added", " ".join(statement[begun:ended])))
    return Wording(tuple(parts))


def _plain(words: list[str]) -> list[str]:
    return [_plain_word(word.lower()) for word in words]


def _plain_word(word: str) -> str:
    """Without its punctuation; of a figure the marks within it stay: 1.5 is not 15, 3/4 not 34, and -5 not 5."""
    if any(letter.isdigit() for letter in word):
        return word.lstrip(_BEFORE_A_FIGURE).rstrip(_AFTER_A_FIGURE).translate(_ONE_DASH)
    return "".join(letter for letter in word if letter.isalnum())


def _words_alike(wording: Wording) -> int:
    return sum(len(words.split()) for kind, words in wording.parts if kind == "same")
