"""Listens for false things in an answer that no point of the question is about ("thirty minutes of fuel at night").

A sentence states a belief of `exams.bank.beliefs` if it has a word of each of its groups and none that belongs to what
is true. A small model was tried first and could not tell a belief from the truth in nearly its words (decision 28).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from exams.bank.beliefs.belief import Belief, read_beliefs
from exams.domain.feedback import OWN_WORDS_MOST
from exams.domain.keywords import first_letters_in, first_letters_of, has_any
from exams.offline.answer_filter import filter_answer
from exams.offline.assertions import without_recalled, without_repaired
from knowledge.text.sentences import sentences_in

_CLAUSES: Final = r"[;:—]|, (?:and|but|so|because|since|which|then)\b|\b(?:because|since|but)\b"
_LEADS_IN: Final = r"^(?:(?i:and|but|so|because|since|yes|yeah|no(?=,)|well|uh|um|oh|also)\b[ ,]*)+"


@dataclass(frozen=True, slots=True)
class Held:
    """A belief and the words of the answer that state it, or ask whether it is so; "" where they are too many."""

    said: str
    belief: Belief


def find_beliefs(answer: str) -> tuple[Held, ...]:
    """The beliefs that the student asserts or asks about, in the order of the words; each once, and of several that the
    same words state the first."""
    asserted = [one.text for one in sentences_in(filter_answer(answer).asserted)]
    asked = [one.text for one in sentences_in(answer) if one.text.endswith("?")]
    found: dict[str, Held] = {}
    for sentence in dict.fromkeys((*asserted, *asked)):
        said = without_repaired(sentence)
        for belief in _beliefs_about(said):
            if states(belief, said) and belief.text not in {one.belief.text for one in found.values()}:
                words = _words_of(belief, sentence)
                found.setdefault(words, Held(words, belief))
    return tuple(found.values())


def _beliefs_about(sentence: str) -> Iterator[Belief]:
    """Those of whose groups the sentence may have a word each: to look for all words of all takes ten times as long."""
    begins = first_letters_in(sentence)
    for belief, groups in _first_letters():
        if not any(map(begins.isdisjoint, groups)):
            yield belief


@cache
def _first_letters() -> tuple[tuple[Belief, tuple[frozenset[str], ...]], ...]:
    return tuple((one, tuple(map(first_letters_of, one.words))) for one in read_beliefs())


def _words_of(belief: Belief, sentence: str) -> str:
    """The clause that states it by itself, else the sentence; "" for more words than anybody says back."""
    clauses = (re.sub(_LEADS_IN, "", one.strip(" ,.")) for one in re.split(_CLAUSES, sentence))
    stating = [one for one in clauses if states(belief, one)]
    clause = min(stating, key=len, default=sentence)
    if len(clause.split()) > OWN_WORDS_MOST:
        return ""
    return f"{clause.rstrip('?')}?" if sentence.endswith("?") else clause


def beliefs_held(answers: Sequence[str]) -> tuple[Held, ...]:
    """The beliefs that the answers about one question state, and that no later one takes back."""
    held: dict[str, Held] = {}
    for at, said in enumerate(answers):
        kept = without_recalled(said, " ".join(answers[:at]))
        held = {key: one for key, one in held.items() if not takes_back(one.belief, kept)}
        held |= {one.belief.text: one for one in find_beliefs(kept)}
    return tuple(held.values())


def takes_back(belief: Belief, answer: str) -> bool:
    """Whether a sentence of a later answer is about the belief and has a word of what is true."""
    about = [word for group in belief.words for word in group]
    return any(has_any(belief.unless, one.text) and has_any(about, one.text) for one in sentences_in(answer))


def states(belief: Belief, sentence: str) -> bool:
    """Whether the words of one sentence state the belief."""
    return all(has_any(group, sentence) for group in belief.words) and not has_any(belief.unless, sentence)
