"""Finds what a vendor's question states beyond the item's own words.

A question asks; what it tells is the item's situation. A sentence, or a reason given inside the question, may be shown
if the item's own words say it, or if it only sets a scene: it obliges and denies nothing, has no figure of its own, and
hardly a word of the answer. Everything else would be a statement without a source.
"""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from exams import conf
from exams.domain.question_checks import figures_in, without_own_words
from knowledge.grounding.entailment import check_entailment
from knowledge.text.modality import modality_of, negations_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, plain_words, share_covered
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"), ignore_case=True)


def unsupported_statements(
    text: str, *, told: Sequence[str], secrets: Iterable[str], own_words: str = ""
) -> tuple[str, ...]:
    """The parts of a question that state something which `told` does not say.

    `told` are the words that may be repeated: the item's own, its givens, the question before. `secrets` are the
    statements and quotes that a complete answer conveys. `own_words` are the student's, which may be quoted back.
    """
    given = " ".join(told)
    of_answer = set(content_words(" ".join((*secrets, own_words)))) - set(content_words(given))
    bare = without_own_words(text, own_words)
    stated = [one for sentence in sentences_in(bare) for one in _statements_of(sentence.text, given)]
    return tuple(one for one in stated if not _is_told(one, given) and not _is_scene(one, of_answer, given))


def _statements_of(sentence: str, given: str) -> Iterator[str]:
    """A sentence that does not ask; of one that asks what stands before the question and the reason behind it. The
    whole where it denies something, or has a figure, that the item's own words do not."""
    asked = _PHRASES["asks" if sentence.rstrip("\"'“”‘’ ").endswith("?") else "prompts"].search(sentence)
    if (
        asked is None
        or negations_in(sentence) > negations_in(given)
        or not _has_known_figures(sentence, given)
    ):
        yield sentence
    else:
        reason = _PHRASES["gives a reason"].search(sentence, asked.end())
        parts = (sentence[: asked.start()], sentence[reason.start() :] if reason else "")
        yield from (one for one in parts if content_words(one))


def _is_told(stated: str, given: str) -> bool:
    if not given.strip():
        return False
    if f" {plain_words(stated)} " in f" {plain_words(given)} ":
        return True
    # In other words it may not oblige or deny: the model that reads both is often wrong about that.
    plain = modality_of(stated) is None and not negations_in(stated)
    if not plain or share_covered(content_words(stated), content_words(given)) < conf.STATEMENT_WORDS:
        return False
    found = check_entailment(stated, given)
    return found.supported and found.score >= conf.STATEMENT_SURE


def _is_scene(stated: str, of_answer: set[str], given: str) -> bool:
    """Whether it tells of people, places, and hours: one word in common with the answer may be chance."""
    words = set(content_words(stated))
    shared = len(words & of_answer)
    return (
        modality_of(stated) is None
        and not negations_in(stated)
        and not _PHRASES["general"].search(stated)
        and shared <= 1
        and 2 * shared < max(len(words), 1)
        and _has_known_figures(stated, given)
    )


def _has_known_figures(stated: str, given: str) -> bool:
    known = figures_in(given)
    return all(any(figure.same_as(one) for one in known) for figure in figures_in(stated))
