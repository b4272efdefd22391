"""What a student said and what the library found near to it become the sentences that come nearest, word for word.

A sentence is near if it holds an amount that was said, or half of the words that carry meaning. That is no judgement:
such a sentence may say the opposite. Pure.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from exams import conf
from knowledge.grounding.citations import Citation, QuoteNotFound, cite
from knowledge.grounding.context import Passage
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, coverage

_FRAGMENT: Final = re.compile(r"^(?:[a-z(\[•–-]|(?i:figure|table|chapter|note:|this chapter|see )\b)|[?:]$")
_POINTS_AWAY: Final = re.compile(
    r"\b(?:this|these|those|it|they|such|the (?:above|following|former|latter)|as shown|figure|chapter)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Sentence:
    passage: Passage
    text: str
    nearness: float


def says_something(answer: str) -> bool:
    """Whether an answer holds what could stand anywhere: "I do not know" does not."""
    return len(set(content_words(answer))) >= conf.SAID_WORDS_LEAST or bool(_amounts(answer))


def nearest_quotes(
    said: Iterable[str], passages: Sequence[Passage], *, besides: Collection[str], first: int
) -> tuple[Citation, ...]:
    """For each thing that was said the sentence that comes nearest to it, if one is near; `besides` are quotes that are
    shown anyway, `first` the number of the first citation."""
    shown = {_plain(quote) for quote in besides}
    cited: list[Citation] = []
    for words in said:
        for one in _near(words, passages):
            if len(cited) == conf.NEAR_QUOTES or any(_plain(one.text) in other for other in shown):
                continue
            try:
                cited.append(cite(one.passage, one.text, n=first + len(cited)))
            except QuoteNotFound:
                continue
            shown.add(_plain(one.text))
            break
    return tuple(cited)


def is_whole(sentence: str) -> bool:
    """A sentence that can be understood alone: it begins and ends as one, and points at nothing outside itself."""
    length = len(sentence.split())
    if not conf.SENTENCE_WORDS_LEAST <= length <= conf.SENTENCE_WORDS_MOST or not sentence.rstrip().endswith(
        "."
    ):
        return False
    return not _FRAGMENT.search(sentence) and not _POINTS_AWAY.match(sentence) and "|" not in sentence


def _near(words: str, passages: Sequence[Passage]) -> list[_Sentence]:
    """Sentences near to these words, the nearest first."""
    wanted, amounts = content_words(words), _amounts(words)
    found = [
        _Sentence(passage, sentence.text, nearness)
        for passage in passages
        for sentence in sentences_in(passage.text)
        if is_whole(sentence.text) and (nearness := _nearness(sentence.text, wanted, amounts))
    ]
    return sorted(found, key=lambda one: -one.nearness)


def _nearness(sentence: str, words: Sequence[str], amounts: Sequence[Quantity]) -> float:
    """0 for a sentence that is not near. Words that were said and amounts that were said weigh alike."""
    covered = coverage(words, content_words(sentence)) if words else 0.0
    if not amounts:
        return covered if covered >= conf.NEAR_WORDS else 0.0
    there = quantities_in(sentence)
    shared = sum(any(amount.same_as(other) for other in there) for amount in amounts) / len(amounts)
    near = covered >= (conf.NEAR_WORDS_WITH_AMOUNT if shared else conf.NEAR_WORDS)
    return (covered + shared) / 2 if near else 0.0


def _amounts(text: str) -> tuple[Quantity, ...]:
    return tuple(amount for amount in quantities_in(text) if amount.unit)


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
