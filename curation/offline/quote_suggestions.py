"""Suggests new words for a quote that an edition no longer has: the nearest sentences, and their differences. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import SequenceMatcher

from curation import conf
from knowledge.text.sentences import sentences_in


@dataclass(frozen=True, slots=True)
class Run:
    """Words in a row that the other wording has too, or has not."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Differences:
    """Both wordings, word for word. `likeness` is the share of words that they have in common, in [0, 1]."""

    old: tuple[Run, ...]
    new: tuple[Run, ...]
    likeness: float

    @property
    def same(self) -> bool:
        return not any(run.differs for run in (*self.old, *self.new))


def compare_wordings(old: str, new: str) -> Differences:
    """Which words of two wordings differ; white space and case are ignored."""
    before, after = old.split(), new.split()
    matcher = SequenceMatcher(None, old.lower().split(), new.lower().split(), autojunk=False)
    old_runs, new_runs = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        old_runs += [Run(" ".join(before[a:b]), kind != "equal")] if b > a else []
        new_runs += [Run(" ".join(after[c:d]), kind != "equal")] if d > c else []
    return Differences(tuple(old_runs), tuple(new_runs), matcher.ratio())


def nearest_words(quote: str, text: str) -> tuple[str, Differences] | None:
    """The consecutive sentences of a text that are most like a quote, and how they differ from it; None where the text
    has no sentences."""
    sentences = sentences_in(text)
    most = min(len(sentences), max(1, len(sentences_in(quote))) + 1)
    rows = [
        text[sentences[at].start : sentences[at + length - 1].end]
        for length in range(1, most + 1)
        for at in range(len(sentences) - length + 1)
    ]
    found = [(row, compare_wordings(quote, row)) for row in rows if len(row) <= conf.QUOTE_LENGTH]
    return max(found, key=lambda one: one[1].likeness, default=None)


def statement_beside(statement: str, old: str, new: str) -> str:
    """The statement with the new words in place of the old ones; unchanged where it does not repeat the old ones."""
    said, gone = " ".join(statement.split()), " ".join(old.split())
    return said.replace(gone, " ".join(new.split()), 1) if gone and gone in said else statement
