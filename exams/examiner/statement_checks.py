"""Finds what a vendor's question states beyond the item's own words, and what it asks beside them.

A question asks; what it tells is the item's situation. Each sentence, and each part of an asking sentence that does not
itself ask, may be shown if the item says it, or if it only sets a scene about the people in it: it obliges and denies
nothing, has no figure, says nothing of rules or in general, and has hardly a word of the answer. Everything else would
be a statement without a source. A wording that is refused costs nothing: the item's own words stand ready.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
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
_QUOTED: Final = "“…”"
_SAYING: Final = frozenset(content_words("said say told tell mentioned mention called call answered answer"))
_CUT: Final = re.compile(
    r"\s*[,;:—–()]\s*|\s+(?=and\b|but\b|so\b|if\b|when\b|while\b|with\b|as\b)", re.IGNORECASE
)


def faults_beside(text: str, own: str) -> list[str]:
    """Whether it asks for less than the item's own words, or for a reason that they do not ask for, or is these words
    with something put in: a statement hides best there."""
    asked, wanted = (_PHRASES["asks"].findall(one.lower()) for one in (text, own))
    faults = []
    if own and len(asked) < len(wanted):
        faults.append("Ask for everything that the item's own words ask for.")
    if own and "why" in asked and "why" not in wanted:
        faults.append("Ask “why” only where the item's own words do: it takes for true what follows it.")
    said, own_words = plain_words(text).split(), plain_words(own).split()
    blocks = SequenceMatcher(None, own_words, said, autojunk=False).get_matching_blocks()
    kept = {at for block in blocks for at in range(block.b, block.b + block.size)}
    added = content_words(" ".join(word for at, word in enumerate(said) if at not in kept))
    if own and added and len(kept) >= conf.OWN_WORDS_KEPT * len(own_words):
        faults.append(
            "Add nothing to the item's own words; leave them as they are, or say all of it in others."
        )
    return faults


def unsupported_statements(
    text: str, *, told: Sequence[str], secrets: Iterable[str], own_words: str = ""
) -> tuple[str, ...]:
    """The parts of a question that state something which `told` does not say.

    `told` are the words that may be repeated: the item's own in each wording, its givens, the question before.
    `secrets` are the statements and quotes that a complete answer conveys. `own_words` are the student's, which may be
    quoted back.
    """
    given = " ".join(told)
    of_answer = set(content_words(" ".join((*secrets, own_words)))) - set(content_words(given))
    known = {plain_words(one.text) for words in told for one in sentences_in(words)}
    bare = without_own_words(text, own_words)
    return tuple(
        stated
        for sentence in sentences_in(bare)
        if plain_words(sentence.text) not in known
        for stated in _statements_of(sentence.text, given)
        if not _is_told(stated, given) and not _is_scene(stated, of_answer, given)
    )


def _statements_of(sentence: str, given: str) -> Iterator[str]:
    """A sentence that does not ask; of one that asks the parts that do not. The whole where it obliges or denies
    something, speaks in general, or has a figure, and the item's own words do not."""
    opens = _PHRASES["asks" if sentence.rstrip("\"'“”‘’ ").endswith("?") else "prompts"].search(sentence)
    beyond = (
        negations_in(sentence) > negations_in(given)
        or (modality_of(sentence) and not modality_of(given))
        or any(one.lower() not in given.lower() for one in _PHRASES["general"].findall(sentence))
        or not _has_known_figures(sentence, given)
    )
    if opens is None or beyond:
        yield sentence
        return
    known = set(content_words(given))
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


def _is_told(stated: str, given: str) -> bool:
    """In other words than the item's it may not oblige or deny: the model that reads both is often wrong there."""
    plain = modality_of(stated) is None and not negations_in(stated)
    if not plain or share_covered(content_words(stated), content_words(given)) < conf.STATEMENT_WORDS:
        return False
    found = check_entailment(stated, given)
    return found.supported and found.score >= conf.STATEMENT_SURE


def _is_scene(stated: str, of_answer: set[str], given: str) -> bool:
    """Whether it tells of people, places, and hours: one word in common with the answer may be chance. Beside a quote
    of the student's words nothing is told."""
    words = set(content_words(stated))
    shared = len(words & of_answer)
    return (
        modality_of(stated) is None
        and not negations_in(stated)
        and not _PHRASES["general"].search(stated)
        and shared <= 1
        and 2 * shared < max(len(words), 1)
        and _has_known_figures(stated, given)
        and bool(_PHRASES["of people"].match(stated) or not words)
        and (_QUOTED not in stated or not words - _SAYING)
    )


def _has_known_figures(stated: str, given: str) -> bool:
    known = figures_in(given)
    return all(any(figure.same_as(one) for one in known) for figure in figures_in(stated))
