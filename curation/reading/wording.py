"""Sets a claim's statement beside its quote, word by word, so that a reviewer reads once what both say alike."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

Kind = Literal["same", "added", "dropped"]


@dataclass(frozen=True, slots=True)
class Wording:
    """The statement's words in order, in runs: the quote's own, `added` to it, or `dropped` from the middle of it."""

    parts: tuple[tuple[Kind, str], ...]

    @property
    def is_verbatim(self) -> bool:
        return all(kind == "same" for kind, _ in self.parts)


def compare_wording(statement: str, quotes: Iterable[str]) -> Wording | None:
    """The statement beside the quote that shares most words with it, without regard to case and punctuation; None if
    none shares any. What the quote says before and after the words of the statement counts for nothing."""
    found = [_compare(statement.split(), quote.split()) for quote in quotes]
    best = max(found, key=_words_alike, default=None)
    return best if best and _words_alike(best) else None


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
    return ["".join(letter for letter in word.lower() if letter.isalnum()) for word in words]


def _words_alike(wording: Wording) -> int:
    return sum(len(words.split()) for kind, words in wording.parts if kind == "same")
