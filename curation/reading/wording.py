"""Compares a claim's statement with its quote, word by word, and marks words that need a close look.

The page can then show common words once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any, Final, Literal

from curation import conf
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


@dataclass(frozen=True, slots=True)
class Run:
    """Words of a statement, or `dropped` from its quote, that are marked alike. `facts` names the key facts that have
    them; `read` says that the claim before began with them too."""

    kind: Kind
    words: str
    facts: tuple[str, ...] = ()
    read: bool = False


def compare_wording(statement: str, quotes: Iterable[str]) -> Wording | None:
    """The statement beside its quotes, or the one that shares most words with it, without regard to case and
    punctuation, except within figures; None if none shares any. A lead-in may be quoted after its item. What a quote
    says before and after the words of the statement counts for nothing, nor do labels of a list, and cells of a table
    that the statement has."""
    read = [words for quote in quotes if (words := quote.split())]
    orders = [[one] for one in read] + ([read, [read[-1], *read[:-1]]] if len(read) > 1 else [])
    best = max((_compare(statement.split(), order) for order in orders), key=_words_alike, default=None)
    if not best or not _words_alike(best):
        return None
    return Wording(
        tuple(one for one in best.parts if one[0] != "dropped" or not _is_layout(one[1], statement))
    )


def marked_runs(
    statement: str, wording: Wording | None, facts: Mapping[str, Any], read_before: str = ""
) -> list[Run]:
    """The statement in runs: what differs from its quotes, which words are conditions, exceptions and numbers, and with
    which words the claim that was read before began too, if these are a lead-in and not a few common words; of two that
    are the same, each is read whole."""
    words = statement.split()
    marks = _facts_of_words(words, facts)
    both = enumerate(zip(words, read_before.split(), strict=False))
    alike = next((at for at, (one, other) in both if one != other), 0)
    again = alike if alike >= conf.LEAD_IN_WORDS else 0
    runs: list[Run] = []
    at = 0
    for kind, said in wording.parts if wording else (("same", statement),):
        if kind == "dropped":
            runs.append(Run(kind, said))
            continue
        for word in said.split():
            run = Run(kind, word, marks[at], at < again)
            at += 1
            if runs and replace(runs[-1], words=word) == run:
                run = replace(run, words=f"{runs.pop().words} {word}")
            runs.append(run)
    return runs


def _facts_of_words(words: list[str], facts: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """For each word, which of `MARKED` have it."""
    said = [(at, plain) for at, plain in enumerate(_plain(words)) if plain]
    found: list[set[str]] = [set() for _ in words]
    for name in MARKED:
        for text in _texts_of(facts.get(name, "")):
            wanted = [plain for plain in _plain(text.split()) if plain]
            for start in range(len(said) - len(wanted) + 1):
                if wanted and [plain for _, plain in said[start : start + len(wanted)]] == wanted:
                    for at in range(said[start][0], said[start + len(wanted) - 1][0] + 1):
                        found[at].add(name)
    return [tuple(name for name in MARKED if name in one) for one in found]


def _is_layout(dropped: str, statement: str) -> bool:
    """Whether these words are labels of a list, or cells of a table, each of which the statement says elsewhere."""
    if re.fullmatch(r"(?:\([A-Za-z0-9]{1,4}\) ?)+", dropped):
        return True
    cells = [cell for cell in re.split(r" ?\| ?|: ", dropped) if cell.strip()]
    return "|" in dropped and all(stands_in(cell, statement) for cell in cells)


def stands_in(words: str, statement: str) -> bool:
    """Whether the statement has these words in a row, without regard to case and punctuation."""
    wanted, said = (" ".join(filter(None, _plain(text.split()))) for text in (words, statement))
    return bool(wanted) and f" {wanted} " in f" {said} "


MARKED: Final = ("conditions", "exceptions", "numbers")
"""Key facts that are marked in the statement where it has their words."""
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


def _compare(statement: list[str], quotes: list[list[str]]) -> Wording:
    quote = [word for one in quotes for word in one]
    ends = set(accumulate(len(one) for one in quotes))
    matcher = SequenceMatcher(None, _plain(quote), _plain(statement), autojunk=False)
    parts: list[tuple[Kind, str]] = []
    for _, start, end, begun, ended in matcher.get_opcodes():
        same = _plain(quote[start:end]) == _plain(statement[begun:ended])
        inside = any(kind == "same" for kind, _ in parts) and not ends & set(range(start, end + 1))
        if not same and inside and start < end:
            parts.append(("dropped", " ".join(quote[start:end])))
        if begun < ended:
            parts.append(("same" if same else "added", " ".join(statement[begun:ended])))
    return Wording(tuple(parts))


def _plain(words: list[str]) -> list[str]:
    """Without punctuation; of a figure the marks within it stay: 1.5 is not 15, 3/4 not 34, and -5 not 5."""
    return [
        word.lstrip(_BEFORE_A_FIGURE).rstrip(_AFTER_A_FIGURE).translate(_ONE_DASH)
        if any(letter.isdigit() for letter in word)
        else "".join(letter for letter in word if letter.isalnum())
        for word in map(str.lower, words)
    ]


def _words_alike(wording: Wording) -> int:
    return sum(len(words.split()) for kind, words in wording.parts if kind == "same")
