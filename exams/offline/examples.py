"""Graded answers to the same statement tell how a new answer to it is to be graded: what right ones have in common,
and what only wrong ones say.

An example is a student's answer with what people found that it did. They are kept by the statement's words, so a
statement that is edited has none until somebody grades new ones. Pure.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from exams.offline.matching import Embed
from exams.offline.trees import METS

LEAST: Final = 4
"""Examples of a statement below which nothing is concluded from them."""
NEAREST: Final = 6
"""Nearest examples that have a say, each weighed by exp(8 · cosine)."""
SHARPNESS: Final = 8.0
ESSENTIAL: Final = 0.45
"""Share of the right answers with a word from which its absence is remarked."""
TELLING: Final = 1.5
"""Log odds from which a word speaks for one side: 4.5 to 1."""
WIDELY: Final = 4
"""Times that a word must have been used, in all examples, before its use by right and wrong answers is compared."""

_TOKEN: Final = re.compile(r"\d[\d,]*(?:\.\d+)?|[a-z]+(?:'[a-z]+)?")
_ENDING: Final = re.compile(r"(?:ing|ed|es|s)$")
_NUMBERS: Final = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "eleven": 11, "twelve": 12, "fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
    "sixty": 60, "ninety": 90, "hundred": 100, "thousand": 1000,
}  # fmt: skip
_RIGHT, _HALF, _ABSENT, _WRONG = range(len(METS))


@dataclass(frozen=True, slots=True)
class Example:
    """A graded answer: `grade` is its place in METS, `grams` its words and pairs of words."""

    question: str
    answer: str
    grade: int
    grams: frozenset[str]
    figures: frozenset[str]

    @classmethod
    def of(cls, question: str, answer: str, grade: int) -> Example:
        return cls(question, answer, grade, grams_in(answer), figures_in(answer))


@dataclass(slots=True)
class Examples:
    """All graded answers, by the statement that they were graded against."""

    by_statement: dict[str, list[Example]] = field(default_factory=lambda: defaultdict(list))
    uses: list[Counter[str]] = field(default_factory=lambda: [Counter() for _ in METS])
    graded: list[int] = field(default_factory=lambda: [0] * len(METS))

    @classmethod
    def load(cls, folder: Path) -> Examples:
        """From `statements.json` and the `.jsonl` files beside it."""
        statements = json.loads((folder / "statements.json").read_text("utf-8"))
        made = cls()
        for row in rows_in(folder):
            for key, met in zip(row["keys"], row["met"], strict=True):
                made.add(statements[key]["text"], Example.of(row["question"], row["answer"], METS.index(met)))
        return made

    def add(self, statement: str, example: Example) -> None:
        self.by_statement[plain(statement)].append(example)
        self.uses[example.grade].update(example.grams)
        self.graded[example.grade] += 1

    def of(self, statement: str, leave_out: str = "") -> Sequence[Example]:
        """Those of one statement but for the answers to one question."""
        return [one for one in self.by_statement.get(plain(statement), ()) if one.question != leave_out]

    def signs(
        self, statement: str, question: str, answer: str, embed: Embed, *, leave_out: str = ""
    ) -> dict[str, float]:
        """Numbers that compare an answer with the examples of its statement; none where there are too few.

        `leave_out` is a question whose examples do not count: what was graded there must not grade itself.
        """
        grams = grams_in(answer)
        found = self._used_widely(grams, self._answers_to(leave_out) if leave_out else ())
        examples = self.of(statement, leave_out)
        if len(examples) >= LEAST:
            counted = _Counted.of(examples, grams)
            found |= _nearness(examples, answer, embed)
            found |= _words(counted, grams) | _likeness(examples, grams)
            found |= _figures(examples, statement, question, answer)
            found |= _strange(examples, counted, grams, statement, question)
        return found

    def _answers_to(self, question: str) -> list[Example]:
        return [one for many in self.by_statement.values() for one in many if one.question == question]

    def _used_widely(self, grams: frozenset[str], without: Sequence[Example]) -> dict[str, float]:
        """How wrong, half and empty answers to anything use these words, beside right ones."""
        less = [Counter[str]() for _ in METS]
        for one in without:
            less[one.grade].update(one.grams & grams)
        left = [total - sum(one.grade == grade for one in without) for grade, total in enumerate(self.graded)]

        def uses(grade: int, gram: str) -> int:
            return self.uses[grade][gram] - less[grade][gram]

        signs: dict[str, float] = {}
        for grade in (_HALF, _ABSENT, _WRONG):
            odds = [
                math.log(
                    (uses(grade, one) + 0.5)
                    / (left[grade] + 1)
                    * (left[_RIGHT] + 1)
                    / (uses(_RIGHT, one) + 0.5)
                )
                for one in sorted(grams)
                if uses(grade, one) + uses(_RIGHT, one) >= WIDELY
            ] or [0.0]
            name = f"widely_{METS[grade]}"
            signs |= {
                f"{name}_sum": sum(odds),
                f"{name}_most": max(odds),
                f"{name}_mean": sum(odds) / len(odds),
            }
        return signs


def rows_in(folder: Path) -> Iterable[Mapping[str, Any]]:
    """The graded answers of a folder, file by file."""
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            yield json.loads(line)


def digest_of(folder: Path) -> str:
    """The sha256 of statements and answers."""
    files = sorted((*folder.glob("*.jsonl"), folder / "statements.json"))
    return sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def plain(statement: str) -> str:
    return " ".join(statement.split()).casefold()


def grams_in(text: str) -> frozenset[str]:
    """Words, roughly without their endings, and pairs of neighbouring ones; figures in digits."""
    words = _words_in(text)
    return frozenset(words) | {f"{one}_{other}" for one, other in pairwise(words)}


def figures_in(text: str) -> frozenset[str]:
    return frozenset(word for word in _words_in(text) if word.startswith("#"))


def _words_in(text: str) -> list[str]:
    return [_word(found) for found in _TOKEN.findall(text.lower())]


def _word(found: str) -> str:
    if found[0].isdigit():
        bare = found.replace(",", "")
        return "#" + (bare.rstrip("0").rstrip(".") if "." in bare else bare)
    if found in _NUMBERS:
        return f"#{_NUMBERS[found]}"
    return _ENDING.sub("", found) if len(found) > 4 else found


@dataclass(frozen=True, slots=True)
class _Counted:
    """How many examples there are of each grade, and in how many of them each word of the answer stands."""

    examples: tuple[int, ...]
    using: tuple[Counter[str], ...]
    right: Counter[str]
    half: Counter[str]

    @classmethod
    def of(cls, examples: Sequence[Example], grams: frozenset[str]) -> _Counted:
        graded = [[one for one in examples if one.grade == grade] for grade in range(len(METS))]
        return cls(
            tuple(map(len, graded)),
            tuple(Counter(gram for one in many for gram in one.grams & grams) for many in graded),
            Counter(gram for one in graded[_RIGHT] for gram in one.grams),
            Counter(gram for one in graded[_HALF] for gram in one.grams),
        )


def _nearness(examples: Sequence[Example], answer: str, embed: Embed) -> dict[str, float]:
    """How near the answer comes to the nearest example of each grade, and what the nearest ones were graded."""
    cosines = np.array([embed(one.answer) for one in examples]) @ np.array(embed(answer))
    grades = np.array([one.grade for one in examples])
    order = np.argsort(-cosines, kind="stable")
    near, two = order[:NEAREST], order[:2]
    weights = np.exp(SHARPNESS * cosines[near])
    signs: dict[str, float] = {}
    for grade, met in enumerate(METS):
        if (grades == grade).any():
            signs[f"near_{met}"] = float(cosines[grades == grade].max())
        signs[f"say_{met}"] = float(weights[grades[near] == grade].sum() / weights.sum())
        signs[f"two_{met}"] = float(np.mean(grades[two] == grade))
    for met in ("contradicted", "half"):
        signs[f"nearer_than_{met}"] = signs.get("near_met", math.nan) - signs.get(f"near_{met}", math.nan)
    return signs


def _words(counted: _Counted, grams: frozenset[str]) -> dict[str, float]:
    """Which grade's examples use the answer's words: naive Bayes over them, and its strongest words."""
    likely = [
        sum(math.log((using[one] + 0.3) / (count + 1.2)) for one in sorted(grams)) / max(1, len(grams))
        for using, count in zip(counted.using, counted.examples, strict=True)
    ]
    wrong, half = (_odds(counted, grams, grade) for grade in (_WRONG, _HALF))
    return {
        "likelier_than_contradicted": likely[_RIGHT] - likely[_WRONG],
        "likelier_than_half": likely[_RIGHT] - likely[_HALF],
        "likelier_than_missing": likely[_RIGHT] - likely[_ABSENT],
        "half_than_contradicted": likely[_HALF] - likely[_WRONG],
        "most_wrong": max(wrong, default=0.0),
        "least_wrong": min(wrong, default=0.0),
        "most_half": max(half, default=0.0),
        "telling_wrong": sum(one > TELLING for one in wrong),
    }


def _odds(counted: _Counted, grams: frozenset[str], grade: int) -> list[float]:
    mine, right = counted.using[grade], counted.using[_RIGHT]
    return [
        math.log(
            (mine[one] + 0.25)
            / (counted.examples[grade] + 1)
            * (counted.examples[_RIGHT] + 1)
            / (right[one] + 0.25)
        )
        for one in sorted(grams)
        if mine[one] + right[one] >= 2
    ]


def _likeness(examples: Sequence[Example], grams: frozenset[str]) -> dict[str, float]:
    """The greatest share of words in common with an example of each grade (Jaccard)."""
    signs: dict[str, float] = {}
    for one in examples:
        name = f"like_{METS[one.grade]}"
        share = len(grams & one.grams) / max(1, len(grams | one.grams))
        signs[name] = max(signs.get(name, 0.0), share)
    return signs


def _figures(examples: Sequence[Example], statement: str, question: str, answer: str) -> dict[str, float]:
    """Figures that no right answer has, those that wrong ones have, and those of the statement that are not said."""
    said, stated = figures_in(answer), figures_in(statement)
    good = stated | figures_in(question)
    good = good.union(*(one.figures for one in examples if one.grade == _RIGHT))
    wrong = frozenset[str]().union(*(one.figures for one in examples if one.grade == _WRONG))
    return {
        "figures_new": len(said - good),
        "figures_wrong": len(said & wrong - good),
        "figures_unsaid": len(stated - said),
    }


def _strange(
    examples: Sequence[Example], counted: _Counted, grams: frozenset[str], statement: str, question: str
) -> dict[str, float]:
    """Words that no right answer uses, and words that most right answers use and this one does not."""
    known = set(_words_in(statement)) | set(_words_in(question)) | set(counted.right)
    rare = [one for one in grams if "_" not in one and one not in known]
    right, half = counted.examples[_RIGHT], counted.examples[_HALF]
    essential = [one for one, uses in counted.right.items() if right >= 3 and uses >= ESSENTIAL * right]
    lacking = [one for one in essential if one not in grams]
    return {
        "strange_share": len(rare) / max(1, len(grams)),
        "strange_wrong": sum(counted.using[_WRONG][one] > 0 for one in rare),
        "lacking_share": len(lacking) / len(essential) if essential else math.nan,
        "lacking_half": sum(counted.half[one] < 0.3 * max(1, half) for one in lacking),
    }
