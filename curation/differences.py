"""Two wordings become the words that differ, so that a reader sees them at a glance. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher


@dataclass(frozen=True, slots=True)
class Run:
    """Words in a row that stand in the other wording, too, or do not."""

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


def differences(old: str, new: str) -> Differences:
    """Which words of two wordings differ; white space and capitals at a sentence's head are no difference."""
    before, after = old.split(), new.split()
    matcher = SequenceMatcher(None, _plain(before), _plain(after), autojunk=False)
    old_runs, new_runs = [], []
    for kind, a, b, c, d in matcher.get_opcodes():
        old_runs += [Run(" ".join(before[a:b]), kind != "equal")] if b > a else []
        new_runs += [Run(" ".join(after[c:d]), kind != "equal")] if d > c else []
    return Differences(tuple(old_runs), tuple(new_runs), matcher.ratio())


def _plain(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]
