"""Finds the sentences of the library that come nearest to what a student said, word for word.

A sentence is near if it holds an amount that was said, or half of the words that carry meaning. That is no judgment:
such a sentence may say the opposite. This module knows plain values only.
"""

from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from exams import conf
from knowledge.grounding.citations import Citation, QuoteNotFound, cite_quote
from knowledge.grounding.context import Passage
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, share_covered
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)


def says_something(answer: str) -> bool:
    """Whether an answer holds words that a source could hold: "I do not know" does not."""
    return len(set(content_words(answer))) >= conf.SAID_WORDS_LEAST or bool(_amounts_in(answer))


def nearest_quotes(
    said: Iterable[str], passages: Sequence[Passage], *, besides: Collection[str], first: int
) -> tuple[Citation, ...]:
    """For each thing that was said the sentence that comes nearest to it, if one is near.

    `besides` are quotes that are shown anyway; `first` is the number of the first citation.
    """
    # Only sentences that can be understood alone: they begin and end as one and point at nothing outside themselves.
    sentences = [
        (passage, text)
        for passage in passages
        for text in (sentence.text for sentence in sentences_in(passage.text))
        if conf.SENTENCE_WORDS_LEAST <= len(text.split()) <= conf.SENTENCE_WORDS_MOST
        and text.rstrip().endswith(".")
        and not (text[0].islower() or text[0] in "([•–-")
        and not _PHRASES["points outside"].match(text)
        and "|" not in text
    ]
    shown = {_plain_words(quote) for quote in besides}
    cited: list[Citation] = []
    for words in said:
        if len(cited) == conf.NEAR_QUOTES:
            break
        wanted, amounts = content_words(words), _amounts_in(words)
        scored = [(_nearness_of(text, wanted, amounts), passage, text) for passage, text in sentences]
        for nearness, passage, text in sorted(scored, key=lambda row: -row[0]):
            if not nearness:
                break
            if any(_plain_words(text) in other for other in shown):
                continue
            with suppress(QuoteNotFound):
                cited.append(cite_quote(passage, text, n=first + len(cited)))
                shown.add(_plain_words(text))
                break
    return tuple(cited)


def _nearness_of(sentence: str, words: Sequence[str], amounts: Sequence[Quantity]) -> float:
    """0 for a sentence that is not near. The words and the amounts that were said weigh alike."""
    there_too = content_words(sentence)
    covered = share_covered(words, there_too) if words else 0.0
    if not amounts:
        shared_words = len(set(words) & set(there_too))
        return covered if covered >= conf.NEAR_WORDS and shared_words >= conf.NEAR_WORDS_LEAST else 0.0
    there = quantities_in(sentence)
    shared = sum(any(amount.same_as(other) for other in there) for amount in amounts) / len(amounts)
    near = covered >= (conf.NEAR_WORDS_WITH_AMOUNT if shared else conf.NEAR_WORDS)
    return (covered + shared) / 2 if near else 0.0


def _amounts_in(text: str) -> tuple[Quantity, ...]:
    return tuple(amount for amount in quantities_in(text) if amount.unit)


def _plain_words(text: str) -> str:
    return " ".join(text.lower().split())
