"""Checks the rules that every question obeys, and lists what is wrong with a question.

A question asks one thing, is short and open, and offers no choices. It does not repeat the element's text, contain its
own answer, state a rule, praise, refer to a text, or use a figure without a source. Each fault is a sentence that tells
the writer what to improve. This module knows no exams, rows, or models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from exams import conf
from knowledge.text.modality import modality_of
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, share_covered
from knowledge.text.word_tables import read_phrases

_PHRASES: Final = read_phrases(Path(__file__).with_name("phrases.csv"))
_SECTION: Final = re.compile(
    r"(?:\b\d{1,2} cfr\s++)?(?<!§)§++\s*+[\d.]+|\b(?:\d{1,2} cfr(?: sections?| parts?)?|section|parts?|cfr)\s+[\d.]+"
    r"(?:\(\w+\))*|\b\d{2,3}\.\d{3}\b",
    re.IGNORECASE,
)


def faults_of(
    text: str,
    *,
    expectations: Sequence[str],
    element_text: str = "",
    previous: str = "",
    secret_amounts: Sequence[str] | None = None,
    support: Sequence[str] | None = None,
) -> tuple[str, ...]:
    """What is wrong with the question, as sentences to its writer; empty for a question that may be shown.

    `expectations` are the statements and quotes that a complete answer conveys, and `previous` is the question before
    it. `secret_amounts` are texts with the figures that are asked for; all expectations, if not given. If `support` is
    given, every amount must occur there.
    """
    lowered, asked = _lower_case(text), _asking_sentence(text)
    begins_prompt = any(map(_PHRASES["prompt verb"].match, asked.split(" ")[:13]))
    is_open = asked.endswith("?") or (begins_prompt and asked[-1:] in ".…")
    secrets = expectations if secret_amounts is None else secret_amounts
    checks = (
        (f"Use {conf.QUESTION_WORDS_MOST} words at most.", len(text.split()) > conf.QUESTION_WORDS_MOST),
        (
            "Write one question that ends with a question mark, or a prompt such as “Walk me through…”.",
            not is_open,
        ),
        ("Ask one thing: one question mark at most.", text.count("?") > 1),
        ("Ask an open question; yes or no must not answer it.", is_yes_no(text)),
        ("Offer no choices.", offers_choice(text)),
        ("Point to no passage (“according to…”).", bool(_PHRASES["points at a text"].search(lowered))),
        ("Neither praise nor judge.", bool(_PHRASES["praise"].search(lowered))),
        ("Write plain text, without tags or links.", bool(_PHRASES["markup"].search(lowered))),
        ("Tell no rule; only a situation may be told.", tells_rule(text)),
        ("Do not repeat the element's own text as the question.", repeats_element(text, element_text)),
        (
            "Begin with other words than the question before.",
            bool(previous) and opener_of(text) == opener_of(previous),
        ),
        (
            "Take no five words in a row from the answer.",
            any(shares_words(text, one) for one in expectations),
        ),
        ("Leave the answer's numbers out.", any(leaks_number(text, one) for one in secrets)),
        ("Leave the answer out of the question.", any(_holds_the_answer(text, one) for one in expectations)),
        ("Use no figure that the passages do not hold.", bool(unsupported_amounts(text, support))),
    )
    return tuple(fault for fault, broken in checks if broken)


def opener_of(text: str) -> tuple[str, ...]:
    """The first words of a question, in lower case; two questions in a row should not share them."""
    return tuple(_words_of(text)[: conf.OPENER_WORDS])


def is_yes_no(text: str) -> bool:
    """Whether the question that ends the text can be answered by yes or no; a situation before it does not count."""
    asked = _asking_sentence(text)
    if _PHRASES["tag"].search(asked):
        return True
    auxiliary = _PHRASES["auxiliary"].search(asked)
    return auxiliary is not None and not _PHRASES["asks openly"].search(asked[: auxiliary.start()])


def offers_choice(text: str) -> bool:
    """Whether the question names the answers to choose from."""
    return bool(
        _PHRASES["choice"].search(_asking_sentence(text))
        or _PHRASES["lettered list"].search(_lower_case(text))
    )


def tells_rule(text: str) -> bool:
    """Whether a sentence states a rule instead of asking for it; a situation is in the indicative."""
    for sentence in sentences_in(text):
        words = _lower_case(sentence.text).removeprefix("please ")
        if sentence.text.endswith("?") or _PHRASES["prompt verb"].match(words):
            continue
        obliges = modality_of(sentence.text) in ("must", "may_not", "not_required")
        if obliges and _PHRASES["rule"].search(_lower_case(sentence.text)):
            return True
    return False


def repeats_element(text: str, element_text: str) -> bool:
    """Whether the question is little more than the element's text."""
    element, question = _words_of(element_text), _words_of(text)
    if not element or f" {' '.join(element)} " not in f" {' '.join(question)} ":
        return False
    return len(question) <= 2 * len(element) + conf.WORDS_BEYOND_ELEMENT


def shares_words(text: str, expectation: str) -> bool:
    """Whether five consecutive words of the expectation occur in the text."""
    return bool(_runs_of(text) & _runs_of(expectation))


def leaks_number(text: str, expectation: str) -> bool:
    """Whether the text has an amount of the expectation, also converted. "One thing" is not an amount."""
    answers = figures_in(expectation)
    return any(figure.same_as(answer) for figure in figures_in(text) for answer in answers)


def figures_in(text: str) -> tuple[Quantity, ...]:
    """Amounts with a unit or in digits, each end of a range separately. Section numbers are not amounts."""
    figures: list[Quantity] = []
    for one in quantities_in(_SECTION.sub(" ", text)):
        if one.unit or any(character.isdigit() for character in one.text):
            ends = () if one.high is None else (one.value, one.high)
            figures += [Quantity(end, one.unit, text=one.text) for end in ends] or [one]
    return tuple(figures)


def unsupported_amounts(text: str, support: Iterable[str] | None) -> tuple[str, ...]:
    """Amounts with a unit that do not occur in `support`; none if that is None. A bare figure ("Cessna 172", "runway
    24") is a name."""
    if support is None:
        return ()
    known = [figure for one in support for figure in figures_in(one)]
    return tuple(
        figure.text
        for figure in figures_in(text)
        if figure.unit and not any(figure.same_as(other) for other in known)
    )


def _holds_the_answer(text: str, expectation: str) -> bool:
    words = set(content_words(expectation))
    if figures_in(expectation):
        return False  # there the figure is the answer, and that is looked for by itself
    return (
        len(words) >= conf.ANSWER_WORDS_LEAST
        and share_covered(words, set(content_words(text))) >= conf.ANSWER_SAID
    )


def _asking_sentence(text: str) -> str:
    """The last sentence that ends with a question mark, else the last one, in lower case."""
    sentences = [_lower_case(sentence.text).strip("\"'“”‘’ ") for sentence in sentences_in(text)]
    asking = [sentence for sentence in sentences if sentence.endswith("?")]
    return (asking or sentences or [""])[-1]


def _runs_of(text: str) -> set[tuple[str, ...]]:
    words, length = _words_of(text), conf.SHARED_RUN
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def _words_of(text: str) -> list[str]:
    return [word.replace(",", "") for word in re.findall(r"[a-z0-9]+(?:[.,'-][a-z0-9]+)*", _lower_case(text))]


def _lower_case(text: str) -> str:
    return text.lower().replace("’", "'")
