"""How much a message asks for rules, and how much for a database of airports. Pure.

Two logistic regressions score the message and each of its clauses by hashed word and character n-grams and
the local encoder's vector; a last one makes a path of the scores. Places are masked, so that no country
speaks for either side. `python -m tools.training.rules_router` fits the weights.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from itertools import pairwise
from typing import Any, Final, Literal
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from rules.phrases import read_phrases

Path = Literal["rules", "database", "both"]
Numbers = NDArray[np.float64]

PATHS: Final[tuple[Path, ...]] = ("rules", "database", "both")
BUCKETS: Final = 8192  # of hashed n-grams
VECTOR_LENGTH: Final = 384  # of all-MiniLM-L6-v2
VECTOR_SHARE: Final = 0.7  # length of the vector beside the n-grams' 1.0; not tuned, between 0.5 and 1
PLACE: Final = "a place"  # what the encoder reads for each place
_SCALE: Final = 4.0  # brings log-odds near 1
_WORDS: Final = read_phrases("rules.query", "words.yaml")
_CLAUSE_ENDS: Final = re.compile(
    r"[.?!;:](?=\s|$)|\s[-–—&+]\s|\n|,\s+(?:(?:and|plus|also|then|but|while)\s+)?"
    r"|\s(?:and|plus|also|then|but|while|as well as|together with|along with)\s+(?!@)"
)


def split_clauses(text: str) -> list[str]:
    """The clauses of a message, without the signs around them."""
    clauses = (clause.strip(" ,.?!;:-–—\"'()") for clause in _CLAUSE_ENDS.split(text.replace("’", "'")))
    return [clause for clause in clauses if clause]


def texts_of(shape: str) -> list[str]:
    """What is scored: the message and, where it has several, its clauses."""
    clauses = split_clauses(shape)
    return [shape, *clauses] if len(clauses) > 1 else [shape]


def is_elliptic(shape: str) -> bool:
    """Whether a message says nothing but places and words that go on from something said before."""
    return all(word in _WORDS["going on"] for word in re.findall(r"[a-z0-9'’]+", shape))


def begins_a_question(clause: str) -> bool:
    """Whether a clause asks, or tells to say, something itself, rather than more about the one before."""
    words = re.findall(r"[\w']+", clause.lower())
    first = next((word for word in words if word not in _WORDS["before a question"]), "")
    return first in _WORDS["begins a question"]


def masked(shape: str) -> str:
    """A text for the encoder."""
    return shape.replace("@@", PLACE).replace("@", PLACE)


def ngrams(shape: str) -> Iterator[str]:
    """Words, their pairs and triples, and 3 to 5 neighboring letters of each word."""
    words = re.findall(r"[A-Za-z0-9']+", shape.replace("@@", " AIRPORT ").replace("@", " PLACE "))
    ends = ["^", *words, "$"]
    yield from words
    yield from map(" ".join, pairwise(ends))
    yield from map(" ".join, zip(ends, ends[1:], ends[2:], strict=False))
    for word in words:
        whole = f"<{word}>"
        yield from (whole[at : at + n] for n in (3, 4, 5) for at in range(len(whole) - n + 1))


def features_of(shapes: Sequence[str], vectors: Sequence[Sequence[float]] = ()) -> Numbers:
    """A row for each text; without vectors, n-grams alone."""
    table = np.zeros((len(shapes), BUCKETS + VECTOR_LENGTH + 1))
    for row, shape in enumerate(shapes):
        for gram, times in Counter(ngrams(shape)).items():
            bucket = crc32(gram.encode("utf-8", "replace"))
            table[row, bucket % BUCKETS] += (1 if bucket >> 31 else -1) * (1 + np.log(times))
    table[:, :BUCKETS] /= np.maximum(np.linalg.norm(table[:, :BUCKETS], axis=1, keepdims=True), 1e-9)
    if len(vectors):
        table[:, BUCKETS:-1] = VECTOR_SHARE * np.asarray(vectors)
    table[:, -1] = 1
    return table


def summary_of(scores: Numbers) -> Numbers:
    """What decides the path, from the scores of a message (first row) and of its clauses (the others)."""
    clauses = scores[1:] if len(scores) > 1 else scores
    lead = clauses[:, 1] - clauses[:, 0]
    told = [*scores[0], *clauses.max(axis=0), lead.max(), lead.min(), float(len(clauses) > 1)]
    return np.array([*(number / _SCALE for number in told), 1.0])


@dataclass(frozen=True, slots=True)
class IntentClassifier:
    """`scores` has a column for rules and one for a database, as `paths` has; both end with a bias."""

    model: str
    scores: Numbers
    paths: Numbers

    def scores_of(self, shapes: Sequence[str], vectors: Sequence[Sequence[float]] = ()) -> Numbers:
        """Log-odds that each text asks for rules, and for a database."""
        found: Numbers = features_of(shapes, vectors) @ self.scores
        return found

    def path_of(self, scores: Numbers) -> tuple[Path, float]:
        """The most probable path of a message, and its probability."""
        rules, database = 1 / (1 + np.exp(-np.clip(summary_of(scores) @ self.paths, -30, 30)))
        shares = np.array([rules * (1 - database), database * (1 - rules), rules * database])
        best = int(shares.argmax())
        return PATHS[best], float(shares[best] / shares.sum())

    def wanted_by(self, clause: str) -> str:
        """What a clause asks for by its words alone: rules, database, or "" for nothing."""
        rules, database = self.scores_of([clause])[0]
        return "" if max(rules, database) < 0 else "rules" if rules >= database else "database"

    def telling_words(self, shape: str, path: Path) -> list[str]:
        """The words that speak most for a path, at most three."""
        words = list(dict.fromkeys(re.findall(r"[a-z0-9'-]+", shape)))
        if not words:
            return []
        scores = self.scores_of(words)
        lead = {"rules": scores[:, 0] - scores[:, 1], "database": scores[:, 1] - scores[:, 0]}
        speak = lead.get(path, np.abs(scores[:, 0] - scores[:, 1]))
        return [words[at] for at in np.argsort(-speak)[:3]]


@cache
def stored_classifier() -> IntentClassifier:
    with as_file(files("rules.query").joinpath("intent_classifier.npz")) as path, np.load(path) as stored:
        weights: dict[str, Any] = dict(stored)
    return IntentClassifier(
        str(weights["model"]), weights["scores"].astype(float), weights["paths"].astype(float)
    )
