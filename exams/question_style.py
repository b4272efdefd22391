"""A question becomes its faults against the manners of an oral, in words that can be handed back to whoever
wrote it.

One thing at a time, short, open, no choices; not the element read aloud, nothing that holds its own
answer, no praise, no pointing at a text. Whoever wrote the question, a model or the project's own writer,
it is checked here before it is shown. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from exams import conf
from exams.values import Form
from knowledge.grounding.polarity import modality_of
from knowledge.grounding.quantities import quantities_in
from knowledge.grounding.sentences import sentences_in

_AUXILIARY: Final = (
    r"(?:is|are|was|were|am|do|does|did|can|could|may|might|must|shall|should|will|would|have|has|had|isn't|aren't|"
    r"don't|doesn't|can't|won't|wouldn't|shouldn't)"
)
_YES_NO: Final = re.compile(
    rf"^(?:[^?]*?[,;:—–]\s+|and\s+|so\s+|but\s+|then\s+|now\s+)?{_AUXILIARY}\s+(?:you|he|she|it|they|"
    rf"we|i|there|this|that|these|"
    r"those|the|a|an|your|his|her|any|all|both|every|each|\w+ing|\w+s)\b[^?]*\?$",
    re.IGNORECASE,
)
_AT_ONCE_YES_NO: Final = re.compile(rf"^(?:and |so |but |then )?{_AUXILIARY}\b[^?]*\?$", re.IGNORECASE)
_OPEN_WORD: Final = re.compile(r"\b(?:what|which|how|why|when|where|who|whom|whose)\b", re.IGNORECASE)
_TAG: Final = re.compile(r",\s*(?:right|correct|isn't it|aren't you|don't you|okay|yes)\?$", re.IGNORECASE)
_TELLS: Final = re.compile(
    r"^(?:please\s+)?(?:tell|explain|describe|walk|talk|show|give|name|list|say|go|take|think|look|"
    r"start|put|compare|work|lead|"
    r"run|help|bring|sum|convince|imagine)\b",
    re.IGNORECASE,
)
_POINTS: Final = re.compile(
    r"\baccording to\b|\b(?:the|this) (?:passage|excerpt|text|source material)\b|\bas (?:stated|"
    r"described|shown) in\b",
    re.IGNORECASE,
)
_PRAISE: Final = re.compile(
    r"\b(?:great|excellent|perfect|well done|good (?:job|answer|work|point)|nice(?:ly)?|correct|"
    r"exactly|that'?s right|right you are|"
    r"wonderful|fantastic|impressive|bravo)\b|^(?:good|right)[.,!]",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z0-9]+(?:[.,'’-][a-z0-9]+)*")


def faults_of(
    text: str,
    *,
    form: Form,
    element_text: str,
    answers: Sequence[str],
    secret_amounts: Sequence[str] = (),
    recent: Sequence[str] = (),
    said: str = "",
) -> tuple[str, ...]:
    """Every fault, each as one sentence; empty for a question that may be asked.

    `answers` are the statements and quotes that the student is to find; `secret_amounts` those of their
    figures that the question must not hold; `recent` what was asked just before, newest last; `said` the
    student's own words, which a probe may quote.
    """
    own = text.replace(said, " ") if said else text
    checks = (
        _length(own, form),
        _openness(text),
        _choices(text),
        _same_opener(text, recent),
        _element_aloud(text, element_text),
        _pointing(own),
        _praise(own),
        _shared_run(own, answers),
        _amount_given(own, secret_amounts),
        _rule_told(own),
    )
    return tuple(fault for fault in checks if fault)


def words_of(text: str) -> list[str]:
    return [word.replace(",", "").replace("’", "'") for word in _WORD.findall(text.lower())]


def opener_of(text: str) -> str:
    """The words by which two questions are heard to begin alike."""
    return " ".join(words_of(text)[: conf.OPENER_WORDS])


def shares_run(text: str, other: str, length: int = conf.SHARED_RUN) -> bool:
    """Whether the texts share that many words in a row."""
    mine, theirs = words_of(text), words_of(other)
    runs = {tuple(theirs[n : n + length]) for n in range(len(theirs) - length + 1)}
    return any(tuple(mine[n : n + length]) in runs for n in range(len(mine) - length + 1))


def _length(text: str, form: Form) -> str:
    count = len(words_of(text))
    if count == 0:
        return "There is no question."
    return (
        f"It has {count} words; {conf.QUESTION_WORDS_MOST} are the most."
        if count > conf.QUESTION_WORDS_MOST
        else ""
    )


def _openness(text: str) -> str:
    asked = [sentence.text for sentence in sentences_in(text) if sentence.text.endswith("?")]
    if len(asked) > 1:
        return "It asks more than one question; ask one thing at a time."
    if asked:
        is_closed = _TAG.search(asked[0]) or _is_yes_no(asked[0])
        return "It can be answered by yes or no; ask an open question." if is_closed else ""
    told = any(_TELLS.match(sentence.text) for sentence in sentences_in(text))
    return "" if told else "It does not ask anything."


def _is_yes_no(question: str) -> bool:
    closed = _AT_ONCE_YES_NO.match(question) or _YES_NO.match(question)
    return bool(closed) and not _OPEN_WORD.search(question)


def _choices(text: str) -> str:
    asked = next((s.text for s in sentences_in(text) if s.text.endswith("?")), "")
    question = re.split(r"(?<!\d),\s+(?=(?:and\s+)?(?:what|which|how|why|when|where|who)\b)", asked)
    offers = any(
        re.search(r"\beither\b|\b(?:is|are|was) it\b.*\bor\b|\b[a-c]\)\s", part, re.IGNORECASE)
        for part in question
    )
    return "It offers the answers to choose from." if offers else ""


def _same_opener(text: str, recent: Sequence[str]) -> str:
    return (
        "It begins like the question before it."
        if recent and opener_of(text) == opener_of(recent[-1])
        else ""
    )


def _element_aloud(text: str, element_text: str) -> str:
    wanted = words_of(element_text)
    if not wanted:
        return ""
    asked = words_of(text)
    joined, whole = " ".join(asked), " ".join(wanted)
    if len(wanted) >= 3 and whole in joined and len(asked) < 2 * len(wanted) + 6:
        return "It only reads the element aloud."
    return "It only reads the element aloud." if joined == whole else ""


def _pointing(text: str) -> str:
    return "It points at a text instead of asking." if _POINTS.search(text) else ""


def _praise(text: str) -> str:
    return "It praises or confirms." if _PRAISE.search(text) else ""


def _shared_run(text: str, answers: Iterable[str]) -> str:
    if any(shares_run(text, answer) for answer in answers):
        return f"It shares {conf.SHARED_RUN} words in a row with its own answer."
    return ""


def _amount_given(text: str, secret_amounts: Iterable[str]) -> str:
    held = quantities_in(text)
    secrets = [quantity for amount in secret_amounts for quantity in quantities_in(amount)]
    if any(one.same_as(other) and one.unit == other.unit for one in held for other in secrets):
        return "It holds a figure that the student is to give."
    return ""


def _rule_told(text: str) -> str:
    """A sentence that tells a rule instead of asking for it; a situation is told in the indicative."""
    told = [s.text for s in sentences_in(text) if not s.text.endswith("?") and not _TELLS.match(s.text)]
    if any(
        modality_of(sentence) in ("must", "may_not", "not_required") and _IMPERSONAL.search(sentence)
        for sentence in told
    ):
        return "It states a rule; only a situation may be told."
    return ""


_IMPERSONAL: Final = re.compile(
    r"\b(?:must|shall|required|prohibited|no person|no one|may not|regulation)\b", re.IGNORECASE
)
