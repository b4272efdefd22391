"""A claim's sentence becomes its parts: when it holds, of whom it speaks, what it says, and what may be
asked of it.

A question may give away when a rule holds and of whom it speaks; what it says is the answer. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from exams.offline.clauses import Stance, stance_of
from knowledge.grounding.quantities import Quantity, quantities_in

Lead = Literal["none", "aim", "case", "place", "time", "means"]
"""What opens the sentence: "To carry passengers", "If the radio fails", "In Class G airspace", "At night",
"With a…".
"""

_VERB: Final = (
    r"must|may|shall|should|can|cannot|needs?|requires?|is|are|has|have|means|shows?|tells?|declares?|"
    r"sets?|flies|fly|drives?|"
    r"comes?|asks?|announces?|repeats?|flashes|makes?|give|gives|begins|advises|stays|enters|allows?|"
    r"reports?|grows|feels?"
)
_AIM: Final = re.compile(r"^(?:to|in order to)\s+(?!the\b)", re.IGNORECASE)
_CASE: Final = re.compile(r"^(?:when|if|whenever|once|where)\b", re.IGNORECASE)
_TIME: Final = re.compile(
    r"^(?:at night|by day|by night|from sunset|from sunrise|between sunset|before each|before|after|during)\b",
    re.IGNORECASE,
)
_MEANS: Final = re.compile(r"^(?:with|under|without)\b", re.IGNORECASE)
_PLACE: Final = re.compile(
    r"^(?:in|at|over|below|above|near|within|on|anywhere|along|for|other than)\b", re.IGNORECASE
)
_KINDS: Final[tuple[tuple[Lead, re.Pattern[str]], ...]] = (
    ("aim", _AIM), ("case", _CASE), ("time", _TIME), ("means", _MEANS), ("place", _PLACE),
)  # fmt: skip
_SUBJECT: Final = re.compile(
    rf"\b(?P<subject>you|no one|nobody|no person|(?:no|a|an|the|each|every|any|many|all|your|"
    rf"one)\s+(?:[\w-]+\s+){{0,5}}?[\w-]+|VFR flight|"
    rf"VFR flights|inbound traffic|aircraft)\s+(?P<verb>{_VERB})\b",
    re.IGNORECASE,
)
_RULE_SUBJECT: Final = re.compile(
    r"\byou\s+[a-z]+\b|"
    r"\b(?:no one|no person|no aircraft|(?:an?|the|each|every)\s+(?:[\w-]+\s+){0,4}?[\w-]+|VFR flights?|aircraft)\s+"
    r"(?:must|may|shall|should|needs?|requires?|fly|flies|is|are|has|have)\b",
    re.IGNORECASE,
)
_VERB_ANYWHERE: Final = re.compile(rf"\b(?P<verb>{_VERB})\b", re.IGNORECASE)
_EXCEPTION: Final = re.compile(r",?\s+\b(?:unless|except|apart from|other than|until)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """`lead` without its comma, "" if there is none; `predicate` begins with the verb; `asked` are the amounts of the
    predicate, which a question must not hold."""

    text: str
    lead: str
    lead_kind: Lead
    subject: str
    predicate: str
    stance: Stance
    asked: tuple[Quantity, ...]
    exception: str = ""


def parse(text: str) -> Statement:
    """The parts of one sentence."""
    text = " ".join(text.split())
    lead, kind, rest = _lead(text)
    subject, predicate = _subject(rest)
    exception = _EXCEPTION.search(predicate)
    start = len(text) - len(rest)
    return Statement(
        text=text,
        lead=lead,
        lead_kind=kind,
        subject=subject,
        predicate=predicate,
        stance=stance_of(rest),
        asked=tuple(one for one in quantities_in(text) if one.span[1] > start),
        exception=predicate[exception.start() :].strip(" ,.") if exception else "",
    )


def _lead(text: str) -> tuple[str, Lead, str]:
    kind: Lead = next((name for name, pattern in _KINDS if pattern.search(text)), "none")
    if kind == "none":
        return "", "none", text
    found = _SUBJECT.search(text)
    comma = re.search(r"(?<!\d),\s|(?<=\d),\s+(?!\d)", text)
    if comma and (found is None or comma.start() < found.start() or kind == "case"):
        return text[: comma.start()], kind, text[comma.end() :]
    if found and found.start() > 0 and kind != "case":
        return text[: found.start()].strip(" ,"), kind, text[found.start() :]
    return "", "none", text


def _subject(rest: str) -> tuple[str, str]:
    found = _SUBJECT.match(rest)
    if found:
        return found["subject"], rest[found.start("verb") :].rstrip(".")
    verb = _VERB_ANYWHERE.search(rest)
    if verb and verb.start() > 0:
        return rest[: verb.start()].strip(" ,"), rest[verb.start() :].rstrip(".")
    return "", rest.rstrip(".")


def lead_end(text: str) -> int:
    """Where the circumstances that open a sentence end and its rule begins; 0 where it opens with the rule."""
    if not any(pattern.search(text) for _, pattern in _KINDS):
        return 0
    rule = _RULE_SUBJECT.search(text)
    return rule.start() if rule else 0
