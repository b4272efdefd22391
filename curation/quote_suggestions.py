"""A quote that is gone becomes an offer: the words of a passage that are nearest to it. Pure."""

from __future__ import annotations

from curation import conf
from curation.differences import Differences, differences
from knowledge.text.sentences import sentences_in

Stretch = tuple[str, Differences]


def nearest_words(quote: str, text: str) -> Stretch | None:
    """The sentences of a text in a row that are most like a quote, and how they differ from it; None where the text
    has none."""
    sentences = sentences_in(text)
    most = min(len(sentences), max(1, len(sentences_in(quote))) + 1)
    rows = [
        text[sentences[at].start : sentences[at + length - 1].end]
        for length in range(1, most + 1)
        for at in range(len(sentences) - length + 1)
    ]
    found = [(row, differences(quote, row)) for row in rows if len(row) <= conf.QUOTE_LENGTH]
    return max(found, key=lambda one: one[1].likeness, default=None)


def statement_beside(statement: str, old: str, new: str) -> str:
    """The statement with the new words where it says the old ones; as it is where it says them otherwise."""
    said, gone = " ".join(statement.split()), " ".join(old.split())
    return said.replace(gone, " ".join(new.split()), 1) if gone and gone in said else statement
