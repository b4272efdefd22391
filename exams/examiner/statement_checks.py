"""Finds what a model's question states, where no item gives it words.

A question asks; beside that it may only set a scene about the people in it: nothing that obliges or denies, no figure,
nothing of rules or in general, and hardly a word of the answer. Everything else would be a statement without a source.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from exams.domain.question_checks import figures_in
from knowledge.text.modality import modality_of, negations_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)
_CUT: Final = re.compile(
    r"\s*[,;:—–()]\s*|\s+(?=and\b|but\b|so\b|if\b|when\b|while\b|with\b|as\b)", re.IGNORECASE
)


def unsupported_statements(text: str, *, topic: str, secrets: Iterable[str]) -> tuple[str, ...]:
    """The parts of a question about `topic` that state something. `secrets` are the statements and quotes that a
    complete answer conveys."""
    of_answer = set(content_words(" ".join(secrets))) - set(content_words(topic))
    return tuple(
        stated
        for sentence in sentences_in(text)
        for stated in _statements_of(sentence.text, topic)
        if not _is_scene(stated, of_answer)
    )


def _statements_of(sentence: str, topic: str) -> Iterator[str]:
    """A sentence that does not ask; of one that asks the parts that do not, or the whole if it claims anything."""
    asking = "asks" if sentence.rstrip("\"'“”‘’ ").endswith("?") else "prompts"
    if _PHRASES[asking].search(sentence) is None or claims_something(sentence):
        yield sentence
        return
    known = set(content_words(topic))
    parts = [
        re.sub(r"^(?:and|but|so|or|then)\s+", "", one.strip(), flags=re.IGNORECASE)
        for one in _CUT.split(sentence)
    ]
    asks = [bool(_PHRASES["asks"].match(one) or _PHRASES["prompts"].match(one)) for one in parts]
    for at, part in enumerate(parts):
        leads = at == 0 and any(asks[1:]) and bool(_PHRASES["leads"].match(part))
        relative = at > 0 and bool(_PHRASES["relative"].match(part))
        if set(content_words(part)) - known and (not asks[at] or relative or leads):
            yield part


def claims_something(text: str) -> bool:
    """Whether it obliges, denies, speaks in general, or has a figure."""
    return bool(
        modality_of(text) or negations_in(text) or _PHRASES["general"].search(text) or figures_in(text)
    )


def _is_scene(stated: str, of_answer: set[str]) -> bool:
    """Whether it tells of people, places, and hours: one word in common with the answer may be chance."""
    words = set(content_words(stated))
    shared = len(words & of_answer)
    told_of = _PHRASES["of people"].match(stated) or not words
    return bool(told_of) and not claims_something(stated) and shared <= 1 and 2 * shared < max(len(words), 1)
