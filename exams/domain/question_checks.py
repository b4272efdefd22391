"""The rules that every question obeys: a question becomes the list of what is wrong with it.

One thing at a time, short, open, no choices; not the element read aloud, nothing that holds its own answer, no rule
told, no praise, no pointing at a text, no figure from nowhere. Whoever wrote it, a model or the project's own writer,
it is shown only if the list is empty. Each fault is a sentence that says what to do better, so that it can be handed
back to the writer. Pure: it knows the question, what a complete answer conveys and what was asked before, and nothing
of exams, rows or models.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Final

from exams import conf
from knowledge.text.modality import modality_of
from knowledge.text.quantities import Quantity, quantities_in
from knowledge.text.sentences import sentences_in
from knowledge.text.tokens import content_words, coverage

_WORD: Final = re.compile(r"[a-z0-9]+(?:[.,'-][a-z0-9]+)*")
_AUXILIARY: Final = (
    r"(?:is|are|was|were|am|do|does|did|can|could|may|might|will|would|shall|should|must|has|have|had|"
    r"isn't|aren't|don't|doesn't|didn't|can't|couldn't|won't|wouldn't|shouldn't|mustn't|haven't|hasn't)"
)
_ASKS_YES_NO: Final = re.compile(
    rf"^(?:(?:and|but|so|then|now|well|ok|okay)\b[,\s]*)*{_AUXILIARY}\b|"
    rf"[,;:—–]\s*(?:and |but |so |then )*{_AUXILIARY}\s+(?:you|i|we|he|she|it|they|there|this|that|these|those|the|a|"
    rf"an|any|all|both|every|each|your|his|her)\b"
)
_TAG: Final = re.compile(r",\s*(?:right|correct|isn't it|aren't you|don't you|okay|yes)\?$")
_ASKS_OPENLY: Final = re.compile(r"\b(?:what|which|when|where|who|whom|whose|why|how)\b")
_VERBS: Final = (
    r"(?:tell|walk|talk|take|explain|describe|show|give|name|list|say|go|draw|define|"
    r"sketch|compare|brief|put|narrow|think|come|look|finish|start|help|let|add|point|consider|work|complete|turn|stay|"
    r"lead|run|bring|sum|convince|imagine)\b"
)
_PROMPTS: Final = re.compile(rf"^(?:\S+ ){{0,12}}?{_VERBS}")
_TELLS: Final = re.compile(rf"^(?:please )?{_VERBS}")
_CHOICE: Final = re.compile(
    r"\bor\b(?:\W+[\w'-]+){1,4}\W*\?$|\bwhether\b.{0,60}\bor not\b|^(?:\S+ ){0,3}which (?:of|one)\b.*\bor\b|"
    r"\beither\b|\b(?:is|are|was) it\b.*\bor\b"
)
_LISTED: Final = re.compile(r"(?:^|\s)\(?[a-c]\)\s.*(?:^|\s)\(?[a-c]\)\s")
_POINTS: Final = re.compile(
    r"\baccording to\b|\bas (?:stated|written|described|mentioned|shown) in\b|"
    r"\b(?:the|this) (?:passage|excerpt|source material|text)\b|"
    r"\bthe (?:source|quote)s? (?:says?|states?|above|below)\b"
)
_PRAISE: Final = re.compile(
    r"\b(?:well done|nicely done|(?:good|great|nice) (?:job|work|answer|point|start|thinking|try|question)|"
    r"excellent|impressive|bravo|right you are|"
    r"wonderful|fantastic|awesome|brilliant|spot on|exactly right|perfect(?=[\s]*[,.!—–])|"
    r"(?:you're|you are|that's|that is) (?:absolutely |quite )?(?:right|correct))\b|"
    r"(?:^|[.!?]\s+)(?:good|great|nice|right|correct|exactly|perfect|very good|yes|sure|absolutely)\s*[,.!—–]"
)
_RULE: Final = re.compile(
    r"\b(?:must|shall|required|prohibited|no person|no one|may not|regulation)\b", re.IGNORECASE
)
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
    own_words: str = "",
    secret_amounts: Sequence[str] | None = None,
    support: Sequence[str] | None = None,
) -> tuple[str, ...]:
    """What is wrong with the question, as sentences to its writer; empty for a question that may be shown.

    `expectations` are the statements and quotes that a complete answer conveys, `previous` is the question before it.
    `own_words` are the student's: what they have said themselves may be quoted back to them. `secret_amounts` are the
    figures that are asked for, all those of the expectations unless given. Where `support` is given, every amount must
    stand there.
    """
    said = _without(text, own_words)
    secrets = expectations if secret_amounts is None else secret_amounts
    checks = (
        (f"Use {conf.QUESTION_WORDS_MOST} words at most.", len(said.split()) > conf.QUESTION_WORDS_MOST),
        (
            "Write one question that ends with a question mark, or a prompt such as “Walk me through…”.",
            not _is_open(said),
        ),
        ("Ask one thing: one question mark at most.", said.count("?") > 1),
        ("Ask an open question; yes or no must not answer it.", is_yes_no(said)),
        ("Offer no choices.", offers_choice(said)),
        ("Point to no passage (“according to…”).", bool(_POINTS.search(_lower(said)))),
        ("Neither praise nor judge.", bool(_PRAISE.search(_lower(said)))),
        ("Tell no rule; only a situation may be told.", tells_rule(said)),
        ("Do not repeat the element's own text as the question.", repeats_element(said, element_text)),
        (
            "Begin with other words than the question before.",
            bool(previous) and opener_of(text) == opener_of(previous),
        ),
        (
            "Take no five words in a row from the answer.",
            any(shares_words(said, one) for one in expectations),
        ),
        ("Leave the answer's numbers out.", any(leaks_number(said, one) for one in secrets)),
        ("Leave the answer out of the question.", any(_says_it_all(said, one) for one in expectations)),
        ("Use no figure that the passages do not hold.", bool(unsupported_amounts(said, support))),
    )
    return tuple(fault for fault, broken in checks if broken)


def opener_of(text: str) -> tuple[str, ...]:
    """The words by which two questions are heard to begin alike, in lower case."""
    return tuple(_words(text)[: conf.OPENER_WORDS])


def is_yes_no(text: str) -> bool:
    """Whether the question that ends the text can be answered by yes or no; a situation before it does not count."""
    asked = _asked(text)
    if _TAG.search(asked):
        return True
    auxiliary = _ASKS_YES_NO.search(asked)
    if auxiliary is None:
        return False
    return not _ASKS_OPENLY.search(asked[: auxiliary.start()])


def offers_choice(text: str) -> bool:
    return bool(_CHOICE.search(_asked(text)) or _LISTED.search(_lower(text)))


def tells_rule(text: str) -> bool:
    """Whether a sentence tells a rule instead of asking for it; a situation is told in the indicative."""
    told = [
        s.text for s in sentences_in(text) if not s.text.endswith("?") and not _TELLS.match(_lower(s.text))
    ]
    return any(
        modality_of(sentence) in ("must", "may_not", "not_required") and _RULE.search(sentence)
        for sentence in told
    )


def repeats_element(text: str, element_text: str) -> bool:
    """Whether the question is little more than the element's text: a few words, or as many again."""
    element, question = _words(element_text), _words(text)
    if not element or not _holds(question, element):
        return False
    return len(question) <= 2 * len(element) + conf.WORDS_BEYOND_ELEMENT


def shares_words(text: str, expectation: str) -> bool:
    """Whether five words in a row of the expectation stand in the text."""
    return bool(_runs(text) & _runs(expectation))


def leaks_number(text: str, expectation: str) -> bool:
    """Whether the text holds an amount of the expectation, also converted. "One thing" is no amount."""
    answers = figures_in(expectation)
    return any(figure.same_as(answer) for figure in figures_in(text) for answer in answers)


def figures_in(text: str) -> tuple[Quantity, ...]:
    """Amounts with a unit or in digits, each end of a range by itself; numbers of sections are none."""
    found = quantities_in(_SECTION.sub(" ", text))
    ends = [end for one in found for end in _ends(one)]
    return tuple(one for one in ends if one.unit or any(character.isdigit() for character in one.text))


def _ends(one: Quantity) -> Iterable[Quantity]:
    if one.high is None:
        return (one,)
    return (Quantity(one.value, one.unit, text=one.text), Quantity(one.high, one.unit, text=one.text))


def unsupported_amounts(text: str, support: Iterable[str] | None) -> tuple[str, ...]:
    """Amounts with a unit that stand nowhere in `support`; a figure alone ("Cessna 172", "runway 24") is a name. None
    where there is nothing to compare with.
    """
    if support is None:
        return ()
    known = [figure for one in support for figure in figures_in(one)]
    return tuple(
        figure.text
        for figure in figures_in(text)
        if figure.unit and not any(figure.same_as(other) for other in known)
    )


def _says_it_all(text: str, expectation: str) -> bool:
    words = set(content_words(expectation))
    if figures_in(expectation):
        return False  # there the figure is the answer, and that is looked for by itself
    return (
        len(words) >= conf.ANSWER_WORDS_LEAST
        and coverage(words, set(content_words(text))) >= conf.ANSWER_SAID
    )


def _is_open(text: str) -> bool:
    asked = _asked(text)
    if asked.endswith("?"):
        return True
    return bool(_PROMPTS.match(asked)) and asked[-1:] in ".…"


def _asked(text: str) -> str:
    """The sentence that holds the question mark, else the last one, in lower case."""
    sentences = [_lower(sentence.text).strip("\"'“”‘’ ") for sentence in sentences_in(text)]
    asking = [sentence for sentence in sentences if sentence.endswith("?")]
    return (asking or sentences or [""])[-1]


def _without(text: str, own_words: str) -> str:
    """The text with quotes of the student's own words taken out."""
    spoken = _words(own_words)
    if not spoken:
        return text
    return re.sub(
        r"[“\"]([^”\"]*)[”\"]",
        lambda quote: "“…”" if _holds(spoken, _words(quote[1])) else quote[0],
        text,
    )


def _runs(text: str) -> set[tuple[str, ...]]:
    words, length = _words(text), conf.SHARED_RUN
    return {tuple(words[at : at + length]) for at in range(len(words) - length + 1)}


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    return any(list(words[at : at + len(part)]) == list(part) for at in range(len(words) - len(part) + 1))


def _words(text: str) -> list[str]:
    return [word.replace(",", "") for word in _WORD.findall(_lower(text))]


def _lower(text: str) -> str:
    return text.lower().replace("’", "'")
