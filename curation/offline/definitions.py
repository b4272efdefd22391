"""Sentences that say what a term means, and the entries of a glossary.

"Night means the time between …" is a definition; "by means of a checklist" is none. A passage of a glossary has its
term as heading, in capitals. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from curation import conf
from knowledge.text.sentences import sentences_in

_TERM = (
    r"(?:(?:[Aa]n?|[Tt]he) (?:terms? )?)?(?P<term>[“\"]?[A-Za-z0-9][^.;:—]{1,110}?[”\"]?)"
    r"(?:,? as used (?:[^.;]|\.(?=\d)){3,160}?,)?"
)
_SAID = re.compile(
    r"^(?:\(?(?:\d{1,2}|[a-z])[.)] )?(?:(?:As used in|For (?:the )?purposes? of|Under)\b[^,]{3,90}, )?"
    + _TERM
    + r",? (?P<verb>means(?! (?:of|to|for|by|other|and|or|in|which|means)\b)(?: either| that)?"
    r"|(?:is|are) defined as|refers to|(?:is|are) (?:the|an?) terms? (?:used|that))(?:[:— ]|$)",
)
_NOT_A_TERM = re.compile(
    r"\b(?:by|a|other|any|same|no|this|that|these|it|which|who|you|we|he|they|what|must|may|shall|should|can|will"
    r"|if|when|always|only|not|also|usually|often|generally|typically)$"
    r"|^(?:this|that|these|it|which|if|when|while|note|example|because|since|although|however|for|in|at"
    r"|use|less|more|any|each|increased|decreased|the very)\b"
    r"|\bthis\b|\b(?:information|readings?|indications?)$",
    re.I,
)
_MODAL = re.compile(r"\b(?:must|shall|may|should)\b")
_NO_ENTRY = frozenset(["NOTE", "EXAMPLE", "REFERENCE", "PHRASEOLOGY", "CAUTION", "WARNING", "CHANGE"])


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term with its definition, in exact words, and where its paragraph stands."""

    term: str
    definition: str
    at: int
    end: int


def is_definition(sentence: str) -> bool:
    """Whether the sentence says what a term means. A lead-in of a definition counts, too."""
    match = _SAID.match(" ".join(sentence.split()))
    if not match or _MODAL.search(match["term"]) or _NOT_A_TERM.search(match["term"].strip('“”"')):
        return False
    return len(match["term"].split()) <= conf.TERM_WORDS


def is_glossary(document: str) -> bool:
    """Whether a document is a glossary, by its name: the Pilot/Controller Glossary is cited as P/CG."""
    return bool(re.search(r"\bP/CG\b|glossary", document, re.I))


def is_entry(sentence: str) -> bool:
    """Whether the sentence is an entry of a glossary: a term in capitals, a colon and its definition."""
    match = re.match(r"(?P<term>[A-Z][A-Z0-9 ,/()\[\]&’'.–-]{1,72}): [A-Z“\"]", sentence)
    return match is not None and match["term"].strip() not in _NO_ENTRY


def term_of(sentence: str) -> str:
    """The term that a definition defines; "" of a sentence that defines none."""
    if is_definition(sentence):
        match = _SAID.match(" ".join(sentence.split()))
        return match["term"].split(", ")[0].strip('“”" ,') if match else ""
    return sentence.split(": ")[0] if is_entry(sentence) else ""


def entry_in(text: str, heading: str) -> GlossaryEntry | None:
    """The glossary's entry of a passage: its heading and its first paragraph, up to what a claim may hold. One in
    brackets only leads to another term."""
    if heading != heading.upper() or not re.search(r"[A-Z]{2}", heading):
        return None
    paragraphs = (
        match for match in re.finditer(r"[^\n]+", text) if match.group().strip() not in ("", heading)
    )
    first = next(paragraphs, None)
    said = _beginning(first.group().strip(), conf.STATEMENT_LENGTH - len(heading) - 4) if first else ""
    if first is None or not said or said.startswith("("):
        return None
    return GlossaryEntry(heading, said, *first.span())


def _beginning(definition: str, most: int) -> str:
    """As many whole sentences of the definition as a claim may hold."""
    ends = [sentence.end for sentence in sentences_in(definition) if sentence.end <= most]
    whole = definition[: ends[-1]].strip() if ends else ""
    return whole if whole.endswith((".", "”", ")", "!")) else ""
