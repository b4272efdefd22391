"""A long question becomes parts, and how near the library comes to each tells which of them ask something. Pure.

A story has much in it that no passage is near to: who was there, what there was for lunch. Nearness is that of the
passages that come nearest to a part by itself. What is far behind the best part is chatter and is left out of what is
embedded; the words of the others count by the square of their share, so that one clear question outweighs three vague
sentences. Nothing here knows a set of questions: the two numbers stand in `conf`, with where they were measured.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from knowledge import conf
from knowledge.retrieval.query.abbreviations import BUILT_IN, Glossary
from knowledge.retrieval.query.filters import mentions_in
from knowledge.text.quantities import quantities_in
from knowledge.text.sentences import sentences_in

Nearness = Mapping[str, float]
"""How near the library comes to each part, from 0 to 1."""

_WORD = re.compile(r"[a-z0-9]+(?:[.'’-][a-z0-9]+)*", re.IGNORECASE)
_CLAUSE = re.compile(r"(?<=[,;:])\s+|\s+(?=(?:and|but|so|because|then|when|which|while)\b)")


# A search asks for its own few texts several times; no more are kept, since a student may have said them.
@lru_cache(maxsize=4)
def parts_in(text: str) -> tuple[str, ...]:
    """Its sentences, one that never ends by its clauses; of very many those that say most, in their order."""
    plain = " ".join(text.split())
    parts = [part for sentence in sentences_in(plain) for part in _short_enough(sentence.text)]
    if len(parts) <= conf.PARTS_MOST:
        return tuple(parts)
    telling = sorted(range(len(parts)), key=lambda at: (-_says(parts[at]), at))[: conf.PARTS_MOST]
    return tuple(parts[at] for at in sorted(telling))


def _short_enough(sentence: str) -> Iterator[str]:
    if len(sentence.split()) <= conf.PART_WORDS:
        yield sentence
        return
    kept: list[str] = []
    for clause in _CLAUSE.split(sentence):
        for run in _runs(clause.split()):
            if kept and len(kept) + len(run) > conf.PART_WORDS:
                yield " ".join(kept)
                kept = []
            kept += run
    yield " ".join(kept)


def _runs(words: Sequence[str]) -> Iterator[Sequence[str]]:
    for at in range(0, len(words), conf.PART_WORDS):
        yield words[at : at + conf.PART_WORDS]


def _says(part: str) -> float:
    words = {word.lower() for word in _WORD.findall(part)}
    return min(len(words), 20) + 20.0 * is_claim(part)


def is_claim(part: str, glossary: Glossary = BUILT_IN) -> bool:
    """Whether it says something however short it is: an amount, a section, an abbreviation that pilots use."""
    words = {word.lower() for word in _WORD.findall(part)}
    amounts = any(amount.unit for amount in quantities_in(part))
    return amounts or any(map(glossary.known, words)) or bool(mentions_in(part).numbers)


def weights_of(parts: Sequence[str], nearness: Nearness, best: float) -> dict[str, float]:
    """The parts that ask something, each with the weight of its words; `best` is the nearness of the nearest part of
    all that is asked. Without a measurement every part counts."""
    if not nearness or best <= 0:
        return dict.fromkeys(parts, 1.0)
    shares = {part: max(0.0, nearness.get(part, 0.0)) / best for part in parts}
    return {part: share**2 for part, share in shares.items() if share >= conf.PART_SHARE}


def fitting(weights: Mapping[str, float], parts: Sequence[str], characters: int) -> str:
    """The parts that weigh most, as many as there is room for, in the order in which they were said."""
    room = characters
    kept: set[str] = set()
    for part in sorted(weights, key=lambda part: -weights[part]):
        if part not in kept and len(part) < room + (not kept):
            kept.add(part)
            room -= len(part) + 1
    if not kept and weights:
        heaviest = max(weights, key=lambda part: weights[part])
        return heaviest[:characters].rsplit(" ", 1)[0]
    return " ".join(part for part in dict.fromkeys(parts) if part in kept)
