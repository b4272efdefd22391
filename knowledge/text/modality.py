"""A clause becomes its modality (must, may, may not, should, not required) and its polarity.

"No person may … unless it is equipped" and "it must be equipped" say the same: two negations are none. So
polarity is the parity of the negations left after comparators ("not less than") and standing exceptions
are taken out. Pure: knows words, not sources.
"""

from __future__ import annotations

import re
from typing import Literal

from knowledge.text.numbers import plain

Modality = Literal["must", "may", "may_not", "should", "not_required"]

_NOT_REQUIRED = re.compile(
    r"\b(?:not|never|n't|no longer) (?:be )?(?:required|necessary|needed|mandatory|obliged"
    r"|obligated)\b|\bno (?:need|requirement)\b"
    r"|\bno (?:[a-z-]+ ){1,4}(?:is|are) (?:required|needed|necessary)\b"
    r"|\b(?:do|does|did|would)(?: not|n't) (?:need|have to|require)\b|\bneed(?:s)?(?: not|n't)\b"
    r"|\b(?:optional|unnecessary)\b"
    r"|\bisn't (?:required|necessary|needed)\b|\baren't (?:required|necessary|needed)\b|\bwithout "
    r"(?:needing|having) to\b"
)
_MAY_NOT = re.compile(
    r"\b(?:may|can|must|shall|should|could|will|is|are|be)(?: not|n't)(?: be)? (?:allowed"
    r"|permitted|authorized|legal|lawful)\b"
    r"|\b(?:may|can|must|shall)(?: only)? not\b|\bcannot\b|\b(?:can|must|may|shall|could)n't\b|\bcan't\b"
    r"|\bno (?:person|pilot|one|operator|certificate holder|individual|aircraft|flight|student"
    r"|passenger|crewmember|applicant|foreign)\b[^.;]{0,90}?\b(?:may|shall|can|is allowed|is "
    r"permitted)\b"
    r"|\bno (?:person|pilot|operator) [^.;]{0,40}\bmay\b|\bnobody\b|\bneither\b[^.;]{0,60}\bmay\b"
    r"|\b(?:prohibited|forbidden|illegal|unlawful|banned|disallowed)\b|\bnever\b|\b(?:isn't"
    r"|aren't) (?:allowed|permitted|legal)\b"
    r"|\bnot (?:allowed|permitted|authorized|legal)\b|\bdo not\b|\bdon't\b"
)
_MUST = re.compile(
    r"\b(?:must|shall|required|requires?|needs?(?: to)?|have to|has to|had to|got to|mandatory"
    r"|obligated|obliged|necessary"
    r"|is responsible for|are responsible for|may only|can only|only (?:be|if|when)|is limited to"
    r"|are limited to|will be)\b"
)
_SHOULD = re.compile(r"\b(?:should|recommended|recommends?|advisable|encouraged|ought)\b")
_MAY = re.compile(r"\b(?:may|can|could|allowed|permitted|authorized|legal|exempt|is able to)\b")


def modality_of(text: str) -> Modality | None:
    """What the text makes of its subject: the strongest statement wins; None where it only describes."""
    said = plain(text)
    for modality, pattern in _IN_ORDER:
        if pattern.search(said):
            return modality
    return None


_IN_ORDER: tuple[tuple[Modality, re.Pattern[str]], ...] = (
    ("not_required", _NOT_REQUIRED),
    ("may_not", _MAY_NOT),
    ("must", _MUST),
    ("should", _SHOULD),
    ("may", _MAY),
)

_CLAUSE_END = re.compile(
    r"(?<!\d)[.;!?](?=\s|$)|(?<=\w)[:—](?=\s)|, (?:but|however|although|though|whereas|while"
    r"|so)\b|\b(?:but|however|although|whereas)\b"
)
_STANDING_EXCEPTION = re.compile(
    r"\b(?:unless|except(?: when| where)?(?: as)?) (?:(?:is|are|it is|as|when)\s)?(?:otherwise "
    r")?(?:authorized|approved|required|specified|permitted|directed|instructed"
    r"|provided|prescribed|noted|allowed|described|required)\b[^,;.]*(?:,|$)?"
    r"|\bexcept in (?:an )?emergenc(?:y|ies)\b,?|\bnotwithstanding\b[^,]*,|\bnot ?withstanding\b"
    r"|^\W*except\b[^,;]*,|\b(?:without|not having) an? (?:operating )?(?:control )?tower\b"
    r"|\bwhether or not\b|\bnot only\b|\bif not\b|\bor not\b|\bno matter\b|\bno\. \d"
)
_COMPARATOR = re.compile(
    r"\b(?:not?|never)(?: be)? (?:less|fewer|more|greater|lower|higher|longer|later|earlier"
    r"|shorter|sooner|larger|smaller) than\b"
    r"|\b(?:not|never)(?: to)? exceed(?:s|ed|ing)?\b|\b(?:may|must|shall|can|should|does|do)(?: "
    r"not|n't) exceed\b|\bcan't exceed\b|\bcannot exceed\b"
    r"|\bnot (?:be )?(?:above|below)(?= (?:an? )?(?:altitude|\d))|\bno later\b|\bup to but not "
    r"including\b|\bbut not including\b|\bno (?:less|more)\b"
)
_NEGATION = re.compile(
    r"\b(?:not|no|never|neither|nor|none|nobody|nothing|cannot|without|unless|except|prohibited"
    r"|prohibits?|forbidden|forbids?|illegal|unlawful|banned"
    r"|disallowed|lacks?|lacking|fails?|failed|failing|unable|refuse[sd]?|denied|absent"
    r"|unnecessary|invalid|ineligible|excludes?|excluding|unauthorized)\b|n't\b"
)


def clauses_of(text: str) -> tuple[str, ...]:
    """The clauses that carry a polarity of their own; numbers and section numbers are never cut."""
    pieces: list[str] = []
    start = 0
    for match in _CLAUSE_END.finditer(plain(text)):
        pieces.append(text[start : match.start()])
        start = match.end()
    pieces.append(text[start:])
    return tuple(piece.strip() for piece in pieces if piece.strip())


def negations_in(text: str) -> int:
    """How many negations the text holds, without those inside comparators and standing exceptions."""
    said = _COMPARATOR.sub(" ", _STANDING_EXCEPTION.sub(" ", plain(text)))
    return len(_NEGATION.findall(re.sub(r"\bneither\b(.*?)\bnor\b", r"not \1", said)))


def is_negative(text: str) -> bool:
    """Whether the text, taken as one clause, denies: an odd number of negations."""
    return negations_in(text) % 2 == 1


def polarity_of(text: str) -> tuple[tuple[str, bool], ...]:
    """Each clause with True where it affirms, False where it denies."""
    return tuple((clause, not is_negative(clause)) for clause in clauses_of(text))


_SUBORDINATE = re.compile(r"\b(?:unless|except|if|when|where|provided|until|while|because|since|who|which)\b")


def is_denied_at(text: str, place: int) -> bool:
    """Whether a negation governs what stands at the place: one before it in its own part of the clause."""
    said = plain(text[:place])
    starts = [match.end() for match in _CLAUSE_END.finditer(said)]
    clause = said[starts[-1] if starts else 0 :]
    part = _SUBORDINATE.split(_STANDING_EXCEPTION.sub(" ", clause))[-1]
    return is_negative(part)
