"""Sentences that say what a term means, and the entries of a glossary.

"Night means the time between …" is a definition; "by means of a checklist" is none. A glossary prints a term in
capitals, a dash and its definition. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from curation import conf
from knowledge.grounding.sentences import sentences_in

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
_ENTRY = re.compile(
    r"^(?P<term>[A-Z][A-Z0-9][A-Z0-9 ,/()&’'.–-]{0,70}?(?:\[ICAO\])?|[A-Z][A-Z/]{2,20})[-–—] (?P<rest>[A-Z“\"(].{20,})$"
)
_NO_ENTRY = frozenset(["NOTE", "EXAMPLE", "REFERENCE", "PHRASEOLOGY", "CAUTION", "WARNING", "CHANGE"])
_ANCHOR = re.compile(r"\^[A-Za-z0-9+/=]{8,}")


@dataclass(frozen=True, slots=True)
class GlossaryEntry:
    """A term with its definition, the exact words that both stand in, and where its paragraph stands."""

    term: str
    definition: str
    quote: str
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
    return bool(match) and match["term"].strip() not in _NO_ENTRY if match else False


def term_of(sentence: str) -> str:
    """The term that a definition defines; "" of a sentence that defines none."""
    if is_definition(sentence):
        match = _SAID.match(" ".join(sentence.split()))
        return match["term"].split(", ")[0].strip('“”" ,') if match else ""
    return sentence.split(": ")[0] if is_entry(sentence) else ""


def entries_in(text: str, heading: str = "") -> Iterator[GlossaryEntry]:
    """The glossary's entries of the text: a paragraph for each, up to what a claim may hold."""
    for match in re.finditer(r"[^\n]+", text):
        line = _ANCHOR.sub("", match.group()).replace("*", "").strip()
        found = _ENTRY.match(line)
        term, rest = (found["term"], found["rest"]) if found else _headed(line, heading, text)
        term = term.strip(" -–—")
        if not rest or term.upper() in _NO_ENTRY:
            continue
        said = _beginning(rest, conf.STATEMENT_LENGTH - len(term) - 4)
        at = text.find(said, match.start())
        if said and at >= 0:
            yield GlossaryEntry(term, said, text[match.start() : at + len(said)].strip(), *match.span())


def _headed(line: str, heading: str, text: str) -> tuple[str, str]:
    """Where the heading is the term, the first paragraph below it is the definition."""
    if heading and heading == heading.upper() and re.search(r"[A-Z]{2}", heading):
        first = next((one for one in text.split("\n") if one.strip() and one.strip() != heading), "")
        if line and first.strip().startswith(line[:40]) and not line.startswith("(") and line != heading:
            return heading, line
    return "", ""


def _beginning(definition: str, most: int) -> str:
    """As many whole sentences of the definition as a claim may hold."""
    ends = [sentence.end for sentence in sentences_in(definition) if sentence.end <= most]
    whole = definition[: ends[-1]].strip() if ends else ""
    return whole if whole.endswith((".", "”", ")", "!")) else ""
